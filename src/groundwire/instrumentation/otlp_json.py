"""Writes spans as OTLP/JSON lines, in the form of the OpenTelemetry Collector's file exporter.

One line is one batch (an ExportTraceServiceRequest): hex ids, 64-bit integers as strings, enums as integers,
``NaN`` and the infinities as strings, defaults left out. The official exporter package of this name pins an
older ``otlp-common`` than the OTLP exporters, so the two can not be installed together.
"""

from __future__ import annotations

import base64
import math
import os
import threading
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import orjson
from opentelemetry.sdk.trace import ReadableSpan
from opentelemetry.sdk.trace.export import SpanExporter, SpanExportResult

from groundwire.errors import ConfigError
from groundwire.instrumentation.losses import warn_once_a_minute
from groundwire.instrumentation.process import after_fork
from groundwire.instrumentation.values import Changes, clean_value

_HAS_REMOTE, _IS_REMOTE = 0x100, 0x200
Json = dict[str, Any]


class JsonLinesExporter(SpanExporter):
    """Appends each batch to a file as one line. Raises ConfigError if the file can not be opened.

    Nothing is buffered, so that a fork doubles nothing. A line that a full disk (or a kill, before) has cut
    stands alone: the next one begins anew.
    """

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self._path = Path(path)
        self._renew()
        after_fork(self._renew)
        try:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            self._file = self._path.open("ab", buffering=0)
            self._is_torn = _ends_midway(self._path)
        except OSError as cause:
            raise ConfigError(
                f"can not write traces: {cause.strerror or cause}",
                where=str(path),
                expected="a file that can be created or appended to",
                mend="Pass another path to configure(file=…).",
            ) from cause

    def export(self, spans: Sequence[ReadableSpan]) -> SpanExportResult:
        """Write one line; FAILURE if the disk refuses it."""
        try:
            line = encode_batch(spans) + b"\n"
            with self._lock:
                self._write(line)
        except (OSError, ValueError) as cause:
            warn_once_a_minute("file", "can not write traces to %s: %s", self._path, cause)
            return SpanExportResult.FAILURE
        return SpanExportResult.SUCCESS

    def _renew(self) -> None:
        """Begin with a free lock: at a fork another thread of the parent may hold it."""
        self._lock = threading.Lock()

    def _write(self, line: bytes) -> None:
        rest = memoryview(b"\n" + line if self._is_torn else line)
        while rest:
            written = self._file.write(rest)
            if not written:
                raise OSError("nothing more is taken")
            self._is_torn = True
            rest = rest[written:]
        self._is_torn = False

    def shutdown(self) -> None:
        """Close the file."""
        with self._lock:
            self._file.close()

    def force_flush(self, timeout_millis: int = 30_000) -> bool:
        """Return True: each batch is written at once."""
        return True


def _ends_midway(path: Path) -> bool:
    """Whether it is a file whose last line has no end; False if that can not be read."""
    try:
        if not path.is_file() or not path.stat().st_size:
            return False
        with path.open("rb") as file:
            file.seek(-1, os.SEEK_END)
            return file.read(1) != b"\n"
    except OSError:
        return False


def encode_batch(spans: Iterable[ReadableSpan]) -> bytes:
    """Return spans as one ExportTraceServiceRequest in OTLP/JSON, without a newline."""
    resources: dict[int, Json] = {}
    scopes: dict[tuple[int, Any], Json] = {}
    for span in spans:
        resource = resources.get(id(span.resource))
        if resource is None:
            resource = resources[id(span.resource)] = _resource(span)
        key = (id(span.resource), span.instrumentation_scope)
        scope = scopes.get(key)
        if scope is None:
            scope = scopes[key] = _scope(span)
            resource["scopeSpans"].append(scope)
        scope["spans"].append(encode_span(span))
    batch = {"resourceSpans": list(resources.values())}
    try:
        return orjson.dumps(batch)
    except Exception:  # noqa: BLE001 - a lone surrogate in some attribute: mended, not the batch lost
        return orjson.dumps(clean_value(batch, "batch", Changes()))


