"""Feedback: a span of its own, in the answer's trace, linked to it, and kept whatever the sampler says."""

from __future__ import annotations

import pytest
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor

from groundwire.instrumentation import call, current_call, diagnostics, feedback, instrument, sampler
from groundwire.testing import CapturedSpans


def test_feedback_is_linked_to_its_answer(spans: CapturedSpans) -> None:
    """Trace, parent, link and attributes all name the answer's span."""
    with call(question="Who?", tracer_provider=spans.provider) as answer:
        ref = answer.ref
    assert feedback(ref, score=1, label="up", comment="ok \ud800", tracer_provider=spans.provider)
    answered, given = spans.spans
    assert given.context is not None and answered.context is not None
    assert given.context.trace_id == answered.context.trace_id
    assert given.links[0].context.span_id == answered.context.span_id
    found = spans.attributes()
    assert found["groundwire.feedback.span_id"] == f"{answered.context.span_id:016x}"
    assert (found["groundwire.feedback.score"], found["groundwire.feedback.comment"]) == (1.0, "ok \ufffd")


def test_feedback_on_an_unsampled_answer_is_kept(spans: CapturedSpans) -> None:
    """The answer was sampled away, its feedback is not."""
    provider = TracerProvider(sampler=sampler(0.0), shutdown_on_exit=False)
    provider.add_span_processor(SimpleSpanProcessor(spans.exporter))

    @instrument(tracer_provider=provider)
    def answer(question: str) -> str | None:
        return current_call().ref

    ref = answer("Who?")
    assert ref is not None and int(ref[-2:], 16) & 1 == 0
    assert feedback(ref, score=0.0, tracer_provider=provider)
    assert spans.names() == ["feedback"]


@pytest.mark.parametrize("ref", ["", "nonsense", "00-" + "0" * 32 + "-" + "0" * 16 + "-01"])
def test_a_reference_that_is_none_is_counted(spans: CapturedSpans, ref: str) -> None:
    """A wrong reference is a counted loss, never an error."""
    before = diagnostics()["lost"].get("feedback", 0)
    assert not feedback(ref, score=1.0, tracer_provider=spans.provider)
    assert diagnostics()["lost"]["feedback"] == before + 1


def test_a_score_that_is_no_number_is_counted(spans: CapturedSpans) -> None:
    """What can not be a score does not raise."""
    assert not feedback("00-" + "1" * 32 + "-" + "2" * 16 + "-01", score="x", tracer_provider=spans.provider)  # type: ignore[arg-type]
