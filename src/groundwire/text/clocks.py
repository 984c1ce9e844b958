"""Times of day as typed values: ``9:30 pm``, ``six in the evening``, ``half past seven``, ``18h30``."""

from __future__ import annotations

import re
from collections.abc import Sequence

from groundwire.text.lexicon import NUMBER_WORDS
from groundwire.text.numerals import FOREIGN_NUMBERS
from groundwire.text.quantity import Quantity
from groundwire.text.words import Token

WORD_CLOCK = {"noon": 720, "midday": 720, "midnight": 0}

_MERIDIEM = re.compile(
    r"\s*(a\.?m|p\.?m)\b\.?|\s*(?:o'?clock)?\s*(?:in the|at) (morning|afternoon|evening|night)", re.IGNORECASE
)
_OCLOCK = re.compile(r"\s*(?:o['’]?clock|uhr\b|時|点|โมง|시)", re.IGNORECASE)
_HOURS = re.compile(r"\s*(?:heures?|horas?|ore|uur|час(?:а|ов)?|h)\b", re.IGNORECASE)
_DAYTIME = re.compile(
    r"\s*(?:(?P<late>abends|nachmittags|nachts|am (?:abend|nachmittag)|'s (?:middags|avonds)|du soir"
    r"|de l['’]après-midi|de la (?:tarde|noche)|(?:di|della) (?:sera|notte)|del pomeriggio|da (?:tarde|noite)"
    r"|вечера|дня)|morgens|früh|vormittags|am (?:morgen|vormittag)|'s (?:ochtends|morgens)|du matin"
    r"|de la mañana|del? mattino|di mattina|da manhã|утра)(?!\w)",
    re.IGNORECASE,
)
_DOTTED = re.compile(r"\s*(?:uur|uhr|h)\b", re.IGNORECASE)
_AT = re.compile(r"(?:\b(?:à|vers|dès|las|às|alle|ore|om|в|к|до|с)|[dl]['’]|ab|um)\s*$", re.IGNORECASE)
_MINUTES = re.compile(r"\s?[hH]\s?([0-5]\d)\b(?!\s?(?:min|m)\b)")
_HOUR_NAMES = {word: value for word, value in NUMBER_WORDS.items() if 1 <= value <= 12}
_SAID = re.compile(
    rf"(?:(?P<half>half) past|(?P<quarter>quarter) (?P<turn>past|after|to|before)"
    rf"|(?P<minutes>[\w-]+) (?:minutes (?P<side>past|after|to|before)|past))"
    rf" (?P<hour>{'|'.join(_HOUR_NAMES)}|\d{{1,2}})\b",
    re.IGNORECASE,
)
_TURNS = re.compile(r"(?:minutes|uarter) (?:after|to|before)\b")
_IS_DOTTED = re.compile(r"(\d{1,2})\.([0-5]\d)").fullmatch
_LATE = frozenset(("afternoon", "evening", "night"))


def read_clock_at(
    text: str, tokens: Sequence[Token], i: int, value: float, spelled: int | None = None
) -> Quantity | None:
    """Return a time of day at a plain number: ``6 pm``, ``six in the evening``, ``9 Uhr``.

    ``spelled`` is the last token of a number written in several words.
    """
    last = i if spelled is None else spelled
    end = tokens[last].end
    match = _MERIDIEM.match(text, end)
    minutes = 0.0
    dotted = _IS_DOTTED(tokens[i].text) if match is not None else None
    if match is not None and dotted is not None:
        value, minutes = float(dotted[1]), float(dotted[2])
    if match is None or not 0 <= value <= 12 or value != int(value):
        return _read_whole_hour(text, tokens, i, last, value)
    hour = int(value) % 12 + (12 if _is_late(match) else 0)
    return _clock(tokens, i, match.end(), hour * 60.0 + minutes, exact=True)


