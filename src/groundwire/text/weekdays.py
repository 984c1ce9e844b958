"""Days of the week: one word, a word with a particle (``화요일에``), or two words (``sexta-feira``)."""

from __future__ import annotations

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


def opens_weekday(word: str) -> bool:
    """Return True if a day of the week may begin with a lower-case word."""
    return word in WEEKDAYS or word in _DAY_HEADS or word[1:3] == _KOREAN_DAY


def read_weekday(tokens: Sequence[Token], i: int, word: str) -> Quantity | None:
    """Return the day of the week that begins with token ``i``, in lower case ``word``, or None."""
    last, day = i, WEEKDAYS.get(word)
    if day is None and word[1:3] == _KOREAN_DAY:
        day = WEEKDAYS.get(word[:3])
    if day is None and word in _DAY_HEADS and i + 1 < len(tokens):
        last, day = i + 1, _DAY_HEADS[word].get(tokens[i + 1].text.lower())
    if day is None:
        return None
    return Quantity("weekday", float(day), "", tokens[i].start, tokens[last].end, i, last)
