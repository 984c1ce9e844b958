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


def count_arrivals(records: Iterable[RagRecord]) -> Arrivals:
    """Return how many calls arrived of how many were made at least.

    >>> from groundwire.record import Sampling
    >>> some = [RagRecord(sampling=Sampling(process="p", sequence=n)) for n in (2, 5)]
    >>> count_arrivals(some)
    Arrivals(arrived=2, made=5, processes=1, unnumbered=0, repeated=0)
    """
    seen: dict[str, set[int]] = {}
    unnumbered = repeated = 0
    for record in records:
        sampling = record.sampling
        if sampling is None or sampling.process is None or not sampling.sequence:
            unnumbered += 1
            continue
        numbers = seen.setdefault(sampling.process, set())
        repeated += sampling.sequence in numbers
        numbers.add(sampling.sequence)
    return Arrivals(
        arrived=sum(map(len, seen.values())),
        made=sum(max(numbers) for numbers in seen.values()),
        processes=len(seen),
        unnumbered=unnumbered,
        repeated=repeated,
    )
