"""Sentences of a text, as ranges, for spaced and unspaced scripts, prose, lists and tables."""

from __future__ import annotations

import re

_MARK = re.compile(r"[.!?…\n。！？｡؟।॥։]")
_FULL = re.compile(r"[。！？｡؟।॥։]+[\"'”’»」』）)\]]*\s*")
_LINE = re.compile(r"\n(?:[ \t\r]*\n\s*|[ \t]*(?![a-zß-öø-ÿа-яё \t]))")
# A mark, what closes with it, and a new line or a space before something that can begin a sentence.
_STOP = re.compile(r"[.!?…]+[\"'”’»)\]*_]*(?:[ \t\r]*\n\s*|\s+(?=[\"'“‘«(\[*_-]*[^\Wa-zа-яёα-ωß-öø-ÿ_]))")
_SPACED_STOP = re.compile(r"[.!?]\s+(?=\S)")
_AFTER_STOP = frozenset(" \t\r\n\"'”’»)]*_.!?…")
_ABBREVIATIONS = frozenset(
    """
Mr Mrs Ms Dr Prof St Sr Jr Gen Col Sgt Capt Lt Rev Hon vs Nos Nr Art Fig Figs Eq Sec Ch Vol Ed Eds Inc Ltd Co
Corp approx ca cf al e.g i.e p pp Jan Feb Mar Apr Jun Jul Aug Sep Sept Oct Nov Dec bzw z.B d.h usw ggf Mio Mrd
Abs Str Mme Sra Dra U.S U.K a.m p.m
""".split()
)
_OPENER = re.compile(r"\s+(?:The|It|She|He|They|We|This|In|On|At)\b")
_LIST_NUMBER = re.compile(r"(?:^|[\n.:;!?])\s*\d{1,2}\.$")


MAX_SENTENCE_CHARACTERS = 2_000
"""A longer stretch without an end is cut at a space."""


def split_sentences(text: str) -> list[tuple[int, int]]:
    """Return the ranges of the sentences and lines of ``text``, without the white space around them.

    >>> [("A b. 3 cats sat. Dr. Who?")[s:e] for s, e in split_sentences("A b. 3 cats sat. Dr. Who?")]
    ['A b.', '3 cats sat.', 'Dr. Who?']
    >>> len(split_sentences("最初は1967年です。次は来年です。"))
    2
    """
    spans: list[tuple[int, int]] = []
    start = 0
    for match in _MARK.finditer(text):
        mark = match.start()
        end = _end_at(text, start, mark) if mark >= start else None
        if end is not None:
            _append_span(text, start, end, spans)
            start = end
    _append_span(text, start, len(text), spans)
    return spans


def _end_at(text: str, start: int, mark: int) -> int | None:
    """Return where the next sentence begins if one ends at ``mark``, else None."""
    char = text[mark]
    if char == "\n":
        found = _LINE.match(text, mark)
        return None if found is None else found.end()
    if char not in ".!?…":
        return _FULL.match(text, mark).end()  # type: ignore[union-attr]
    if text[mark + 1 : mark + 2] not in _AFTER_STOP:
        return None
    found = _STOP.match(text, mark)
    if found is not None:
        if char == "." and "\n" not in found[0] and _is_abbreviation(text, start, mark + 1):
            return None
        return found.end()
    if mark and text[mark - 1].isspace():
        found = _SPACED_STOP.match(text, mark)
    return None if found is None else found.end()


def _is_abbreviation(text: str, start: int, end: int) -> bool:
    """Return True if the full stop before ``end`` belongs to an abbreviation or a list's number."""
    word = text[max(start, end - 9) : end - 1].rsplit(None, 1)[-1:]
    last = word[0].lstrip("([\"'“‘*_") if word else ""
    if last in _ABBREVIATIONS:
        # "a.m." may end a sentence; before a capital word of grammar it does.
        return not (last in ("a.m", "p.m") and _OPENER.match(text, end))
    if last == "No":
        return text[end : end + 3].lstrip()[:1].isdigit()
    if len(last) == 1 and last.isalpha():
        return last.isupper()
    if len(last) <= 2 and last.isdigit():
        # "1." opens a list item; "… in 12. The" ends a sentence.
        return _LIST_NUMBER.search(text[max(0, start - 2) : end]) is not None
    return False


def _append_span(text: str, start: int, end: int, spans: list[tuple[int, int]]) -> None:
    piece = text[start:end]
    left = len(piece) - len(piece.lstrip())
    stripped = piece.strip()
    at = start + left
    while len(stripped) > MAX_SENTENCE_CHARACTERS:
        cut = stripped.rfind(" ", 1, MAX_SENTENCE_CHARACTERS) + 1 or MAX_SENTENCE_CHARACTERS
        spans.append((at, at + len(stripped[:cut].rstrip())))
        rest = stripped[cut:].lstrip()
        at += len(stripped) - len(rest)
        stripped = rest
    if stripped:
        spans.append((at, at + len(stripped)))
