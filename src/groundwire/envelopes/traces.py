"""Items of many sources → whole traces, whatever the order in which their spans come."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import closing
from sys import getsizeof
from typing import Any

import msgspec

from groundwire.envelopes.limits import Limits
from groundwire.envelopes.otlp_packing import unpack_span
from groundwire.envelopes.packed import PackedSpan, Slices
from groundwire.envelopes.reader import read_source
from groundwire.envelopes.sources import Source, expand_sources
from groundwire.envelopes.spill import MAX_LEVEL, Held, Parking, Spill
from groundwire.envelopes.stats import Packing, ReadStats, Tally
from groundwire.span import LogData, Origin, PlainRecord, Rejected, SpanData, Trace

Progress = Callable[[ReadStats], object]
_Group = list[Held]
_LINES_PER_PROGRESS = 256
_RECORD_ID = "ai.observability.record_id"
"""TruLens lets the spans of one record lie in several traces; this holds them together."""
_SUMMARY = "aggregation.is_summary"
_SUMMARY_PROBLEM = "the span is a summary of several that were pruned; read the trace from before the pruning"
_SPAN_BYTES = 1_000
_PACKED_BYTES = 500
_VALUE_BYTES = 150
_SMALL = frozenset((int, float, bool, type(None)))


def read_traces(
    sources: Source | Iterable[Source],
    *,
    on_reject: Callable[[Rejected], object] | None = None,
    on_progress: Progress | None = None,
    on_span: Callable[[SpanData], object] | None = None,
    watched: str = "",
    limits: Limits | None = None,
    stats: ReadStats | None = None,
) -> Iterator[Trace | PlainRecord]:
    """Yield every trace of ``sources`` once and whole, and plain records as they come.

    Spans of one trace may be spread over lines and files in any order, those of one TruLens record over
    several traces; what comes out, its order and the order within do not depend on it. Traces come by start
    time; when they do not fit into memory (``Limits.max_held_bytes``), they go through temporary files and
    come in another order, the same each time. Spans and logs that come again are dropped and counted; of two
    different spans with the same id and kind the fuller one stays. From half of that bound on, OTLP/JSON is
    no longer decoded as it comes: of a plain file only the places of its spans are kept, and read again when
    their traces are whole.

    ``on_progress`` gets the counts now and then; ``on_span`` gets every span with an attribute ``watched`` as
    it is read, all of them before the first trace is yielded. Raises EnvelopeError where a source does not
    exist.
    """
    tally = Tally(limits, stats, on_reject)
    paths = expand_sources(sources)
    with Parking(tally.limits.temp_dir) as parking, closing(Slices()) as slices:
        grouping = _Grouping(tally, parking.make_spill, packing=Packing(slices, watched.encode()))
        lines = 0
        for path in paths:
            for item in read_source(path, tally):
                if isinstance(item, PlainRecord):
                    yield item
                else:
                    grouping.add(item)
                    if on_span is not None and type(item) is SpanData and watched in item.attributes:
                        on_span(item)
                if on_progress is not None and tally.stats.lines - lines >= _LINES_PER_PROGRESS:
                    lines = tally.stats.lines
                    tally.note_position()
                    on_progress(tally.stats)
        if on_progress is not None:
            on_progress(tally.stats)
        yield from grouping.traces()


class _Grouping:
    """Collects items by trace, in memory up to the bound and on disk beyond it."""

    def __init__(
        self,
        tally: Tally,
        make_spill: Callable[[int], Spill],
        level: int = 0,
        packing: Packing | None = None,
    ) -> None:
        self._tally = tally
        self._make_spill = make_spill
        self._level = level
        self._groups: dict[str, _Group] = {}
        self._first_trace: dict[str, str] = {}
        self._joined: dict[str, str] = {}
        self._room = tally.limits.max_held_bytes if level <= MAX_LEVEL else 1 << 63
        self._spill: Spill | None = None
        self._packing = packing
        self._half = self._room // 2

    def add(self, item: Held) -> None:
        stats = self._tally.stats
        if type(item) is not LogData:
            stats.spans += 1
        elif item.trace_id is None:
            stats.skipped["logs_without_trace"] += 1
            return
        else:
            stats.logs += 1
        if not isinstance(item, PackedSpan) and _RECORD_ID in item.attributes and item.trace_id:
            self._join(str(item.attributes[_RECORD_ID]), item.trace_id)
        self._hold(item)

    def _join(self, record_id: str, trace_id: str) -> None:
        """Put the traces of one record together, as far as none of them lies on disk."""
        first = self._first_trace.setdefault(record_id, self._joined.get(trace_id, trace_id))
        known = self._joined.get(trace_id, trace_id)
        if known == first or self._spill is not None:
            return
        self._joined.update({other: first for other, into in self._joined.items() if into == known})
        self._joined[trace_id] = self._joined[known] = first
        self._groups.setdefault(first, []).extend(self._groups.pop(known, []))

    def _hold(self, item: Held) -> None:
        trace_id = item.trace_id or ""
        if self._joined:
            trace_id = self._joined.get(trace_id, trace_id)
        if self._spill is not None:
            self._spill.add(trace_id, item)
            return
        group = self._groups.get(trace_id)
        if group is None:
            self._groups[trace_id] = [item]
        else:
            group.append(item)
        self._room -= _weigh(item)
        if self._packing is not None and self._room < self._half:
            self._tally.packing, self._packing = self._packing, None
        if self._room < 0:
            self._begin_spill()

    def _begin_spill(self) -> None:
        if len(self._groups) == 1 and self._level > 0:
            return
        spill = self._spill = self._make_spill(self._level)
        for trace_id, group in self._groups.items():
            for item in group:
                spill.add(trace_id, item)
        self._groups.clear()

    def _started(self, trace_id: str) -> tuple[int, str]:
        group = self._groups[trace_id]
        if len(group) == 1 and not isinstance(group[0], LogData):
            return group[0].start_ns or 0, trace_id
        starts = [item.start_ns for item in group if not isinstance(item, LogData) and item.start_ns]
        times = starts or [item.time_ns for item in group if isinstance(item, LogData) and item.time_ns]
        return min(times, default=0), trace_id

    def traces(self) -> Iterator[Trace]:
        if self._spill is None:
            for trace_id in sorted(self._groups, key=self._started):
                yield _whole(trace_id, self._groups.pop(trace_id), self._tally)
            return
        for items in self._spill.partitions():
            inner = _Grouping(self._tally, self._make_spill, self._level + 1)
            for item in items:
                inner._hold(item)
            yield from inner.traces()
        self._tally.stats.spilled_bytes += self._spill.size


def _whole(trace_id: str, group: _Group, tally: Tally) -> Trace:
    first = group[0]
    if len(group) == 1 and isinstance(first, SpanData) and _SUMMARY not in first.attributes:
        return Trace(trace_id, [first], [], trace_id in tally.partial)
    spans: list[SpanData] = []
    logs: list[LogData] = []
    for item in group:
        if isinstance(item, SpanData):
            spans.append(item)
        elif isinstance(item, LogData):
            logs.append(item)
        elif (span := unpack_span(item, tally)) is not None:
            spans.append(span)
        else:
            tally.stats.spans -= 1
    if len(spans) > 1:
        spans = _unique_spans(spans, tally.stats)
    trace = Trace(
        trace_id, spans, _unique_logs(logs, tally.stats) if logs else logs, trace_id in tally.partial
    )
    return _without_summaries(trace, tally)


def _without_summaries(trace: Trace, tally: Tally) -> Trace:
    """Reject the spans that a span-pruning processor put in the place of several."""
    if not any(_SUMMARY in span.attributes for span in trace.spans):
        return trace
    kept = [span for span in trace.spans if not _is_summary(span)]
    if len(kept) == len(trace.spans):
        return trace
    for span in filter(_is_summary, trace.spans):
        tally.reject(span.origin or Origin("?"), "summary_span", _SUMMARY_PROBLEM)
    return Trace(trace.trace_id, kept, trace.logs, is_partial=True)


def _is_summary(span: SpanData) -> bool:
    return str(span.attributes.get(_SUMMARY)).lower() == "true"


def _unique_spans(spans: list[SpanData], stats: ReadStats) -> list[SpanData]:
    unique: dict[tuple[str, int], SpanData] = {}
    for span in spans:
        known = unique.setdefault((span.span_id, span.kind), span)
        if known is not span:
            stats.duplicates += 1
            unique[span.span_id, span.kind] = max(known, span, key=_fullness)
    return sorted(unique.values(), key=lambda span: (span.start_ns or 0, span.span_id, span.kind))


def _unique_logs(logs: list[LogData], stats: ReadStats) -> list[LogData]:
    unique = {_content(log): log for log in logs}
    stats.duplicates += len(logs) - len(unique)
    return [unique[key] for key in sorted(unique, key=lambda key: (unique[key].time_ns or 0, key))]


def _fullness(span: SpanData) -> tuple[int, int, bytes]:
    return (span.end_ns or 0, len(span.attributes), _content(span))


def _content(item: Held) -> bytes:
    """Return the item's bytes without the place it was read from."""
    return msgspec.msgpack.encode(
        [getattr(item, name) for name in item.__struct_fields__ if name != "origin"]
    )


def _weigh(item: Held) -> int:
    """Estimate the memory that an item takes."""
    if isinstance(item, PackedSpan):
        return _PACKED_BYTES + len(item.text or b"")
    size = _SPAN_BYTES + _weigh_values(item.attributes)
    if type(item) is LogData:
        return size + _weigh_value(item.body)
    if type(item) is SpanData and item.events:
        size += sum(_VALUE_BYTES + _weigh_values(event.attributes) for event in item.events)
    return size


def _weigh_values(values: dict[str, Any]) -> int:
    size = _VALUE_BYTES * len(values)
    for value in values.values():
        kind = type(value)
        if kind is str:
            size += len(value) if value.isascii() else getsizeof(value)
        elif kind not in _SMALL:
            size += _weigh_value(value)
    return size


def _weigh_value(value: Any) -> int:
    if isinstance(value, dict):
        return _VALUE_BYTES + _weigh_values(value)
    if isinstance(value, list):
        return _VALUE_BYTES * (1 + len(value)) + sum(map(_weigh_value, value))
    return getsizeof(value)
