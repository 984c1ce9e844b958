"""Spans as Phoenix hands them out → spans: rows of its data frame, and objects of its REST API.

Their attributes are un-flattened OpenInference; they are flattened again, so that one dialect reads both.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from groundwire.envelopes.ids import parse_span_id, parse_trace_id
from groundwire.envelopes.nesting import flatten
from groundwire.envelopes.otlp import NO_ID_PROBLEM
from groundwire.envelopes.stats import ReadStats, Tally
from groundwire.envelopes.times import parse_moment_ns
from groundwire.envelopes.values import parse_status
from groundwire.span import Origin, SpanData, SpanEvent

_PREFIX = "attributes."
_DOCUMENT_COLUMNS = {"contents": "content", "ids": "id", "scores": "score"}
_DOCUMENTS = "retrieval.documents"


def is_phoenix(document: Mapping[str, Any]) -> bool:
    """Tell whether the object is a span of Phoenix, as a row or as an API's object."""
    context = document.get("context")
    is_object = isinstance(context, Mapping) and "trace_id" in context and "span_kind" in document
    return "context.trace_id" in document or is_object


def read_phoenix(row: Mapping[str, Any], origin: Origin, tally: Tally) -> Iterator[SpanData]:
    """Yield the one span."""
    stats = tally.stats
    context = row.get("context")
    context = context if isinstance(context, Mapping) else {}
    trace_id = parse_trace_id(context.get("trace_id") or row.get("context.trace_id"), stats)
    span_id = parse_span_id(context.get("span_id") or row.get("context.span_id"), stats)
    if trace_id is None or span_id is None:
        tally.reject(origin, "no_id", NO_ID_PROBLEM)
        return
    attributes = _attributes(row)
    if row.get("span_kind"):
        attributes.setdefault("openinference.span.kind", str(row["span_kind"]))
    events = row.get("events")
    yield SpanData(
        trace_id=trace_id,
        span_id=span_id,
        name=str(row.get("name") or ""),
        parent_span_id=parse_span_id(row.get("parent_id"), stats),
        start_ns=parse_moment_ns(row.get("start_time"), stats),
        end_ns=parse_moment_ns(row.get("end_time"), stats),
        attributes=attributes,
        events=[_event(event, stats) for event in events or () if isinstance(event, Mapping)],
        status=parse_status(row.get("status_code"), stats),
        status_message=str(row.get("status_message") or ""),
        origin=origin,
    )


def _attributes(row: Mapping[str, Any]) -> dict[str, Any]:
    whole = row.get("attributes")
    given = dict(whole) if isinstance(whole, Mapping) else {}
    given |= {key[len(_PREFIX) :]: value for key, value in row.items() if key.startswith(_PREFIX)}
    flat = flatten({key: value for key, value in given.items() if not _is_nan(value)})
    for column, part in _DOCUMENT_COLUMNS.items():
        values = flat.pop(f"{_DOCUMENTS}.{column}", None)
        for index, value in enumerate(values if isinstance(values, list) else ()):
            flat.setdefault(f"{_DOCUMENTS}.{index}.document.{part}", value)
    return flat


def _is_nan(value: Any) -> bool:
    """A data frame writes NaN where a row has no such column."""
    return isinstance(value, float) and value != value


def _event(event: Mapping[str, Any], stats: ReadStats) -> SpanEvent:
    time_ns = parse_moment_ns(event.get("timestamp"), stats)
    attributes = event.get("attributes")
    return SpanEvent(
        str(event.get("name") or ""), time_ns, flatten(attributes if isinstance(attributes, Mapping) else {})
    )
