"""OTLP protobuf messages → spans and logs.

The message classes are OpenTelemetry's own with every ``string`` turned into ``bytes``: a backend that cuts
values by bytes splits characters, and the stock classes then refuse the whole batch.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Any

from groundwire.envelopes.ids import parse_span_id, parse_trace_id
from groundwire.envelopes.otlp import NO_ID_PROBLEM, Item
from groundwire.envelopes.stats import ReadStats, Tally
from groundwire.envelopes.times import parse_time_ns
from groundwire.envelopes.values import is_too_deep
from groundwire.span import LogData, Origin, Scope, SpanData, SpanEvent, SpanLink

_PARTIAL = 1
_STATUSES = ("unset", "ok", "error")


def read_message(message: bytes, origin: Origin, tally: Tally) -> Iterator[Item]:
    """Yield the items of one export request. Which signal it carries is told by whether its ids are ids."""
    classes = _message_classes()
    for name, read in (("TracesData", _read_traces), ("LogsData", _read_logs), ("Answer", _read_answer)):
        request = _decode(classes[name], message)
        if request is not None and (items := read(request, origin, tally)) is not None:
            tally.saw("otlp_proto")
            yield from items
            return
    if _decode(classes["TracesData"], message) is None:
        tally.reject(origin, "not_protobuf", "is no protobuf message that OTLP knows")
    elif message:
        tally.stats.skipped["metrics"] += 1


def _decode(message_class: Any, message: bytes) -> Any:
    from google.protobuf.message import DecodeError

    try:
        return message_class.FromString(message)
    except (DecodeError, RecursionError):
        return None


@cache
def _message_classes() -> dict[str, Any]:
    from google.protobuf import descriptor_pb2, descriptor_pool, message_factory
    from opentelemetry.proto.common.v1 import common_pb2
    from opentelemetry.proto.logs.v1 import logs_pb2
    from opentelemetry.proto.resource.v1 import resource_pb2
    from opentelemetry.proto.trace.v1 import trace_pb2

    pool = descriptor_pool.DescriptorPool()
    for module in (common_pb2, resource_pb2, trace_pb2, logs_pb2):
        file = descriptor_pb2.FileDescriptorProto()
        module.DESCRIPTOR.CopyToProto(file)
        for message in file.message_type:
            _loosen(message)
        if module is trace_pb2:
            _add_answer(file)
        pool.Add(file)
    names = {
        "TracesData": "opentelemetry.proto.trace.v1.TracesData",
        "LogsData": "opentelemetry.proto.logs.v1.LogsData",
        "Answer": "opentelemetry.proto.trace.v1.Answer",
    }
    return {
        short: message_factory.GetMessageClass(pool.FindMessageTypeByName(name))
        for short, name in names.items()
    }


def _loosen(message: Any) -> None:
    for field in message.field:
        if field.type == field.TYPE_STRING:
            field.type = field.TYPE_BYTES
    for inner in message.nested_type:
        _loosen(inner)


def _add_answer(file: Any) -> None:
    """Add the answer of Tempo's trace query: a trace, and whether it is whole (0) or partial (1)."""
    answer = file.message_type.add(name="Answer")
    answer.field.add(
        name="trace", number=1, type=11, label=1, type_name=".opentelemetry.proto.trace.v1.TracesData"
    )
    answer.field.add(name="status", number=3, type=5, label=1)


def _read_answer(answer: Any, origin: Origin, tally: Tally) -> list[Item] | None:
    found = _read_traces(answer.trace, origin, tally)
    if found and answer.status == _PARTIAL:
        tally.stats.skipped["spans_of_partial_traces"] += 1
        tally.partial.update(item.trace_id for item in found if item.trace_id)
    return found


def _read_traces(request: Any, origin: Origin, tally: Tally) -> list[Item] | None:
    spans = [
        span for group in request.resource_spans for scoped in group.scope_spans for span in scoped.spans
    ]
    if not any(len(span.trace_id) == 16 and len(span.span_id) == 8 for span in spans):
        return None
    found: list[Item] = []
    for group in request.resource_spans:
        resource = _attributes(group.resource.attributes, tally.stats)
        for scoped in group.scope_spans:
            scope = _scope(scoped.scope, tally.stats)
            for span in scoped.spans:
                parsed = _span(span, resource, scope, origin, tally)
                if parsed is not None:
                    found.append(parsed)
    return found


