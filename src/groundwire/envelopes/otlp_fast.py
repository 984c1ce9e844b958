"""The exact OTLP/JSON of the specification, decoded straight into typed values.

Whatever is not exactly that (a key in snake_case, a field of a newer version, a float where an integer
belongs, another signal) makes the typed decoder refuse, and the caller reads the line the general way:
fast and slow never differ in what they say.
"""

from __future__ import annotations

import re
from typing import Any

import msgspec

from groundwire.envelopes.ids import are_ids, parse_span_id, parse_trace_id
from groundwire.envelopes.jsontext import NotJsonError, parse_json
from groundwire.envelopes.otlp import NO_ID_PROBLEM, parse_span
from groundwire.envelopes.otlp_shapes import (
    AnyValueFields,
    EventFields,
    KeyValueFields,
    LinkFields,
    RequestFields,
    ScopeFields,
    SpanFields,
)
from groundwire.envelopes.stats import UNFORESEEN, ReadStats, Tally
from groundwire.envelopes.times import parse_time_ns
from groundwire.envelopes.values import (
    exact_int,
    is_too_deep,
    parse_bytes,
    parse_double,
    parse_kind,
    parse_status,
)
from groundwire.span import Origin, Scope, SpanData, SpanEvent, SpanLink

_is_time = re.compile(r"[1-8][0-9]{17,18}").fullmatch
_is_int = re.compile(r"-?[0-9]{1,18}").fullmatch
_decode = msgspec.json.Decoder(RequestFields[SpanFields]).decode
_decode_span = msgspec.json.Decoder(SpanFields).decode

EXACT = b'{"resourceSpans":'
"""How a line begins that may be of exactly the specified form."""


def read_exact_spans(text: bytes | memoryview, origin: Origin, tally: Tally) -> list[SpanData] | None:
    """Return the spans of one OTLP/JSON line, or None when it is not exactly the specified form."""
    try:
        request = _decode(text)
    except (msgspec.MsgspecError, RecursionError):
        return None
    tally.saw("otlp_json")
    stats = tally.stats
    spans: list[SpanData] = []
    for group in request.resource_spans:
        resource = {} if group.resource is None else read_attributes(group.resource.attributes, stats)
        for scoped in group.scope_spans:
            scope = read_scope(scoped.scope, stats)
            for fields in scoped.spans:
                span = _span(fields, resource, scope, origin, stats)
                if span is None:
                    tally.reject(origin, "no_id", NO_ID_PROBLEM)
                else:
                    spans.append(span)
    return spans


def read_span(
    text: bytes, resource: dict[str, Any], scope: Scope, origin: Origin, tally: Tally
) -> SpanData | None:
    """Return one span of OTLP/JSON; None (and counted) where there is none in it."""
    try:
        fields = _decode_span(text)
    except (msgspec.MsgspecError, RecursionError):
        return _read_odd_span(text, resource, scope, origin, tally)
    span = _span(fields, resource, scope, origin, tally.stats)
    if span is None:
        tally.reject(origin, "no_id", NO_ID_PROBLEM)
    return span


def _read_odd_span(
    text: bytes, resource: dict[str, Any], scope: Scope, origin: Origin, tally: Tally
) -> SpanData | None:
    try:
        fields = parse_json(text, tally.stats.repaired)
        return parse_span(fields, resource, scope, origin, tally) if isinstance(fields, dict) else None
    except NotJsonError as bad:
        tally.reject(origin, bad.reason, f"a span {bad.problem}")
    except UNFORESEEN as problem:
        tally.reject_unforeseen(origin, problem)
    return None


def _span(
    span: SpanFields, resource: dict[str, Any], scope: Scope, origin: Origin, stats: ReadStats
) -> SpanData | None:
    trace_id, span_id = span.trace_id, span.span_id
    if not are_ids(f"{trace_id} {span_id}"):
        found_id, found_span = parse_trace_id(trace_id, stats), parse_span_id(span_id, stats)
        if found_id is None or found_span is None:
            return None
        trace_id, span_id = found_id, found_span
    status, start, end, kind = span.status, span.start_time_unix_nano, span.end_time_unix_nano, span.kind
    return SpanData(
        trace_id,
        span_id,
        span.name,
        parse_span_id(span.parent_span_id, stats) if span.parent_span_id else None,
        kind if type(kind) is int and 0 <= kind <= 5 else parse_kind(kind, stats),
        int(start) if type(start) is str and _is_time(start) else parse_time_ns(start, stats),
        int(end) if type(end) is str and _is_time(end) else parse_time_ns(end, stats),
        read_attributes(span.attributes, stats),
        [_event(event, stats) for event in span.events] if span.events else [],
        _links(span.links, stats) if span.links else [],
        "unset" if status is None or status.code is None else parse_status(status.code, stats),
        "" if status is None else status.message,
        span.trace_state,
        span.flags,
        span.dropped_attributes_count,
        resource,
        scope,
        origin,
    )


def read_attributes(pairs: list[KeyValueFields], stats: ReadStats, depth: int = 0) -> dict[str, Any]:
    """Return attributes by key; the last of equal keys wins and is counted."""
    found: dict[str, Any] = {}
    for pair in pairs:
        value = pair.value
        text = value.string_value
        found[pair.key] = text if text is not None else _value(value, stats, depth)
    if len(found) != len(pairs):
        stats.duplicate_keys += len(pairs) - len(found)
    return found


def _value(value: AnyValueFields, stats: ReadStats, depth: int) -> Any:
    number = value.int_value
    if number is not None:
        return int(number) if type(number) is str and _is_int(number) else exact_int(number, stats)
    if value.string_value is not None:
        return value.string_value
    if value.double_value is not None:
        return parse_double(value.double_value, stats)
    if value.bool_value is not None:
        return value.bool_value
    if value.bytes_value is not None:
        return parse_bytes(value.bytes_value, stats)
    if (value.array_value is not None or value.kvlist_value is not None) and is_too_deep(depth, stats):
        return None
    if value.array_value is not None:
        return [_value(item, stats, depth + 1) for item in value.array_value.values]
    if value.kvlist_value is not None:
        return read_attributes(value.kvlist_value.values, stats, depth + 1)
    return None


def read_scope(scope: ScopeFields | None, stats: ReadStats) -> Scope:
    """Return an instrumentation scope."""
    if scope is None:
        return Scope()
    return Scope(scope.name, scope.version, read_attributes(scope.attributes, stats))


def _event(event: EventFields, stats: ReadStats) -> SpanEvent:
    return SpanEvent(
        event.name, parse_time_ns(event.time_unix_nano, stats), read_attributes(event.attributes, stats)
    )


def _links(links: list[LinkFields], stats: ReadStats) -> list[SpanLink]:
    found = []
    for link in links:
        trace_id, span_id = parse_trace_id(link.trace_id, stats), parse_span_id(link.span_id, stats)
        if trace_id is not None and span_id is not None:
            found.append(SpanLink(trace_id, span_id, read_attributes(link.attributes, stats)))
    return found
