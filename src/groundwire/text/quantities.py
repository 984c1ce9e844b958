"""Numbers as typed values: amounts with units and currencies, percentages, dates, times of day.

``45 minutes`` and ``0.75 hours`` are equal, ``45 minutes`` and ``45 degrees`` are not; ``$40`` is not
``£40``; ``June 3, 2031`` is ``3 June 2031``; ``6 pm`` is ``18:00`` and ``six in the evening``.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache

from msgspec.structs import replace

from groundwire.text.bounds import relation_of
from groundwire.text.clocks import WORD_CLOCK, read_clock_at, read_clock_said, read_clock_written
from groundwire.text.dates import read_day_first, read_month_first, read_numeric_dates
from groundwire.text.fractions import read_fractions
from groundwire.text.grammar import OBLIGES, PERMITS
from groundwire.text.languages import guess_language
from groundwire.text.lexicon import MULTIPLIERS
from groundwire.text.numerals import FOREIGN_NUMBERS, ROMAN, read_number_words
from groundwire.text.plain_numbers import read_plain_number
from groundwire.text.quantity import Quantity
from groundwire.text.unit_words import currency_before, unit_of, unit_word
from groundwire.text.units import (
    CASED_UNITS,
    MONTHS,
    UNITS,
)
from groundwire.text.vocabulary import CONTENT, VOCABULARY, kind_of
from groundwire.text.weekdays import opens_weekday, read_weekday
from groundwire.text.words import Token, key_of, word_key

_ARTICLES = frozenset("a an one ein eine einen einem un une una".split())
_COUNTS = frozenset("dozen hundred thousand million billion".split())
_GROUPED = re.compile(r"\d{1,3}\.\d{3}")
_TIMES = {"twice": 2.0, "thrice": 3.0}
_PARTS = ("half", "halb", "quarter")
_GROUP = re.compile(r"[ \u00a0\u202f\u2009](\d{3})(?![\d.,:/]*\d|\w)")
_OPENERS = frozenset({*_TIMES, *MONTHS, *WORD_CLOCK, *FOREIGN_NUMBERS, *_ARTICLES, "half", "quarter"})


_FAMILIES = (
    frozenset(("duration", "months")),
    frozenset(("temperature", "fahrenheit", "degree")),
    frozenset(("date", "month")),
)


def unit_codes(dimension: str) -> frozenset[str]:
    """Return the codes, as far as they were met, of the words that name units of a dimension's family."""
    family = next((f for f in _FAMILIES if dimension in f), frozenset((dimension,)))
    codes = VOCABULARY.codes
    return frozenset(codes[key] for key in _unit_keys(family) if key in codes)


@cache
def _unit_keys(family: frozenset[str]) -> tuple[str, ...]:
    names = MONTHS if "date" in family else (name for name, unit in UNITS.items() if unit[0] in family)
    return tuple({word_key(name) for name in names if name.isalpha() and len(name) > 1})


class _OpenerMemo(dict[str, int]):
    """Whether a value may begin with a word, by surface."""

    def __missing__(self, surface: str) -> int:
        low = surface.lower()
        if key_of(surface)[:1] == "#" or low in _OPENERS or opens_weekday(low):
            kind = _IS_OPENER
        else:
            kind = _IS_ROMAN if surface in ROMAN else 0
        if len(surface) <= 40 and len(self) < 300_000:
            self[surface] = kind
        return kind


_IS_OPENER, _IS_ROMAN = 1, 2
_OPENS = _OpenerMemo()


MAX_QUANTITIES = 40
MAX_WORDS = 600
"""Of a longer sentence only so many values and words are read."""


