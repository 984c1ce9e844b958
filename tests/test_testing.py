"""The public test kit."""

from __future__ import annotations

from groundwire.instrumentation import call
from groundwire.testing import CountingIds, InMemoryExporter, TickingClock, capture_spans


def test_captured_spans_have_counting_ids() -> None:
    """Two runs of the same code give the same ids."""
    ids = []
    for _ in range(2):
        with capture_spans() as spans:
            with call("a", tracer_provider=spans.provider), call("b", tracer_provider=spans.provider):
                pass
            ids.append(
                [(span.context.trace_id, span.context.span_id) for span in spans.spans if span.context]
            )
    assert ids[0] == ids[1] == [(1, 2), (1, 1)]


def test_names_and_attributes_of_the_last_span() -> None:
    """names() and attributes() read what was captured; clear() forgets it."""
    with capture_spans() as spans:
        with call("a", question="Who?", tracer_provider=spans.provider):
            pass
        assert spans.names() == ["invoke_workflow a"]
        assert spans.attributes()["input.value"] == "Who?"
        spans.exporter.clear()
        assert spans.spans == []


def test_the_clock_ticks() -> None:
    """Each reading is one step later."""
    clock = TickingClock(start_ns=10, step_ns=3)
    assert [clock() for _ in range(3)] == [10, 13, 16]


def test_ids_are_counted_apart() -> None:
    """Trace ids and span ids count independently."""
    ids = CountingIds()
    assert (ids.generate_span_id(), ids.generate_trace_id(), ids.generate_span_id()) == (1, 1, 2)


def test_the_exporter_keeps_everything() -> None:
    """Shutting down loses nothing."""
    exporter = InMemoryExporter()
    exporter.export([])
    exporter.shutdown()
    assert exporter.force_flush() and exporter.spans == []
