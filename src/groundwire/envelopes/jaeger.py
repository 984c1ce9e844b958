"""Jaeger's UI and query JSON → spans. Times are microseconds there; kind, status and scope are tags."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from groundwire.envelopes.ids import parse_span_id, parse_trace_id
from groundwire.envelopes.stats import ReadStats, Tally
from groundwire.envelopes.times import add_duration, parse_time_ns
from groundwire.envelopes.values import (
    exact_int,
    mappings,
    parse_bytes,
    parse_count,
    parse_double,
    parse_int,
    parse_kind,
    parse_status,
)
from groundwire.span import Origin, Scope, SpanData, SpanEvent, SpanLink

_SCOPE_NAMES = ("otel.scope.name", "otel.library.name")
_SCOPE_VERSIONS = ("otel.scope.version", "otel.library.version")
_PARSERS = {"int64": exact_int, "float64": parse_double, "binary": parse_bytes}


def is_jaeger(document: Mapping[str, Any]) -> bool:
    """Tell whether the object is a trace of Jaeger's UI."""
    return "traceID" in document and isinstance(document.get("spans"), list)


def read_jaeger(document: Mapping[str, Any], origin: Origin, tally: Tally) -> Iterator[SpanData]:
    """Yield the spans of one trace object."""
    processes = document.get("processes")
    resources = {
        key: _resource(process, tally.stats)
        for key, process in (processes.items() if isinstance(processes, Mapping) else ())
    }
    for fields in document["spans"]:
        if isinstance(fields, Mapping):
            own = fields.get("process")
            resource = _resource(own, tally.stats) if own else resources.get(str(fields.get("processID")), {})
            span = _span(fields, document["traceID"], resource, tally)
            if span is None:
                tally.reject(origin, "no_id", "a span has no id, so it belongs nowhere")
            else:
                span.origin = origin
                yield span


def _span(fields: Mapping[str, Any], trace: Any, resource: dict[str, Any], tally: Tally) -> SpanData | None:
    stats = tally.stats
    trace_id = parse_trace_id(fields.get("traceID") or trace, stats)
    span_id = parse_span_id(fields.get("spanID"), stats)
    if trace_id is None or span_id is None:
        return None
    tags = _tags(fields.get("tags"), stats)
    start = parse_int(fields.get("startTime"))
    duration = parse_int(fields.get("duration"))
    start_ns = parse_time_ns(start * 1_000 if start else None, stats)
    span = SpanData(
        trace_id=trace_id,
        span_id=span_id,
        name=str(fields.get("operationName") or ""),
        start_ns=start_ns,
        end_ns=add_duration(start_ns, None if duration is None else duration * 1_000, stats),
        events=[_event(log, stats) for log in mappings(fields.get("logs"))],
        flags=parse_count(fields.get("flags")),
        resource=resource,
    )
    _refer(span, fields, stats)
    _take_tags(span, tags, stats)
    return span


def _refer(span: SpanData, fields: Mapping[str, Any], stats: ReadStats) -> None:
    span.parent_span_id = parse_span_id(fields.get("parentSpanID"), stats)
    for reference in mappings(fields.get("references")):
        trace_id = parse_trace_id(reference.get("traceID"), stats) or span.trace_id
        span_id = parse_span_id(reference.get("spanID"), stats)
        if span_id is None:
            continue
        is_parent = reference.get("refType") == "CHILD_OF" and trace_id == span.trace_id
        if is_parent and span.parent_span_id in (None, span_id):
            span.parent_span_id = span_id
        else:
            span.links.append(SpanLink(trace_id, span_id))


def _take_tags(span: SpanData, tags: dict[str, Any], stats: ReadStats) -> None:
    """Turn the tags that stand for fields back into fields; the rest are attributes."""
    span.kind = parse_kind(tags.pop("span.kind", None), stats)
    span.status = parse_status(tags.pop("otel.status_code", None), stats)
    if tags.get("error") is True and span.status in ("unset", "error"):
        span.status = "error"
        del tags["error"]
    span.status_message = str(tags.pop("otel.status_description", ""))
    span.trace_state = str(tags.pop("w3c.tracestate", ""))
    names = [tags.pop(key) for key in _SCOPE_NAMES if key in tags]
    versions = [tags.pop(key) for key in _SCOPE_VERSIONS if key in tags]
    span.scope = Scope(str(names[0]) if names else "", str(versions[0]) if versions else "")
    span.attributes = tags


def _event(log: Mapping[str, Any], stats: ReadStats) -> SpanEvent:
    fields = _tags(log.get("fields"), stats)
    time = parse_int(log.get("timestamp"))
    name = str(fields.pop("event", ""))
    return SpanEvent(name, parse_time_ns(time * 1_000 if time else None, stats), fields)


def _tags(tags: Any, stats: ReadStats) -> dict[str, Any]:
    found: dict[str, Any] = {}
    count = 0
    for tag in mappings(tags):
        parse = _PARSERS.get(str(tag.get("type")))
        value = tag.get("value")
        found[str(tag.get("key"))] = value if parse is None else parse(value, stats)
        count += 1
    stats.duplicate_keys += count - len(found)
    return found


def _resource(process: Any, stats: ReadStats) -> dict[str, Any]:
    if not isinstance(process, Mapping):
        return {}
    resource = _tags(process.get("tags"), stats)
    if process.get("serviceName"):
        resource.setdefault("service.name", str(process["serviceName"]))
    return resource
