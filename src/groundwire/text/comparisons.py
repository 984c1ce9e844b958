"""Is a comparison that the claim draws borne out by the two values that the sources give?

``The Gull is longer than the Tern`` of ``the Tern is 9 m long and the Gull is 12 m long``.
"""

from __future__ import annotations

from typing import NamedTuple

from groundwire.text.amounts import EQUAL, compare_quantities
from groundwire.text.corpus import Corpus
from groundwire.text.quantity import Quantity
from groundwire.text.reading import Reading
from groundwire.text.support import ClaimSupport

_MORE = frozenset(
    """
longer taller higher larger bigger greater heavier older wider deeper thicker faster dearer costlier warmer
hotter later farther further stronger louder busier more
""".split()
)
_LESS = frozenset(
    """
shorter lower smaller lighter younger newer narrower shallower thinner slower cheaper colder cooler
earlier nearer closer weaker quieter less fewer
""".split()
)
_AGES = {"older": -1, "younger": 1, "newer": 1, "earlier": -1, "later": 1}
MAX_SENTENCES = 12


class Compared(NamedTuple):
    """Whether the sources' values bear the comparison out, and the sentence of the first of the two.

    ``is_whole`` says that the claim gives no further value.
    """

    holds: bool
    sentence: int
    is_whole: bool


def check_comparison(claim: Reading, support: ClaimSupport, corpus: Corpus) -> Compared | None:
    """Return whether a comparison of two things holds by their values; None where nothing can be said."""
    if "than" not in claim.words:
        return None
    than = claim.words.index("than")
    word = next((w for w in reversed(claim.words[max(0, than - 3) : than]) if w in _MORE or w in _LESS), None)
    if word is None:
        return None
    said = [i for i in claim.content if claim.words[i] != word and not claim.tokens[i].key.startswith("#")]
    left = {claim.codes[i] for i in said if i < than}
    right = {claim.codes[i] for i in said if i > than and claim.clause[i] <= claim.clause[than] + 1}
    values = [
        (i, reading, q)
        for i in corpus.numbered_sentences()[:MAX_SENTENCES]
        for reading in [corpus.reading(i)]
        for q in reading.quantities
    ]
    mine, theirs = (
        _value_of(left - right, right - left, values),
        _value_of(right - left, left - right, values),
    )
    if mine is None or theirs is None:
        return None
    a, b = mine[1], theirs[1]
    if a.dimension != b.dimension or a.noun != b.noun or a.value == b.value or a.dimension == "weekday":
        return None
    sign = 1 if word in _MORE else -1
    if _is_year(a) and _is_year(b):
        sign = _AGES.get(word, 0)
    elif word in _AGES and word in ("older", "younger", "newer") and a.dimension not in ("months", "number"):
        return None
    if sign == 0:
        return None
    is_whole = all(
        any(compare_quantities(q, other) == EQUAL for *_, other in values) for q in claim.quantities
    )
    return Compared(sign * (a.value - b.value) > 0, mine[0], is_whole)


def _is_year(q: Quantity) -> bool:
    return q.dimension == "number" and 1000 <= q.value <= 2999


def _value_of(
    own: set[str], other: set[str], values: list[tuple[int, Reading, Quantity]]
) -> tuple[int, Quantity] | None:
    """Return the one value of which a clause says it belongs to ``own`` and not to ``other``."""
    found = []
    for i, reading, q in values:
        clause = reading.clause[q.first]
        codes = {code for j, code in enumerate(reading.codes) if reading.clause[j] == clause}
        if own and own <= codes and not other & codes:
            found.append((i, q))
    kinds = {(q.dimension, q.noun) for _, q in found}
    return found[0] if len(found) == 1 or (found and len(kinds) == len(found)) else None
