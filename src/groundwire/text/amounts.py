"""Is a typed value of a claim the same as one of a source, of another kind, or in conflict with it?"""

from __future__ import annotations

import itertools

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
    if "era" in (claim.dimension, source.dimension):
        return _compare_eras(claim, source)
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


def _compare_eras(claim: Quantity, source: Quantity) -> str:
    """Centuries and decades, and years in them."""
    if claim.dimension == source.dimension:
        if claim.unit == source.unit:
            return EQUAL if claim.value == source.value else DIFFERENT
        return EQUAL if _is_in_era(claim.value, source) or _is_in_era(source.value, claim) else DIFFERENT
    era, other = (claim, source) if claim.dimension == "era" else (source, claim)
    year = float(other.parts[0]) if other.parts[0] else other.value if other.dimension == "number" else 0.0
    if not 1000 <= year <= 2999:
        return UNRELATED
    return EQUAL if _is_in_era(year, era) else DIFFERENT


def _is_in_era(year: float, era: Quantity) -> bool:
    return era.value <= year < era.value + (100 if era.unit == "century" else 10)


def _compare_clocks(claim: Quantity, source: Quantity) -> str:
    if claim.dimension == source.dimension:
        if claim.value == source.value:
            return EQUAL
        half = "half" in (claim.unit, source.unit)
        return EQUAL if half and claim.value % 720 == source.value % 720 else DIFFERENT
    clock, other = (claim, source) if claim.dimension == "clock" else (source, claim)
    if other.dimension == "number" and not other.noun and other.value <= 24:
        # "9.30" is half past nine where a time of day is spoken of.
        minutes = int(other.value) * 60 + round(100 * (other.value % 1))
        same = clock.value == minutes or clock.value % 720 == minutes % 720
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
        if is_close(bare.value, face_value(typed), 15):
            opposed = {claim.relation[:1], source.relation[:1]} == {"<", ">"}
            return DIFFERENT if opposed else EQUAL
    return UNRELATED


def face_value(quantity: Quantity) -> float:
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
    equal = is_close(mine, theirs, claim.digits)
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


def is_close(mine: float, theirs: float, digits: int) -> bool:
    """Return True if two values are one, or the source's rounds to the claim's of ``digits`` digits."""
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
