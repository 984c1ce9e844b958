"""OTLP/JSON as decoded objects → spans and logs: every spelling that exporters and backends write.

camelCase and snake_case keys, ids as hex or base64, enumerations as numbers or names, ``scopeSpans`` or
the older ``instrumentationLibrarySpans``. :mod:`groundwire.envelopes.otlp_fast` reads the exact form of
the specification faster and falls back to this.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from groundwire.envelopes.ids import parse_span_id, parse_trace_id
from groundwire.envelopes.stats import Tally
from groundwire.envelopes.times import parse_time_ns
from groundwire.envelopes.values import (
    mappings,
    parse_any_value,
    parse_attributes,
    parse_count,
    parse_kind,
    parse_status,
)
from groundwire.span import LogData, Origin, Scope, SpanData, SpanEvent, SpanLink

Item = SpanData | LogData
NO_ID_PROBLEM = "a span lacks its trace id or span id, so it belongs nowhere"
_SPANS = ("resourceSpans", "resource_spans", "batches")
_LOGS = ("resourceLogs", "resource_logs")
_OTHER_SIGNALS = {
    "resourceMetrics": "metrics",
    "resource_metrics": "metrics",
    "resourceProfiles": "profiles",
    "resource_profiles": "profiles",
}
_KEYS = frozenset((*_SPANS, *_LOGS, *_OTHER_SIGNALS))
_SPAN_SCOPES = ("scopeSpans", "scope_spans", "instrumentationLibrarySpans", "instrumentation_library_spans")
_LOG_SCOPES = ("scopeLogs", "scope_logs", "instrumentationLibraryLogs", "instrumentation_library_logs")


def is_otlp(document: Mapping[str, Any]) -> bool:
    """Tell whether the object is an export request of any signal."""
    return not _KEYS.isdisjoint(document)


def read_otlp(document: Mapping[str, Any], origin: Origin, tally: Tally) -> Iterator[Item]:
    """Yield the spans and logs of one request; other signals are counted as skipped."""
    for key in _SPANS:
        yield from read_resource_spans(document.get(key), origin, tally)
    for key in _LOGS:
        yield from read_resource_logs(document.get(key), origin, tally)
    for key, signal in _OTHER_SIGNALS.items():
        if key in document:
            tally.stats.skipped[signal] += 1


def is_bare_span(document: Mapping[str, Any]) -> bool:
    """Tell whether the object is one OTLP span without its request."""
    has_ids = "traceId" in document and "spanId" in document
    return has_ids or {"trace_id", "span_id", "start_time_unix_nano"} <= document.keys()


def read_bare_span(document: Mapping[str, Any], origin: Origin, tally: Tally) -> Iterator[Item]:
    """Yield the one span; a resource and a scope may lie within it."""
    resource = _parse_resource(document, tally)
    span = parse_span(document, resource, _parse_scope(document, tally), origin, tally)
    if span is not None:
        yield span


def read_resource_spans(groups: Any, origin: Origin, tally: Tally) -> Iterator[SpanData]:
    """Yield the spans of a ``resourceSpans`` list."""
    for group in mappings(groups):
        resource = _parse_resource(group, tally)
        for scoped in mappings(_first(group, _SPAN_SCOPES)):
            scope = _parse_scope(scoped, tally)
            for fields in mappings(scoped.get("spans")):
                span = parse_span(fields, resource, scope, origin, tally)
                if span is not None:
                    yield span


def read_resource_logs(groups: Any, origin: Origin, tally: Tally) -> Iterator[LogData]:
    """Yield the log records of a ``resourceLogs`` list."""
    for group in mappings(groups):
        resource = _parse_resource(group, tally)
        for scoped in mappings(_first(group, _LOG_SCOPES)):
            scope = _parse_scope(scoped, tally)
            for fields in mappings(_first(scoped, ("logRecords", "log_records", "logs"))):
                yield _parse_log(fields, resource, scope, origin, tally)


def parse_span(
    fields: Mapping[str, Any], resource: dict[str, Any], scope: Scope, origin: Origin, tally: Tally
) -> SpanData | None:
    """Return one span of decoded OTLP/JSON, or None (counted) where it has no trace id or span id."""
    stats = tally.stats
    trace_id = parse_trace_id(_get(fields, "traceId", "trace_id"), stats)
    span_id = parse_span_id(_get(fields, "spanId", "span_id"), stats)
    if trace_id is None or span_id is None:
        tally.reject(origin, "no_id", NO_ID_PROBLEM)
        return None
    status = fields.get("status")
    status = status if isinstance(status, Mapping) else {"code": status}
    return SpanData(
        trace_id=trace_id,
        span_id=span_id,
        name=_text(fields.get("name")),
        parent_span_id=parse_span_id(_get(fields, "parentSpanId", "parent_span_id"), stats),
        kind=parse_kind(fields.get("kind"), stats),
        start_ns=parse_time_ns(_get(fields, "startTimeUnixNano", "start_time_unix_nano"), stats),
        end_ns=parse_time_ns(_get(fields, "endTimeUnixNano", "end_time_unix_nano"), stats),
        attributes=parse_attributes(fields.get("attributes"), stats),
        events=[_parse_event(event, tally) for event in mappings(fields.get("events"))],
        links=[link for each in mappings(fields.get("links")) if (link := _parse_link(each, tally))],
        status=parse_status(status.get("code"), stats),
        status_message=_text(status.get("message")),
        trace_state=_text(_get(fields, "traceState", "trace_state")),
        flags=parse_count(fields.get("flags")),
        dropped_attributes=parse_count(_get(fields, "droppedAttributesCount", "dropped_attributes_count")),
        resource=resource,
        scope=scope,
        origin=origin,
    )


def _parse_log(
    fields: Mapping[str, Any], resource: dict[str, Any], scope: Scope, origin: Origin, tally: Tally
) -> LogData:
    stats = tally.stats
    attributes = parse_attributes(fields.get("attributes"), stats)
    name = _get(fields, "eventName", "event_name") or attributes.get("event.name")
    observed = _get(fields, "observedTimeUnixNano", "observed_time_unix_nano")
    return LogData(
        name=_text(name),
        trace_id=parse_trace_id(_get(fields, "traceId", "trace_id"), stats),
        span_id=parse_span_id(_get(fields, "spanId", "span_id"), stats),
        time_ns=parse_time_ns(_get(fields, "timeUnixNano", "time_unix_nano") or observed, stats),
        body=parse_any_value(fields.get("body"), stats),
        attributes=attributes,
        resource=resource,
        scope=scope,
        origin=origin,
    )


def _parse_event(fields: Mapping[str, Any], tally: Tally) -> SpanEvent:
    return SpanEvent(
        name=_text(fields.get("name")),
        time_ns=parse_time_ns(_get(fields, "timeUnixNano", "time_unix_nano"), tally.stats),
        attributes=parse_attributes(fields.get("attributes"), tally.stats),
    )


def _parse_link(fields: Mapping[str, Any], tally: Tally) -> SpanLink | None:
    trace_id = parse_trace_id(_get(fields, "traceId", "trace_id"), tally.stats)
    span_id = parse_span_id(_get(fields, "spanId", "span_id"), tally.stats)
    if trace_id is None or span_id is None:
        return None
    return SpanLink(trace_id, span_id, parse_attributes(fields.get("attributes"), tally.stats))


def _parse_resource(group: Mapping[str, Any], tally: Tally) -> dict[str, Any]:
    resource = group.get("resource")
    return parse_attributes(resource.get("attributes"), tally.stats) if isinstance(resource, Mapping) else {}


def _parse_scope(scoped: Mapping[str, Any], tally: Tally) -> Scope:
    scope = _first(scoped, ("scope", "instrumentationLibrary", "instrumentation_library"))
    if not isinstance(scope, Mapping):
        return Scope()
    attributes = parse_attributes(scope.get("attributes"), tally.stats)
    return Scope(_text(scope.get("name")), _text(scope.get("version")), attributes)


def _get(fields: Mapping[str, Any], camel: str, snake: str) -> Any:
    value = fields.get(camel)
    return fields.get(snake) if value is None else value


def _first(fields: Mapping[str, Any], names: tuple[str, ...]) -> Any:
    return next((fields[name] for name in names if fields.get(name) is not None), None)


def _text(value: Any) -> str:
    return value if isinstance(value, str) else "" if value is None else str(value)
