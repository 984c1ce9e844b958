"""The numeric check: a number of the answer within a tolerance of the expected one."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from groundwire.errors import ConfigError
from groundwire.text.quantities import number_value, read_quantities
from groundwire.text.quantity import Quantity
from groundwire.text.units import UNITS
from groundwire.text.words import tokenize


class Wanted(NamedTuple):
    """The expected number: its value, how far off one may be (absolute), and its dimension or None.

    With a dimension (``"45 minutes"``) value and tolerance are in the dimension's base unit.
    """

    value: float
    tolerance: float
    dimension: str | None


class Near(NamedTuple):
    """The nearest number of an answer: its distance from the expected value, and its range."""

    distance: float
    start: int
    end: int


def parse_wanted(value: Any, tolerance: float, relative: float, where: str) -> Wanted:
    """Return what to look for; ``value`` is a number or a text with a number and its unit.

    Raises ConfigError when it is neither, or a tolerance is negative.
    """
    if min(tolerance, relative) < 0:
        raise ConfigError(
            "is no tolerance", where=where, expected="0 or more", got=repr(min(tolerance, relative))
        )
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        return Wanted(float(value), max(tolerance, abs(value) * relative), None)
    quantities = read_quantities(value, tokenize(value)) if isinstance(value, str) else []
    if len(quantities) != 1 or quantities[0].dimension == "date":
        expected = "a number, or a text with one number and its unit ('45 minutes')"
        raise ConfigError("is no number", where=where, expected=expected, got=repr(value))
    only = quantities[0]
    dimension = None if only.dimension == "number" else only.dimension
    return Wanted(only.value, max(tolerance * _unit_factor(only), abs(only.value) * relative), dimension)


def _unit_factor(quantity: Quantity) -> float:
    """Return what one of the quantity's unit is in the base unit of its dimension."""
    factors = (
        factor
        for dimension, unit, factor in UNITS.values()
        if (dimension, unit) == (quantity.dimension, quantity.unit)
    )
    return next(factors, 1.0)


def find_nearest(answer: str, wanted: Wanted) -> Near | None:
    """Return the number of ``answer`` that is nearest to ``wanted``, None when it has none of its kind.

    >>> find_nearest("Within thirty days.", parse_wanted(30, 0, 0, "checks"))
    Near(distance=0.0, start=7, end=13)
    """
    found = [
        Near(abs(value - wanted.value), start, end) for value, start, end in _read_numbers(answer, wanted)
    ]
    return min(found, default=None)


def _read_numbers(answer: str, wanted: Wanted) -> Iterator[tuple[float, int, int]]:
    tokens = tokenize(answer)
    if wanted.dimension is not None:
        for quantity in read_quantities(answer, tokens):
            if quantity.dimension == wanted.dimension:
                yield quantity.value, quantity.start, quantity.end
        return
    for token in tokens:
        value = number_value(token)
        if value is not None:
            yield value, token.start, token.end
