"""MLflow's own trace JSON → spans, in the three forms that its versions wrote.

Version 2 keeps ids under ``context`` (``0x…``), version 3 has them in base64, version 4 in hex as
``otel_trace_id``. Attribute values are JSON inside text, as in MLflow's OTLP export: they stay so.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from groundwire.envelopes.ids import parse_span_id, parse_trace_id
from groundwire.envelopes.otlp import NO_ID_PROBLEM
from groundwire.envelopes.stats import ReadStats, Tally
from groundwire.envelopes.times import parse_time_ns
from groundwire.envelopes.values import mappings, parse_attributes, parse_kind, parse_status
from groundwire.span import Origin, Scope, SpanData, SpanEvent, SpanLink

_SCOPE = Scope("mlflow.tracing.provider")


def is_mlflow(document: Mapping[str, Any]) -> bool:
    """Tell whether the object is a trace of MLflow."""
    data = document.get("data")
    return "info" in document and isinstance(data, Mapping) and isinstance(data.get("spans"), list)


def read_mlflow(document: Mapping[str, Any], origin: Origin, tally: Tally) -> Iterator[SpanData]:
    """Yield the spans; what the trace's own description says goes onto its root."""
    info = document["info"] if isinstance(document["info"], Mapping) else {}
    for fields in document["data"]["spans"]:
        if isinstance(fields, Mapping):
            span = _span(fields, info, tally)
            if span is None:
                tally.reject(origin, "no_id", NO_ID_PROBLEM)
                continue
            span.origin = origin
            if span.parent_span_id is None:
                _describe(span, info)
            yield span


def _span(fields: Mapping[str, Any], info: Mapping[str, Any], tally: Tally) -> SpanData | None:
    stats = tally.stats
    context = fields.get("context")
    context = context if isinstance(context, Mapping) else {}
    trace = context.get("trace_id") or fields.get("otel_trace_id") or fields.get("trace_id")
    trace_id = parse_trace_id(trace or info.get("trace_id") or info.get("request_id"), stats)
    span_id = parse_span_id(context.get("span_id") or fields.get("span_id"), stats)
    if trace_id is None or span_id is None:
        return None
    code, message = _status(fields)
    return SpanData(
        trace_id=trace_id,
        span_id=span_id,
        name=str(fields.get("name") or ""),
        parent_span_id=parse_span_id(fields.get("parent_span_id") or fields.get("parent_id"), stats),
        kind=parse_kind(fields.get("kind"), stats),
        start_ns=parse_time_ns(_either(fields, "start_time_unix_nano", "start_time"), stats),
        end_ns=parse_time_ns(_either(fields, "end_time_unix_nano", "end_time"), stats),
        attributes=parse_attributes(fields.get("attributes"), stats),
        events=[_event(event, stats) for event in mappings(fields.get("events"))],
        links=[link for each in mappings(fields.get("links")) if (link := _link(each, stats))],
        status=parse_status(code, stats),
        status_message=message,
        trace_state=str(fields.get("trace_state") or ""),
        scope=_SCOPE,
    )


def _status(fields: Mapping[str, Any]) -> tuple[Any, str]:
    status = fields.get("status")
    if isinstance(status, Mapping):
        return status.get("code") or status.get("status_code"), str(status.get("message") or "")
    return fields.get("status_code") or status, str(fields.get("status_message") or "")


def _describe(root: SpanData, info: Mapping[str, Any]) -> None:
    metadata = info.get("trace_metadata") or info.get("request_metadata")
    metadata = metadata if isinstance(metadata, Mapping) else {}
    for key, attribute in (("mlflow.trace.user", "user.id"), ("mlflow.trace.session", "session.id")):
        if metadata.get(key):
            root.attributes.setdefault(attribute, metadata[key])
    tags = info.get("tags")
    for key, value in tags.items() if isinstance(tags, Mapping) else ():
        root.attributes.setdefault(f"mlflow.traceTag.{key}", value)
    assessments = info.get("assessments")
    if isinstance(assessments, list) and assessments:
        root.attributes.setdefault("mlflow.assessments", json.dumps(assessments, default=str))


def _event(event: Mapping[str, Any], stats: ReadStats) -> SpanEvent:
    time_ns = parse_time_ns(_either(event, "time_unix_nano", "timestamp"), stats)
    return SpanEvent(str(event.get("name") or ""), time_ns, parse_attributes(event.get("attributes"), stats))


def _link(link: Mapping[str, Any], stats: ReadStats) -> SpanLink | None:
    trace_id, span_id = parse_trace_id(link.get("trace_id"), stats), parse_span_id(link.get("span_id"), stats)
    if trace_id is None or span_id is None:
        return None
    return SpanLink(trace_id, span_id, parse_attributes(link.get("attributes"), stats))


def _either(fields: Mapping[str, Any], first: str, second: str) -> Any:
    return fields[first] if fields.get(first) is not None else fields.get(second)
