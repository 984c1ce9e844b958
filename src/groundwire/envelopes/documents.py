"""One JSON document → items: decides by its keys which envelope it is, and hands it on."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, NamedTuple

import msgspec

from groundwire.envelopes.clickhouse import is_clickhouse, read_clickhouse
from groundwire.envelopes.console import is_console_span, read_console_span
from groundwire.envelopes.jaeger import is_jaeger, read_jaeger
from groundwire.envelopes.jsontext import parse_json
from groundwire.envelopes.langfuse import is_langfuse, is_langfuse_row, read_langfuse, read_langfuse_row
from groundwire.envelopes.langfuse_scores import (
    is_langfuse_score,
    is_langfuse_trace_row,
    read_langfuse_score,
    skip_langfuse_trace_row,
)
from groundwire.envelopes.mlflow import is_mlflow, read_mlflow
from groundwire.envelopes.opik import is_opik, read_opik
from groundwire.envelopes.otlp import is_bare_span, is_otlp, read_bare_span, read_otlp
from groundwire.envelopes.otlp_fast import EXACT, read_exact_spans
from groundwire.envelopes.otlp_packing import hand_out
from groundwire.envelopes.packed import PackedSpan
from groundwire.envelopes.phoenix import is_phoenix, read_phoenix
from groundwire.envelopes.records import is_record, read_record, split_columns
from groundwire.envelopes.spancheck import is_spancheck, read_spancheck
from groundwire.envelopes.stats import UNFORESEEN, Tally
from groundwire.envelopes.trulens import is_trulens, read_trulens
from groundwire.span import LogData, Origin, PlainRecord, SpanData

Item = SpanData | PackedSpan | LogData | PlainRecord


class _Envelope(NamedTuple):
    name: str
    matches: Callable[[Mapping[str, Any]], bool]
    read: Callable[[Mapping[str, Any], Origin, Tally], Iterator[Item]]


_ENVELOPES = (
    _Envelope("otlp_json", is_otlp, read_otlp),
    _Envelope("jaeger", is_jaeger, read_jaeger),
    _Envelope("langfuse", is_langfuse, read_langfuse),
    _Envelope("opik", is_opik, read_opik),
    _Envelope("mlflow", is_mlflow, read_mlflow),
    _Envelope("phoenix", is_phoenix, read_phoenix),
    _Envelope("console", is_console_span, read_console_span),
    _Envelope("clickhouse", is_clickhouse, read_clickhouse),
    _Envelope("trulens", is_trulens, read_trulens),
    _Envelope("spancheck", is_spancheck, read_spancheck),
    _Envelope("otlp_json", is_bare_span, read_bare_span),
    _Envelope("langfuse", is_langfuse_row, read_langfuse_row),
    _Envelope("langfuse", is_langfuse_score, read_langfuse_score),
    _Envelope("langfuse", is_langfuse_trace_row, skip_langfuse_trace_row),
)
_WRAPPERS = ("result", "trace", "data", "traces", "spans", "records", "rows", "body", "message", "value")
"""Keys under which query APIs and queues put the envelope itself."""
_MAX_WRAPPERS = 4


def read_text(text: bytes, origin: Origin, tally: Tally) -> Iterator[Item]:
    """Yield what one JSON text holds. Raises NotJsonError before anything else where it is none."""
    spans = read_exact_spans(text, origin, tally) if text.startswith(EXACT) else None
    if spans is not None:
        yield from hand_out(spans)
    else:
        yield from read_document(parse_json(text, tally.stats.repaired), text, origin, tally)


def read_document(value: Any, text: bytes, origin: Origin, tally: Tally) -> Iterator[Item]:
    """Yield what one decoded JSON value holds; ``text`` are its bytes. A list is read item by item.

    Exports are untrusted: an object that has the keys of an envelope and a shape that its reader does not
    foresee is rejected like any other damage.
    """
    try:
        yield from _read_value(value, text, origin, tally)
    except RecursionError:
        tally.reject(origin, "too_deep", "is nested too deeply to be telemetry")
    except UNFORESEEN as problem:
        tally.reject_unforeseen(origin, problem)


def _read_value(value: Any, text: bytes, origin: Origin, tally: Tally) -> Iterator[Item]:
    if isinstance(value, list):
        for item in value:
            yield from read_document(item, _bytes_of(item), origin, tally)
    elif isinstance(value, dict):
        yield from _read_object(value, text, origin, tally)
    else:
        tally.reject(origin, "unknown_object", f"is JSON, but a {type(value).__name__}, not an object")


def is_request(value: Any) -> bool:
    """Tell whether a JSON value is an OTLP request of any signal."""
    return isinstance(value, Mapping) and is_otlp(value)


def is_known(value: Any) -> bool:
    """Tell whether a JSON value is an object that some reader here knows."""
    return isinstance(value, Mapping) and (_find(value)[0] is not None or is_record(value))


def _read_object(document: dict[str, Any], text: bytes, origin: Origin, tally: Tally) -> Iterator[Item]:
    envelope, inner = _find(document)
    if envelope is not None:
        tally.saw(envelope.name)
        found = envelope.read(inner, origin, tally)
        yield from note_partial(found, tally) if document.get("status") == "PARTIAL" else found
    elif is_record(document):
        tally.saw("records")
        rows = split_columns(document)
        for row in [document] if rows is None else rows:
            yield read_record(row, text if rows is None else _bytes_of(row), origin, tally)
    elif (items := _wrapped_list(document)) is not None:
        yield from read_document(items, text, origin, tally)
    else:
        tally.reject(origin, "unknown_object", _unknown(document))


def note_partial(items: Iterable[Item], tally: Tally) -> Iterator[Item]:
    """Yield the items of an answer that a backend calls partial, and remember their traces."""
    tally.stats.skipped["spans_of_partial_traces"] += 1
    for item in items:
        if isinstance(item, SpanData):
            tally.partial.add(item.trace_id)
        yield item


def _find(document: Mapping[str, Any]) -> tuple[_Envelope | None, Mapping[str, Any]]:
    """Return the envelope that fits the object, or the object that it wraps."""
    for _ in range(_MAX_WRAPPERS):
        for envelope in _ENVELOPES:
            if envelope.matches(document):
                return envelope, document
        wrapped = [document[key] for key in _WRAPPERS if isinstance(document.get(key), dict)]
        if not wrapped:
            break
        document = wrapped[0]
    return None, document


def _wrapped_list(document: Mapping[str, Any]) -> list[Any] | None:
    lists = (document[key] for key in _WRAPPERS if isinstance(document.get(key), list))
    return next((items for items in lists if all(isinstance(item, dict) for item in items)), None)


def _unknown(document: Mapping[str, Any]) -> str:
    if str(document.get("schema")).startswith("groundwire."):
        return "is a record of a groundwire audit log; name its folder to score its answers again"
    keys = ", ".join(sorted(str(key)[:40] for key in list(document)[:8])) or "none"
    return f"is a JSON object, but no telemetry and no record that is known here (keys: {keys})"


def _bytes_of(value: Any) -> bytes:
    return msgspec.json.encode(value, order="sorted")
