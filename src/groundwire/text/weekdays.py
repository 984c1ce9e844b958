"""Days of the week: a word, short (``Sat:``) or with a particle (``화요일에``), or two (``sexta-feira``)."""

from __future__ import annotations

import re
from collections.abc import Sequence

from groundwire.text.quantity import Quantity
from groundwire.text.units import WEEKDAYS
from groundwire.text.words import Token

_KOREAN_DAY = "요일"
_DAY_HEADS = {
    head: {name: i for i, name in numbered}
    for heads, numbered in (
        ("יום ביום ימי בימי", tuple(enumerate("שני שלישי רביעי חמישי שישי שבת ראשון".split(), 1))),
        ("thứ", tuple(enumerate("hai ba tư năm sáu bảy".split(), 1))),
        ("chủ", ((7, "nhật"),)),
        *(
            (f"{name} {name}s", ((i, "feira"), (i, "feiras")))
            for i, name in enumerate("segunda terça quarta quinta sexta".split(), 1)
        ),
    )
    for head in heads.split()
}
_SHORT_DAYS = {
    name: i
    for i, names in enumerate("mon,tue tues,wed,thu thur thurs,fri,sat,sun".split(","), 1)
    for name in names.split()
}
_AFTER_SHORT = re.compile(r"[.*_]{0,3}(?: ?[:–—/&|,-]| ?\d| and\b| to\b|\Z)")


def opens_weekday(word: str) -> bool:
    """Return True if a day of the week may begin with a lower-case word."""
    return word in WEEKDAYS or word in _DAY_HEADS or word in _SHORT_DAYS or word[1:3] == _KOREAN_DAY


def read_weekday(text: str, tokens: Sequence[Token], i: int, word: str) -> Quantity | None:
    """Return the day of the week that begins with token ``i``, ``word`` in lower case, or None."""
    last, day = i, WEEKDAYS.get(word)
    if day is None and word[1:3] == _KOREAN_DAY:
        day = WEEKDAYS.get(word[:3])
    if word in _SHORT_DAYS and tokens[i].text[0].isupper() and _is_listed(text, tokens[i]):
        day = _SHORT_DAYS[word]
    if day is None and word in _DAY_HEADS and i + 1 < len(tokens):
        last, day = i + 1, _DAY_HEADS[word].get(tokens[i + 1].text.lower())
    if day is None:
        return None
    return Quantity("weekday", float(day), "", tokens[i].start, tokens[last].end, i, last)


def _is_listed(text: str, token: Token) -> bool:
    """Return True if what stands beside a short word is what stands beside days in a list."""
    before = text[max(0, token.start - 3) : token.start].rstrip()[-1:]
    return bool(before and before in ",;/&|–—") or _AFTER_SHORT.match(text, token.end) is not None
