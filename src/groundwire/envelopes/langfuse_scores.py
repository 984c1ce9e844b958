"""Langfuse's scores → feedback spans, as ``groundwire.feedback`` writes them.

What a person annotated or an application reported is feedback; what an evaluator computed is none, and is
counted as skipped. A score of a whole trace names no span: its span id is all zeros.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from hashlib import sha256
from typing import Any

from groundwire import semconv
from groundwire.envelopes.ids import parse_span_id, parse_trace_id
from groundwire.envelopes.stats import Tally
from groundwire.envelopes.times import parse_time_ns
from groundwire.envelopes.values import parse_double
from groundwire.span import Origin, SpanData

WHOLE_TRACE = "0" * 16
_LABELS = ("stringValue", "string_value", "name")
_SOURCES = ("ANNOTATION", "API")


def is_langfuse_score(document: Mapping[str, Any]) -> bool:
    """Tell whether the object is a score on its own, as blob exports hold them."""
    snake, camel = {"name", "trace_id", "source", "data_type"}, {"name", "traceId", "source", "dataType"}
    return snake <= document.keys() or camel <= document.keys()


def is_langfuse_trace_row(document: Mapping[str, Any]) -> bool:
    """Tell whether the object is a trace of a blob export, without its observations."""
    return {"id", "timestamp", "bookmarked", "public"} <= document.keys()


def skip_langfuse_trace_row(row: Mapping[str, Any], origin: Origin, tally: Tally) -> Iterator[SpanData]:
    """Yield nothing: the observations, which lie in files of their own, carry the content."""
    tally.stats.skipped["langfuse_trace_rows"] += 1
    yield from ()


def read_langfuse_score(score: Mapping[str, Any], origin: Origin, tally: Tally) -> Iterator[SpanData]:
    """Yield the one feedback span, or nothing for an evaluator's score."""
    stats = tally.stats
    trace_id = parse_trace_id(score.get("traceId") or score.get("trace_id"), stats)
    if str(score.get("source")).upper() not in _SOURCES:
        stats.skipped["evaluator_scores"] += 1
    elif trace_id is None:
        tally.reject(origin, "no_id", "a score has no trace id, so it belongs nowhere")
    else:
        about = parse_span_id(score.get("observationId") or score.get("observation_id"), stats)
        attributes = {
            semconv.FEEDBACK_TRACE_ID: trace_id,
            semconv.FEEDBACK_SPAN_ID: about or WHOLE_TRACE,
            semconv.FEEDBACK_SCORE: _number(score, tally),
            semconv.FEEDBACK_LABEL: score.get("stringValue")
            or score.get("string_value")
            or score.get("name"),
            semconv.FEEDBACK_COMMENT: score.get("comment"),
        }
        yield SpanData(
            trace_id=trace_id,
            span_id=sha256(f"score {score.get('id')} {trace_id}".encode()).hexdigest()[:16],
            name="feedback",
            start_ns=parse_time_ns(score.get("timestamp") or score.get("createdAt"), stats),
            attributes={key: value for key, value in attributes.items() if value is not None},
            origin=origin,
        )


def _number(score: Mapping[str, Any], tally: Tally) -> Any:
    value = score.get("value")
    return parse_double(value, tally.stats) if isinstance(value, (int, float)) else None
