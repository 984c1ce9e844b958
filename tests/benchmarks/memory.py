"""Whether memory stays flat: many calls with big arguments, a long stream, a dead collector; and the exit.

Run: ``python tests/benchmarks/memory.py [scale]``, scale 1 for 100,000 calls and 1,000,000 chunks. Prints the
peak resident memory after a first tenth and at the end; flat means no more than a few MiB between them.
"""

from __future__ import annotations

import resource
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from typing import Any

from opentelemetry.sdk.trace import ReadableSpan, TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor, SpanExporter, SpanExportResult

from groundwire import instrument

MEGABYTE = "x" * 1_000_000


class Dropping(SpanExporter):
    def export(self, spans: Sequence[ReadableSpan]) -> SpanExportResult:
        return SpanExportResult.SUCCESS

    def shutdown(self) -> None:
        pass


def peak_mib() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def provider() -> TracerProvider:
    made = TracerProvider(shutdown_on_exit=False)
    made.add_span_processor(BatchSpanProcessor(Dropping()))
    return made


def many_calls(count: int) -> tuple[float, float]:
    """Calls with an argument of 1 MB that is new each time."""

    @instrument(tracer_provider=provider())
    def answer(question: str, blob: bytes) -> dict[str, Any]:
        return {"answer": "yes", "contexts": ["a passage"]}

    early = 0.0
    for number in range(count):
        answer("Who?", MEGABYTE.encode())
        if number == count // 10:
            early = peak_mib()
    return early, peak_mib()


def long_stream(count: int) -> tuple[float, float]:
    """One stream with capture off."""

    @instrument(capture="none", tracer_provider=provider())
    def stream(question: str) -> Iterator[str]:
        for number in range(count):
            yield f"token {number} "

    early = 0.0
    for number, _ in enumerate(stream("Who?")):
        if number == count // 10:
            early = peak_mib()
    return early, peak_mib()


DEAD = """
import resource, sys, time, logging
import groundwire
groundwire.configure(endpoint="http://127.0.0.1:9", protocol=sys.argv[2])
@groundwire.instrument
def answer(question):
    return {"answer": "yes", "contexts": ["x" * 1000] * 5}
count, early = int(sys.argv[1]), 0
for number in range(count):
    answer("Who?")
    if number == count // 10:
        early = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
print(early, peak, groundwire.diagnostics()["lost"], flush=True)
"""


def dead_collector(count: int, protocol: str) -> None:
    start = time.perf_counter()
    command = [sys.executable, "-c", DEAD, str(count), protocol]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    assert process.stdout is not None
    early, late, lost = process.stdout.readline().split(" ", 2)
    done = time.perf_counter()
    process.wait(60)
    show(f"{count:,} calls, dead collector ({protocol})", float(early), float(late))
    print(f"  exit {time.perf_counter() - done:.1f} s after the last call (bound 5 s), lost {lost.strip()}")
    print(f"  {(done - start) / count * 1e6:.0f} µs wall a call, start included")


def show(what: str, early: float, late: float) -> None:
    print(f"{what}: {early:.0f} MiB after a tenth, {late:.0f} MiB at the end")


if __name__ == "__main__":
    scale = float(sys.argv[1]) if len(sys.argv) > 1 else 1.0
    calls, chunks = int(100_000 * scale), int(1_000_000 * scale)
    show(f"{calls:,} calls with a new argument of 1 MB", *many_calls(calls))
    show(f"a stream of {chunks:,} chunks, capture off", *long_stream(chunks))
    for named in ("grpc", "http/protobuf"):
        dead_collector(calls, named)
