"""Full disks, missing threads, forks at a bad moment and wrong variables: what the export makes of them."""

from __future__ import annotations

import os
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import (
    ExportTracePartialSuccess,
    ExportTraceServiceResponse,
)
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor, SpanExportResult

from groundwire.errors import ConfigError
from groundwire.instrumentation import diagnostics, set_up
from groundwire.instrumentation.otlp_json import JsonLinesExporter
from groundwire.instrumentation.processor import BoundedProcessor, setting
from groundwire.testing import InMemoryExporter
from instrumentation.processes import run_script, spans_of


class NarrowFile:
    """A file on a disk with room for so many bytes."""

    def __init__(self, file: Any, room: int) -> None:
        self._file, self.room = file, room

    def write(self, data: memoryview) -> int:
        if not self.room:
            raise OSError(28, "No space left on device")
        written: int = self._file.write(data[: self.room])
        self.room -= written
        return written

    def close(self) -> None:
        self._file.close()


def one_span(exporter: Any) -> None:
    provider = TracerProvider(shutdown_on_exit=False)
    provider.add_span_processor(SimpleSpanProcessor(exporter))
    provider.get_tracer("t").start_span("s").end()


def test_a_line_that_a_full_disk_cuts_stands_alone(tmp_path: Path) -> None:
    """The batch after a cut one begins on a line of its own, and is whole."""
    path = tmp_path / "t.jsonl"
    exporter = JsonLinesExporter(path)
    narrow: Any = NarrowFile(exporter._file, room=100)
    exporter._file = narrow
    one_span(exporter)
    narrow.room = 1_000_000
    one_span(exporter)
    exporter.shutdown()
    cut, whole = path.read_bytes().splitlines()
    assert len(cut) == 100
    (tmp_path / "whole.jsonl").write_bytes(whole)
    assert len(spans_of(tmp_path / "whole.jsonl")) == 1


def test_a_file_that_ends_midway_is_gone_on_with_on_a_new_line(tmp_path: Path) -> None:
    """What a killed process has left does not spoil the first batch of the next one."""
    path = tmp_path / "t.jsonl"
    path.write_text('{"resourceSpans":[{"re')
    exporter = JsonLinesExporter(path)
    one_span(exporter)
    exporter.shutdown()
    assert path.read_text().count("\n") == 2


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no /dev/full")
def test_a_full_disk_costs_the_spans_and_says_nothing_at_the_exit() -> None:
    """Each span is counted once, and the exit prints no traceback."""
    done = run_script(
        """
        import groundwire
        groundwire.configure(file="/dev/full")
        groundwire.instrument(lambda question: "Ada")("Who?")
        groundwire.flush()
        print(groundwire.diagnostics()["lost"])
        """
    )
    assert (done.returncode, done.stdout.strip()) == (0, "{'export_failed': 1}")
    assert "Traceback" not in done.stderr


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork")
def test_a_fork_while_the_file_is_written_leaves_the_child_able_to_write(tmp_path: Path) -> None:
    """The child's lock is free, whoever held its parent's."""
    exporter = JsonLinesExporter(tmp_path / "t.jsonl")
    with exporter._lock:
        child = os.fork()
        if not child:
            os._exit(0 if exporter._lock.acquire(timeout=1) else 1)
    assert os.waitpid(child, 0)[1] == 0
    exporter.shutdown()


def test_a_span_ends_where_no_thread_can_be_started(monkeypatch: pytest.MonkeyPatch) -> None:
    """The span waits in the queue, nothing raises, and the next span finds a thread."""
    start = threading.Thread.start

    def refuse(_: threading.Thread) -> None:
        raise RuntimeError("can't start new thread")

    exporter = InMemoryExporter()
    processor = BoundedProcessor(exporter)
    provider = TracerProvider(shutdown_on_exit=False)
    provider.add_span_processor(processor)
    monkeypatch.setattr(threading.Thread, "start", refuse)
    provider.get_tracer("t").start_span("first").end()
    assert processor.force_flush(10) is False
    monkeypatch.setattr(threading.Thread, "start", start)
    provider.get_tracer("t").start_span("second").end()
    assert processor.force_flush(5000) is True
    assert [span.name for span in exporter.spans] == ["first", "second"]


