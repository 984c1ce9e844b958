"""Rows of the ClickHouse exporter's ``otel_traces`` table → spans. All attribute values are text there."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import zip_longest
from typing import Any

from groundwire.envelopes.ids import parse_span_id, parse_trace_id
from groundwire.envelopes.otlp import NO_ID_PROBLEM
from groundwire.envelopes.stats import ReadStats, Tally
from groundwire.envelopes.times import add_duration, parse_time_ns
from groundwire.envelopes.values import parse_int, parse_kind, parse_status
from groundwire.span import Origin, Scope, SpanData, SpanEvent, SpanLink


def is_clickhouse(document: Mapping[str, Any]) -> bool:
    """Tell whether the object is a row of ``otel_traces``."""
    return "TraceId" in document and "SpanId" in document and "SpanName" in document


def read_clickhouse(row: Mapping[str, Any], origin: Origin, tally: Tally) -> Iterator[SpanData]:
    """Yield the one span."""
    stats = tally.stats
    trace_id, span_id = parse_trace_id(row["TraceId"], stats), parse_span_id(row["SpanId"], stats)
    if trace_id is None or span_id is None:
        tally.reject(origin, "no_id", NO_ID_PROBLEM)
        return
    start_ns = parse_time_ns(row.get("Timestamp"), stats)
    duration_ns = parse_int(row.get("Duration"))
    resource = _map(row.get("ResourceAttributes"))
    if row.get("ServiceName"):
        resource.setdefault("service.name", row["ServiceName"])
    yield SpanData(
        trace_id=trace_id,
        span_id=span_id,
        name=str(row["SpanName"] or ""),
        parent_span_id=parse_span_id(row.get("ParentSpanId"), stats),
        kind=parse_kind(row.get("SpanKind"), stats),
        start_ns=start_ns,
        end_ns=add_duration(start_ns, duration_ns, stats),
        attributes=_map(row.get("SpanAttributes")),
        events=[_event(event, stats) for event in _nested(row, "Events")],
        links=[link for each in _nested(row, "Links") if (link := _link(each, stats))],
        status=parse_status(row.get("StatusCode"), stats),
        status_message=str(row.get("StatusMessage") or ""),
        trace_state=str(row.get("TraceState") or ""),
        resource=resource,
        scope=Scope(str(row.get("ScopeName") or ""), str(row.get("ScopeVersion") or "")),
        origin=origin,
    )


def _map(value: Any) -> dict[str, Any]:
    """Return a ``Map`` column, a ``JSON`` column (dots had become nesting), or a list of pairs."""
    if isinstance(value, list):
        value = {pair[0]: pair[1] for pair in value if isinstance(pair, (list, tuple)) and len(pair) == 2}
    found: dict[str, Any] = {}
    if isinstance(value, Mapping):
        _flatten("", value, found)
    return found


def _flatten(prefix: str, value: Mapping[str, Any], found: dict[str, Any]) -> None:
    for key, item in value.items():
        if isinstance(item, Mapping):
            _flatten(f"{prefix}{key}.", item, found)
        else:
            found[f"{prefix}{key}"] = item


def _nested(row: Mapping[str, Any], column: str) -> list[dict[str, Any]]:
    """Return the rows of a ``Nested`` column: one list, one list a field, or an object of such lists."""
    whole = row.get(column)
    if isinstance(whole, list):
        return [dict(item) for item in whole if isinstance(item, Mapping)]
    prefix = f"{column}."
    columns = {prefix + key: value for key, value in whole.items()} if isinstance(whole, Mapping) else row
    parts = {key[len(prefix) :]: value for key, value in columns.items() if key.startswith(prefix)}
    lists = {key: value for key, value in parts.items() if isinstance(value, list)}
    return [dict(zip(lists, values, strict=True)) for values in zip_longest(*lists.values())]


def _event(event: Mapping[str, Any], stats: ReadStats) -> SpanEvent:
    time_ns = parse_time_ns(event.get("Timestamp"), stats)
    return SpanEvent(str(event.get("Name") or ""), time_ns, _map(event.get("Attributes")))


def _link(link: Mapping[str, Any], stats: ReadStats) -> SpanLink | None:
    trace_id = parse_trace_id(link.get("TraceId"), stats)
    span_id = parse_span_id(link.get("SpanId"), stats)
    if trace_id is None or span_id is None:
        return None
    return SpanLink(trace_id, span_id, _map(link.get("Attributes")))