def _read_whole_hour(text: str, tokens: Sequence[Token], i: int, last: int, value: float) -> Quantity | None:
    """``9 Uhr``, ``à dix-huit heures``, ``18h30``."""
    end = tokens[last].end
    dotted = _IS_DOTTED(tokens[i].text)
    if dotted is not None and int(dotted[1]) <= 24 and _DOTTED.match(text, end):
        return _clock(tokens, i, end, int(dotted[1]) * 60.0 + int(dotted[2]))
    if not 0 <= value <= 24 or value != int(value):
        return None
    written = _MINUTES.match(text, end)
    if written is not None:
        return _clock(tokens, i, written.end(), value * 60 + int(written[1]))
    oclock = _OCLOCK.match(text, end)
    if oclock is None and _AT.search(text, max(0, tokens[i].start - 8), tokens[i].start):
        oclock = _HOURS.match(text, end)
    if oclock is None:
        return None
    part = _DAYTIME.match(text, oclock.end())
    if part is not None and value <= 12:
        hours = value % 12 + (12 if part["late"] else 0)
        return _clock(tokens, i, part.end(), hours * 60, exact=True)
    return _clock(tokens, i, oclock.end(), value * 60, exact=oclock[0].strip().lower() in ("uhr", "uur"))


def _clock(tokens: Sequence[Token], i: int, end: int, minutes: float, *, exact: bool = False) -> Quantity:
    """Return the time of day of the words from ``i`` up to ``end``; one before noon may be either half's."""
    last = max(k for k in range(i, len(tokens)) if tokens[k].start < end or k == i)
    unit = "" if exact or minutes > 720 else "half"
    return Quantity("clock", minutes, unit, tokens[i].start, end, i, last)


def _is_late(match: re.Match[str]) -> bool:
    return bool(match[1] and match[1][0] in "pP") or (match[2] or "").lower() in _LATE


def read_clock_said(text: str, tokens: Sequence[Token], i: int) -> Quantity | None:
    """Return the time of day said at ``i``: ``half past seven``, ``quarter to nine``, ``ten past six``."""
    if tokens[i].text.lower() in ("half", "halb") and i + 1 < len(tokens):
        whole = FOREIGN_NUMBERS.get(tokens[i + 1].text.lower(), 0)
        if 1 <= whole <= 12:
            return _clock(tokens, i, tokens[i + 1].end, 60.0 * whole - 30)
    if " past " not in text and not (("minutes " in text or "uarter " in text) and _TURNS.search(text)):
        return None
    match = _SAID.match(text, tokens[i].start)
    if match is None:
        return None
    if match["half"] or match["quarter"]:
        minutes = 30 if match["half"] else 15
    else:
        word = match["minutes"].lower()
        minutes = int(word) if word.isdecimal() else NUMBER_WORDS.get(word, 60)
    hour = match["hour"].lower()
    value = 60 * (int(hour) if hour.isdecimal() else _HOUR_NAMES[hour])
    if minutes >= 60 or value > 1440:
        return None
    is_before = (match["turn"] or match["side"] or "").lower() in ("to", "before")
    value += -minutes if is_before else minutes
    half = _MERIDIEM.match(text, match.end())
    if half is None or value >= 780:
        return _clock(tokens, i, match.end(), float(value))
    return _clock(tokens, i, half.end(), float(value % 720 + 720 * _is_late(half)), exact=True)


def read_clock_key(key: str) -> float | None:
    """Return minutes of the day for a key such as ``#9:30``, else None."""
    match = re.fullmatch(r"#(\d{1,2}):(\d{2})(?::\d{2})?", key)
    if match is None or int(match[1]) > 24 or int(match[2]) > 59:
        return None
    return int(match[1]) * 60.0 + int(match[2])


def read_clock_written(text: str, tokens: Sequence[Token], i: int) -> Quantity | None:
    """``9:30``, ``9:30 pm``."""
    minutes = read_clock_key(tokens[i].key)
    if minutes is None:
        return None
    match = _MERIDIEM.match(text, tokens[i].end)
    if match is None or minutes >= 780:
        return _clock(tokens, i, tokens[i].end, minutes, exact=minutes >= 720)
    return _clock(tokens, i, match.end(), minutes % 720 + 720 * _is_late(match), exact=True)
