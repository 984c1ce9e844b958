"""One JSON document → items: decides by its keys which envelope it is, and hands it on."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from groundwire.envelopes.otlp import read_resource_logs, read_resource_spans
from groundwire.envelopes.records import is_record, read_record
from groundwire.envelopes.stats import Tally
from groundwire.span import LogData, Origin, PlainRecord, SpanData

Item = SpanData | LogData | PlainRecord
_SPANS = ("resourceSpans", "resource_spans", "batches")
_LOGS = ("resourceLogs", "resource_logs")
_OTHER_SIGNALS = {
    "resourceMetrics": "metrics",
    "resource_metrics": "metrics",
    "resourceProfiles": "profiles",
    "resource_profiles": "profiles",
}


def read_document(value: Any, text: bytes, origin: Origin, tally: Tally) -> Iterator[Item]:
    """Yield what one decoded JSON value holds; ``text`` are its bytes. A list is read item by item."""
    if isinstance(value, list):
        for item in value:
            yield from read_document(item, _bytes_of(item), origin, tally)
    elif isinstance(value, dict):
        yield from _read_object(value, text, origin, tally)
    else:
        tally.reject(origin, "unknown_object", f"is JSON, but a {type(value).__name__}, not an object")


def is_envelope(value: Any) -> bool:
    """Tell whether a JSON value is an OTLP request of any signal."""
    return isinstance(value, Mapping) and not _ENVELOPE_KEYS.isdisjoint(value)


_ENVELOPE_KEYS = frozenset((*_SPANS, *_LOGS, *_OTHER_SIGNALS))


def _read_object(document: dict[str, Any], text: bytes, origin: Origin, tally: Tally) -> Iterator[Item]:
    if is_envelope(document):
        yield from _read_otlp(document, origin, tally)
    elif is_record(document):
        tally.saw("records")
        yield read_record(document, text, origin, tally)
    else:
        tally.reject(origin, "unknown_object", _unknown(document))


def _read_otlp(document: Mapping[str, Any], origin: Origin, tally: Tally) -> Iterator[Item]:
    tally.saw("otlp_json")
    for key in _SPANS:
        yield from read_resource_spans(document.get(key), origin, tally)
    for key in _LOGS:
        yield from read_resource_logs(document.get(key), origin, tally)
    for key, signal in _OTHER_SIGNALS.items():
        if key in document:
            tally.stats.skipped[signal] += 1


def _unknown(document: Mapping[str, Any]) -> str:
    keys = ", ".join(sorted(str(key)[:40] for key in list(document)[:8])) or "none"
    return f"is a JSON object, but no telemetry and no record that is known here (keys: {keys})"


def _bytes_of(value: Any) -> bytes:
    import msgspec

    return msgspec.json.encode(value, order="sorted")
