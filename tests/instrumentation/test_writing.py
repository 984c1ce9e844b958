"""Attributes that are written at once say what the SDK's own method would have said."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from typing import Any

import pytest
from opentelemetry.sdk.trace import Span, SpanLimits, TracerProvider

from groundwire.instrumentation import instrument, writing
from groundwire.instrumentation.losses import lost
from groundwire.testing import CapturedSpans

ATTRIBUTES = {"text": "a longer text", "count": 3, "flag": True, "texts": ("stop",)}


def started(limits: SpanLimits | None = None) -> Any:
    provider = TracerProvider(span_limits=limits, shutdown_on_exit=False)
    return provider.get_tracer("test").start_span("span", attributes={"before": 1})


@pytest.mark.parametrize(
    "limits", [None, SpanLimits(max_span_attributes=3), SpanLimits(max_span_attribute_length=5)]
)
def test_both_ways_leave_the_same(limits: SpanLimits | None) -> None:
    """With and without limits, what is on the span is what ``set_attributes`` puts there."""
    usual, ours = started(limits), started(limits)
    usual.set_attributes(ATTRIBUTES)
    writing.write_attributes(ours, ATTRIBUTES)
    assert list(ours.attributes.items()) == list(usual.attributes.items())
    assert ours.dropped_attributes == usual.dropped_attributes


def test_the_container_is_known() -> None:
    """The SDK that is installed keeps its attributes as we think; else the short way would never be taken."""
    assert writing.container_is_known()


def test_another_container_is_left_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the SDK's container works otherwise, the trial says so, and the usual way is taken."""

    class Counting(dict[str, Any]):
        def __init__(self, maxlen: int, immutable: bool) -> None:
            self.maxlen, self.max_value_len, self._dict = maxlen, None, self

    monkeypatch.setattr(writing, "BoundedAttributes", Counting)
    monkeypatch.setattr(writing, "_methods", {})
    assert not writing.container_is_known()
    span = started()
    writing.write_attributes(span, ATTRIBUTES)
    assert span.attributes["count"] == 3


def test_a_patched_method_is_not_passed_by(monkeypatch: pytest.MonkeyPatch, spans: CapturedSpans) -> None:
    """A tool that replaced the SDK's method (to scrub what is written) sees all that we write."""
    usual = Span.set_attributes

    def scrub(self: Span, attributes: Mapping[str, Any]) -> None:
        usual(self, {name: "***" if name == "output.value" else value for name, value in attributes.items()})

    @instrument(tracer_provider=spans.provider)
    def answer(question: str) -> str:
        return "Ada."

    answer("Who?")
    monkeypatch.setattr(Span, "set_attributes", scrub)
    answer("Who?")
    assert [(span.attributes or {})["output.value"] for span in spans.spans] == ["Ada.", "***"]


def test_a_patched_span_is_not_passed_by() -> None:
    """A processor that replaced the method of one span alone sees all that is written on it."""
    span, seen = started(), list[Any]()
    writing.write_attributes(started(), ATTRIBUTES)
    span.set_attributes = seen.append
    writing.write_attributes(span, ATTRIBUTES)
    assert seen == [ATTRIBUTES]


def test_a_span_that_has_ended_is_left_alone(caplog: pytest.LogCaptureFixture) -> None:
    """Nothing is written onto an ended span, nothing is logged, and the loss is counted."""
    caplog.set_level(logging.DEBUG)
    span, before = started(), lost().get("late", 0)
    span.end()
    writing.write_attributes(span, ATTRIBUTES)
    assert dict(span.attributes) == {"before": 1}
    assert lost()["late"] == before + 1
    assert caplog.records == []
