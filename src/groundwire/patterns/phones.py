"""Telephone numbers by their shape and the words around them; no numbering plans of countries.

Accepted without any word: an international form (``+`` or ``00``), the North American 3-3-4, and a
grouped national form with a leading zero. Every other grouping, and plain digits, need a word such as
"phone" or "fax" beside them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from groundwire.patterns.kinds import Match, parse_context
from groundwire.patterns.numbers import Run

_AFTER = re.compile(
    r"[ \t]{0,3}[(,]?[ \t]?(?:office|fax|mobile|cell|home|work|direct|tel|phone|voice)\b", re.I
)
_EXTENSION = re.compile(r"[ ,]{0,2}(?:x|ext\.?|extension|#)[ ]?[0-9]{1,6}(?![0-9])", re.I)
_DATE = re.compile(
    r"(?:1[5-9]|20|21)[0-9]{2}([-./ ])(?:0?[1-9]|1[0-2])\1(?:0?[1-9]|[12][0-9]|3[01])(?![0-9])"
    r"|(?:0?[1-9]|[12][0-9]|3[01])([-./ ])(?:0?[1-9]|[12][0-9]|3[01])\2(?:1[5-9]|20|21)[0-9]{2}(?![0-9])"
    r"|(?:1[5-9]|20|21)[0-9]{2} ?[-/\u2010-\u2015] ?(?:1[5-9]|20|21)[0-9]{2}(?![0-9])"
)
_LEAST_DIGITS = 7
_CURRENCY = "$€£¥₹₽₩#"


def find_phones(text: str, runs: list[Run]) -> Iterator[Match]:
    """Yield telephone numbers among the digit runs of ``text``, each with its ``+`` and extension."""
    for run in runs:
        whole = _phone_at(text, run)
        if whole:
            yield whole
        else:
            yield from filter(None, (_phone_at(text, piece) for piece in _pieces(text, run)))


def _phone_at(text: str, run: Run) -> Match | None:
    start = _opening(text, run)
    if not _is_phone(text, run, start):
        return None
    extension = _EXTENSION.match(text, run.end)
    return Match("phone", start, extension.end() if extension else run.end)


def _pieces(text: str, run: Run) -> Iterator[Run]:
    """Yield the parts of a run between its spaces, for numbers that stand one after the other."""
    groups: list[tuple[int, int]] = []
    for group in (*run.groups, None):
        if group is None or (groups and text[groups[-1][1] : group[0]] == " "):
            if _LEAST_DIGITS <= groups[-1][1] - groups[0][0] < run.end - run.start:
                yield Run(groups[0][0], groups[-1][1], groups)
            groups = []
        if group is not None:
            groups.append(group)


def _opening(text: str, run: Run) -> int:
    """Return where the number starts with its ``+`` and the parenthesis of its area code."""
    start = run.start
    if start and text[start - 1] == "(" and ")" in text[start : run.end]:
        start -= 1
    if start and text[start - 1] == "+":
        start -= 1
        if start and text[start - 1] == "(" and ")" in text[start : run.end]:
            start -= 1
    return start


def _is_phone(text: str, run: Run, start: int) -> bool:
    if len(run.groups) > 9:
        return False
    digits = "".join(text[a:b] for a, b in run.groups)
    if not _LEAST_DIGITS <= len(digits) <= 17 or len(set(digits)) == 1 or _is_embedded(text, start, run.end):
        return False
    if _DATE.match(text, run.start) or _is_decimal(text, run):
        return False
    if text.startswith(("+", "(+"), start):
        return 8 <= len(digits) <= 16 and digits[0] != "0"
    said = parse_context(text, start, "phone")
    if said is False and not _AFTER.match(text, run.end):
        return False
    return said is True or _AFTER.match(text, run.end) is not None or _has_phone_shape(text, run, digits)


def _is_embedded(text: str, start: int, end: int) -> bool:
    """Tell whether the run is a piece of something longer: an identifier, an amount, a share."""
    before = text[start - 1] if start else " "
    after = text[end] if end < len(text) else " "
    if before.isalnum() or before in "_-.&%@" or before in _CURRENCY:
        return True
    return (
        (after.isalnum() and not _EXTENSION.match(text, end))
        or after in "_%@€$"
        or text[end : end + 2] == ":/"
    )


def _is_decimal(text: str, run: Run) -> bool:
    separators = {text[a:b] for (_, a), (b, _) in zip(run.groups, run.groups[1:], strict=False)}
    lengths = [end - start for start, end in run.groups]
    return separators == {"."} and (len(lengths) < 3 or (len(lengths) == 4 and max(lengths) < 4))


def _has_phone_shape(text: str, run: Run, digits: str) -> bool:
    lengths = [end - start for start, end in run.groups]
    if digits.startswith("00") and len(lengths) > 1:
        return 10 <= len(digits) <= 17
    national = digits[1:] if lengths[0] == 1 and digits[0] == "1" else digits
    if lengths[-3:] == [3, 3, 4] and len(national) == 10:
        return national[0] in "23456789"
    grouped = len(lengths) > 2 or (len(lengths) == 2 and lengths[0] > 2)
    return digits[0] == "0" and 10 <= len(digits) <= 11 and grouped and min(lengths) > 1
