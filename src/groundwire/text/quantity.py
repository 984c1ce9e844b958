"""One typed value of a text."""

from __future__ import annotations

from msgspec import Struct


class Quantity(Struct, frozen=True, gc=False):
    """One typed value and its range in the text.

    ``dimension`` is ``number`` where nothing says more, a physical one (``mass``), ``percent``,
    ``currency``, ``date``, ``clock``, ``weekday`` or ``month``. ``value`` is in the dimension's base unit
    (minutes of the day for ``clock``); a date's parts are in ``parts`` (year, month, day; None: not said).
    ``noun`` is the key of the word counted (``8 people``), ``relation`` one of ``= < <= > >= ~``,
    ``digits`` how many significant digits were given;
    ``is_soft`` marks an article read as one (``a year``).
    """

    dimension: str
    value: float
    unit: str
    start: int
    end: int
    first: int
    last: int
    noun: str = ""
    relation: str = "="
    digits: int = 15
    parts: tuple[int | None, int | None, int | None] = (None, None, None)
    alternative: tuple[int | None, int | None, int | None] | None = None
    is_soft: bool = False
