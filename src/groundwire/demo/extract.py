"""The demo's answerer: picks the sentence that shares most with the question. No model."""

from __future__ import annotations

import re
from collections.abc import Sequence

from groundwire.demo.library import Passage

_COMMON = frozenset(
    """a an and are as at be by can did do does for from had has have how in is it its of on or that
    the this to used was what when where which who why will with about tell say me package python
    library""".split()
)


def sentences(text: str) -> list[str]:
    """Split a passage of clean prose into its sentences."""
    return re.split(r"(?<=[.!])\s+(?=[A-Z])", text)


def content_words(text: str) -> set[str]:
    """Lower-case words that carry content, with a plural s taken off."""
    words = re.findall(r"[a-z0-9]+", text.lower())
    return {w[:-1] if len(w) > 3 and w.endswith("s") else w for w in words if w not in _COMMON}


_DEFINES = re.compile(
    r"\b(is|are) (a|an|the)\b|\b(provides|implements|contains|supports|allows|lets|offers)\b"
)


def best_sentence(question: str, passages: Sequence[Passage]) -> tuple[str, int] | None:
    """Return the best sentence and its passage's index, or None when no passage is about the question.

    A passage is about the question when it (with its title) holds every content word of the question.
    """
    wanted = content_words(question)
    best: tuple[int, int, str] | None = None
    for rank, passage in enumerate(passages):
        if not wanted <= content_words(f"{passage['title']} {passage['text']}"):
            continue
        for sentence in sentences(passage["text"]):
            score = 4 * len(wanted & content_words(sentence)) + _definition_bonus(wanted, sentence) - rank
            if best is None or score > best[0]:
                best = (score, rank, sentence)
    return None if best is None else (best[2], best[1])


def _definition_bonus(wanted: set[str], sentence: str) -> int:
    """Sentences that say what a thing is answer best, above all those that begin with its name."""
    begins = bool(wanted & content_words(" ".join(sentence.split()[:2])))
    return 3 * bool(_DEFINES.search(sentence)) + 3 * begins
