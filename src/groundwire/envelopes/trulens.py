"""Event rows of TruLens (its ``EVENT`` table) → spans. Ids are decimal numbers as text."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from groundwire.envelopes.ids import parse_span_id, parse_trace_id
from groundwire.envelopes.jsontext import parse_inner_object
from groundwire.envelopes.otlp import NO_ID_PROBLEM
from groundwire.envelopes.stats import ReadStats, Tally
from groundwire.envelopes.times import parse_time_ns
from groundwire.envelopes.values import parse_attributes, parse_kind, parse_status
from groundwire.span import Origin, Scope, SpanData, SpanEvent

_DECIMAL = re.compile(r"[1-9][0-9]{0,38}")
_SCOPE = Scope("trulens")


def is_trulens(document: Mapping[str, Any]) -> bool:
    """Tell whether the object is an event row."""
    return "record_attributes" in document and "trace" in document


def read_trulens(row: Mapping[str, Any], origin: Origin, tally: Tally) -> Iterator[SpanData]:
    """Yield the one span."""
    stats = tally.stats
    trace, record = (
        parse_inner_object(row.get("trace"), stats.repaired),
        parse_inner_object(row.get("record"), stats.repaired),
    )
    trace_id = parse_trace_id(_from_decimal(trace.get("trace_id"), 32), stats)
    span_id = parse_span_id(_from_decimal(trace.get("span_id") or row.get("event_id"), 16), stats)
    if trace_id is None or span_id is None:
        tally.reject(origin, "no_id", NO_ID_PROBLEM)
        return
    parent = trace.get("parent_id") or record.get("parent_span_id")
    status = record.get("status")
    events = record["events"] if isinstance(record.get("events"), list) else []
    yield SpanData(
        trace_id=trace_id,
        span_id=span_id,
        name=str(record.get("name") or ""),
        parent_span_id=parse_span_id(_from_decimal(parent, 16), stats),
        kind=parse_kind(record.get("kind"), stats),
        start_ns=parse_time_ns(row.get("start_timestamp"), stats),
        end_ns=parse_time_ns(row.get("timestamp"), stats),
        attributes=parse_attributes(parse_inner_object(row.get("record_attributes"), stats.repaired), stats),
        events=[_event(event, stats) for event in events if isinstance(event, Mapping)],
        status=parse_status(status, stats) if isinstance(status, (str, int)) else "unset",
        resource=parse_attributes(parse_inner_object(row.get("resource_attributes"), stats.repaired), stats),
        scope=_SCOPE,
        origin=origin,
    )


def _event(event: Mapping[str, Any], stats: ReadStats) -> SpanEvent:
    time = event.get("time_unix_nano") or event.get("timestamp")
    attributes = parse_attributes(event.get("attributes"), stats)
    return SpanEvent(str(event.get("name") or ""), parse_time_ns(time, stats), attributes)


def _from_decimal(value: Any, digits: int) -> Any:
    """Return hex for a decimal id; what can not be decimal passes as it is."""
    text = str(value)
    if not _DECIMAL.fullmatch(text) or int(text) >= 16**digits:
        return value
    return f"{int(text):0{digits}x}"