def _read_logs(request: Any, origin: Origin, tally: Tally) -> list[Item] | None:
    records = [
        log for group in request.resource_logs for scoped in group.scope_logs for log in scoped.log_records
    ]
    if not any(log.time_unix_nano or log.observed_time_unix_nano or log.HasField("body") for log in records):
        return None
    found: list[Item] = []
    for group in request.resource_logs:
        resource = _attributes(group.resource.attributes, tally.stats)
        for scoped in group.scope_logs:
            scope = _scope(scoped.scope, tally.stats)
            found += [_log(log, resource, scope, origin, tally.stats) for log in scoped.log_records]
    return found


def _span(span: Any, resource: dict[str, Any], scope: Scope, origin: Origin, tally: Tally) -> SpanData | None:
    stats = tally.stats
    trace_id, span_id = parse_trace_id(span.trace_id, stats), parse_span_id(span.span_id, stats)
    if trace_id is None or span_id is None:
        tally.reject(origin, "no_id", NO_ID_PROBLEM)
        return None
    return SpanData(
        trace_id=trace_id,
        span_id=span_id,
        name=_text(span.name, stats),
        parent_span_id=parse_span_id(span.parent_span_id, stats),
        kind=span.kind if 0 <= span.kind <= 5 else 0,
        start_ns=parse_time_ns(span.start_time_unix_nano, stats),
        end_ns=parse_time_ns(span.end_time_unix_nano, stats),
        attributes=_attributes(span.attributes, stats),
        events=[_event(event, stats) for event in span.events],
        links=[_link(link, stats) for link in span.links if link.trace_id and link.span_id],
        status=_STATUSES[span.status.code] if 0 <= span.status.code <= 2 else "unset",
        status_message=_text(span.status.message, stats),
        trace_state=_text(span.trace_state, stats),
        flags=span.flags,
        dropped_attributes=span.dropped_attributes_count,
        resource=resource,
        scope=scope,
        origin=origin,
    )


def _log(log: Any, resource: dict[str, Any], scope: Scope, origin: Origin, stats: ReadStats) -> LogData:
    attributes = _attributes(log.attributes, stats)
    name = _text(log.event_name, stats) or attributes.get("event.name", "")
    return LogData(
        name=name if isinstance(name, str) else str(name),
        trace_id=parse_trace_id(log.trace_id, stats),
        span_id=parse_span_id(log.span_id, stats),
        time_ns=parse_time_ns(log.time_unix_nano or log.observed_time_unix_nano, stats),
        body=_value(log.body, stats, 0) if log.HasField("body") else None,
        attributes=attributes,
        resource=resource,
        scope=scope,
        origin=origin,
    )


def _event(event: Any, stats: ReadStats) -> SpanEvent:
    return SpanEvent(
        name=_text(event.name, stats),
        time_ns=parse_time_ns(event.time_unix_nano, stats),
        attributes=_attributes(event.attributes, stats),
    )


def _link(link: Any, stats: ReadStats) -> SpanLink:
    trace_id, span_id = parse_trace_id(link.trace_id, stats), parse_span_id(link.span_id, stats)
    return SpanLink(trace_id or "", span_id or "", _attributes(link.attributes, stats))


def _scope(scope: Any, stats: ReadStats) -> Scope:
    return Scope(_text(scope.name, stats), _text(scope.version, stats), _attributes(scope.attributes, stats))


def _attributes(pairs: Any, stats: ReadStats, depth: int = 0) -> dict[str, Any]:
    found = {_text(pair.key, stats): _value(pair.value, stats, depth) for pair in pairs}
    stats.duplicate_keys += len(pairs) - len(found)
    return found


def _value(value: Any, stats: ReadStats, depth: int) -> Any:
    which = value.WhichOneof("value")
    if which == "string_value":
        return _text(value.string_value, stats)
    if which in ("array_value", "kvlist_value"):
        if is_too_deep(depth, stats):
            return None
        if which == "array_value":
            return [_value(item, stats, depth + 1) for item in value.array_value.values]
        return _attributes(value.kvlist_value.values, stats, depth + 1)
    return None if which is None else getattr(value, which)


def _text(raw: bytes, stats: ReadStats) -> str:
    try:
        return raw.decode()
    except UnicodeDecodeError:
        stats.repaired["invalid_utf8"] += 1
        return raw.decode(errors="replace")