def _resource(span: ReadableSpan) -> Json:
    found: Json = {"resource": {"attributes": _attributes(span.resource.attributes)}, "scopeSpans": []}
    if span.resource.schema_url:
        found["schemaUrl"] = span.resource.schema_url
    return found


def _scope(span: ReadableSpan) -> Json:
    scope = span.instrumentation_scope
    found: Json = {"scope": {}, "spans": []}
    if scope is not None:
        found["scope"] = _without_defaults({"name": scope.name, "version": scope.version})
        if scope.attributes:
            found["scope"]["attributes"] = _attributes(scope.attributes)
        if scope.schema_url:
            found["schemaUrl"] = scope.schema_url
    return found


def encode_span(span: ReadableSpan) -> Json:
    """Return one span as OTLP/JSON."""
    context = span.get_span_context()
    assert context is not None
    parent = span.parent
    found: Json = {"traceId": f"{context.trace_id:032x}", "spanId": f"{context.span_id:016x}"}
    state = ",".join(f"{key}={value}" for key, value in context.trace_state.items())
    found |= _without_defaults(
        {"traceState": state, "parentSpanId": f"{parent.span_id:016x}" if parent else ""}
    )
    found |= {
        "flags": _flags(parent),
        "name": span.name,
        "kind": span.kind.value + 1,
        "startTimeUnixNano": str(span.start_time or 0),
        "endTimeUnixNano": str(span.end_time or 0),
    }
    lists = {
        "attributes": _attributes(span.attributes),
        "droppedAttributesCount": span.dropped_attributes,
        "events": [_event(event) for event in span.events],
        "droppedEventsCount": span.dropped_events,
        "links": [_link(link) for link in span.links],
        "droppedLinksCount": span.dropped_links,
    }
    status = {"message": span.status.description, "code": span.status.status_code.value}
    return {**found, **_without_defaults(lists), "status": _without_defaults(status)}


def _without_defaults(values: Mapping[str, Any]) -> Json:
    return {key: value for key, value in values.items() if value}


def _flags(parent: Any) -> int:
    return _HAS_REMOTE | (_IS_REMOTE if parent is not None and parent.is_remote else 0)


def _event(event: Any) -> Json:
    found = {"timeUnixNano": str(event.timestamp), "name": event.name}
    rest = {
        "attributes": _attributes(event.attributes),
        "droppedAttributesCount": getattr(event, "dropped_attributes", 0),
    }
    return {**found, **_without_defaults(rest)}


def _link(link: Any) -> Json:
    where = link.context
    found = {"traceId": f"{where.trace_id:032x}", "spanId": f"{where.span_id:016x}"}
    rest = {"attributes": _attributes(link.attributes), "flags": _flags(where)}
    return {**found, **_without_defaults(rest)}


def _attributes(attributes: Mapping[str, Any] | None) -> list[Json]:
    return [{"key": key, "value": encode_value(value)} for key, value in (attributes or {}).items()]


def encode_value(value: Any) -> Json:
    """Return an attribute value as OTLP/JSON's AnyValue.

    >>> encode_value(7), encode_value(float("nan")), encode_value(None)
    ({'intValue': '7'}, {'doubleValue': 'NaN'}, {})
    """
    if value is None:
        return {}
    if isinstance(value, bool):
        return {"boolValue": value}
    if isinstance(value, str):
        return {"stringValue": value}
    if isinstance(value, int):
        return {"intValue": str(value)}
    if isinstance(value, float):
        return {"doubleValue": _double(value)}
    if isinstance(value, (bytes, bytearray)):
        return {"bytesValue": base64.b64encode(value).decode()}
    if isinstance(value, Mapping):
        return {"kvlistValue": {"values": _attributes(value)} if value else {}}
    values = [encode_value(item) for item in value]
    return {"arrayValue": {"values": values} if values else {}}


def _double(value: float) -> float | str:
    if math.isfinite(value):
        return value
    return "NaN" if math.isnan(value) else "Infinity" if value > 0 else "-Infinity"
