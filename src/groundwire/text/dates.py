"""Dates and times of day as typed values."""

from __future__ import annotations

import re
from collections.abc import Sequence

from groundwire.text.quantity import Quantity
from groundwire.text.units import MONTHS
from groundwire.text.words import Token

_MERIDIEM = re.compile(
    r"\s*(a\.?m|p\.?m)\b\.?|\s*(?:o'?clock)?\s*(?:in the|at) (morning|afternoon|evening|night)", re.IGNORECASE
)
_OCLOCK = re.compile(r"\s*(?:o['’]?clock|uhr\b|時|点|โมง|\bh\b(?=\d{2}))", re.IGNORECASE)
_NUMERIC_DATE = re.compile(
    r"(?<![\d./-])(?:(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})|(\d{1,2})[./-](\d{1,2})[./-](\d{4}|\d{2}))(?![\d/-])"
)
_DATE_LIKE = re.compile(r"\d[./年月-]")
_CJK_DATE = re.compile(r"(?:(\d{4})年)?(\d{1,2})月(?:(\d{1,2})日)?|(\d{4})年")
WORD_CLOCK = {"noon": 720, "midday": 720, "midnight": 0}


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


def _calendar_number(tokens: Sequence[Token], i: int, text: str) -> int | None:
    if i >= len(tokens) or tokens[i].key[:1] != "#" or not tokens[i].key[1:].isdigit():
        return None
    between = text[tokens[i - 1].end : tokens[i].start]
    return int(tokens[i].key[1:]) if not between.strip(" ,.\t\n") and len(between) < 4 else None


def read_day_first(text: str, tokens: Sequence[Token], i: int) -> Quantity | None:
    """``3 June 2031``, ``3rd of June``."""
    key = tokens[i].key[1:]
    if not key.isdigit() or not 1 <= int(key) <= 31:
        return None
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
        else int(tokens[after].key[1:] or 0)
        if (after < len(tokens) and tokens[after].key[1:].isdigit())
        else None
    )
    last = after if year is not None and year >= 1000 else j
    parts = (year if last == after else None, MONTHS[tokens[j].text.lower()], int(key))
    return Quantity("date", 0.0, "", tokens[i].start, tokens[last].end, i, last, parts=parts)


def read_clock_at(text: str, tokens: Sequence[Token], i: int, value: float) -> Quantity | None:
    """Return a time of day at a plain number: ``6 pm``, ``six in the evening``, ``9 Uhr``."""
    token = tokens[i]
    match = _MERIDIEM.match(text, token.end)
    minutes = 0.0
    dotted = re.fullmatch(r"(\d{1,2})\.([0-5]\d)", token.text)
    if match is not None and dotted is not None:
        value, minutes = float(dotted[1]), float(dotted[2])
    if match is None or not 0 <= value <= 12 or value != int(value):
        oclock = _OCLOCK.match(text, token.end)
        if oclock is not None and 0 <= value <= 24 and value == int(value):
            return Quantity(
                "clock", value * 60, "half" if value <= 12 else "", token.start, oclock.end(), i, i
            )
        return None
    late = bool(match[1] and match[1][0] in "pP") or (match[2] or "").lower() in (
        "afternoon",
        "evening",
        "night",
    )
    hour = int(value) % 12 + (12 if late else 0)
    last = max(k for k in range(i, len(tokens)) if tokens[k].start < match.end() or k == i)
    return Quantity("clock", hour * 60.0 + minutes, "", token.start, match.end(), i, last)


def read_clock_key(key: str) -> float | None:
    """Return minutes of the day for a key such as ``#9:30``, else None."""
    match = re.fullmatch(r"#(\d{1,2}):(\d{2})(?::\d{2})?", key)
    if match is None or int(match[1]) > 24 or int(match[2]) > 59:
        return None
    return int(match[1]) * 60.0 + int(match[2])


def read_clock_written(text: str, tokens: Sequence[Token], i: int) -> Quantity | None:
    """``9:30``, ``9:30 pm``."""
    token = tokens[i]
    minutes = read_clock_key(token.key)
    if minutes is None:
        return None
    match = _MERIDIEM.match(text, token.end)
    if match is None or minutes >= 780:
        return Quantity("clock", minutes, "half" if minutes < 720 else "", token.start, token.end, i, i)
    late = bool(match[1] and match[1][0] in "pP") or (match[2] or "").lower() in (
        "afternoon",
        "evening",
        "night",
    )
    minutes = minutes % 720 + (720 if late else 0)
    last = max(k for k in range(i, len(tokens)) if tokens[k].start < match.end() or k == i)
    return Quantity("clock", minutes, "", token.start, match.end(), i, last)
