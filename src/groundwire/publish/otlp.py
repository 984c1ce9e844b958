"""Evaluations → the bytes of OTLP requests, and the answers' partial failures back. Pure.

Built from the protocol's published messages (package opentelemetry-proto), so ids can be derived from the
judgment: sending one twice makes the same span, not a second one.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping

from google.protobuf.message import DecodeError
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


def encode_logs(evaluations: Iterable[Evaluation], resource: Attributes) -> bytes:
    """Return an export request of log records, each an event of the span that it judges."""
    scope = ScopeLogs(scope=_scope(), log_records=[_log_record(one) for one in evaluations])
    logs = ResourceLogs(resource=Resource(attributes=_key_values(resource)), scope_logs=[scope])
    return ExportLogsServiceRequest(resource_logs=[logs]).SerializeToString()


def encode_spans(evaluations: Iterable[Evaluation], resource: Attributes) -> bytes:
    """Return an export request of spans, each a child of the span that it judges and linked to it.

    They lie at the judged span's end and last no time, so that no trace looks longer than it was.
    """
    scope = ScopeSpans(scope=_scope(), spans=[_span(one) for one in evaluations])
    spans = ResourceSpans(resource=Resource(attributes=_key_values(resource)), scope_spans=[scope])
    return ExportTraceServiceRequest(resource_spans=[spans]).SerializeToString()


def parse_rejected(answer: bytes, *, as_spans: bool) -> tuple[int, str]:
    """Return how many items the backend refused of a request it took, and why; ``(0, "")`` for none.

    A backend may answer in JSON to protobuf. Raises GroundwireError where the answer is no OTLP: a page of a
    proxy, say, that took nothing.

    >>> parse_rejected(b'{"partialSuccess": {"rejectedSpans": "2", "errorMessage": "too old"}}', as_spans=True)
    (2, 'too old')
    """
    try:
        return _parse_json(answer) if answer.startswith(b"{") else _parse_protobuf(answer, as_spans)
    except (DecodeError, ValueError, AttributeError) as cause:
        raise GroundwireError(
            "the answer is no OTLP",
            expected="an export response",
            got=f"{len(answer)} other bytes",
            mend="Check the address: something else answers there.",
        ) from cause


def _parse_protobuf(answer: bytes, as_spans: bool) -> tuple[int, str]:
    if as_spans:
        spans = ExportTraceServiceResponse.FromString(answer).partial_success
        return spans.rejected_spans, spans.error_message
    logs = ExportLogsServiceResponse.FromString(answer).partial_success
    return logs.rejected_log_records, logs.error_message


def _parse_json(answer: bytes) -> tuple[int, str]:
    partial = json.loads(answer).get("partialSuccess") or {}
    rejected = partial.get("rejectedSpans", partial.get("rejectedLogRecords", 0))
    return int(rejected), str(partial.get("errorMessage", ""))


def _log_record(one: Evaluation) -> LogRecord:
    return LogRecord(
        time_unix_nano=one.graded_at_ns,
        observed_time_unix_nano=one.graded_at_ns,
        severity_number=SeverityNumber.SEVERITY_NUMBER_INFO,
        event_name=semconv.EVALUATION_EVENT,
        trace_id=bytes.fromhex(one.trace_id),
        span_id=bytes.fromhex(one.span_id or ""),
        attributes=_key_values(one.attributes),
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
        attributes=_key_values(
            {**one.attributes, semconv.OPENINFERENCE_KIND: "EVALUATOR", semconv.OUTPUT_VALUE: one.outcome}
        ),
    )


def _scope() -> InstrumentationScope:
    return InstrumentationScope(name=f"{semconv.SCOPE_NAME}.publish", version=__version__)


def _key_values(attributes: Attributes) -> list[KeyValue]:
    return [KeyValue(key=key, value=_any_value(value)) for key, value in attributes.items()]


def _any_value(value: str | float) -> AnyValue:
    return AnyValue(string_value=value) if isinstance(value, str) else AnyValue(double_value=value)
