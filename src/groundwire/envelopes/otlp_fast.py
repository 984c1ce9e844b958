"""The exact OTLP/JSON of the specification, decoded straight into typed values.

Whatever is not exactly that (a key in snake_case, a field of a newer version, a float where an integer
belongs, another signal) makes the typed decoder refuse, and the caller reads the line the general way:
fast and slow never differ in what they say.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Annotated, Any

import msgspec
from msgspec import Meta, Struct

from groundwire.envelopes.ids import are_ids, parse_span_id, parse_trace_id
from groundwire.envelopes.jsontext import NotJsonError, parse_json
from groundwire.envelopes.otlp import NO_ID_PROBLEM, parse_span
from groundwire.envelopes.packed import PackedSpan, pack_span
from groundwire.envelopes.stats import UNFORESEEN, Packing, ReadStats, Tally
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
_Count = Annotated[int, Meta(ge=0, lt=1 << 32)]


class _AnyValue(Struct, rename="camel", forbid_unknown_fields=True, gc=False):
    string_value: str | None = None
    int_value: str | int | None = None
    double_value: float | str | None = None
    bool_value: bool | None = None
    array_value: _Array | None = None
    kvlist_value: _KvList | None = None
    bytes_value: str | None = None


class _Array(Struct, rename="camel", forbid_unknown_fields=True, gc=False):
    values: list[_AnyValue] = []


class _KeyValue(Struct, rename="camel", forbid_unknown_fields=True, gc=False):
    key: str
    value: _AnyValue


class _KvList(Struct, rename="camel", forbid_unknown_fields=True, gc=False):
    values: list[_KeyValue] = []


class _Event(Struct, rename="camel", forbid_unknown_fields=True, gc=False):
    name: str = ""
    time_unix_nano: str | int | None = None
    attributes: list[_KeyValue] = []
    dropped_attributes_count: _Count = 0


class _Link(Struct, rename="camel", forbid_unknown_fields=True, gc=False):
    trace_id: str = ""
    span_id: str = ""
    trace_state: str = ""
    attributes: list[_KeyValue] = []
    dropped_attributes_count: _Count = 0
    flags: _Count = 0


class _Status(Struct, rename="camel", forbid_unknown_fields=True, gc=False):
    code: int | str | None = None
    message: str = ""


class _Span(Struct, rename="camel", forbid_unknown_fields=True, gc=False):
    trace_id: str
    span_id: str
    name: str = ""
    parent_span_id: str = ""
    trace_state: str = ""
    flags: _Count = 0
    kind: int | str | None = None
    start_time_unix_nano: str | int | None = None
    end_time_unix_nano: str | int | None = None
    attributes: list[_KeyValue] = []
    dropped_attributes_count: _Count = 0
    events: list[_Event] = []
    dropped_events_count: _Count = 0
    links: list[_Link] = []
    dropped_links_count: _Count = 0
    status: _Status | None = None


class _Scope(Struct, rename="camel", forbid_unknown_fields=True, gc=False):
    name: str = ""
    version: str = ""
    attributes: list[_KeyValue] = []
    dropped_attributes_count: _Count = 0


class _ScopeSpans(Struct, rename="camel", forbid_unknown_fields=True, gc=False):
    spans: list[_Span]
    scope: _Scope | None = None
    schema_url: str = ""


class _Resource(Struct, rename="camel", forbid_unknown_fields=True, gc=False):
    attributes: list[_KeyValue] = []
    dropped_attributes_count: _Count = 0


class _ResourceSpans(Struct, rename="camel", forbid_unknown_fields=True, gc=False):
    scope_spans: list[_ScopeSpans]
    resource: _Resource | None = None
    schema_url: str = ""


class _Request(Struct, rename="camel", forbid_unknown_fields=True, gc=False):
    resource_spans: list[_ResourceSpans]


EXACT = b'{"resourceSpans":'
"""How a line begins that may be of exactly the specified form."""


class _RawScopeSpans(Struct, rename="camel", forbid_unknown_fields=True, gc=False):
    spans: list[msgspec.Raw]
    scope: _Scope | None = None
    schema_url: str = ""


class _RawResourceSpans(Struct, rename="camel", forbid_unknown_fields=True, gc=False):
    scope_spans: list[_RawScopeSpans]
    resource: _Resource | None = None
    schema_url: str = ""


class _RawRequest(Struct, rename="camel", forbid_unknown_fields=True, gc=False):
    resource_spans: list[_RawResourceSpans]


_decode = msgspec.json.Decoder(_Request).decode
_decode_raw = msgspec.json.Decoder(_RawRequest).decode
_decode_span = msgspec.json.Decoder(_Span).decode
_HEAD_BYTES = 80
_UNPACKED = frozenset({"trulens"})
"""Scopes whose spans say more of where they belong than their trace id does."""


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
        resource = {} if group.resource is None else _attributes(group.resource.attributes, stats)
        for scoped in group.scope_spans:
            scope = _scope(scoped.scope, stats)
            for fields in scoped.spans:
                span = _span(fields, resource, scope, origin, stats)
                if span is None:
                    tally.reject(origin, "no_id", NO_ID_PROBLEM)
                else:
                    spans.append(span)
    return spans


def pack_exact_spans(
    view: memoryview, origin: Origin, tally: Tally, packing: Packing
) -> list[SpanData | PackedSpan] | None:
    """As :func:`read_exact_spans`, with spans undecoded where their ids and start stand in front.

    In a plain file only their places are kept; ``view`` is the line as it lies there.
    """
    line = bytes(view)
    try:
        request = _decode_raw(line)
    except (msgspec.MsgspecError, RecursionError):
        return None
    tally.saw("otlp_json")
    file = tally.plain_file
    if file is not None:
        packing.slices.keep(origin.path, file)
    is_watched = packing.unless != b"" and packing.unless in line
    stats, spans, at = tally.stats, list[SpanData | PackedSpan](), 0
    for group in request.resource_spans:
        resource = {} if group.resource is None else _attributes(group.resource.attributes, stats)
        for scoped in group.scope_spans:
            scope = _scope(scoped.scope, stats)
            for raw in scoped.spans:
                text = bytes(raw)
                packed = pack_span(text, resource, scope, origin)
                if packed is None or scope.name in _UNPACKED or (is_watched and packing.unless in text):
                    span = read_span(text, resource, scope, origin, tally)
                    if span is not None:
                        spans.append(span)
                    continue
                if file is not None:
                    start = line.find(text[:_HEAD_BYTES], at)
                    at = start + len(text)
                    packed.text, packed.offset, packed.size = None, (origin.byte or 0) + start, len(text)
                spans.append(packed)
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


def unpack_span(packed: PackedSpan, tally: Tally) -> SpanData | None:
    """Return the decoded span; None (and counted) where its file changed meanwhile."""
    text = packed.text if tally.packing is None else tally.packing.slices.read(packed)
    if text is None:
        tally.reject(packed.origin, "file_changed", "the file was changed while it was read; read it again")
        return None
    span = read_span(text, packed.resource, packed.scope, packed.origin, tally)
    if span is not None:
        span.trace_id = packed.trace_id  # what it was grouped by, should the key stand in it twice
    return span


def hand_out(spans: list[Any]) -> Iterator[Any]:
    """Yield the spans in order and let go of each, so that a large batch need not stay in memory."""
    spans.reverse()
    while spans:
        yield spans.pop()


def _span(
    span: _Span, resource: dict[str, Any], scope: Scope, origin: Origin, stats: ReadStats
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
        _attributes(span.attributes, stats),
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


def _attributes(pairs: list[_KeyValue], stats: ReadStats, depth: int = 0) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for pair in pairs:
        value = pair.value
        text = value.string_value
        found[pair.key] = text if text is not None else _value(value, stats, depth)
    if len(found) != len(pairs):
        stats.duplicate_keys += len(pairs) - len(found)
    return found


def _value(value: _AnyValue, stats: ReadStats, depth: int) -> Any:
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
        return _attributes(value.kvlist_value.values, stats, depth + 1)
    return None


def _scope(scope: _Scope | None, stats: ReadStats) -> Scope:
    if scope is None:
        return Scope()
    return Scope(scope.name, scope.version, _attributes(scope.attributes, stats))


def _event(event: _Event, stats: ReadStats) -> SpanEvent:
    return SpanEvent(
        event.name, parse_time_ns(event.time_unix_nano, stats), _attributes(event.attributes, stats)
    )


def _links(links: list[_Link], stats: ReadStats) -> list[SpanLink]:
    found = []
    for link in links:
        trace_id, span_id = parse_trace_id(link.trace_id, stats), parse_span_id(link.span_id, stats)
        if trace_id is not None and span_id is not None:
            found.append(SpanLink(trace_id, span_id, _attributes(link.attributes, stats)))
    return found
