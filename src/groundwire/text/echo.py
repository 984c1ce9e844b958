"""Is a claim a source's sentence word for word, but for an opening word and articles?"""

from __future__ import annotations

from groundwire.text.quantity import Quantity
from groundwire.text.reading import Reading

_OPENINGS = frozenset(
    "here also moreover furthermore additionally however indeed hier außerdem zudem ferner ici aquí además"
    " inoltre".split()
)
_ARTICLES = frozenset(("the",))
_MAX_LONGER = 4


def echoes(claim: Reading, sentence: Reading) -> bool:
    """Return True if both have the same words in the same order, and the same values.

    Case and punctuation do not count, nor ``the``, nor an opening such as *here* or *moreover*.

    >>> sentence = Reading("The gate opens at nine.")
    >>> [echoes(Reading(text), sentence) for text in ("Here the gate opens at nine.", "The gate opens.")]
    [True, False]
    """
    if abs(len(claim.codes) - len(sentence.codes)) > _MAX_LONGER:
        return False
    return _bare(claim) == _bare(sentence) and _values(claim) == _values(sentence)


def _bare(reading: Reading) -> list[str]:
    words = reading.words
    start = 1 if words and words[0] in _OPENINGS else 0
    return [word for word in words[start:] if word not in _ARTICLES]


def _values(reading: Reading) -> list[tuple[str, float, str, str, object]]:
    return [_value(q) for q in reading.quantities]


def _value(q: Quantity) -> tuple[str, float, str, str, object]:
    return q.dimension, q.value, q.unit, q.relation, q.parts