def read_quantities(text: str, tokens: Sequence[Token]) -> list[Quantity]:
    """Return the typed values of ``text``, whose words are ``tokens`` (offsets into ``text``).

    >>> from groundwire.text.words import tokenize
    >>> text = "Bake 45 minutes at 220 degrees on June 3, 2031 for $1.5 million."
    >>> [(q.dimension, q.value) for q in read_quantities(text, tokenize(text))]
    [('duration', 2700.0), ('degree', 220.0), ('date', 6.0), ('currency', 1500000.0)]
    """
    found = read_numeric_dates(text, tokens)
    opens = _OPENS
    taken = {i for q in found for i in range(q.first, q.last + 1)}
    last = -1
    for i, token in enumerate(tokens[:MAX_WORDS]):
        if len(found) >= MAX_QUANTITIES:
            break
        kind = opens[token.text]
        if not kind or i <= last or i in taken:
            continue
        if kind == _IS_ROMAN:
            if i:
                value = float(ROMAN[token.text])
                found.append(Quantity("number", value, "", token.start, token.end, i, i, is_soft=True))
            continue
        quantity = read_plain_number(text, tokens, i) or _read_at(text, tokens, i)
        if quantity is not None:
            found.append(quantity)
            last = quantity.last
    found = _join_spans(text, found)
    fractions = read_fractions(text, tokens)
    if fractions:
        inside = {i for q in fractions if q.dimension != "percent" for i in range(q.first, q.last + 1)}
        found = [q for q in found if q.first not in inside]
        return sorted([*fractions, *found], key=lambda q: q.start)
    return sorted(found, key=lambda q: q.start) if taken else found


def _join_spans(text: str, found: list[Quantity]) -> list[Quantity]:
    """Make one value of ``1 hour and 45 minutes``, ``5 feet 2 inches``."""
    joined: list[Quantity] = []
    for q in found:
        before = joined[-1] if joined else None
        if (
            before is not None
            and before.dimension == q.dimension
            and q.dimension in ("duration", "months", "length", "mass")
            and before.unit != q.unit
            and q.value < before.value
            and text[before.end : q.start] in (" ", " and ", ", ", ". ")
        ):
            joined[-1] = replace(before, value=before.value + q.value, end=q.end, last=q.last)
        else:
            joined.append(q)
    return joined


def _read_at(text: str, tokens: Sequence[Token], i: int) -> Quantity | None:
    token = tokens[i]
    word = token.text.lower()
    if word in MONTHS and (
        token.text[0].isupper() or not word.isascii() or word not in ("may", "march", "mar")
    ):
        return read_month_first(text, tokens, i)
    day = read_weekday(text, tokens, i, word)
    if day is not None:
        return day
    if word in WORD_CLOCK:
        return Quantity("clock", float(WORD_CLOCK[word]), "", token.start, token.end, i, i)
    if ":" in token.key:
        return read_clock_written(text, tokens, i)
    said = read_clock_said(text, tokens, i)
    if said is not None:
        return said
    if word in ("quarter", "halb"):
        return None
    if word in _TIMES:
        return Quantity("number", _TIMES[word], "", token.start, token.end, i, i, "time", is_soft=True)
    spelled = None if token.key[0] == "#" else read_number_words(text, tokens, i)
    if spelled is not None:
        return _number_at(text, tokens, i, *spelled)
    value = number_value(token)
    if value is None:
        return _article_unit(text, tokens, i)
    if word == "one" and i + 1 < len(tokens) and tokens[i + 1].text.lower() in MULTIPLIERS:
        return _number_at(text, tokens, i, value)
    if token.key[:1] != "#" and value in (0.5, 1.0):
        return _half(text, tokens, i) if value == 0.5 else _one_of(text, tokens, i)
    if token.text[-1:] == "s" and token.text[:1].isdigit():
        return _era(tokens, i, value)
    if (
        i + 1 < len(tokens)
        and tokens[i + 1].text.lower() == "century"
        and value <= 30
        and _ORDINAL.search(word)
    ):
        return Quantity("era", 100 * (value - 1), "century", token.start, tokens[i + 1].end, i, i + 1)
    return _number_at(text, tokens, i, value)


_ORDINAL = re.compile(r"(?:st|nd|rd|th|first|second|third)$")


def _era(tokens: Sequence[Token], i: int, value: float) -> Quantity | None:
    """``the 1300s`` (a century), ``the 1880s`` (a decade)."""
    if not 1000 <= value <= 2999 or value % 10:
        return None
    unit = "century" if value % 100 == 0 else "decade"
    return Quantity("era", value, unit, tokens[i].start, tokens[i].end, i, i)


