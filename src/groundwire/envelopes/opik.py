"""Opik's exports → spans: rows of its spans and traces, and bundles of one trace with its spans.

A trace says itself what was asked and answered; it becomes a span beside those that it consists of.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from hashlib import sha256
from typing import Any

from groundwire.envelopes.ids import parse_span_id, parse_trace_id
from groundwire.envelopes.langfuse_scores import read_langfuse_score
from groundwire.envelopes.stats import Tally
from groundwire.envelopes.times import parse_time_ns
from groundwire.envelopes.values import mappings
from groundwire.span import Origin, Scope, SpanData

_SCOPE = Scope("opik")
_TYPES = ("general", "llm", "tool", "guardrail")
_KEPT = (
    "input", "output", "model", "provider", "usage", "total_estimated_cost", "thread_id", "tags", "metadata",
)  # fmt: skip


def is_opik(document: Mapping[str, Any]) -> bool:
    """Tell whether the object is a span, a trace, or a trace with its ``spans``."""
    trace = document.get("trace")
    is_bundle = isinstance(trace, Mapping) and isinstance(document.get("spans"), list) and _is_trace(trace)
    return is_bundle or _is_span(document) or _is_trace(document)


def _is_span(row: Mapping[str, Any]) -> bool:
    return {"id", "trace_id", "start_time"} <= row.keys() and row.get("type") in _TYPES


def _is_trace(row: Mapping[str, Any]) -> bool:
    return {"id", "project_id", "start_time", "input"} <= row.keys() and row.keys().isdisjoint(
        ("trace_id", "type")
    )


def read_opik(document: Mapping[str, Any], origin: Origin, tally: Tally) -> Iterator[SpanData]:
    """Yield the spans, and the feedback that people gave."""
    trace = document.get("trace")
    rows = [trace, *mappings(document["spans"])] if isinstance(trace, Mapping) else [document]
    for row in rows:
        is_trace = "trace_id" not in row
        trace_id = row.get("id") if is_trace else row.get("trace_id")
        span = _span(row, trace_id, origin, tally)
        if span is None:
            tally.reject(origin, "no_id", "a span has no id or no trace id, so it belongs nowhere")
            continue
        yield span
        for score in mappings(row.get("feedback_scores")):
            about = None if is_trace else row.get("id")
            yield from read_langfuse_score(_as_score(score, trace_id, about), origin, tally)


def _span(row: Mapping[str, Any], trace: Any, origin: Origin, tally: Tally) -> SpanData | None:
    stats = tally.stats
    trace_id = parse_trace_id(trace, stats)
    if trace_id is None:
        return None
    is_trace = "trace_id" not in row
    own = sha256(b"trace " + trace_id.encode()).hexdigest()[:16] if is_trace else row.get("id")
    span_id = parse_span_id(own, stats)
    if span_id is None:
        return None
    error = row.get("error_info")
    error = error if isinstance(error, Mapping) else {}
    attributes = {f"opik.{name}": _text(row[name]) for name in _KEPT if row.get(name) not in (None, {}, [])}
    attributes["opik.span.type"] = "trace" if is_trace else str(row.get("type"))
    if error.get("exception_type"):
        attributes["error.type"] = str(error["exception_type"])
    return SpanData(
        trace_id=trace_id,
        span_id=span_id,
        name=str(row.get("name") or ""),
        parent_span_id=parse_span_id(row.get("parent_span_id"), stats),
        start_ns=parse_time_ns(row.get("start_time"), stats),
        end_ns=parse_time_ns(row.get("end_time"), stats),
        attributes=attributes,
        status="error" if error else "unset",
        status_message=str(error.get("message") or ""),
        scope=_SCOPE,
        origin=origin,
    )


def _text(value: Any) -> Any:
    return json.dumps(value, ensure_ascii=False) if isinstance(value, (dict, list)) else value


def _as_score(score: Mapping[str, Any], trace_id: Any, about: Any) -> dict[str, Any]:
    """A score given in the user interface is a person's; all others are an evaluator's."""
    return {
        "id": f"opik {score.get('name')} {about}",
        "traceId": trace_id,
        "observationId": about,
        "name": score.get("name"),
        "value": score.get("value"),
        "stringValue": score.get("category_name"),
        "comment": score.get("reason"),
        "source": "ANNOTATION" if score.get("source") == "ui" else "EVAL",
        "timestamp": score.get("last_updated_at", score.get("created_at")),
    }
