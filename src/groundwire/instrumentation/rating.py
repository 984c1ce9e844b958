"""What a person said of an answer, as a span of its own that is always kept and linked to the answer's."""

from __future__ import annotations

import re
from typing import Any

from opentelemetry import trace
from opentelemetry.trace import Link, NonRecordingSpan, SpanContext, TraceFlags

from groundwire import semconv
from groundwire.instrumentation.calls import Call
from groundwire.instrumentation.late import values
from groundwire.instrumentation.losses import count_loss
from groundwire.instrumentation.policy import Policy
from groundwire.instrumentation.site import tracer_of

_REF = re.compile(r"00-([0-9a-f]{32})-([0-9a-f]{16})-[0-9a-f]{2}")


def feedback(
    ref: str | Call | None,
    *,
    score: float | None = None,
    label: str | None = None,
    comment: str | None = None,
    tracer_provider: trace.TracerProvider | None = None,
) -> bool:
    """Record feedback on the answer that ``ref`` (``call.ref``, a W3C traceparent) names; True if it was
    recorded.

    The range of ``score`` is the application's own. The comment is content: it is written with ``capture``
    full only, after redaction. False where there is no SDK or ``ref`` is None (the answer has no span). Never
    raises; a reference that is none is counted as a loss.

    >>> feedback(None, score=1.0)
    False
    """
    try:
        return _record(ref, {"score": score, "label": label, "comment": comment}, tracer_provider)
    except Exception as cause:  # noqa: BLE001 - never into the user's call
        count_loss("feedback", cause)
        return False


def _record(ref: str | Call | None, given: dict[str, Any], provider: trace.TracerProvider | None) -> bool:
    ref = ref.ref if isinstance(ref, Call) else ref
    tracer = tracer_of(provider or trace.get_tracer_provider())
    if ref is None or tracer is None:
        return False
    answer = _parse_ref(ref)
    if answer is None:
        count_loss("feedback")
        return False
    parent = trace.set_span_in_context(NonRecordingSpan(answer))
    span = tracer.start_span("feedback", context=parent, links=[Link(answer)])
    attributes = _attributes(given, Policy(None, None))
    attributes[semconv.FEEDBACK_TRACE_ID] = f"{answer.trace_id:032x}"
    attributes[semconv.FEEDBACK_SPAN_ID] = f"{answer.span_id:016x}"
    span.set_attributes(attributes)
    span.end()
    return span.is_recording() or span.get_span_context().trace_flags.sampled


def _parse_ref(ref: str) -> SpanContext | None:
    """Return the answer's span as a sampled remote parent, so that parent-based samplers keep the
    feedback."""
    match = _REF.fullmatch(ref.strip().lower())
    if match is None:
        return None
    flags = TraceFlags(TraceFlags.SAMPLED)
    context = SpanContext(int(match[1], 16), int(match[2], 16), is_remote=True, trace_flags=flags)
    return context if context.is_valid else None


def _attributes(given: dict[str, Any], policy: Policy) -> dict[str, Any]:
    attributes: dict[str, Any] = {}
    if given["score"] is not None:
        attributes[semconv.FEEDBACK_SCORE] = float(given["score"])
    for name, attribute in (("label", semconv.FEEDBACK_LABEL), ("comment", semconv.FEEDBACK_COMMENT)):
        text = given[name]
        if text is None or (name == "comment" and not policy.full):
            continue
        attributes[attribute] = _settled(str(text), policy)
    return attributes


def _settled(text: str, policy: Policy) -> str:
    if policy.redact_kinds or policy.redact_call:
        from groundwire.instrumentation.redaction import redact_text

        text = redact_text(text, policy)
    cleaned: str = values.clean_text(text, "comment", values.Changes())
    return cleaned
