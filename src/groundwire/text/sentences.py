"""Sentences of a text, as ranges, for spaced and unspaced scripts, prose, lists and tables."""

from __future__ import annotations

import re

# One mark, and by which it is: what closes with it, and a new line or a space before something that can begin
# a sentence; or spaces around it; a line end before what can begin a line; a full stop of other scripts.
# Runs are bounded, since each mark of a run looks ahead.
_END = re.compile(
    r"[.!?…\n。！？｡؟।॥։]"
    r"(?:(?<=[.!?…])(?=[ \t\r\n\"'”’»)\]*_.!?…])"
    r"(?:[.!?…]{0,40}+[\"'”’»)\]*_]{0,40}+(?:[ \t\r]*\n\s*|\s+(?=[\"'“‘«(\[*_-]*[^\Wa-zа-яёα-ωß-öø-ÿ_]))"
    r"|(?<=\s[.!?])(?P<apart>\s+)(?=\S))"
    r"|(?<=\n)(?:[ \t\r]*\n\s*|[ \t]*(?![a-zß-öø-ÿа-яё \t]))"
    r"|(?<=[。！？｡؟।॥։])[。！？｡؟।॥։]*[\"'”’»」』）)\]]*\s*)"
)
_ABBREVIATIONS = frozenset(
    """
Mr Mrs Ms Dr Prof St Sr Jr Gen Col Sgt Capt Lt Rev Hon vs Nos Nr Art Fig Figs Eq Sec Ch Vol Ed Eds Inc Ltd Co
Corp approx ca cf al e.g i.e p pp Jan Feb Mar Apr Jun Jul Aug Sep Sept Oct Nov Dec bzw z.B d.h usw ggf Mio Mrd
Abs Str Mme Sra Dra Mt dept Dept Ave Blvd U.S U.K a.m p.m
""".split()
)
_MAY_END = frozenset("a.m p.m St Ave Blvd Ltd Inc Co Corp Jr dept Dept".split())
_BEFORE_NUMBERS = ("No", "max", "min", "str")
"""Endings of words that a full stop shortens where a number follows (``Lindenstr. 5``)."""
_ABBREVIATION_ENDS = frozenset(word[-3:] for word in (*_ABBREVIATIONS, *_BEFORE_NUMBERS))
_OPENER = re.compile(r"\s+(?:The|It|She|He|They|We|This|In|On|At)\b")


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
    ends = _END.finditer(text)
    while True:
        for match in ends:
            mark, end = match.span()
            if text[mark] == "." and match.lastindex is None and _is_no_end(text, start, mark, end):
                if end - mark > 2:  # There may be another mark.
                    ends = _END.finditer(text, mark + 1)
                    break
                continue
            piece = text[start:end].rstrip()
            if len(piece) > MAX_SENTENCE_CHARACTERS or piece[:1].isspace():
                _append_span(text, start, end, spans)
            elif piece:
                spans.append((start, start + len(piece)))
            start = end
        else:
            _append_span(text, start, len(text), spans)
            return spans


def _is_no_end(text: str, start: int, mark: int, end: int) -> bool:
    """Return True if the full stop at ``mark`` belongs to an abbreviation and does not end a line."""
    before = text[mark - 3 : mark]
    if mark - 3 >= start and before.isalpha() and before not in _ABBREVIATION_ENDS:
        return False
    return "\n" not in text[mark:end] and _is_abbreviation(text, start, mark + 1)


def _is_abbreviation(text: str, start: int, end: int) -> bool:
    """Return True if the full stop before ``end`` belongs to an abbreviation or a list's number."""
    word = text[max(start, end - 9) : end - 1].rsplit(None, 1)[-1:]
    last = word[0].lstrip("([\"'“‘*_") if word else ""
    if last in _ABBREVIATIONS:
        # "a.m." may end a sentence; before a capital word of grammar it does.
        return not (last in _MAY_END and _OPENER.match(text, end))
    if last.endswith(_BEFORE_NUMBERS):
        return text[end : end + 3].lstrip()[:1].isdigit()
    if len(last) == 1 and last.isalpha():
        return last.isupper()
    if len(last) <= 2 and last.isdigit():
        # "1." opens a list item; "… in 12. The" ends a sentence.
        return last.isdecimal() and _opens_line(text[max(0, start - 2) : end - 1 - len(last)])
    return False


def _opens_line(before: str) -> bool:
    """Return True if what follows ``before`` stands at its beginning, after a mark, or on a new line."""
    said = before.rstrip()
    return not said or said[-1] in ".:;!?" or "\n" in before[len(said) :]


def _append_span(text: str, start: int, end: int, spans: list[tuple[int, int]]) -> None:
    stripped = text[start:end].rstrip()
    if not stripped:
        return
    if stripped[0].isspace():
        start += len(stripped) - len(stripped.lstrip())
        stripped = stripped.lstrip()
    while len(stripped) > MAX_SENTENCE_CHARACTERS:
        cut = stripped.rfind(" ", 1, MAX_SENTENCE_CHARACTERS) + 1 or MAX_SENTENCE_CHARACTERS
        spans.append((start, start + len(stripped[:cut].rstrip())))
        rest = stripped[cut:].lstrip()
        start += len(stripped) - len(rest)
        stripped = rest
    if stripped:
        spans.append((start, start + len(stripped)))
