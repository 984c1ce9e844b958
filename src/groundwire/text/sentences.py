"""Sentences of a text, as ranges, for spaced and unspaced scripts, prose, lists and tables."""

from __future__ import annotations

import re

# The end of a sentence: a mark and a space before something that can begin one, a full-width mark, or a line.
_END = re.compile(
    r"[.!?…][\"'”’»)\]*_]*\s+(?=[\"'“‘«(\[*_-]*[^\Wa-zа-яёα-ωß-öø-ÿ_])"
    r"|[。！？｡؟।॥։][\"'”’»」』）)\]]*\s*"
    r"|(?<=[\w,;:)\"'”’|*_`%$€£>\]-])[ \t]*\r?\n(?:\s*\n\s*|[ \t]*(?![a-zß-öø-ÿа-яё]))"
    r"|[.!?…][\"'”’»)\]*_]*\s*\r?\n\s*"
    r"|\s[.!?]\s+(?=\S)"
)
_ABBREVIATION = re.compile(
    r"(?:\b(?:[A-Z]|Mr|Mrs|Ms|Dr|Prof|St|Sr|Jr|Gen|Col|Sgt|Capt|Lt|Rev|Hon|vs|Nos|Nr|Art|Fig|Figs|Eq|Sec|Ch|"
    r"Vol|Ed|Eds|Inc|Ltd|Co|Corp|approx|ca|cf|al|e\.g|i\.e|p|pp|Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sep|Sept|Oct|Nov|Dec|"
    r"bzw|z\.B|d\.h|usw|ggf|Mio|Mrd|Abs|Str|M|Mme|Sra|Dra|U\.S|U\.K|a\.m|p\.m)|(?<![\w.])\d{1,2})\.$"
)
_OPENER = re.compile(r"\s+(?:The|It|She|He|They|We|This|In|On|At)\b")
_LIST_NUMBER = re.compile(r"(?:^|[\n.:;!?])\s*\d{1,2}\.$")


def split_sentences(text: str) -> list[tuple[int, int]]:
    """Return the ranges of the sentences and lines of ``text``, without the white space around them.

    >>> [("A b. 3 cats sat. Dr. Who?")[s:e] for s, e in split_sentences("A b. 3 cats sat. Dr. Who?")]
    ['A b.', '3 cats sat.', 'Dr. Who?']
    >>> len(split_sentences("最初は1967年です。次は来年です。"))
    2
    """
    spans: list[tuple[int, int]] = []
    start = 0
    for match in _END.finditer(text):
        mark = match.start()
        if text[mark] == "." and "\n" not in match[0] and _is_abbreviation(text, start, mark + 1):
            continue
        _append_span(text, start, match.end(), spans)
        start = match.end()
    _append_span(text, start, len(text), spans)
    return spans


def _is_abbreviation(text: str, start: int, end: int) -> bool:
    tail = text[max(start, end - 12) : end]
    match = _ABBREVIATION.search(tail)
    if match is None:
        return tail.endswith("No.") and text[end:].lstrip()[:1].isdigit()
    if tail[match.start()].isdigit():
        # "1." opens a list item; "… in 12. The" ends a sentence.
        return _LIST_NUMBER.search(text[max(0, start - 2) : end]) is not None
    # "a.m." may end a sentence; before a capital word of grammar it does.
    return not (
        match[0].endswith(".m.") and re.match(r"\s+(?:The|It|She|He|They|We|This|In|On|At)\b", text[end:])
    )


def _append_span(text: str, start: int, end: int, spans: list[tuple[int, int]]) -> None:
    piece = text[start:end]
    left = len(piece) - len(piece.lstrip())
    stripped = piece.strip()
    if stripped:
        spans.append((start + left, start + left + len(stripped)))
