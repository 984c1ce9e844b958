"""Passages that stand only in a prompt: found by how they are numbered, labeled or tagged.

Where no span kept the documents' text, the rendered prompt is the only place that still holds it. What is
found this way is the text that the model was given, but its limits are a guess; provenance says so.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from groundwire.dialects.messages import Turn
from groundwire.record import RetrievedContext

MAX_PROMPT_CHARS = 1_000_000
_LABEL = re.compile(
    r"^[ \t]*(?:"
    r"\[(?P<bracket>\d{1,4})\][ \t:.]*"
    r"|(?:[#=*-]+[ \t]*)?(?:Source|Document|Doc|Passage|Context|Chunk|Excerpt|Result|Snippet|Reference)"
    r"[ \t]*[#\[(]?(?P<word>\d{1,4})[\])]?[ \t]*[:.\n)=*-]+[ \t]*"
    r"|(?P<doc>\[doc\d{1,4}\])[ \t:.]*"
    r")",
    re.MULTILINE | re.IGNORECASE,
)
_FIELDS = re.compile(
    r"^[ \t]*(?:Source|Title|Document|URL|Metadata)[ \t]*:[^\n]*\n"
    r"[ \t]*(?:Content|Text|Snippet)[ \t]*:[ \t]*",
    re.MULTILINE | re.IGNORECASE,
)
_TAG = re.compile(
    r"<(document|doc|passage|context|source|chunk|excerpt|result)\b([^<>]{0,300})>", re.IGNORECASE
)
_TAG_ID = re.compile(r"\b(?:id|index|source|name)=[\"']?([^\"'\s>]+)", re.IGNORECASE)
_INNER_TAGS = ("document_content", "content", "text")
_HEADING = re.compile(
    r"^[ \t#*]*(?:Retrieved |Relevant |Reference |Provided |Search )?"
    r"(?:Context(?: information)?|Documents|Passages|Sources|Excerpts|Search results|Knowledge)\b"
    r"(?:[^\n]{0,80}?:[ \t*]*\n?|[^\n]{0,40}?\b(?:below|follows|following)\b[^\n]{0,20}?\.[ \t]*\n)",
    re.MULTILINE | re.IGNORECASE,
)
_HEAD = re.compile(r"(?:\A|(?<=\n\n))(?:[\w -]{1,40}: [^\n]*\n)+\n")
_HEAD_KEY = re.compile(r"^([\w -]{1,40}): ", re.MULTILINE)
_FENCE = re.compile(r"^[ \t]*(?:-{3,}|={3,}|`{3,}|#{3,}|_{3,})[ \t]*$", re.MULTILINE)
_ASKS = re.compile(
    r"^[ \t#*]*(?:User |Human )?(?:Question|Query|User input|Q)[ \t]*:[ \t*]*", re.MULTILINE | re.IGNORECASE
)
_ENDS = re.compile(
    r"^[ \t#*]*(?:User |Human )?(?:Question|Query|Answer|Q|Helpful Answer|Instructions?|Given the context)\b"
    r"[^\n]{0,60}?[:,]",
    re.MULTILINE | re.IGNORECASE,
)
_METADATA_TAIL = re.compile(r"\n\n(?:[\w-]{1,40}: [^\n]*(?:\n|\Z)){1,12}\Z")
_SPEAKS_OF_PASSAGES = re.compile(
    r"passage|source|document|context|excerpt|cite|citation|reference|search result|<doc", re.IGNORECASE
)
_TELLING_VARIABLES = re.compile(
    r"context|document|passage|source|chunk|excerpt|knowledge|retriev|search", re.IGNORECASE
)


class Prompted(NamedTuple):
    """The passages, and the question that a template filled in after them (None: not recognized)."""

    contexts: tuple[RetrievedContext, ...] = ()
    question: str | None = None


def find_prompted(turns: Sequence[Turn], variables: Mapping[str, str] | None = None) -> Prompted:
    """Return the passages in a prompt: a telling template variable's first, else the messages' themselves.

    >>> turn = Turn("system", "Cite as [n].\\n[1] The Aare is long.\\n[2] It joins the Rhine.")
    >>> [context.text for context in find_prompted([turn]).contexts]
    ['The Aare is long.', 'It joins the Rhine.']
    """
    for name, text in (variables or {}).items():
        if _TELLING_VARIABLES.search(name) and text.strip():
            contexts = split_passages(text) or (RetrievedContext(text=text.strip()),)
            return Prompted(contexts, (variables or {}).get("question") or (variables or {}).get("query"))
    for turn in reversed(turns):
        if turn.role in ("system", "user") and len(turn.content) <= MAX_PROMPT_CHARS:
            found = _find_in_text(turn.content)
            if found.contexts:
                return found
    return Prompted()


def _find_in_text(text: str) -> Prompted:
    asks = list(_ASKS.finditer(text))
    if not asks:
        return Prompted(_passages_of(text))
    before, after = text[: asks[-1].start()], text[asks[-1].end() :]
    question = _ENDS.split(after.split("\n\n")[0])[0].strip() or None
    contexts = _passages_of(_after_example(before)) or _find_block(before) or split_passages(after)
    return Prompted(contexts, question if contexts else None)


def _passages_of(text: str) -> tuple[RetrievedContext, ...]:
    """One numbered paragraph is a passage only where the text speaks of passages: it may be a footnote."""
    found = split_passages(text)
    return found if len(found) != 1 or _SPEAKS_OF_PASSAGES.search(text) else ()


def _after_example(text: str) -> str:
    """A template's own worked example ends with its own question; the real passages stand after it."""
    asks = list(_ASKS.finditer(text))
    return text[asks[-1].end() :] if asks else text


