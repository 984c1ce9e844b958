"""How many of the calls that were made arrived: gaps in the callers' own sequence numbers."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from groundwire.record import RagRecord


class Arrivals(NamedTuple):
    """Counts over all process instances that number their calls.

    ``made`` is a lower bound: calls after the last one that arrived are not known. ``unnumbered`` are the
    records without a sequence number. ``repeated`` counts records that share one, which should not be.
    """

    arrived: int
    made: int
    processes: int
    unnumbered: int
    repeated: int


class ArrivalCounter:
    """Takes records one by one and keeps numbers only."""

    def __init__(self) -> None:
        self._seen: dict[str, set[int]] = {}
        self._unnumbered = self._repeated = 0

    def add(self, record: RagRecord) -> None:
        """Count one record."""
        sampling = record.sampling
        if sampling is None or sampling.process is None or not sampling.sequence:
            self._unnumbered += 1
            return
        numbers = self._seen.setdefault(sampling.process, set())
        self._repeated += sampling.sequence in numbers
        numbers.add(sampling.sequence)

    @property
    def arrivals(self) -> Arrivals:
        """The counts so far."""
        seen = self._seen.values()
        return Arrivals(
            arrived=sum(map(len, seen)),
            made=sum(map(max, seen)),
            processes=len(seen),
            unnumbered=self._unnumbered,
            repeated=self._repeated,
        )


def count_arrivals(records: Iterable[RagRecord]) -> Arrivals:
    """Return how many calls arrived of how many were made at least.

    >>> from groundwire.record import Sampling
    >>> some = [RagRecord(sampling=Sampling(process="p", sequence=n)) for n in (2, 5)]
    >>> count_arrivals(some)
    Arrivals(arrived=2, made=5, processes=1, unnumbered=0, repeated=0)
    """
    counter = ArrivalCounter()
    for record in records:
        counter.add(record)
    return counter.arrivals
