"""What a span says by itself, whatever its dialect: times, status, error, the service it ran in."""

from __future__ import annotations

from typing import Any

from groundwire import semconv
from groundwire.dialects.values import as_label, as_text
from groundwire.span import SpanData, SpanEvent

_OLD_ENVIRONMENT = "deployment.environment"


def read_error(span: SpanData) -> str | None:
    """Return ``type: message`` of a failed span; None for one that did not fail.

    A span failed when it has ``error.type`` or status error. The message comes from its ``exception``
    event, else from the status.
    """
    kind = as_label(span.attributes.get(semconv.ERROR_TYPE))
    if kind is None and span.status != "error":
        return None
    event = _exception_event(span)
    if event is not None and kind is None:
        kind = as_label(event.attributes.get(semconv.EXCEPTION_TYPE))
    kind = kind or "error"
    message = as_text(event.attributes.get(semconv.EXCEPTION_MESSAGE)) if event is not None else None
    if message:
        return f"{kind}: {message}"
    message = as_text(span.status_message)
    if message and message.startswith(f"{kind}: "):  # the SDK's own form of a status message
        return message
    return f"{kind}: {message}" if message else kind


def _exception_event(span: SpanData) -> SpanEvent | None:
    for event in reversed(span.events):
        if event.name == semconv.EXCEPTION_EVENT:
            return event
    return None


def read_span_facts(span: SpanData) -> dict[str, Any]:
    """Return the RagRecord fields that come from the span itself and from its resource.

    The latency is end - start; None where a time is absent, zero or the end lies before the start.
    """
    resource, start, end = span.resource, span.start_ns, span.end_ns
    fields: dict[str, Any] = {
        "trace_id": span.trace_id,
        "span_id": span.span_id,
        "started_at_ns": start or None,
        "latency_ns": end - start if start and end and end >= start else None,
        "status": span.status,
    }
    if resource:
        environment = resource.get(semconv.DEPLOYMENT_ENVIRONMENT) or resource.get(_OLD_ENVIRONMENT)
        fields["service"] = as_label(resource.get(semconv.SERVICE_NAME))
        fields["service_version"] = as_label(resource.get(semconv.SERVICE_VERSION))
        fields["environment"] = as_label(environment)
    return fields
