"""Items of many sources → whole traces, whatever the order in which their spans come."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

import msgspec

from groundwire.envelopes.limits import Limits
from groundwire.envelopes.reader import read_source
from groundwire.envelopes.sources import Source, expand_sources
from groundwire.envelopes.stats import ReadStats, Tally
from groundwire.span import LogData, PlainRecord, Rejected, SpanData, Trace

Progress = Callable[[ReadStats], object]


def read_traces(
    sources: Source | Iterable[Source],
    *,
    on_reject: Callable[[Rejected], object] | None = None,
    on_progress: Progress | None = None,
    limits: Limits | None = None,
    stats: ReadStats | None = None,
) -> Iterator[Trace | PlainRecord]:
    """Yield every trace of ``sources`` once and whole, and plain records as they come.

    Spans of one trace may be spread over lines and files in any order; the traces and the order within
    them do not depend on it. Spans and logs that come again are dropped and counted.
    """
    tally = Tally(limits, stats, on_reject)
    groups: dict[str, tuple[list[SpanData], list[LogData]]] = {}
    for path in expand_sources(sources):
        for item in read_source(path, tally):
            if isinstance(item, PlainRecord):
                yield item
                continue
            trace_id = item.trace_id
            if trace_id is None:
                tally.stats.skipped["logs_without_trace"] += 1
                continue
            group = groups.get(trace_id)
            if group is None:
                group = groups[trace_id] = ([], [])
            if isinstance(item, SpanData):
                tally.stats.spans += 1
                group[0].append(item)
            else:
                tally.stats.logs += 1
                group[1].append(item)
        if on_progress is not None:
            on_progress(tally.stats)
    traces = [_whole(trace_id, *group, tally) for trace_id, group in groups.items()]
    traces.sort(key=_started)
    yield from traces


def _whole(trace_id: str, spans: list[SpanData], logs: list[LogData], tally: Tally) -> Trace:
    unique: dict[tuple[str, int], SpanData] = {}
    for span in spans:
        key = (span.span_id, span.kind)
        known = unique.get(key)
        if known is not None:
            tally.stats.duplicates += 1
            span = max(known, span, key=_fullness)
        unique[key] = span
    ordered = sorted(unique.values(), key=lambda span: (span.start_ns or 0, span.span_id, span.kind))
    return Trace(trace_id, ordered, logs)


def _fullness(span: SpanData) -> tuple[int, int, bytes]:
    return (span.end_ns or 0, len(span.attributes), msgspec.json.encode(span))


def _started(trace: Trace) -> tuple[int, str]:
    starts = [span.start_ns for span in trace.spans if span.start_ns]
    return (min(starts, default=0), trace.trace_id)
