"""Spans as the Python SDK prints them (``ConsoleSpanExporter``, ``span.to_json()``) → spans.

Ids carry ``0x``, times are ISO 8601 in microseconds, attributes are a plain object, there is no scope.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from groundwire.envelopes.ids import parse_span_id, parse_trace_id
from groundwire.envelopes.otlp import NO_ID_PROBLEM
from groundwire.envelopes.stats import ReadStats, Tally
from groundwire.envelopes.times import parse_time_ns
from groundwire.envelopes.values import mappings, parse_attributes, parse_kind, parse_status
from groundwire.span import Origin, SpanData, SpanEvent, SpanLink


def is_console_span(document: Mapping[str, Any]) -> bool:
    """Tell whether the object is a printed span."""
    context = document.get("context")
    return isinstance(context, Mapping) and "trace_id" in context and "kind" in document


def read_console_span(document: Mapping[str, Any], origin: Origin, tally: Tally) -> Iterator[SpanData]:
    """Yield the one span."""
    stats = tally.stats
    context = document["context"]
    trace_id = parse_trace_id(context.get("trace_id"), stats)
    span_id = parse_span_id(context.get("span_id"), stats)
    if trace_id is None or span_id is None:
        tally.reject(origin, "no_id", NO_ID_PROBLEM)
        return
    status = document.get("status")
    status = status if isinstance(status, Mapping) else {}
    resource = document.get("resource")
    yield SpanData(
        trace_id=trace_id,
        span_id=span_id,
        name=str(document.get("name") or ""),
        parent_span_id=parse_span_id(document.get("parent_id"), stats),
        kind=parse_kind(document.get("kind"), stats),
        start_ns=parse_time_ns(document.get("start_time"), stats),
        end_ns=parse_time_ns(document.get("end_time"), stats),
        attributes=parse_attributes(document.get("attributes"), stats),
        events=[_event(event, stats) for event in mappings(document.get("events"))],
        links=[link for each in mappings(document.get("links")) if (link := _link(each, stats))],
        status=parse_status(status.get("status_code"), stats),
        status_message=str(status.get("description") or ""),
        trace_state=_trace_state(context.get("trace_state")),
        resource=parse_attributes(resource.get("attributes"), stats) if isinstance(resource, Mapping) else {},
        origin=origin,
    )


def _trace_state(printed: Any) -> str:
    """Return ``a=b,c=d`` from what was printed: ``[]`` or a list of ``{'key': …}`` items as text."""
    text = str(printed or "").strip("[]{} ")
    return text.replace("'", "").replace("}", "").replace("{", "").replace(": ", "=").replace(", ", ",")


def _event(event: Mapping[str, Any], stats: ReadStats) -> SpanEvent:
    return SpanEvent(
        str(event.get("name") or ""),
        parse_time_ns(event.get("timestamp"), stats),
        parse_attributes(event.get("attributes"), stats),
    )


def _link(link: Mapping[str, Any], stats: ReadStats) -> SpanLink | None:
    context = link.get("context")
    context = context if isinstance(context, Mapping) else {}
    trace_id = parse_trace_id(context.get("trace_id"), stats)
    span_id = parse_span_id(context.get("span_id"), stats)
    if trace_id is None or span_id is None:
        return None
    return SpanLink(trace_id, span_id, parse_attributes(link.get("attributes"), stats))
