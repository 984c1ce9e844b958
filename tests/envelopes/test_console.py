"""Spans printed by the real SDK."""

from __future__ import annotations

from pathlib import Path

from opentelemetry.sdk.resources import Resource
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import ConsoleSpanExporter, SimpleSpanProcessor
from opentelemetry.trace import SpanKind, Status, StatusCode

from groundwire.envelopes import ReadStats, read_items


def printed(path: Path) -> Path:
    with path.open("w") as out:
        provider = TracerProvider(resource=Resource({"service.name": "rag"}))
        provider.add_span_processor(SimpleSpanProcessor(ConsoleSpanExporter(out=out)))
        tracer = provider.get_tracer("tests")
        with tracer.start_as_current_span("answer", kind=SpanKind.CLIENT) as parent:
            parent.set_attributes({"question": "Who?", "scores": [0.5, 1.0], "n": 7})
            with tracer.start_as_current_span("retrieval") as child:
                child.add_event("found", {"count": 2})
                child.set_status(Status(StatusCode.ERROR, "no"))
        provider.shutdown()
    return path


def test_printed_spans_are_read_back(tmp_path: Path) -> None:
    """Indented objects one after the other give the spans that were printed."""
    stats = ReadStats()
    child, parent = read_items(printed(tmp_path / "console.txt"), stats=stats)
    assert (child.trace_id, child.parent_span_id) == (parent.trace_id, parent.span_id)
    assert (parent.kind, parent.status, parent.trace_state) == (3, "unset", "")
    assert parent.attributes == {"question": "Who?", "scores": [0.5, 1.0], "n": 7}
    assert (child.status, child.status_message) == ("error", "no")
    assert [(event.name, event.attributes) for event in child.events] == [("found", {"count": 2})]
    assert parent.resource["service.name"] == "rag"
    assert 0 < child.start_ns < child.end_ns
    assert (stats.rejected, stats.repaired, stats.formats) == ({}, {}, {"console": 1})


def test_other_output_between_the_spans_costs_nothing(tmp_path: Path) -> None:
    """Lines that the application printed itself are rejected alone."""
    path = printed(tmp_path / "console.txt")
    path.write_text("starting up\n" + path.read_text() + "bye\n")
    rejected = []
    assert len(list(read_items(path, on_reject=rejected.append))) == 2
    assert [each.reason for each in rejected] == ["not_json", "not_json"]
