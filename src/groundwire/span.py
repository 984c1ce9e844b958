"""What the readers hand over: spans, logs, traces, plain records, and what could not be read.

Knows OpenTelemetry's data model, not the meaning of any attribute. Ids are lower-case hex without
prefix, times are integer nanoseconds since the Unix epoch (UTC), and a missing value is None. The garbage
collector does not visit them (``gc=False``): there are many, and none can come to hold itself.
"""

from __future__ import annotations

from typing import Any

from groundwire.errors import MissingExtraError

try:
    from msgspec import Struct, field
except ImportError as missing:  # pragma: no cover - the base install has no [score]
    raise MissingExtraError.of("score", module="msgspec") from missing


class Origin(Struct, frozen=True, gc=False):
    """Where something was read: a path (or ``-``), a line from 1, a byte offset from 0.

    ``line`` is None in formats without lines; ``byte`` is the offset of the line, frame or message in
    the decompressed stream.
    """

    path: str
    line: int | None = None
    byte: int | None = None

    def __str__(self) -> str:
        parts = [self.path]
        if self.line is not None:
            parts.append(str(self.line))
        if self.byte is not None:
            parts.append(f"byte {self.byte}")
        return ":".join(parts)


class Rejected(Struct, frozen=True):
    """One piece of input that was left out, and why; counted, never raised in a batch.

    ``reason`` is a stable word (``not_json``, ``cut_last_line``, ``too_long``, …) that counters group
    by; ``problem`` is the sentence for people. It holds no content of the input.
    """

    origin: Origin
    reason: str
    problem: str


class SpanEvent(Struct, gc=False):
    """A span event: ``time_ns`` or None, ``name``, ``attributes``."""

    name: str
    time_ns: int | None = None
    attributes: dict[str, Any] = field(default_factory=dict)


class SpanLink(Struct, gc=False):
    """A link to another span, ids in hex."""

    trace_id: str
    span_id: str
    attributes: dict[str, Any] = field(default_factory=dict)


class Scope(Struct, gc=False):
    """The instrumentation scope; one object is shared by the spans of a batch."""

    name: str = ""
    version: str = ""
    attributes: dict[str, Any] = field(default_factory=dict)


class SpanData(Struct, gc=False):
    """One decoded span.

    ``attributes`` values are str, bool, int, float, bytes, None, list or dict. ``kind`` is OTLP's
    number (0 unspecified … 5 consumer). ``status`` is ``"unset"``, ``"ok"`` or ``"error"``.
    ``parent_span_id`` is None on a root. ``dropped_attributes`` counts what the SDK evicted.
    """

    trace_id: str
    span_id: str
    name: str
    parent_span_id: str | None = None
    kind: int = 0
    start_ns: int | None = None
    end_ns: int | None = None
    attributes: dict[str, Any] = field(default_factory=dict)
    events: list[SpanEvent] = field(default_factory=list)
    links: list[SpanLink] = field(default_factory=list)
    status: str = "unset"
    status_message: str = ""
    trace_state: str = ""
    flags: int = 0
    dropped_attributes: int = 0
    resource: dict[str, Any] = field(default_factory=dict)
    scope: Scope = field(default_factory=Scope)
    origin: Origin | None = None


class LogData(Struct, gc=False):
    """One decoded log record. ``trace_id`` and ``span_id`` are None where the record has none."""

    name: str = ""
    trace_id: str | None = None
    span_id: str | None = None
    time_ns: int | None = None
    body: Any = None
    attributes: dict[str, Any] = field(default_factory=dict)
    resource: dict[str, Any] = field(default_factory=dict)
    scope: Scope = field(default_factory=Scope)
    origin: Origin | None = None


class Trace(Struct, gc=False):
    """All spans (and joined logs) of one trace id, spans sorted by (start, span id).

    ``is_partial``: the source itself said that spans are missing, or had put a summary in their place.
    """

    trace_id: str
    spans: list[SpanData]
    logs: list[LogData] = field(default_factory=list)
    is_partial: bool = False


class PlainRecord(Struct, gc=False):
    """One object of a record file, not yet a RagRecord: its fields as decoded.

    ``identity`` stands in for a trace id where the object has none: the digest of the line plus its
    occurrence number.
    """

    fields: dict[str, Any]
    identity: str
    origin: Origin | None = None