_LONGEST = 300
"""How many characters a number has at the most; beyond lies no float, and an int refuses to be read."""


def number_value(token: Token) -> float | None:
    """Return the value of a number word or digits (``9:30`` and fractions have none), else None."""
    key = token.key
    if len(key) > _LONGEST:
        return None
    if key[:1] == "#":
        try:
            return float(key[1:])
        except ValueError:
            return _fraction_value(key[1:])
    word = token.text.lower()
    return 1.0 if word == "one" else 0.5 if word == "half" else None


def _writes_points(text: str) -> bool:
    """Return True if the language of ``text`` groups thousands with points."""
    low = text.lower()
    words = low.split()
    language = guess_language(words)
    if language is not None or not _ENGLISH.isdisjoint(words):
        return language in _POINTED
    return _ACCENTED.search(low) is not None


_POINTED = frozenset(("de", "es", "it", "nl", "pt"))
_ENGLISH = frozenset("the of and with is are".split())
_ACCENTED = re.compile("[ß-çì-öø-ÿ]")
"""Letters by which a short text shows itself to be in none of the languages that write ``1.250`` for 1¼."""


def _fraction_value(written: str) -> float | None:
    """Return the value of ``1/2`` or ``3/4``; of nothing that may be a date."""
    above, slash, below = written.partition("/")
    if not (slash and above.isdecimal() and below.isdecimal()):
        return None
    return int(above) / int(below) if 0 < int(above) < int(below) <= 16 else None


def _number_at(
    text: str, tokens: Sequence[Token], i: int, value: float, spelled: int | None = None
) -> Quantity | None:
    """Read the number at ``i``; ``spelled`` is the last token of one written in words of another language."""
    token = tokens[i]
    key = token.key[1:] if token.key[:1] == "#" else ""
    dated = read_day_first(text, tokens, i)
    if dated is not None:
        return dated
    clock = read_clock_at(text, tokens, i, value, spelled)
    if clock is not None:
        return clock
    if "." in token.text and _GROUPED.fullmatch(token.text) and _writes_points(text):
        value *= 1000
    value, last = _compound(text, tokens, i, value) if spelled is None else (value, spelled)
    digits = len(key.replace(".", "").lstrip("-0").rstrip("0" if "." not in key else "")) or 1
    value, last, unit = _scaled(text, tokens, last, value)
    dimension, unit, factor, start, last, end = unit_of(text, tokens, i, last, unit)
    noun = _noun_after(text, tokens, last) if dimension in ("number", "currency") else ""
    return Quantity(
        dimension, value * factor, unit, start, end, i, last, noun, relation_of(text, start, end), digits
    )


def _compound(text: str, tokens: Sequence[Token], i: int, value: float) -> tuple[float, int]:
    """``twenty one``, ``two hundred and five``, ``one and a half``."""
    last = i
    if tokens[i].text.isdecimal() and i + 1 < len(tokens) and "/" in tokens[i + 1].key:
        part = _fraction_value(tokens[i + 1].key[1:])
        if part is not None and text[tokens[i].end : tokens[i + 1].start] in ("", " "):
            return value + part, i + 1
    if tokens[i].text.isdecimal() and len(tokens[i].text) <= 3 and value:
        while last + 1 < len(tokens) and _GROUP.match(text, tokens[last].end):
            value, last = value * 1000 + float(tokens[last + 1].text), last + 1
        if last > i:
            return value, last
    value, last = _below_hundred(text, tokens, i, value)
    if last + 1 == len(tokens) or tokens[last + 1].text.lower() not in ("hundred", "and"):
        return value, last
    words = [t.text.lower() for t in tokens[last + 1 : last + 4]]
    if words[:1] == ["hundred"] and not tokens[i].text[0].isdigit():
        value, last = value * 100, last + 1
        step = 2 if words[1:2] == ["and"] else 1
        following = tokens[last + step] if last + step < len(tokens) else None
        rest = number_value(following) if following is not None else None
        if following is not None and rest is not None and 0 < rest < 100 and not following.text[0].isdigit():
            rest, end = _below_hundred(text, tokens, last + step, rest)
            is_apart = "," in text[tokens[last].end : following.start]
            if not is_apart and [t.text.lower() for t in tokens[end + 1 : end + 2]] != ["hundred"]:
                value, last = value + rest, end
    if [t.text.lower() for t in tokens[last + 1 : last + 4]] == ["and", "a", "half"]:
        value, last = value + 0.5, last + 3
    return value, last


