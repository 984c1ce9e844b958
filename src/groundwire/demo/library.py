"""The demo's index: descriptions of the installed Python packages, in SQLite's FTS5."""

from __future__ import annotations

import functools
import itertools
import re
import sqlite3
from collections.abc import Iterator
from importlib import metadata
from typing import TypedDict

from groundwire.errors import ConfigError

MAX_PASSAGES_PER_PACKAGE = 12
_CODE = re.compile(r"```.*?```|~~~.*?~~~|<[^>\n]{1,300}>|!\[[^\]\n]{0,200}\]\([^)\n]{0,400}\)", re.DOTALL)
_MARKUP = re.compile(
    r"``?([^`\n]{1,80})``?|\*\*([^*\n]{1,80})\*\*|\*([^*\n]{1,80})\*|\[([^\]\n]{1,80})\]\([^)\n]{0,400}\)"
)
_NOT_PROSE = re.compile(r"https?:|www\.|[@|{}<>\\_=~^$#`\[\]]|:\w+:|::|\.\. |>>>| [.,;)]|\( |\.\.\.|…")
_SENTENCE_END = re.compile(r"(?<=[a-z0-9)][.!])\s+(?=[A-Z])")


class Passage(TypedDict):
    """One passage: ``id`` is ``package#number``, ``title`` the package's name."""

    id: str
    title: str
    text: str


class Library:
    """A searchable set of passages, kept in memory."""

    def __init__(self, passages: list[Passage]) -> None:
        self.passages = passages
        self._db = sqlite3.connect(":memory:", check_same_thread=False)
        try:
            self._db.execute("CREATE VIRTUAL TABLE passage USING fts5(title, text, tokenize='porter')")
        except sqlite3.OperationalError as cause:
            raise ConfigError(
                "this Python's SQLite has no FTS5", where="demo", mend="Use a Python with FTS5 built in."
            ) from cause
        rows = [(i, p["title"], p["text"]) for i, p in enumerate(passages)]
        self._db.executemany("INSERT INTO passage(rowid, title, text) VALUES (?, ?, ?)", rows)

    def search(self, query: str, limit: int) -> list[Passage]:
        """Return at most ``limit`` passages, best first; a package's name weighs most."""
        words = re.findall(r"[a-z0-9]+", query.lower())
        if not words:
            return []
        match = " OR ".join(f'"{word}"' for word in dict.fromkeys(words))
        order = (
            "SELECT rowid FROM passage WHERE passage MATCH ? ORDER BY bm25(passage, 8.0, 1.0), rowid LIMIT ?"
        )
        return [self.passages[row] for (row,) in self._db.execute(order, (match, limit))]


@functools.cache
def library() -> Library:
    """The library of this environment's packages, built once a process (well under a second)."""
    return Library(list(_read_passages()))


def _read_passages() -> Iterator[Passage]:
    seen: set[str] = set()
    for distribution in sorted(metadata.distributions(), key=lambda d: (d.metadata["Name"] or "").lower()):
        name = distribution.metadata["Name"]
        if not name or name.lower() in seen:
            continue
        seen.add(name.lower())
        yield from _split(name, distribution.metadata)


def _split(name: str, about: metadata.PackageMetadata) -> Iterator[Passage]:
    description = about.json.get("description", "")
    paragraphs = itertools.islice(clean_paragraphs(str(description)), MAX_PASSAGES_PER_PACKAGE)
    for number, paragraph in enumerate(paragraphs, 1):
        yield {"id": f"{name}#{number}", "title": name, "text": paragraph}


def clean_paragraphs(description: str) -> Iterator[str]:
    """Yield paragraphs of plain prose from a README in Markdown or reStructuredText.

    Only whole sentences without markup, addresses and code are kept, so that a quote is a quote.
    """
    text = _MARKUP.sub(lambda m: next(filter(None, m.groups())), _CODE.sub(" ", description))
    for block in re.split(r"\n\s*\n", text):
        sentences = _SENTENCE_END.split(" ".join(block.split()))
        kept = [sentence for sentence in sentences if is_prose(sentence)]
        if kept:
            yield " ".join(kept[:6])


def is_prose(sentence: str) -> bool:
    """Whether a sentence reads like prose: 5 to 40 words, capital first, full stop last, no markup."""
    words = sentence.split()
    return (
        5 <= len(words) <= 40
        and sentence[0].isupper()
        and sentence[-1] == "."
        and not _NOT_PROSE.search(sentence)
        and sum(word.strip(",.;:()\"'").isalpha() for word in words) >= 0.6 * len(words)
    )
