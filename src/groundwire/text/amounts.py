"""Is a typed value of a claim the same as one of a source, derived from several, or in conflict with them?"""

from __future__ import annotations

import itertools
import re
from collections.abc import Sequence

from groundwire.text.quantity import Quantity
from groundwire.text.units import UNITS

EQUAL, DIFFERENT, UNRELATED = "equal", "different", "unrelated"
_FACTORS = {(dimension, unit): factor for dimension, unit, factor in UNITS.values()}
_RELATIVE = 1e-6


def compare_quantities(claim: Quantity, source: Quantity) -> str:
    """Say how a claim's value stands to a source's.

    ``equal``; ``different`` (of one kind, not equal: it may contradict); ``unrelated`` (of another kind).

    >>> from groundwire.text.words import tokenize
    >>> from groundwire.text.quantities import read_quantities
    >>> a, b = (read_quantities(t, tokenize(t))[0] for t in ("90 minutes", "1.5 hours"))
    >>> compare_quantities(a, b)
    'equal'
    """
    if claim.dimension in ("date", "month") and source.dimension in ("date", "month", "number"):
        return _compare_dates(claim, source)
    if source.dimension in ("date", "month") and claim.dimension == "number":
        year, _, day = source.parts
        return EQUAL if claim.value in (year, day) else UNRELATED
    if claim.dimension == "clock" or source.dimension == "clock":
        return _compare_clocks(claim, source)
    if claim.dimension != source.dimension:
        return _compare_across(claim, source)
    if claim.dimension == "currency" and claim.unit != source.unit:
        return _compare_money(claim, source)
    if _holds(claim, source):
        return EQUAL
    return DIFFERENT


def _compare_dates(claim: Quantity, source: Quantity) -> str:
    if source.dimension == "number":
        year = claim.parts[0]
        return (
            EQUAL
            if year is not None and source.value == year and claim.parts[1:] == (None, None)
            else UNRELATED
        )
    options = [claim.parts] + ([claim.alternative] if claim.alternative else [])
    others = [source.parts] + ([source.alternative] if source.alternative else [])
    for mine, theirs in itertools.product(options, others):
        if all(a is None or b is None or a == b for a, b in zip(mine, theirs, strict=True)):
            return (
                EQUAL
                if any(a is not None and a == b for a, b in zip(mine, theirs, strict=True))
                else UNRELATED
            )
    return DIFFERENT


def _compare_clocks(claim: Quantity, source: Quantity) -> str:
    if claim.dimension == source.dimension:
        if claim.value == source.value:
            return EQUAL
        half = "half" in (claim.unit, source.unit)
        return EQUAL if half and claim.value % 720 == source.value % 720 else DIFFERENT
    clock, other = (claim, source) if claim.dimension == "clock" else (source, claim)
    if other.dimension == "number" and not other.noun and other.value <= 24:
        same = clock.value == other.value * 60 or clock.value % 720 == other.value * 60 % 720
        return EQUAL if same else DIFFERENT
    return UNRELATED


def _compare_across(claim: Quantity, source: Quantity) -> str:
    """Values of different kinds: equal if one of them is bare and nothing speaks against it."""
    pair = {claim.dimension, source.dimension}
    if pair in ({"temperature", "degree"}, {"fahrenheit", "degree"}):
        return EQUAL if _holds(claim, source) else DIFFERENT
    if pair == {"temperature", "fahrenheit"}:
        celsius = claim if claim.dimension == "temperature" else source
        other = source if celsius is claim else claim
        return EQUAL if abs(celsius.value * 1.8 + 32 - other.value) <= 1 else DIFFERENT
    if pair == {"duration", "months"}:
        mine = claim.value if claim.dimension == "duration" else claim.value * 2629800
        theirs = source.value if source.dimension == "duration" else source.value * 2629800
        return EQUAL if abs(mine - theirs) <= 0.03 * max(mine, theirs) else DIFFERENT
    if "number" in pair and not claim.noun and not source.noun:
        bare, typed = (claim, source) if claim.dimension == "number" else (source, claim)
        if _is_close(bare.value, _face_value(typed), 15):
            opposed = {claim.relation[:1], source.relation[:1]} == {"<", ">"}
            return DIFFERENT if opposed else EQUAL
    return UNRELATED


def _face_value(quantity: Quantity) -> float:
    """The number as it was written, before conversion to the base unit."""
    return quantity.value / _FACTORS.get((quantity.dimension, quantity.unit), 1.0)


