"""A service's life: import, set-up, fork, flush, exit; with and without an SDK, and with a dead collector."""

from __future__ import annotations

import os
import re
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, ClassVar

import pytest

from instrumentation.processes import run_script, spans_of

FUNCTION = """
from groundwire import instrument
@instrument
def answer(question: str) -> str:
    return question.upper()
"""


def test_decorating_loads_nothing_heavy() -> None:
    """Import and decorate: no SDK, exporter, pydantic, msgspec, wrapt, nor anything of the offline side."""
    done = run_script(
        "import opentelemetry.trace, sys\nbefore = set(sys.modules)"
        + FUNCTION
        + """
heavy = tuple("opentelemetry.sdk opentelemetry.exporter opentelemetry.proto pydantic msgspec wrapt grpc click"
              " rich rapidfuzz groundwire.record groundwire.text groundwire.graders".split())
print(sorted(name for name in set(sys.modules) - before if name.startswith(heavy)))
import threading
print(threading.active_count(), answer("a"))
"""
    )
    assert (done.stdout, done.stderr) == ("[]\n1 A\n", "")


def test_without_an_sdk_nothing_is_recorded_or_said() -> None:
    """Every kind of call works, current_call() is the no-op, and nothing is logged."""
    done = run_script(
        FUNCTION
        + """
import asyncio, logging
logging.basicConfig(level=0)
from groundwire import call, current_call, feedback, flush, retriever
@instrument
async def agen(q):
    yield current_call().is_recording
@retriever
async def search(q): return [q]
async def main():
    async for x in agen("q"):
        print(x, await search("q"))
        break
asyncio.run(main())
with call(question="q") as c: print(c.is_recording, c.ref)
print(answer("a"), feedback(c.ref), flush())
"""
    )
    lines = [line for line in done.stderr.splitlines() if "asyncio" not in line]
    assert (done.stdout, lines) == ("False ['q']\nFalse None\nA False True\n", [])


def test_a_disabled_sdk_is_as_none(tmp_path: Path) -> None:
    """OTEL_SDK_DISABLED=true: no span, no file, no warning; and diagnostics() say so."""
    done = run_script(
        """
import asyncio, logging, sys
logging.basicConfig(level=logging.WARNING)
import groundwire
assert groundwire.configure(file=sys.argv[1]) is False
found = groundwire.diagnostics()
assert (found["sdk_disabled"], found["is_recording"]) == (True, False)
@groundwire.instrument
async def stream(question):
    yield "a"
    yield "b"
async def main():
    running = stream("q")
    await anext(running)
    await asyncio.create_task(running.aclose())
asyncio.run(main())
""",
        tmp_path / "t.jsonl",
        OTEL_SDK_DISABLED="true",
    )
    assert (done.stderr, done.returncode) == ("", 0)
    assert not (tmp_path / "t.jsonl").exists()


def test_a_file_is_complete_at_exit_without_a_flush(tmp_path: Path) -> None:
    """What is queued is written when the interpreter ends."""
    path = tmp_path / "new" / "t.jsonl"
    code = FUNCTION + "import groundwire, sys\nprint(groundwire.configure(file=sys.argv[1]), answer('a'))"
    done = run_script(code, path)
    assert (done.stdout, done.stderr) == ("True A\n", "")
    (span,) = spans_of(path)
    assert span["attributes"]["output.value"] == "A"


def test_a_provider_that_is_set_is_never_replaced(tmp_path: Path) -> None:
    """configure() then returns False, and warns once."""
    done = run_script(
        """
import logging, sys
logging.basicConfig(level=logging.WARNING)
from opentelemetry import trace
from opentelemetry.sdk.trace import TracerProvider
import groundwire
mine = TracerProvider()
trace.set_tracer_provider(mine)
print([groundwire.configure(file=sys.argv[1]) for _ in range(3)], trace.get_tracer_provider() is mine)
""",
        tmp_path / "t.jsonl",
    )
    assert done.stdout == "[False, False, False] True\n"
    assert done.stderr.count("a tracer provider is set already") == 1


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork on this platform")
def test_forked_workers_are_instances_of_their_own(tmp_path: Path) -> None:
    """Set up before the fork (gunicorn --preload, celery prefork): each child's spans arrive, once."""
    path = tmp_path / "t.jsonl"
    done = run_script(
        FUNCTION
        + """
import os, sys, warnings, groundwire
warnings.simplefilter("ignore")  # newer Pythons warn of any fork beside a thread
groundwire.configure(file=sys.argv[1])
answer("parent")
for number in range(3):
    if os.fork() == 0:
        answer(f"child {number}")
        groundwire.flush()
        os._exit(0)
    os.wait()
answer("parent again")
""",
        path,
    )
    assert done.stderr == ""
    spans = spans_of(path)
    assert sorted(span["attributes"]["input.value"] for span in spans) == [
        "child 0", "child 1", "child 2", "parent", "parent again",
    ]  # fmt: skip
    calls = [span["attributes"]["groundwire.call"].split(":") for span in spans]
    assert len({process for _, process, _ in calls}) == 4
    assert sorted(number for _, _, number in calls) == ["1", "1", "1", "1", "2"]


