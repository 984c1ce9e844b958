"""What a comparison of a claim with its sources finds."""

from __future__ import annotations

from typing import NamedTuple


class Conflict(NamedTuple):
    """Why a claim conflicts (``number``, ``unit``, ``binding``, ``negation``, …) and with which sentence.

    ``sentence`` counts the corpus's sentences; None when the fault is that something stands nowhere.
    """

    reason: str
    sentence: int | None = None


class Finding(NamedTuple):
    """``conflict`` or None, and the words of the claim whose values were checked and hold."""

    conflict: Conflict | None
    settled: frozenset[int] = frozenset()