def _compare_money(claim: Quantity, source: Quantity) -> str:
    small = {"cent": 0.01, "penny": 0.01}
    if claim.unit in small or source.unit in small:
        mine, theirs = claim.value * small.get(claim.unit, 1), source.value * small.get(source.unit, 1)
        return EQUAL if abs(mine - theirs) < 1e-9 else DIFFERENT
    return DIFFERENT


def _holds(claim: Quantity, source: Quantity) -> bool:
    """Return True if the source's value makes the claim's true, relations included."""
    mine, theirs = claim.value, source.value
    equal = _is_close(mine, theirs, claim.digits)
    relation, other = claim.relation, source.relation
    if relation == "~" or other == "~":
        return equal or abs(mine - theirs) <= 0.1 * max(abs(mine), abs(theirs))
    if equal:
        opposed = {relation[:1], other[:1]} == {"<", ">"}
        strict_against_exact = relation in ("<", ">") and other == "="
        return not opposed and not strict_against_exact
    if relation[:1] == ">" and other == "=":
        return theirs > mine
    if relation[:1] == "<" and other == "=":
        return theirs < mine
    return False


def _is_close(mine: float, theirs: float, digits: int) -> bool:
    if abs(mine - theirs) <= _RELATIVE * max(abs(mine), abs(theirs), 1e-12):
        return True
    if (
        abs(theirs) < 10
        or digits >= 15
        or 1000 <= theirs <= 2999
        or (theirs == int(theirs) and abs(theirs) < 1000)
    ):
        return False
    # Rounded to the digits that the claim gives, the source's value is the claim's.
    return digits >= 2 and f"{theirs:.{digits - 1}e}" == f"{mine:.{digits - 1}e}"


_SUMS = re.compile(
    r"\b(?:totals?|altogether|sum|combined|together|in all|overall|plus|added|add up|both)\b", re.I
)
_DIFFERENCES = re.compile(
    r"\b(?:difference|more|less|fewer|longer|shorter|older|younger|higher|lower|larger|smaller|taller|heavier"
    r"|lighter|remain\w*|left|left over|between|increas\w*|decreas\w*|rise|rose|risen|fell|fallen|drop\w*"
    r"|grew|growth|gap|span|saves?|saved|saving|unsold|unused|later|earlier)\b",
    re.I,
)
_PRODUCTS = re.compile(
    r"\b(?:times|twice|double\w*|triple\w*|half|average|mean|per|each|every|ratio|percent|share|total)\b|%",
    re.I,
)
_SPANS = re.compile(
    r"\b(?:how (?:long|old|many years)|for|aged?|ago|after|old|lasted|took|years?|later)\b", re.I
)


_POINTS = frozenset(("month", "weekday", "date", "clock"))
"""Dimensions of points: their sums and differences are no such points."""


def is_derived(claim: Quantity, sources: Sequence[Quantity], wording: str) -> bool:
    """Return True if the value is a sum, difference, product, ratio or mean of the sources' values.

    Only where ``wording`` (claim and question) speaks of that very operation, and only over a handful of
    values of one kind, since among many numbers any value is some combination.
    """
    if claim.dimension in _POINTS:
        return False
    is_span = claim.dimension in ("number", "months", "duration") and _SPANS.search(wording)
    if is_span and _is_span_of_years(claim, sources):
        return True
    values = [q.value for q in sources if q.dimension == claim.dimension or claim.dimension == "percent"]
    values = list(dict.fromkeys(values))[:6]
    return len(values) >= 2 and any(
        abs(claim.value - value) <= 1e-6 * max(1.0, abs(value)) or _is_close(claim.value, value, claim.digits)
        for value in _combinations(values, claim.dimension, wording)
    )


def _combinations(values: list[float], dimension: str, wording: str) -> list[float]:
    found: list[float] = []
    pairs = list(itertools.permutations(values, 2))
    if _SUMS.search(wording):
        found += [sum(values), *(a + b for a, b in pairs)]
    if _DIFFERENCES.search(wording):
        found += [a - b for a, b in pairs]
    if _PRODUCTS.search(wording):
        found.append(sum(values) / len(values))
        if dimension == "percent":
            found += [100 * x for a, b in pairs if b for x in (a / b, (a - b) / b)]
        elif dimension == "number":
            found += [a * b for a, b in pairs] + [a / b for a, b in pairs if b and a % b == 0]
    return found


def _is_span_of_years(claim: Quantity, sources: Sequence[Quantity]) -> bool:
    years = [q.value for q in sources if q.dimension == "number" and 1000 <= q.value <= 2999]
    years += [float(q.parts[0]) for q in sources if q.parts[0]]
    span = claim.value / 12 if claim.dimension == "months" else claim.value
    return any(abs(a - b) == span for a, b in itertools.combinations(years, 2))
