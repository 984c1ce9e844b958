"""Dates as typed values, in words and in digits."""

from __future__ import annotations

import re
from collections.abc import Sequence

from msgspec.structs import replace

from groundwire.text.quantity import Quantity
from groundwire.text.units import MONTHS
from groundwire.text.words import Token

_NUMERIC_DATE = re.compile(
    r"(?<![\d./-])(?:(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})|(\d{1,2})[./-](\d{1,2})[./-](\d{4}|\d{2}))(?![\d/-])"
)
_DATE_LIKE = re.compile(r"\d(?:[./-]\d|[年月])")
_CJK_DATE = re.compile(r"(?:(\d{4})年)?(\d{1,2})月(?:(\d{1,2})日)?|(\d{4})年")


def read_numeric_dates(text: str, tokens: Sequence[Token]) -> list[Quantity]:
    """Return ``2031-06-03``, ``3/6/2031``, ``2031年6月3日``; an ambiguous order keeps both readings."""
    found: list[Quantity] = []
    if not _DATE_LIKE.search(text):
        return found
    for match in _NUMERIC_DATE.finditer(text):
        year, month, day, a, b, c = (int(g) if g else None for g in match.groups())
        other = None
        if year is None:
            year = None if c is None else (c if c > 99 else 2000 + c if c < 70 else 1900 + c)
            day, month = a, b
            if b is not None and a is not None and b > 12 >= a:
                day, month = b, a
            elif a is not None and a <= 12:
                other = (year, a, b)
        if month is not None and 1 <= month <= 12 and day is not None and 1 <= day <= 31:
            found.append(_date(text, tokens, match.span(), (year, month, day), other))
    for match in _CJK_DATE.finditer(text) if "月" in text or "年" in text else ():
        year, month, day, only = (int(g) if g else None for g in match.groups())
        found.append(_date(text, tokens, match.span(), (year or only, month, day), None))
    return [q for q in found if q.first <= q.last]


def _date(
    text: str,
    tokens: Sequence[Token],
    span: tuple[int, int],
    parts: tuple[int | None, int | None, int | None],
    other: tuple[int | None, int | None, int | None] | None,
) -> Quantity:
    inside = [i for i, t in enumerate(tokens) if t.start < span[1] and t.end > span[0]]
    first, last = (inside[0], inside[-1]) if inside else (1, 0)
    return Quantity("date", 0.0, "", *span, first, last, parts=parts, alternative=other)


def read_month_first(text: str, tokens: Sequence[Token], i: int) -> Quantity:
    """``June 3, 2031``, ``June 3``, ``June 2031`` or ``June``."""
    month, last = MONTHS[tokens[i].text.lower()], i
    day = year = None
    values = [_calendar_number(tokens, i + k, text) for k in (1, 2)]
    if values[0] is not None and 1 <= values[0] <= 31:
        day, last = values[0], i + 1
        if values[1] is not None and values[1] >= 1000:
            year, last = values[1], i + 2
    elif values[0] is not None and values[0] >= 1000:
        year, last = values[0], i + 1
    dimension = "date" if day or year else "month"
    return Quantity(
        dimension, float(month), "", tokens[i].start, tokens[last].end, i, last, parts=(year, month, day)
    )


_IS_CALENDAR_NUMBER = re.compile(r"#[0-9]{1,4}").fullmatch


def _is_day(digits: str) -> bool:
    return len(digits) <= 2 and digits.isdigit() and 1 <= int(digits) <= 31


def _calendar_number(tokens: Sequence[Token], i: int, text: str) -> int | None:
    if i >= len(tokens) or not _IS_CALENDAR_NUMBER(tokens[i].key):
        return None
    between = text[tokens[i - 1].end : tokens[i].start]
    return int(tokens[i].key[1:]) if not between.strip(" ,.\t\n") and len(between) < 4 else None


_TO = frozenset("to and until till bis und au et al y".split())


def _skip_span(text: str, tokens: Sequence[Token], i: int) -> int:
    """Return the last number of a span of days that starts at ``i`` (``3 to 14 May``), else ``i``."""
    at = i + 1
    if at < len(tokens) and tokens[at].text.lower() in _TO:
        at += 1
    elif at >= len(tokens) or text[tokens[i].end : tokens[at].start].strip() not in ("-", "–"):
        return i
    if at + 1 >= len(tokens):
        return i
    key = tokens[at].key
    return at if key[:1] == "#" and _is_day(key[1:]) else i


def read_day_first(
    text: str, tokens: Sequence[Token], i: int, *, begins_span: bool = True
) -> Quantity | None:
    """``3 June 2031``, ``3rd of June``; where it ``begins_span``, also the 3 of ``3 to 14 June``."""
    key = tokens[i].key[1:]
    if not _is_day(key):
        return None
    through = _skip_span(text, tokens, i) if begins_span else i
    if through > i:
        end = read_day_first(text, tokens, through, begins_span=False)
        if end is None or end.dimension != "date":
            return None
        return replace(
            end, start=tokens[i].start, end=tokens[i].end, first=i, last=i, parts=(*end.parts[:2], int(key))
        )
    j = i + 1
    if j < len(tokens) and tokens[j].text.lower() in ("of", "de"):
        j += 1
    if j >= len(tokens) or tokens[j].text.lower() not in MONTHS:
        return None
    if tokens[j].text.lower() in ("may", "march", "mar") and not tokens[j].text[0].isupper():
        return None
    after = j + 1
    if after < len(tokens) and tokens[after].text.lower() == "de":
        after += 1
    year = (
        _calendar_number(tokens, after, text)
        if after == j + 1
        else int(tokens[after].key[1:])
        if after < len(tokens) and _IS_CALENDAR_NUMBER(tokens[after].key)
        else None
    )
    last = after if year is not None and year >= 1000 else j
    parts = (year if last == after else None, MONTHS[tokens[j].text.lower()], int(key))
    return Quantity("date", 0.0, "", tokens[i].start, tokens[last].end, i, last, parts=parts)
