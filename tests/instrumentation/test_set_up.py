"""configure(): which exporter, clear errors, a bounded processor, and the form of the file."""

from __future__ import annotations

import json
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, strategies as st
from opentelemetry.sdk.resources import Resource
from opentelemetry.sdk.trace import ReadableSpan, TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor, SpanExporter, SpanExportResult
from opentelemetry.trace import Link, StatusCode

from groundwire.errors import ConfigError
from groundwire.instrumentation import diagnostics, set_up
from groundwire.instrumentation.otlp_json import JsonLinesExporter, encode_value
from groundwire.instrumentation.processor import BoundedProcessor
from groundwire.testing import CountingIds

GENERAL, TRACES = "OTEL_EXPORTER_OTLP_PROTOCOL", "OTEL_EXPORTER_OTLP_TRACES_PROTOCOL"


@pytest.mark.parametrize(
    ("endpoint", "protocol", "environment", "kind"),
    [
        (None, None, {}, "grpc"),
        (None, None, {GENERAL: "http/protobuf"}, "http"),
        (None, None, {GENERAL: "grpc", TRACES: "http/protobuf"}, "http"),
        (None, "grpc", {GENERAL: "http/protobuf"}, "grpc"),
        ("http://127.0.0.1:4318/v1/traces", None, {}, "http"),
        ("http://127.0.0.1:4317", None, {}, "grpc"),
    ],
)  # fmt: skip
def test_arguments_win_over_the_environment(
    monkeypatch: pytest.MonkeyPatch, endpoint: Any, protocol: Any, environment: dict[str, str], kind: str
) -> None:
    """The protocol comes from the argument, the traces' variable, the general one, or the endpoint's path."""
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    exporter = set_up._exporter(None, endpoint, protocol)
    assert f".proto.{kind}." in type(exporter).__module__
    assert exporter is not None
    exporter.shutdown()


def test_no_exporter_where_the_environment_says_none(monkeypatch: pytest.MonkeyPatch) -> None:
    """OTEL_TRACES_EXPORTER=none sets up an SDK without export."""
    monkeypatch.setenv("OTEL_TRACES_EXPORTER", "none")
    assert set_up._exporter(None, None, None) is None


def test_a_bad_path_is_named(tmp_path: Path) -> None:
    """A file that can not be written is a ConfigError with its path, the reason and what to do."""
    blocked = tmp_path / "file"
    blocked.write_text("")
    for path in (tmp_path, blocked / "t.jsonl"):
        with pytest.raises(ConfigError, match=r"can not write traces: .* Pass another path to configure"):
            JsonLinesExporter(path)


@pytest.mark.parametrize(
    "arguments",
    [{"protocol": "smoke"}, {"file": "x", "endpoint": "http://a"}, {"file": "", "protocol": "grpc"}],
)
def test_wrong_arguments_are_refused(arguments: dict[str, Any]) -> None:
    """Wrong or contradicting arguments raise ConfigError."""
    with pytest.raises(ConfigError):
        set_up._exporter(
            arguments.get("file"),
            arguments.get("endpoint"),
            set_up._settle_protocol(arguments.get("protocol"), None),
        )


def test_the_file_has_the_collectors_form(tmp_path: Path) -> None:
    """One line a batch; hex ids, integers as strings, enums as integers, defaults left out."""
    provider = TracerProvider(resource=Resource({"service.name": "kb"}), id_generator=CountingIds())
    provider.add_span_processor(SimpleSpanProcessor(JsonLinesExporter(tmp_path / "t.jsonl")))
    tracer = provider.get_tracer("scope", "1.0")
    with tracer.start_as_current_span("root") as root:
        root.set_attributes({"n": 7, "f": 0.5, "t": "é", "b": True, "l": ["a"], "nan": float("nan")})
        root.add_event("e", {"k": "v"}, timestamp=5)
        tracer.start_span("child", links=[Link(root.get_span_context())]).end()
        root.set_status(StatusCode.ERROR, "bad")
    provider.shutdown()
    child, parent = map(json.loads, (tmp_path / "t.jsonl").read_text().splitlines())
    (resource,) = parent["resourceSpans"]
    assert resource["resource"]["attributes"] == [{"key": "service.name", "value": {"stringValue": "kb"}}]
    (scope,) = resource["scopeSpans"]
    assert scope["scope"] == {"name": "scope", "version": "1.0"}
    (span,) = scope["spans"]
    assert (span["traceId"], span["spanId"]) == ("0" * 31 + "1", "0" * 15 + "1")
    assert "parentSpanId" not in span and span["kind"] == 1
    assert span["startTimeUnixNano"].isdigit()
    assert span["status"] == {"message": "bad", "code": 2}
    assert span["attributes"] == [
        {"key": "n", "value": {"intValue": "7"}}, {"key": "f", "value": {"doubleValue": 0.5}},
        {"key": "t", "value": {"stringValue": "é"}}, {"key": "b", "value": {"boolValue": True}},
        {"key": "l", "value": {"arrayValue": {"values": [{"stringValue": "a"}]}}},
        {"key": "nan", "value": {"doubleValue": "NaN"}},
    ]  # fmt: skip
    assert span["events"] == [
        {"timeUnixNano": "5", "name": "e", "attributes": [{"key": "k", "value": {"stringValue": "v"}}]}
    ]
    inner = child["resourceSpans"][0]["scopeSpans"][0]["spans"][0]
    assert (inner["parentSpanId"], inner["links"][0]["spanId"]) == (span["spanId"], span["spanId"])


values = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**63), 2**63 - 1) | st.floats() | st.text() | st.binary(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)


@given(value=values)
def test_any_attribute_value_has_one_kind(value: Any) -> None:
    """Every value becomes an AnyValue of at most one kind, and NaN never stands bare in the JSON."""
    encoded = encode_value(value)
    assert len(encoded) <= 1
    assert "NaN" not in json.dumps(encoded).replace('"NaN"', "")


class Recording(SpanExporter):
    """Keeps batch sizes; waits for ``go`` before each export."""

    def __init__(self) -> None:
        self.batches: list[int] = []
        self.go = threading.Event()

    def export(self, spans: Sequence[ReadableSpan]) -> SpanExportResult:
        self.go.wait(10)
        self.batches.append(len(spans))
        return SpanExportResult.SUCCESS

    def shutdown(self) -> None:
        self.batches.append(-1)


def emit(processor: BoundedProcessor, count: int, size: int = 1) -> None:
    provider = TracerProvider(shutdown_on_exit=False)
    provider.add_span_processor(processor)
    for _ in range(count):
        span = provider.get_tracer("x").start_span("s")
        span.set_attribute("text", "x" * size)
        span.end()


def test_the_processor_bounds_batches_in_count_and_size() -> None:
    """Never more spans than the batch size, never more text than a receiver takes."""
    exporter = Recording()
    exporter.go.set()
    processor = BoundedProcessor(exporter, max_batch=8, delay_s=60)
    emit(processor, 20)
    assert processor.force_flush()
    emit(processor, 4, size=1_400_000)
    assert processor.force_flush()
    processor.shutdown()
    assert max(exporter.batches) <= 8 and sum(exporter.batches) == 23
    assert exporter.batches[-1] == -1
    assert exporter.batches[-2] <= 2


def test_a_stuck_exporter_loses_counted_spans_and_blocks_no_one() -> None:
    """A full queue drops and counts; flush and shutdown come back when their time is over."""
    exporter = Recording()
    processor = BoundedProcessor(exporter, max_queue=5, max_batch=2, delay_s=60)
    before = diagnostics()["lost"]
    emit(processor, 20)
    assert not processor.force_flush(10)
    processor.shutdown(0.01)
    emit(processor, 1)
    after = diagnostics()["lost"]
    exporter.go.set()
    assert after["queue_full"] - before.get("queue_full", 0) >= 10
    assert after["shutdown"] > before.get("shutdown", 0)
    assert after["closed"] == before.get("closed", 0) + 1


@pytest.mark.parametrize("result", [SpanExportResult.SUCCESS, SpanExportResult.FAILURE])
def test_spans_on_the_way_when_the_time_is_over_are_lost_once(result: SpanExportResult) -> None:
    """Those that wait in the queue and those that nobody will hear of: each counts, and once only."""

    class Stuck(Recording):
        def export(self, spans: Sequence[ReadableSpan]) -> SpanExportResult:
            super().export(spans)
            return result

    exporter = Stuck()
    processor = BoundedProcessor(exporter, max_batch=4, delay_s=60)
    before = sum(diagnostics()["lost"].values())
    emit(processor, 10)
    assert not processor.force_flush(10)
    processor.shutdown(0.01)
    exporter.go.set()
    worker = processor._worker
    assert worker is not None
    worker.join()
    assert sum(diagnostics()["lost"].values()) == before + 10


def test_diagnostics_say_what_is_set_up(monkeypatch: pytest.MonkeyPatch) -> None:
    """Versions, provider, capture, redaction and losses, as plain JSON values."""
    monkeypatch.setenv("GROUNDWIRE_CAPTURE", "hash")
    monkeypatch.setenv("GROUNDWIRE_REDACT", "email")
    found = diagnostics()
    assert (found["capture"], found["redact"]) == ("hash", ["email"])
    assert found["sdk_disabled"] is False
    assert json.loads(json.dumps(found)) == found
