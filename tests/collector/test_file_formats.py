"""Every format and compression that the file exporter writes is read back equal."""

import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml
from opentelemetry.sdk.trace import ReadableSpan, TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from opentelemetry.trace import Link, Status, StatusCode

from collector.running import CONFIGS, Collector
from collector.traffic import provider_to
from groundwire.envelopes import ReadStats, read_items
from groundwire.span import SpanData

pytestmark = pytest.mark.real
Make = Callable[..., Collector]
NATIVE = "+exporter.file.nativeCompression"
ROTATION = {"max_megabytes": 1, "max_backups": 1000}
WAYS: dict[str, tuple[dict[str, Any], tuple[str, ...]]] = {
    "json": ({}, ()),
    "json, rotated": ({"rotation": ROTATION}, ()),
    "json, appended": ({"append": True}, ()),
    "proto": ({"format": "proto"}, ()),
    "proto, rotated": ({"format": "proto", "rotation": ROTATION}, ()),
    "json in zstd frames": ({"compression": "zstd"}, ()),
    "json in zstd frames, rotated": ({"compression": "zstd", "rotation": ROTATION}, ()),
    "proto in zstd frames": ({"compression": "zstd", "format": "proto"}, ()),
    "json in a zstd stream": ({"compression": "zstd"}, (NATIVE,)),
    "json in a zstd stream, rotated": ({"compression": "zstd", "rotation": ROTATION}, (NATIVE,)),
    "proto in a zstd stream": ({"compression": "zstd", "format": "proto"}, (NATIVE,)),
    "proto in a zstd stream, rotated": (
        {"compression": "zstd", "format": "proto", "rotation": ROTATION},
        (NATIVE,),
    ),
}
VALUES: dict[str, Any] = {
    "text": "Überall “Zeichen” 文字 🙂 \n\\\t\u2028\u0001",
    "empty": "",
    "real": 0.1,
    "whole real": 2.0,
    "tiny": 5e-324,
    "minus": -(2**63),
    "yes": True,
    "texts": ["a", ""],
    "numbers": [1, 2],
    "none at all": [],
}


def configuration(folder: Path, options: dict[str, Any]) -> Path:
    """laptop.yaml with another way of writing files."""
    config = yaml.safe_load((CONFIGS / "laptop.yaml").read_text())
    path = config["exporters"]["file/traces"]["path"]
    config["exporters"]["file/traces"] = {"path": path, "create_directory": True, **options}
    file = folder / "config.yaml"
    file.write_text(yaml.safe_dump(config))
    return file


def emit(provider: TracerProvider, count: int = 40) -> None:
    """Spans with every kind of value, 100 kB and more each, so that files of 1 MB rotate."""
    tracer = provider.get_tracer("shop", "1.2")
    earlier = tracer.start_span("earlier")
    earlier.end()
    for number in range(count):
        values = {**VALUES, "number": 2**53 + number, "long": random.Random(number).randbytes(50_000).hex()}
        links = [Link(earlier.get_span_context(), {"why": "retry"})]
        with tracer.start_as_current_span(f"answer {number}", attributes=values, links=links) as span:
            span.add_event("exception", {"exception.type": "ValueError"})
            span.set_status(Status(StatusCode.ERROR, "broken"))


def facts_sent(span: ReadableSpan) -> dict[str, Any]:
    """What the SDK says of a span, in the words of SpanData."""
    context = span.get_span_context()
    return {
        "trace_id": f"{context.trace_id:032x}",
        "name": span.name,
        "times": (span.start_time, span.end_time),
        "attributes": plain(span.attributes),
        "events": [(event.name, event.timestamp, plain(event.attributes)) for event in span.events],
        "links": [(f"{link.context.span_id:016x}", plain(link.attributes)) for link in span.links],
        "status": (span.status.status_code.name.lower(), span.status.description or ""),
        "resource": plain(span.resource.attributes),
        "scope": (span.instrumentation_scope.name, span.instrumentation_scope.version),
    }


def facts_read(span: SpanData) -> dict[str, Any]:
    return {
        "trace_id": span.trace_id,
        "name": span.name,
        "times": (span.start_ns, span.end_ns),
        "attributes": span.attributes,
        "events": [(event.name, event.time_ns, event.attributes) for event in span.events],
        "links": [(link.span_id, link.attributes) for link in span.links],
        "status": (span.status, span.status_message),
        "resource": span.resource,
        "scope": (span.scope.name, span.scope.version),
    }


def plain(attributes: Any) -> dict[str, Any]:
    return {key: list(value) if isinstance(value, tuple) else value for key, value in attributes.items()}


@pytest.mark.parametrize("way", WAYS)
def test_what_was_sent_is_read_back(way: str, collector: Make, tmp_path: Path) -> None:
    """Ids, times, attributes with their types, events, links and status are those of the SDK's spans."""
    options, gates = WAYS[way]
    running = collector(configuration(tmp_path, options), gates=gates).start()
    kept = InMemorySpanExporter()
    with provider_to(running, max_export_batch_size=4) as provider:
        provider.add_span_processor(SimpleSpanProcessor(kept))
        emit(provider)
    running.stop()
    stats = ReadStats()
    found = [item for item in read_items(running.traces, stats=stats) if isinstance(item, SpanData)]
    sent = {f"{span.get_span_context().span_id:016x}": facts_sent(span) for span in kept.get_finished_spans()}
    assert stats.rejected_total == 0, stats.rejected
    assert {span.span_id: facts_read(span) for span in found} == sent
    assert len(found) == len(sent) == 41
    if "rotated" in way:
        assert len(list(running.traces.glob("traces*.jsonl"))) > 2
