"""Reading everything there is, to say what it holds: the work behind ``groundwire inspect``."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable

from groundwire.envelopes import Limits, read_traces
from groundwire.errors import RecordError
from groundwire.reading import record_of
from groundwire.report import Inspection
from groundwire.settings import Settings
from groundwire.span import PlainRecord


def inspect_sources(
    sources: Iterable[str | os.PathLike[str]],
    *,
    settings: Settings | None = None,
    on_progress: Callable[[int], object] | None = None,
) -> Inspection:
    """Read everything in ``sources`` and count what is there; raises EnvelopeError for a missing source."""
    settings = Settings() if settings is None else settings
    found = Inspection()
    bases = settings.read.reference_bases
    items = read_traces(
        list(sources),
        on_reject=found.reject,
        on_progress=None if on_progress is None else lambda stats: on_progress(stats.bytes),
        stats=found.stats,
        limits=Limits(max_line_bytes=settings.read.max_line_bytes),
    )
    for item in items:
        if isinstance(item, PlainRecord):
            try:
                found.take_record(record_of(item))
            except RecordError:
                found.stats.rejected["bad_record"] += 1
        else:
            found.take_trace(item, bases)
    return found
