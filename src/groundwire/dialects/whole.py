"""What belongs to a trace although its spans do not say so: calls known from logs, records in pieces."""

from __future__ import annotations

from msgspec import structs

from groundwire.dialects.logspans import add_log_spans
from groundwire.dialects.values import as_label
from groundwire.span import SpanData, Trace

_RECORD_ID = "ai.observability.record_id"
_SPAN_TYPE = "ai.observability.span_type"
_ROOT = "record_root"


def make_whole(trace: Trace) -> Trace:
    """Return the trace with the spans that logs stand for, and a TruLens record's spans under its root."""
    trace = add_log_spans(trace) if trace.logs else trace
    roots: dict[str, SpanData] = {}
    for span in trace.spans:
        record_id = as_label(span.attributes.get(_RECORD_ID))
        if record_id is not None and span.attributes.get(_SPAN_TYPE) == _ROOT:
            roots.setdefault(record_id, span)
    if not roots:
        return trace
    known = {span.span_id for span in trace.spans}
    spans = [_adopted(span, roots, known) for span in trace.spans]
    return Trace(trace.trace_id, spans, trace.logs, trace.is_partial)


def _adopted(span: SpanData, roots: dict[str, SpanData], known: set[str]) -> SpanData:
    """Put a span that is nobody's child under the root of its record, where that lies in another trace."""
    root = roots.get(as_label(span.attributes.get(_RECORD_ID)) or "")
    is_placed = span.parent_span_id in known or span.attributes.get(_SPAN_TYPE) == _ROOT
    if root is None or root.trace_id == span.trace_id or is_placed:
        return span
    return structs.replace(span, parent_span_id=root.span_id)
