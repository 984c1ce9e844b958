"""Fractions in words, as percentages: ``one in four``, ``two thirds of``, ``a quarter of``."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Sequence

from groundwire.text.bounds import relation_of
from groundwire.text.lexicon import NUMBER_WORDS, ORDINAL_WORDS
from groundwire.text.quantity import Quantity
from groundwire.text.units import UNITS
from groundwire.text.words import Token

_NUMBER = "one|two|three|four|five|six|seven|eight|nine|ten"
_PARTS = "half|halves|thirds?|quarters?|fourths?|fifths?|sixths?|sevenths?|eighths?|ninths?|tenths?"
_FRACTION = re.compile(
    rf"\b(?:(?P<count>an?|{_NUMBER})[ -](?P<part>{_PARTS})(?= of\b)"
    rf"|(?P<half>half)(?= of (?:the|all|its|their)\b)"
    rf"|(?P<some>{_NUMBER}|\d{{1,2}}) (?:in|out of)(?: every)? (?P<all>{_NUMBER}|\d{{1,3}})(?= [a-z]))",
    re.IGNORECASE,
)
_CUES = tuple("half third quarter fourth fifth sixth seventh eighth ninth tenth".split())
_NUMBERS = tuple(_NUMBER.split("|"))
_OF_UNIT = re.compile(r" of an? (hour|day|year|century|mile|kilometer|kilometre|liter|litre|pound)\b", re.I)
_DURATIONS = re.compile(r" (?:seconds?|minutes?|hours?|days?|weeks?|months?|years?|percent)\b", re.IGNORECASE)


def read_fractions(text: str, tokens: Sequence[Token]) -> list[Quantity]:
    """Return the fractions of ``text``, whose words are ``tokens``, as soft percentages.

    >>> from groundwire.text.words import tokenize
    >>> text = "One in four voters and two thirds of the guests left."
    >>> [round(q.value, 1) for q in read_fractions(text, tokenize(text))]
    [25.0, 66.7]
    """
    low = text.lower()
    may_be_some = _follows_number(low, " in ") or _follows_number(low, " out of ")
    if not may_be_some and not any(map(low.__contains__, _CUES)):
        return []
    starts = [token.start for token in tokens]
    found = []
    for match in _FRACTION.finditer(text):
        share = _share_of(match)
        if share is not None:
            first, last = bisect_left(starts, match.start()), bisect_left(starts, match.end()) - 1
            unit = _OF_UNIT.match(text, match.end())
            if unit is not None and unit[1].lower() in UNITS:
                dimension, name, factor = UNITS[unit[1].lower()]
                last = bisect_left(starts, unit.end()) - 1
                span = (match.start(), unit.end())
                found.append(Quantity(dimension, share * factor, name, *span, first, last))
                continue
            found.append(
                Quantity(
                    "percent",
                    100 * share,
                    "percent",
                    *match.span(),
                    first,
                    last,
                    relation=relation_of(text, *match.span()),
                    digits=2,
                    is_soft=True,
                )
            )
    return found


def _follows_number(low: str, word: str) -> bool:
    """Return True if ``word`` (with spaces around it) stands right after a number somewhere."""
    at = low.find(word)
    while at > 0:
        if low[at - 1].isdecimal() or low.endswith(_NUMBERS, 0, at):
            return True
        at = low.find(word, at + 1)
    return False


def _share_of(match: re.Match[str]) -> float | None:
    if match["half"]:
        return 0.5
    if match["part"]:
        part = match["part"].lower().removesuffix("s")
        whole = {"half": 2, "halve": 2, "quarter": 4}.get(part) or ORDINAL_WORDS[part]
        return _value_of(match["count"]) / whole
    if _DURATIONS.match(match.string, match.end()):
        return None
    some, whole = _value_of(match["some"]), _value_of(match["all"])
    return some / whole if 0 < some < whole else None


def _value_of(word: str) -> int:
    low = word.lower()
    return 1 if low in ("a", "an") else int(low) if low.isdigit() else NUMBER_WORDS[low]
