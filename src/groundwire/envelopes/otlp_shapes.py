"""What the specification says stands where in OTLP/JSON, for a decoder that refuses everything else."""

from __future__ import annotations

from typing import Annotated, Generic, TypeVar

from msgspec import Meta, Struct

SpanT = TypeVar("SpanT")
_Count = Annotated[int, Meta(ge=0, lt=1 << 32)]


class AnyValueFields(Struct, rename="camel", forbid_unknown_fields=True, gc=False):
    """One value, under the name of its type."""

    string_value: str | None = None
    int_value: str | int | None = None
    double_value: float | str | None = None
    bool_value: bool | None = None
    array_value: ArrayFields | None = None
    kvlist_value: KvListFields | None = None
    bytes_value: str | None = None


class ArrayFields(Struct, rename="camel", forbid_unknown_fields=True, gc=False):
    """Values in order."""

    values: list[AnyValueFields] = []


class KeyValueFields(Struct, rename="camel", forbid_unknown_fields=True, gc=False):
    """One attribute."""

    key: str
    value: AnyValueFields


class KvListFields(Struct, rename="camel", forbid_unknown_fields=True, gc=False):
    """Values by key."""

    values: list[KeyValueFields] = []


class EventFields(Struct, rename="camel", forbid_unknown_fields=True, gc=False):
    """An event of a span."""

    name: str = ""
    time_unix_nano: str | int | None = None
    attributes: list[KeyValueFields] = []
    dropped_attributes_count: _Count = 0


class LinkFields(Struct, rename="camel", forbid_unknown_fields=True, gc=False):
    """A link of a span to another."""

    trace_id: str = ""
    span_id: str = ""
    trace_state: str = ""
    attributes: list[KeyValueFields] = []
    dropped_attributes_count: _Count = 0
    flags: _Count = 0


class StatusFields(Struct, rename="camel", forbid_unknown_fields=True, gc=False):
    """How a span ended."""

    code: int | str | None = None
    message: str = ""


class SpanFields(Struct, rename="camel", forbid_unknown_fields=True, gc=False):
    """One span."""

    trace_id: str
    span_id: str
    name: str = ""
    parent_span_id: str = ""
    trace_state: str = ""
    flags: _Count = 0
    kind: int | str | None = None
    start_time_unix_nano: str | int | None = None
    end_time_unix_nano: str | int | None = None
    attributes: list[KeyValueFields] = []
    dropped_attributes_count: _Count = 0
    events: list[EventFields] = []
    dropped_events_count: _Count = 0
    links: list[LinkFields] = []
    dropped_links_count: _Count = 0
    status: StatusFields | None = None


class ScopeFields(Struct, rename="camel", forbid_unknown_fields=True, gc=False):
    """The instrumentation that made the spans."""

    name: str = ""
    version: str = ""
    attributes: list[KeyValueFields] = []
    dropped_attributes_count: _Count = 0


class ScopeSpansFields(Struct, Generic[SpanT], rename="camel", forbid_unknown_fields=True, gc=False):
    """The spans of one instrumentation, decoded or as they are (``msgspec.Raw``)."""

    spans: list[SpanT]
    scope: ScopeFields | None = None
    schema_url: str = ""


class ResourceFields(Struct, rename="camel", forbid_unknown_fields=True, gc=False):
    """The service that the spans come from."""

    attributes: list[KeyValueFields] = []
    dropped_attributes_count: _Count = 0


class ResourceSpansFields(Struct, Generic[SpanT], rename="camel", forbid_unknown_fields=True, gc=False):
    """The spans of one service."""

    scope_spans: list[ScopeSpansFields[SpanT]]
    resource: ResourceFields | None = None
    schema_url: str = ""


class RequestFields(Struct, Generic[SpanT], rename="camel", forbid_unknown_fields=True, gc=False):
    """One export: a line, a body, a message."""

    resource_spans: list[ResourceSpansFields[SpanT]]
