"""Consistent sampling: what is kept, what is written, and that calls are counted either way."""

from __future__ import annotations

import pytest
from hypothesis import given, strategies as st
from opentelemetry import trace
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.trace import NonRecordingSpan, SpanContext, TraceFlags, TraceState

from groundwire.errors import ConfigError
from groundwire.instrumentation import instrument, sampler
from groundwire.instrumentation.sampling import ConsistentSampler, format_threshold, threshold_of
from groundwire.testing import CapturedSpans, capture_spans

KNOWN = {
    1.0: "0", 0.5: "8", 0.25: "c", 0.1: "e6666666666666", 0.01: "fd70a3d70a3d71",
    1 / 3: "aaaaaaaaaaaaac", 0.001: "ffbe76c8b43958",
}  # fmt: skip


@pytest.mark.parametrize(("ratio", "written"), KNOWN.items())
def test_thresholds_are_written_as_the_sdk_writes_them(ratio: float, written: str) -> None:
    """The known values of `th`, digit by digit."""
    assert format_threshold(threshold_of(ratio)) == written


def test_the_sdks_own_sampler_agrees() -> None:
    """Where the SDK has its (private) consistent sampler, both decide and write alike."""
    theirs = pytest.importorskip("opentelemetry.sdk.trace._sampling_experimental")
    other = theirs.composite_sampler(theirs.composable_traceid_ratio_based(0.3))
    mine = ConsistentSampler(0.3)
    for number in range(200):
        trace_id = (number * 0x9E3779B97F4A7C15F39CC0605CEDC835) % 2**128
        a, b = mine.should_sample(None, trace_id, "x"), other.should_sample(None, trace_id, "x")
        assert (a.decision, a.trace_state) == (b.decision, b.trace_state)


def test_children_keep_the_threshold_of_their_root() -> None:
    """Root and child both say th in their trace state."""
    with capture_spans() as spans:
        provider = TracerProvider(sampler=sampler(0.5), shutdown_on_exit=False)
        tracer = provider.get_tracer("x")
        states = set()
        for _ in range(40):
            with tracer.start_as_current_span("root") as root, tracer.start_as_current_span("child") as child:
                if root.is_recording():
                    states |= {span.get_span_context().trace_state.get("ot") for span in (root, child)}
        assert states == {"th:8"}
        assert spans.spans == []


def test_a_remote_parent_decides_and_its_state_is_kept() -> None:
    """A sampled remote parent is followed, and other vendors' members stay."""
    state = TraceState([("vendor", "x"), ("ot", "th:8")])
    parent = SpanContext(1, 2, is_remote=True, trace_flags=TraceFlags(1), trace_state=state)
    context = trace.set_span_in_context(NonRecordingSpan(parent))
    tracer = TracerProvider(sampler=sampler(0.0), shutdown_on_exit=False).get_tracer("x")
    span = tracer.start_span("child", context=context)
    assert span.is_recording()
    assert span.get_span_context().trace_state == state


def test_explicit_randomness_wins_over_the_trace_id() -> None:
    """`rv` is used where it is given, and kept."""
    state = TraceState([("ot", "rv:ffffffffffffff;x:y")])
    result = ConsistentSampler(0.01).should_sample(None, 0, "x", trace_state=state)
    assert result.decision.is_sampled()
    assert result.trace_state is not None
    assert result.trace_state.get("ot") == "th:fd70a3d70a3d71;rv:ffffffffffffff;x:y"


@given(ratio=st.floats(0, 1), trace_id=st.integers(0, 2**128 - 1))
def test_a_kept_trace_is_not_below_its_threshold(ratio: float, trace_id: int) -> None:
    """Kept if and only if the last 56 bits of the trace id reach the threshold."""
    result = ConsistentSampler(ratio).should_sample(None, trace_id, "x")
    assert result.decision.is_sampled() is (trace_id % 2**56 >= threshold_of(ratio))


@pytest.mark.parametrize("ratio", [-0.1, 1.1, "half", True, float("nan")])
def test_what_is_no_ratio_is_refused(ratio: object) -> None:
    """Anything but a number from 0 to 1 raises ConfigError."""
    with pytest.raises(ConfigError, match="a number from 0 to 1"):
        sampler(ratio)  # type: ignore[arg-type]


def test_calls_are_numbered_whether_sampled_or_not(spans: CapturedSpans) -> None:
    """The sequence number goes on over calls that are not sampled."""
    silent = TracerProvider(sampler=sampler(0.0), shutdown_on_exit=False)

    @instrument(tracer_provider=spans.provider)
    def kept(question: str) -> str:
        return "yes"

    @instrument(tracer_provider=silent)
    def dropped(question: str) -> str:
        return "yes"

    kept("a"), dropped("b"), dropped("c"), kept("d")
    first, last = (str((span.attributes or {})["groundwire.call"]).split(":") for span in spans.spans)
    assert first[:2] == last[:2]
    assert int(last[2]) - int(first[2]) == 3
