"""Message logs whose span is not in the trace: each such call becomes a span of its own.

Event-only capture writes the messages to log records; where the spans went elsewhere (another file, a
sampler), the logs still hold question, answer and usage of the call.
"""

from __future__ import annotations

from collections.abc import Iterable

from groundwire import semconv
from groundwire.dialects.genai_fields import OPERATION_DETAILS, log_name
from groundwire.span import LogData, SpanData, Trace

_MESSAGE_EVENTS = ("gen_ai.user.message", "gen_ai.choice", "gen_ai.system.message", OPERATION_DETAILS)


def add_log_spans(trace: Trace) -> Trace:
    """Return the trace with a span for each call that only its logs tell of; the same trace if there is none.

    Such a span has no end and no parent, so that neither a latency nor a place in the trace is made up.
    """
    if not trace.logs:
        return trace
    known = {span.span_id for span in trace.spans}
    lone: dict[str, list[LogData]] = {}
    for log in trace.logs:
        if log.span_id and log.span_id not in known and log_name(log) in _MESSAGE_EVENTS:
            lone.setdefault(log.span_id, []).append(log)
    if not lone:
        return trace
    made = [_make_span(trace.trace_id, span_id, logs) for span_id, logs in lone.items()]
    return Trace(trace.trace_id, [*trace.spans, *made], trace.logs, trace.is_partial)


def _make_span(trace_id: str, span_id: str, logs: Iterable[LogData]) -> SpanData:
    listed = list(logs)
    attributes = {semconv.OPERATION_NAME: "chat"}
    for log in listed:
        attributes.update({key: value for key, value in log.attributes.items() if key.startswith("gen_ai.")})
    return SpanData(
        trace_id,
        span_id,
        "chat (log records only)",
        start_ns=min((log.time_ns for log in listed if log.time_ns), default=None),
        attributes=attributes,
        resource=listed[0].resource,
        scope=listed[0].scope,
        origin=listed[0].origin,
    )
