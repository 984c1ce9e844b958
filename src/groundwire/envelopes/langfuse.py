"""Langfuse's exports → spans with the attributes that its own SDK writes.

Three forms: ``{trace, observations}`` of the UI and the API, a trace object with its observations inside,
and rows of the blob export (snake_case, times without zone). What Langfuse kept of the original span
(``metadata.attributes``, ``resourceAttributes``, ``scope``) is put back.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from hashlib import sha256
from typing import Any

from groundwire.envelopes.ids import parse_span_id, parse_trace_id
from groundwire.envelopes.jsontext import parse_inner_object
from groundwire.envelopes.langfuse_scores import read_langfuse_score
from groundwire.envelopes.stats import Tally
from groundwire.envelopes.times import parse_time_ns
from groundwire.envelopes.values import mappings
from groundwire.span import Origin, Scope, SpanData

_SCOPE = Scope("langfuse-sdk")
_TEXTS = {
    "langfuse.observation.level": ("level",),
    "langfuse.observation.status_message": ("statusMessage", "status_message"),
    "langfuse.observation.completion_start_time": ("completionStartTime", "completion_start_time"),
    "langfuse.observation.prompt.name": ("promptName", "prompt_name"),
    "langfuse.observation.prompt.version": ("promptVersion", "prompt_version"),
    "langfuse.observation.model.name": ("model", "providedModelName", "provided_model_name"),
    "langfuse.observation.input": ("input",),
    "langfuse.observation.output": ("output",),
    "langfuse.observation.model.parameters": ("modelParameters", "model_parameters"),
    "langfuse.observation.usage_details": ("usageDetails", "usage_details"),
    "langfuse.observation.cost_details": ("costDetails", "cost_details"),
    "langfuse.environment": ("environment",),
    "langfuse.release": ("release",),
    "langfuse.version": ("version",),
    "user.id": ("userId", "user_id"),
    "session.id": ("sessionId", "session_id"),
    "langfuse.trace.name": ("traceName", "trace_name"),
}
_TRACE_TEXTS = {
    "langfuse.trace.name": ("name",),
    "langfuse.trace.input": ("input",),
    "langfuse.trace.output": ("output",),
    "langfuse.trace.tags": ("tags",),
    "langfuse.environment": ("environment",),
    "langfuse.release": ("release",),
    "langfuse.version": ("version",),
    "user.id": ("userId", "user_id"),
    "session.id": ("sessionId", "session_id"),
}


def is_langfuse(document: Mapping[str, Any]) -> bool:
    """Tell whether the object is an exported trace."""
    return isinstance(document.get("observations"), list)


def is_langfuse_row(document: Mapping[str, Any]) -> bool:
    """Tell whether the object is an observation on its own, as blob exports hold them."""
    has_trace = "trace_id" in document or "traceId" in document
    return (
        has_trace
        and "id" in document
        and "type" in document
        and ("start_time" in document or "startTime" in document)
    )


def read_langfuse(document: Mapping[str, Any], origin: Origin, tally: Tally) -> Iterator[SpanData]:
    """Yield the observations of one exported trace; a trace without a root gets one."""
    trace = document.get("trace")
    trace = trace if isinstance(trace, Mapping) else document
    spans = []
    for observation in document["observations"]:
        if isinstance(observation, Mapping):
            span = _span(observation, trace.get("id"), tally)
            if span is None:
                tally.reject(origin, "no_id", "an observation has no id, so it belongs nowhere")
                continue
            span.origin = origin
            spans.append(span)
    if trace is not document or "name" in trace:
        _describe(trace, spans, origin, tally)
    yield from spans
    for score in mappings(trace.get("scores")):
        yield from read_langfuse_score({"traceId": trace.get("id"), **score}, origin, tally)


def read_langfuse_row(row: Mapping[str, Any], origin: Origin, tally: Tally) -> Iterator[SpanData]:
    """Yield the one observation."""
    span = _span(row, None, tally)
    if span is None:
        tally.reject(origin, "no_id", "an observation has no id, so it belongs nowhere")
        return
    span.origin = origin
    yield span


def _span(row: Mapping[str, Any], trace: Any, tally: Tally) -> SpanData | None:
    stats = tally.stats
    trace_id = parse_trace_id(_first(row, ("traceId", "trace_id")) or trace, stats)
    span_id = parse_span_id(row.get("id"), stats)
    if trace_id is None or span_id is None:
        return None
    kept = parse_inner_object(row.get("metadata"), stats.repaired)
    attributes = dict(parse_inner_object(kept.get("attributes"), stats.repaired))
    attributes |= _texts(row, _TEXTS)
    attributes["langfuse.observation.type"] = str(row.get("type") or "span").lower()
    attributes |= _metadata("langfuse.observation.metadata", kept)
    scope = parse_inner_object(kept.get("scope"), stats.repaired)
    return SpanData(
        trace_id=trace_id,
        span_id=span_id,
        name=str(row.get("name") or ""),
        parent_span_id=parse_span_id(_first(row, ("parentObservationId", "parent_observation_id")), stats),
        start_ns=parse_time_ns(_first(row, ("startTime", "start_time")), stats),
        end_ns=parse_time_ns(_first(row, ("endTime", "end_time")), stats),
        attributes=attributes,
        status="error" if row.get("level") == "ERROR" else "unset",
        status_message=str(_first(row, ("statusMessage", "status_message")) or ""),
        resource=dict(parse_inner_object(kept.get("resourceAttributes"), stats.repaired)),
        scope=Scope(str(scope["name"]), str(scope.get("version") or "")) if scope.get("name") else _SCOPE,
    )


def _describe(trace: Mapping[str, Any], spans: list[SpanData], origin: Origin, tally: Tally) -> None:
    """Put what the trace itself says onto its root span; without one, make it up from the trace."""
    trace_id = parse_trace_id(trace.get("id"), tally.stats)
    own = [span for span in spans if span.trace_id == trace_id]
    ids = {span.span_id for span in own}
    roots = [span for span in own if span.parent_span_id not in ids]
    if len(roots) != 1:
        roots = [_make_root(trace, trace_id, roots, origin, tally)] if trace_id else []
        spans[:0] = roots
    kept = parse_inner_object(trace.get("metadata"), tally.stats.repaired)
    for root in roots:
        root.attributes |= {
            key: value for key, value in _texts(trace, _TRACE_TEXTS).items() if key not in root.attributes
        }
        for key, value in _metadata("langfuse.trace.metadata", kept).items():
            root.attributes.setdefault(key, value)


def _make_root(
    trace: Mapping[str, Any], trace_id: str, roots: list[SpanData], origin: Origin, tally: Tally
) -> SpanData:
    span_id = sha256(b"root " + trace_id.encode()).hexdigest()[:16]
    for span in roots:
        span.parent_span_id = span_id
    ends = [span.end_ns for span in roots if span.end_ns is not None]
    return SpanData(
        trace_id=trace_id,
        span_id=span_id,
        name=str(trace.get("name") or ""),
        start_ns=parse_time_ns(trace.get("timestamp"), tally.stats),
        end_ns=max(ends, default=None),
        attributes={"langfuse.observation.type": "span"},
        scope=_SCOPE,
        origin=origin,
    )


def _texts(row: Mapping[str, Any], names: Mapping[str, tuple[str, ...]]) -> dict[str, Any]:
    found = {}
    for attribute, keys in names.items():
        value = _first(row, keys)
        if value not in (None, "", {}, []):
            found[attribute] = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    return found


def _metadata(prefix: str, kept: Mapping[str, Any]) -> dict[str, Any]:
    """Return user metadata under the SDK's keys; what describes the original span is no metadata."""
    own = ("attributes", "resourceAttributes", "scope")
    return {
        f"{prefix}.{key}": value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
        for key, value in kept.items()
        if key not in own
    }


def _first(row: Mapping[str, Any], keys: tuple[str, ...]) -> Any:
    return next((row[key] for key in keys if row.get(key) is not None), None)