def _below_hundred(text: str, tokens: Sequence[Token], i: int, value: float) -> tuple[float, int]:
    """``twenty one``; any other number stays what it is."""
    if value in (20, 30, 40, 50, 60, 70, 80, 90) and i + 1 < len(tokens) and not tokens[i].text[0].isdigit():
        ones = number_value(tokens[i + 1])
        if ones is not None and 1 <= ones <= 9 and text[tokens[i].end : tokens[i + 1].start] in (" ", "-"):
            return value + ones, i + 1
    return value, i


def _scaled(text: str, tokens: Sequence[Token], last: int, value: float) -> tuple[float, int, str]:
    """Apply ``million``, ``k``, ``bn`` …"""
    while last + 1 < len(tokens):
        word = tokens[last + 1].text.lower()
        gap = text[tokens[last].end : tokens[last + 1].start]
        if word not in MULTIPLIERS or gap not in (" ", "", "\u00a0", "\u202f", "-"):
            break
        if len(word) <= 2 and gap not in ("",) and word not in ("bn", "mn"):
            break
        if word == "m" and not currency_before(text, tokens, last):
            break
        value, last = value * MULTIPLIERS[word], last + 1
    return value, last, ""


def _one_of(text: str, tokens: Sequence[Token], i: int) -> Quantity | None:
    """``one hour``, ``one tablet``; a bare ``one`` stands for a thing, not for a number."""
    found = _article_unit(text, tokens, i)
    noun = _noun_after(text, tokens, i)
    if found is not None or not noun:
        return found
    return Quantity("number", 1.0, "", tokens[i].start, tokens[i].end, i, i, noun, is_soft=True)


def _half(text: str, tokens: Sequence[Token], i: int) -> Quantity | None:
    """``half an hour``; a half of anything else has no typed value."""
    if i + 2 < len(tokens) and tokens[i + 1].text.lower() in ("a", "an"):
        found = unit_word(tokens[i + 2], text[tokens[i + 1].end : tokens[i + 2].start])
        if found is not None:
            end = tokens[i + 2].end
            return Quantity(found[0], 0.5 * found[2], found[1], tokens[i].start, end, i, i + 2)
    return None


def _article_unit(text: str, tokens: Sequence[Token], i: int) -> Quantity | None:
    """``a year``, ``one hour``, ``half an hour``: one of the unit, where the unit is one of time."""
    low = tokens[i].text.lower()
    if low not in _ARTICLES or i + 1 >= len(tokens):
        return None
    if low in ("a", "one") and tokens[i + 1].text.lower() in _COUNTS:
        return _number_at(text, tokens, i, 1.0)
    found = unit_word(tokens[i + 1], text[tokens[i].end : tokens[i + 1].start])
    if found is None or found[0] not in ("duration", "months") or tokens[i + 1].text in CASED_UNITS:
        return None
    last, factor = i + 1, found[2]
    if [t.text.lower() for t in tokens[i + 2 : i + 5]] == ["and", "a", "half"]:
        last, factor = i + 4, factor * 1.5
    end = tokens[last].end
    relation = relation_of(text, tokens[i].start, end)
    soft = low != "one" and last == i + 1
    start = tokens[i].start
    return Quantity(found[0], factor, found[1], start, end, i, last, relation=relation, is_soft=soft)


def _noun_after(text: str, tokens: Sequence[Token], last: int) -> str:
    for token in tokens[last + 1 : last + 2]:
        if text[tokens[last].end : token.start].strip(" -\u00a0\u202f\n"):
            break
        if token.text in PERMITS or token.text in OBLIGES:
            break
        if kind_of(token.key) == CONTENT and len(token.key) > 2 and token.text.islower():
            return token.key
        break
    return ""
