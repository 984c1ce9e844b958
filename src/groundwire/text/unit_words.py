"""The unit or currency that stands at a number, before or after it."""

from __future__ import annotations

import re
from collections.abc import Sequence

from groundwire.text.characters import fold_characters
from groundwire.text.units import CASED_UNITS, CUBES, CURRENCIES, CURRENCY_SYMBOLS, SQUARES, UNITS
from groundwire.text.words import Token

_POINTS = re.compile(r"[ \u00a0]?[%％][ -]points?\b")
_POINT_WORDS = [[first, second] for first in ("percent", "percentage") for second in ("point", "points")]


def currency_before(text: str, tokens: Sequence[Token], i: int) -> str | None:
    """Return the code of the currency before the number at token ``i`` (``$``, ``EUR``), or None."""
    start = tokens[i].start
    before = text[max(0, start - 2) : start].strip()
    if before and before[-1] in CURRENCY_SYMBOLS:
        return CURRENCY_SYMBOLS[before[-1]]
    if (
        i
        and tokens[i - 1].text.lower() in CURRENCIES
        and tokens[i - 1].text.isupper()
        and start - tokens[i - 1].end <= 1
    ):
        return CURRENCIES[tokens[i - 1].text.lower()]
    return None


def unit_of(
    text: str, tokens: Sequence[Token], first: int, last: int, unit: str
) -> tuple[str, str, float, int, int, int]:
    """Return dimension, unit, factor to the base unit, start, last token and end of a number and its unit."""
    start, end = tokens[first].start, tokens[last].end
    currency = currency_before(text, tokens, first)
    if currency is not None:
        return "currency", currency, 1.0, start - 1, last, end
    after = text[end : end + 3]
    stripped = after.lstrip(" \u00a0\u202f\u2009-")
    if stripped[:1] in ("%", "％") and _POINTS.match(text, end):
        last += 1
        return "points", "point", 1.0, start, last, tokens[last].end
    if stripped[:1] in ("%", "％"):
        return "percent", "percent", 1.0, start, last, end + after.index(stripped[0]) + 1
    if stripped[:1] in CURRENCY_SYMBOLS:
        return "currency", CURRENCY_SYMBOLS[stripped[0]], 1.0, start, last, end + after.index(stripped[0]) + 1
    if stripped[:1] in ("°", "º", "℃", "℉"):
        name = fold_characters(stripped[:1]) if stripped[0] in "℃℉" else "°" + stripped[1:2].lower()
        dimension, unit, factor = UNITS.get(name, UNITS["°"])
        return dimension, unit, factor, start, last, end + len(after) - len(stripped) + 1
    if last + 1 < len(tokens):
        token = tokens[last + 1]
        if token.text.lower() == "square" and last + 2 < len(tokens):
            area = SQUARES.get(tokens[last + 2].text.lower())
            if area is not None:
                return "area", "sqm", area, start, last + 2, tokens[last + 2].end
        if [t.text.lower() for t in tokens[last + 1 : last + 3]] in _POINT_WORDS:
            return "points", "point", 1.0, start, last + 2, tokens[last + 2].end
        if token.text.lower() == "cubic" and last + 2 < len(tokens):
            volume = CUBES.get(tokens[last + 2].text.lower())
            if volume is not None:
                return "volume", "liter", volume, start, last + 2, tokens[last + 2].end
        found = unit_word(token, text[end : token.start])
        if found is not None:
            if found[0] == "degree" and last + 2 < len(tokens):
                named = UNITS.get(tokens[last + 2].text.lower())
                if named is not None and named[0] in ("temperature", "fahrenheit"):
                    return *named, start, last + 2, tokens[last + 2].end
            return *found, start, last + 1, token.end
    return "number", unit, 1.0, start, last, end


def unit_word(token: Token, gap: str) -> tuple[str, str, float] | None:
    """Return dimension, unit and factor of a token that names a unit right after ``gap``, or None."""
    if gap.strip(" \u00a0\u202f\u2009-\t\n*_`") or len(gap) > 5:
        return None
    word, low = token.text, token.text.lower()
    if word in CASED_UNITS:
        return UNITS[word] if gap in ("", " ", "\u00a0", "\u202f") and word != "in" and word != "a" else None
    if low in CURRENCIES:
        return "currency", CURRENCIES[low], 1.0
    found = UNITS.get(word) or UNITS.get(low)
    if found is not None and low in CASED_UNITS:
        return None
    return found
