"""Free of charge, however it is worded: ``costs nothing``, ``no fee``, ``need not pay``."""

from __future__ import annotations

from groundwire.text.caseless import Caseless
from groundwire.text.reading import Reading

_FREE = Caseless(
    r"\bfree(?: of charge)?\b|\bgratis\b|\bcomplimentary\b|\bno (?:charge|cost|fee|payment|admission)\b"
    r"|\b(?:costs?|pays?|paid|charged?) (?:\w+ )?nothing\b|\bwaive[sd]?\b"
    r"|(?:\b(?:not|never|need not|without)|n't)(?: have to| need to)? (?:pay|paying|charge|charged|cost)\b"
)
_CHARGE_WORDS = frozenset(
    "free charge gratis complimentary cost costs fee pay pays paid paying payment nothing waive waives"
    " waived".split()
)


def are_free(claim: Reading, sentence: Reading) -> bool:
    """Return True if both texts say that something costs nothing.

    >>> are_free(Reading("Residents do not pay."), Reading("It is free of charge for residents."))
    True
    """
    return _FREE.search(claim.text) is not None and _FREE.search(sentence.text) is not None


def words_of_charge(reading: Reading) -> list[int]:
    """Return the indices of the words by which a text speaks of charges."""
    return [i for i, word in enumerate(reading.words) if word in _CHARGE_WORDS]