class Collector(BaseHTTPRequestHandler):
    """Takes OTLP over connections that stay open; keeps what came over which."""

    protocol_version = "HTTP/1.1"
    received: ClassVar[dict[bytes, Any]] = {}

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["content-length"]))
        for name in re.findall(rb"parent|child \d", body):
            self.received.setdefault(name, set()).add(self.client_address)
        self.send_response(200)
        self.send_header("content-length", "0")
        self.end_headers()

    def log_message(self, format: str, *args: Any) -> None:
        pass


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork on this platform")
def test_forked_workers_have_connections_of_their_own() -> None:
    """Children never speak over their parent's open connection, where spans of both would be lost unseen."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), Collector)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    done = run_script(
        FUNCTION
        + """
import os, sys, warnings, groundwire
warnings.simplefilter("ignore")  # newer Pythons warn of any fork beside a thread
groundwire.configure(endpoint=sys.argv[1], protocol="http/protobuf")
answer("parent")
groundwire.feedback("nonsense")  # a loss of the parent alone
print(groundwire.flush(10), len(groundwire.diagnostics()["lost"]))
for number in range(4):
    if os.fork() == 0:
        answer(f"child {number}")
        os._exit(not groundwire.flush(10) or groundwire.diagnostics()["lost"] != {})
print([os.wait()[1] for _ in range(4)])
""",
        f"http://127.0.0.1:{server.server_address[1]}",
    )
    server.shutdown()
    server.server_close()
    assert (done.stdout, done.stderr) == ("True 1\n[0, 0, 0, 0]\n", "")
    assert sorted(Collector.received) == [b"child 0", b"child 1", b"child 2", b"child 3", b"parent"]
    assert len(set.union(*Collector.received.values())) == 5


@pytest.mark.parametrize("protocol", ["grpc", "http/protobuf"])
def test_a_dead_collector_harms_neither_calls_nor_exit(protocol: str) -> None:
    """Nothing listens: calls work, and the process ends by itself, within its bound."""
    done = run_script(
        FUNCTION
        + """
import groundwire, logging, time
groundwire.configure(shutdown_timeout=0.5)
print([answer("a") for _ in range(300)].count("A"))
groundwire.flush(0.05)
""",
        OTEL_EXPORTER_OTLP_ENDPOINT="http://127.0.0.1:9",
        OTEL_EXPORTER_OTLP_PROTOCOL=protocol,
    )
    assert (done.stdout, done.returncode) == ("300\n", 0)


def test_a_raising_exporter_is_no_ones_problem(tmp_path: Path) -> None:
    """An exporter or a processor that raises on every span leaves every call as it is, counted."""
    done = run_script(
        FUNCTION
        + """
from opentelemetry import trace
from opentelemetry.sdk.trace import SpanProcessor, TracerProvider
class Broken(SpanProcessor):
    def on_end(self, span): raise OSError("403")
provider = TracerProvider()
provider.add_span_processor(Broken())
trace.set_tracer_provider(provider)
import groundwire
print(answer("a"), groundwire.diagnostics()["lost"])
"""
    )
    assert (done.stdout, done.stderr) == ("A {'end': 1}\n", "")


def test_a_provider_set_later_is_picked_up() -> None:
    """Functions called before the SDK is set up record afterwards; the earlier calls are counted."""
    done = run_script(
        FUNCTION
        + """
answer("a")
from opentelemetry import trace
from groundwire.testing import capture_spans
spans = capture_spans()
trace.set_tracer_provider(spans.provider)
answer("b")
print(len(spans.spans), spans.attributes()["groundwire.call"].rpartition(":")[2])
"""
    )
    assert (done.stdout, done.stderr) == ("1 2\n", "")
