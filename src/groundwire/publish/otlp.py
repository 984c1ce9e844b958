"""Evaluations → the bytes of OTLP requests, and the answers' partial failures back. Pure.

Built from the protocol's published messages (package opentelemetry-proto), so ids can be derived from the
judgment: sending one twice makes the same span, not a second one.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from typing import Any

from google.protobuf import json_format
from google.protobuf.message import DecodeError, Message
from opentelemetry.proto.collector.logs.v1.logs_service_pb2 import (
    ExportLogsServiceRequest,
    ExportLogsServiceResponse,
)
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import (
    ExportTraceServiceRequest,
    ExportTraceServiceResponse,
)
from opentelemetry.proto.common.v1.common_pb2 import AnyValue, InstrumentationScope, KeyValue
from opentelemetry.proto.logs.v1.logs_pb2 import LogRecord, ResourceLogs, ScopeLogs, SeverityNumber
from opentelemetry.proto.resource.v1.resource_pb2 import Resource
from opentelemetry.proto.trace.v1.trace_pb2 import ResourceSpans, ScopeSpans, Span

from groundwire import __version__, semconv
from groundwire.errors import GroundwireError
from groundwire.publish.evaluations import Evaluation

Attributes = Mapping[str, str | float]
DEFAULT_RESOURCE: Attributes = {"service.name": "groundwire"}


def encode_logs(evaluations: Iterable[Evaluation], resource: Attributes) -> bytes:
    """Return an export request of log records, each an event of the span that it judges."""
    events = ScopeLogs(scope=scope(), log_records=[_log_record(one) for one in evaluations])
    logs = ResourceLogs(resource=Resource(attributes=key_values(resource)), scope_logs=[events])
    return ExportLogsServiceRequest(resource_logs=[logs]).SerializeToString()


def encode_spans(evaluations: Iterable[Evaluation], resource: Attributes) -> bytes:
    """Return an export request of spans, each a child of the span that it judges and linked to it.

    They lie at the judged span's end and last no time, so that no trace looks longer than it was.
    """
    judging = ScopeSpans(scope=scope(), spans=[_span(one) for one in evaluations])
    spans = ResourceSpans(resource=Resource(attributes=key_values(resource)), scope_spans=[judging])
    return ExportTraceServiceRequest(resource_spans=[spans]).SerializeToString()


def parse_rejected(answer: bytes, *, as_spans: bool) -> tuple[int, str]:
    """Return how many items the backend refused of a request it took, and why; ``(0, "")`` for none.

    Raises GroundwireError where the answer is no OTLP: a page of a proxy, say, that took nothing.

    >>> parse_rejected(b'{"partialSuccess": {"rejectedSpans": "2", "errorMessage": "old"}}', as_spans=True)
    (2, 'old')
    """
    if as_spans:
        return parse_answer(answer, ExportTraceServiceResponse, "rejected_spans")
    return parse_answer(answer, ExportLogsServiceResponse, "rejected_log_records")


def parse_answer(answer: bytes, response: type[Message], counter: str) -> tuple[int, str]:
    """Return what an export response says in its field ``counter``, and the message with it.

    A backend may answer in JSON to protobuf. Raises GroundwireError where the answer is neither.
    """
    try:
        if answer.startswith(b"{"):
            parsed: Any = json_format.Parse(answer, response(), ignore_unknown_fields=True)
        else:
            parsed = response.FromString(answer)
    except (DecodeError, json_format.ParseError) as cause:
        raise GroundwireError(
            "the answer is no OTLP",
            expected="an export response",
            got=f"{len(answer)} other bytes",
            mend="Check the address: something else answers there.",
        ) from cause
    partial = parsed.partial_success
    return getattr(partial, counter), partial.error_message


def _log_record(one: Evaluation) -> LogRecord:
    return LogRecord(
        time_unix_nano=one.graded_at_ns,
        observed_time_unix_nano=one.graded_at_ns,
        severity_number=SeverityNumber.SEVERITY_NUMBER_INFO,
        event_name=semconv.EVALUATION_EVENT,
        trace_id=bytes.fromhex(one.trace_id),
        span_id=bytes.fromhex(one.span_id or ""),
        attributes=key_values(one.attributes),
    )


def _span(one: Evaluation) -> Span:
    at_ns = one.graded_at_ns if one.judged_at_ns is None else one.judged_at_ns
    trace_id, judged_id = bytes.fromhex(one.trace_id), bytes.fromhex(one.span_id or "")
    return Span(
        trace_id=trace_id,
        span_id=hashlib.sha256(f"span {one.key}".encode()).digest()[:8],
        parent_span_id=judged_id,
        name=f"{semconv.EVALUATION_EVENT} {one.name}",
        kind=Span.SpanKind.SPAN_KIND_INTERNAL,
        start_time_unix_nano=at_ns,
        end_time_unix_nano=at_ns,
        links=[Span.Link(trace_id=trace_id, span_id=judged_id)] if one.span_id else [],
        attributes=key_values(
            {**one.attributes, semconv.OPENINFERENCE_KIND: "EVALUATOR", semconv.OUTPUT_VALUE: one.outcome}
        ),
    )


def scope() -> InstrumentationScope:
    """Return the instrumentation scope of everything published."""
    return InstrumentationScope(name=f"{semconv.SCOPE_NAME}.publish", version=__version__)


def key_values(attributes: Attributes) -> list[KeyValue]:
    """Return attributes as the protocol has them."""
    return [KeyValue(key=key, value=_any_value(value)) for key, value in attributes.items()]


def _any_value(value: str | float) -> AnyValue:
    return AnyValue(string_value=value) if isinstance(value, str) else AnyValue(double_value=value)