def split_passages(text: str) -> tuple[RetrievedContext, ...]:
    """Split a block of tagged, numbered or labeled passages; empty where it holds none.

    Labels must count up from 1 (or 0) without a gap, so that a ``[1]`` inside a passage splits nothing.

    >>> [c.text for c in split_passages('<doc id="a">One.</doc><doc id="b">Two.</doc>')]
    ['One.', 'Two.']
    """
    return _split_tags(text) or _split_labels(text) or _split_fields(text)


def _split_fields(text: str) -> tuple[RetrievedContext, ...]:
    """Passages written out as ``Source: …`` over ``Content: …``, as LangChain's guides do; at least two."""
    marks = list(_FIELDS.finditer(text))
    if len(marks) < 2:
        return ()
    ends = [mark.start() for mark in marks[1:]] + [len(text)]
    passages = [text[mark.end() : end].strip() for mark, end in zip(marks, ends, strict=True)]
    return tuple(RetrievedContext(text=passage) for passage in passages if passage)


def _split_tags(text: str) -> tuple[RetrievedContext, ...]:
    if "</" not in text:
        return ()
    found = []
    lower = text.lower() if text.isascii() else _lower_ascii(text)
    position, unclosed = 0, set[str]()
    for match in _TAG.finditer(text):
        tag = match[1].lower()
        end = (
            lower.find(f"</{tag}>", match.end()) if match.start() >= position and tag not in unclosed else -1
        )
        if end < 0:
            unclosed.update({tag} if match.start() >= position else ())
            continue
        position = end
        body = _inner_text(text[match.end() : end]).strip()
        if body:
            identity = _TAG_ID.search(match[2])
            found.append(RetrievedContext(id=identity[1] if identity else None, text=body))
    if len(found) == 1:
        return _split_labels(found[0].text or "") or tuple(found)
    return tuple(found)


def _lower_ascii(text: str) -> str:
    """Lower-case without changing the length."""
    return "".join(char.lower() if char.isascii() else char for char in text)


def _inner_text(body: str) -> str:
    for tag in _INNER_TAGS:
        start = body.find(f"<{tag}>")
        end = body.find(f"</{tag}>", start) if start >= 0 else -1
        if end >= 0:
            return body[start + len(tag) + 2 : end]
    return body


def _split_labels(text: str) -> tuple[RetrievedContext, ...]:
    marks: list[re.Match[str]] = []
    for match in _LABEL.finditer(text):
        number = _number(match)
        expected = _number(marks[-1]) + 1 if marks else None
        if number == expected or (not marks and number in (0, 1)):
            marks.append(match)
        elif marks and number == 1 and len(marks) < 2:
            marks = [match]
    if not marks:
        return ()
    ends = [mark.start() for mark in marks[1:]] + [len(text)]
    passages = [text[mark.end() : end] for mark, end in zip(marks, ends, strict=True)]
    passages[-1] = _until_end(passages[-1])
    return tuple(RetrievedContext(text=_strip_tail(passage)) for passage in passages if passage.strip())


def _number(match: re.Match[str]) -> int:
    digits = match["bracket"] or match["word"] or (match["doc"] or "[doc0]")[4:-1]
    return int(digits)


def _strip_tail(passage: str) -> str:
    """LlamaIndex prints the next node's metadata before its label, after a blank line."""
    return _FENCE.sub("", _METADATA_TAIL.sub("", passage)).strip()


def _until_end(passage: str) -> str:
    """The last passage ends at a fence, a closing label, or the end of the text."""
    cuts = [match.start() for pattern in (_FENCE, _ENDS) if (match := pattern.search(passage))]
    return passage[: min(cuts)] if cuts else passage


def _find_block(text: str) -> tuple[RetrievedContext, ...]:
    """An unlabeled block under a heading like ``Context:`` is one passage, in a prompt that asks after it.

    LlamaIndex's default prints each node's metadata over its text: then each such head begins a passage.
    """
    heading = _HEADING.search(text)
    if heading is None:
        return ()
    rest = (
        _FENCE.sub("", text[heading.end() :], count=1)
        if _starts_fenced(text, heading.end())
        else text[heading.end() :]
    )
    block = _until_end(rest).strip()
    return _split_heads(block) or ((RetrievedContext(text=block),) if len(block) >= 20 else ())


def _split_heads(block: str) -> tuple[RetrievedContext, ...]:
    """Split where the same metadata keys stand again; empty for a block that does not begin with such."""
    heads = list(_HEAD.finditer(block))
    if not heads or heads[0].start() > 0:
        return ()
    keys = _HEAD_KEY.findall(heads[0][0])
    heads = [head for head in heads if _HEAD_KEY.findall(head[0]) == keys]
    ends = [head.start() for head in heads[1:]] + [len(block)]
    passages = [block[head.end() : end].strip() for head, end in zip(heads, ends, strict=True)]
    return tuple(RetrievedContext(text=passage) for passage in passages if passage)


def _starts_fenced(text: str, at: int) -> bool:
    return _FENCE.match(text[at:].lstrip("\n")) is not None
