"""Citation markers in an answer: ``[1, 2]``, ``[1-3]``, ``[doc1]``, ``【4:0†source】``, ``(Source 1)``.

What it leaves alone: code, array indices (``arr[1]``), years, intervals, check boxes, the definitions at the
foot of the text. Every pattern is bounded, so the time is linear in the text. Standard library only.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from typing import Final, NamedTuple

from groundwire.text.marker_places import (
    find_code,
    find_foot,
    is_definition,
    is_index,
    is_inside,
    is_interval,
)

MAX_RANGE: Final = 50
"""A longer range is no citation."""


class Marker(NamedTuple):
    """One marker: its range in the answer and the sources that it names, in order, ranges written out.

    A label is what stands there: a 1-based number (``"1"``), a name with a number (``"doc1"``), a footnote or
    a source's name (``"note"``), or an Assistants place (``"4:0"``).
    """

    start: int
    end: int
    labels: tuple[str, ...]


_WORD: Final = (
    r"sources?|src|docs?|documents?|references?|refs?|contexts?|ctx|chunks?|passages?|citations?|cites?|snippets?|"
    r"excerpts?|footnotes?|quellen?|fuentes?|fontes?|bron(?:nen)?|källa|来源|來源|出典|文献|資料"
)
_BRACKET: Final = re.compile(r"\[([^\[\]\n]{1,160})\]|【([^【】\n]{1,160})】|［([^［］\n]{1,160})］")
_PAREN: Final = re.compile(
    rf"[(（](?:see |cf\. |siehe |voir )?((?:{_WORD})(?![a-z])[^()（）\n]{{1,160}})[)）]"
    r"|<sup>(\d{1,3}(?:, ?\d{1,3}){0,9})</sup>",
    re.I,
)
_PREFIXED: Final = re.compile(
    rf"(?:{_WORD})(?![a-z])\.?(?P<colon>\s?[:：])?\s*(?:nos?\.?\s*)?[#№]?\s*(?=\S)", re.I
)
_NAMING: Final = re.compile(r"sources?|src|citations?|quellen?|fuentes?|fontes?|bron|来源|來源|出典", re.I)
_SHORT: Final = re.compile(rf"(?:[SDCPR]|(?i:{_WORD}))[-_]?\d{{1,4}}\Z")
_PLACE: Final = re.compile(r"(\d{1,4}(?::\d{1,4})?)†.*\Z", re.S)
_NUMBERS: Final = re.compile(r"(\d{1,3})(?:\s?(?:[-–—‐‑−~〜～]|\bto\b|\bbis\b|\.\.\.?)\s?(\d{1,3}))?\Z")
_LOCATOR: Final = re.compile(
    r"(?:pp?|pages?|seiten?|s|sections?|sec|ch|chapters?|lines?|ll?|fig|figures?|tables?|tab|paras?|vol|art|"
    r"articles?|no|slides?|col|row|appendix|clause|§+|¶)\.?\s?\d[\w.\-–—:]{0,20}\Z|ff?\.?\Z|passim\Z",
    re.I,
)
_SPLIT: Final = re.compile(r"(\s*(?:[,;，、；|&+]|\band\b|\bund\b|\bet\b|\by\b)\s*)")
_DIGITS: Final = str.maketrans("０１２３４５６７８９：，；－～", "0123456789:,;-~")


def parse_markers(answer: str, names: Collection[str] = ()) -> list[Marker]:
    """Return the citation markers of ``answer`` in order.

    ``names`` are the ids and titles of known sources: a bracket that holds nothing but one of them (or
    several, separated by commas) is a marker too. Whether a label names a source that exists is not decided
    here: see :func:`find_source`.

    >>> [m.labels for m in parse_markers("Ada did [1, p. 6-7], then Bob [2-4]; not arr[1] or `x[2]`.")]
    [('1',), ('2', '3', '4')]
    >>> parse_markers("It is so【4:0†source】.")
    [Marker(start=8, end=20, labels=('4:0',))]
    """
    if not _may_hold_marker(answer):
        return []
    code = find_code(answer)
    foot = find_foot(answer)
    found: list[Marker] = []
    marked = indexed = -1
    for match in _BRACKET.finditer(answer):
        labels = _parse_body(match[1] or match[2] or match[3], names)
        marker = Marker(match.start(), match.end(), labels)
        if not labels or _is_elsewhere(answer, marker, code, foot):
            continue
        if marker.start == indexed or (marker.start != marked and is_index(answer, *marker)):
            indexed = marker.end
        else:
            marked = marker.end
            found.append(marker)
    for match in _PAREN.finditer(answer):
        labels = _parse_body(match[1] or match[2], names)
        if labels and not is_inside(match.start(), code):
            found.append(Marker(match.start(), match.end(), labels))
    return _without_overlaps(sorted(found))


def _may_hold_marker(answer: str) -> bool:
    return any(sign in answer for sign in "[【［(（") or "<sup>" in answer


def _without_overlaps(markers: list[Marker]) -> list[Marker]:
    kept: list[Marker] = []
    for marker in markers:
        if not kept or marker.start >= kept[-1].end:
            kept.append(marker)
    return kept


def _is_elsewhere(answer: str, marker: Marker, code: list[tuple[int, int]], foot: int) -> bool:
    """Tell whether the bracket is code, an interval, an image or a definition."""
    start, end, labels = marker
    if is_inside(start, code) or is_definition(answer, start, end, foot):
        return True
    if answer[start] != "[":
        return False
    if answer.startswith("!", start - 1) and answer.startswith("(", end):
        return True
    return len(labels) == 2 and is_interval(answer, start, end)


# --- what a bracket holds -----------------------------------------------------------------------------


def _parse_body(raw: str, names: Collection[str]) -> tuple[str, ...]:
    body = raw.strip().translate(_DIGITS)
    if raw in names:
        return (raw,)
    if body[:1] == "^":
        return (body[1:],) if re.fullmatch(r"\^[\w.\-]{1,40}", body) else ()
    place = _PLACE.match(body)
    if place:
        return (place[1],)
    if names and _all_named(raw, names):
        return tuple(part.strip() for part in raw.split(","))
    return _parse_list(body)


def _all_named(raw: str, names: Collection[str]) -> bool:
    return "," in raw and all(part.strip() in names for part in raw.split(","))


def _parse_list(body: str) -> tuple[str, ...]:
    """Read a separated list of numbers, ranges and short names, each with places such as ``p. 6-7``."""
    prefix = _PREFIXED.match(body)
    if prefix and not body[prefix.end()].isdigit():
        return _named_source(body, prefix)
    labels: list[str] = []
    in_locator = False
    pieces = _SPLIT.split(body)
    for index in range(0, len(pieces), 2):
        piece = _without_prefix(pieces[index])
        if index and ";" in pieces[index - 1]:
            in_locator = False
        if labels and _LOCATOR.match(piece):
            in_locator = True
            continue
        if in_locator and not _precedes_locator(pieces, index):
            if not re.fullmatch(r"[\d\-–—]{1,12}", piece):
                return ()
            continue
        read = _parse_piece(piece)
        if not read:
            return ()
        labels.extend(read)
        in_locator = False
    return () if len(labels) > 1 and "0" in labels else tuple(labels)


def _without_prefix(piece: str) -> str:
    if _SHORT.match(piece):
        return piece
    prefix = _PREFIXED.match(piece)
    return piece[prefix.end() :] if prefix else piece.lstrip("#")


def _precedes_locator(pieces: list[str], index: int) -> bool:
    return index + 2 < len(pieces) and _LOCATOR.match(pieces[index + 2]) is not None


def _parse_piece(piece: str) -> tuple[str, ...]:
    numbers = _NUMBERS.match(piece)
    if numbers:
        return _written_out(numbers[1], numbers[2])
    if _SHORT.match(piece):
        return (piece,)
    number, _, place = piece.partition(" ")
    if not place:
        number, _, place = piece.partition(":")
    return (number,) if re.fullmatch(r"\d{1,3}", number) and _LOCATOR.match(place.strip()) else ()


def _written_out(first: str, last: str | None) -> tuple[str, ...]:
    """Write out a range; an end with fewer digits is an abbreviation (``156-9``)."""
    if last is None:
        return (str(int(first)),)
    if len(last) < len(first) == 3:
        last = first[: len(first) - len(last)] + last
    low, high = int(first), int(last)
    return tuple(map(str, range(low, high + 1))) if 0 < low < high < low + MAX_RANGE else ()


def _named_source(body: str, prefix: re.Match[str]) -> tuple[str, ...]:
    """Read ``Source: handbook.pdf, p. 3``; without the colon it is prose."""
    if prefix["colon"] is None or not _NAMING.match(body):
        return (body,) if _SHORT.match(body) else ()
    pieces = [piece for piece in re.split(r"\s*[,;]\s*", body[prefix.end() :]) if piece]
    labels = [piece for piece in pieces if not _LOCATOR.match(piece)]
    read = tuple(label for piece in labels for label in (_parse_piece(_without_prefix(piece)) or (piece,)))
    return read if all(len(label) <= 80 for label in read) else ()


# --- which source a label names -----------------------------------------------------------------------


def label_number(label: str) -> int | None:
    """Return the 1-based number in a label; None when it names its source otherwise.

    >>> label_number("2"), label_number("doc2"), label_number("note"), label_number("4:0")
    (2, 2, None, None)
    """
    digits = re.search(r"\d{1,6}\Z", label)
    if digits is None or not (digits.start() == 0 or _SHORT.match(label)):
        return None
    return int(digits[0])


def find_source(label: str, sources: Sequence[Collection[str]]) -> int | None:
    """Return the index of the source that ``label`` names; None when there is none (out of range, unknown).

    ``sources`` holds, per source, its names (id, title, URI). A name wins over a number; a name that several
    sources bear names none of them.

    >>> find_source("doc1", [{"doc7"}, {"doc1"}]), find_source("2", [{"a"}, {"b"}]), find_source("3", [{"a"}])
    (1, 1, None)
    """
    named = [index for index, names in enumerate(sources) if label in names]
    if named:
        return named[0] if len(named) == 1 else None
    number = label_number(label)
    return number - 1 if number is not None and 0 < number <= len(sources) else None