def test_flush_needs_no_thread(monkeypatch: pytest.MonkeyPatch) -> None:
    """At the exit, where Python 3.12 starts none, flush() does the work itself."""

    def refuse(_: threading.Thread) -> None:
        raise RuntimeError("can't create new thread at interpreter shutdown")

    class Provider:
        def force_flush(self, _: int) -> bool:
            return True

    monkeypatch.setattr(set_up.trace, "get_tracer_provider", Provider)
    monkeypatch.setattr(threading.Thread, "start", refuse)
    assert set_up.flush() is True


@pytest.mark.parametrize("value", ["inf", "nan", "-1", "0", "0.5", "many", "9" * 30])
def test_a_number_that_can_not_be_meant_is_the_default(monkeypatch: pytest.MonkeyPatch, value: str) -> None:
    """A queue of infinite or no length, and what is no number, count as not set."""
    monkeypatch.setenv("OTEL_BSP_MAX_QUEUE_SIZE", value)
    assert setting("OTEL_BSP_MAX_QUEUE_SIZE", 2048) == 2048


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("OTEL_EXPORTER_OTLP_TIMEOUT", "soon"),
        ("OTEL_EXPORTER_OTLP_COMPRESSION", "lz4"),
        ("OTEL_SPAN_ATTRIBUTE_COUNT_LIMIT", "few"),
    ],
)
def test_a_variable_that_opentelemetry_refuses_is_a_config_error(
    monkeypatch: pytest.MonkeyPatch, name: str, value: str
) -> None:
    """What the SDK raises of its variables comes as a ConfigError that names them."""
    monkeypatch.setenv(name, value)
    monkeypatch.setattr(set_up.trace, "get_tracer_provider", set_up.trace.ProxyTracerProvider)
    with pytest.raises(ConfigError, match="OTEL_"):
        set_up.configure()


def test_a_failed_batch_is_counted_once(tmp_path: Path) -> None:
    """Losses add up: the exporter says that it failed, the processor counts."""
    exporter = JsonLinesExporter(tmp_path / "t.jsonl")
    exporter.shutdown()
    before = dict(diagnostics()["lost"])
    assert exporter.export([]) is SpanExportResult.FAILURE
    assert diagnostics()["lost"] == before


class Receiver(BaseHTTPRequestHandler):
    """Answers a request as it was told to."""

    status, headers_sent, body = 200, dict[str, str](), b""

    def do_POST(self) -> None:
        self.rfile.read(int(self.headers["Content-Length"]))
        self.send_response(self.status)
        for name, value in {**self.headers_sent, "Content-Length": str(len(self.body))}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(self.body)

    def log_message(self, *args: Any) -> None:
        """Say nothing."""


REFUSAL = ExportTraceServiceResponse(
    partial_success=ExportTracePartialSuccess(rejected_spans=3, error_message="too old")
).SerializeToString()


@pytest.mark.parametrize(
    ("answer", "lost"),
    [
        ({}, {}),
        ({"body": b"<html>"}, {}),
        (
            {"status": 307, "headers_sent": {"Location": "https://elsewhere.invalid/v1/traces"}},
            {"export_failed": 5},
        ),
        ({"status": 301, "headers_sent": {"Location": "/v1/traces/"}}, {"export_failed": 5}),
        ({"status": 401}, {"export_failed": 5}),
        ({"status": 429, "headers_sent": {"Retry-After": "100"}}, {"export_failed": 5}),
        ({"body": REFUSAL}, {"refused": 3}),
    ],
)
def test_whatever_a_receiver_answers_each_loss_is_counted(
    answer: dict[str, Any], lost: dict[str, int]
) -> None:
    """A redirection is no success (a GET of a login page is none either), and spans can be refused singly."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), type("Told", (Receiver,), answer))
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        done = run_script(
            """
import sys
import groundwire
groundwire.configure(endpoint=sys.argv[1], protocol="http/protobuf")
@groundwire.instrument
def answer(question):
    return "Ada"
for _ in range(5):
    answer("Who?")
groundwire.flush(5)
print(groundwire.diagnostics()["lost"])
""",
            f"http://127.0.0.1:{server.server_port}",
        )
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
    assert done.stdout.strip() == str(lost)
