"""Memory stays flat; small versions of ``tests/benchmarks/memory.py``."""

from __future__ import annotations

import gc
import tracemalloc
import weakref
from collections.abc import Iterator
from typing import Any

from groundwire.instrumentation import current_call, instrument
from groundwire.testing import capture_spans


class Big:
    """Something that can be watched."""


def grown_kib(run: Any, times: int) -> float:
    """Return by how much memory grew over ``times`` runs, after a few to warm up."""
    for _ in range(20):
        run()
    gc.collect()
    tracemalloc.start()
    before = tracemalloc.get_traced_memory()[0]
    for _ in range(times):
        run()
    gc.collect()
    after = tracemalloc.get_traced_memory()[0]
    tracemalloc.stop()
    return (after - before) / 1024


def test_nothing_of_the_users_is_kept_after_a_call() -> None:
    """Arguments and results are free as soon as the caller lets go, even if the call itself is kept."""
    kept = []
    with capture_spans() as spans:

        @instrument(tracer_provider=spans.provider)
        def answer(question: str, docs: Any) -> Any:
            kept.append(current_call())
            return Big()

        argument = Big()
        result = answer("q", [argument])
        watched = [weakref.ref(argument), weakref.ref(result)]
        del argument, result
        gc.collect()
        assert [ref() for ref in watched] == [None, None]


def test_calls_with_big_arguments_do_not_add_up() -> None:
    """A thousand calls with 100 kB each leave less than 100 kB behind."""
    with capture_spans() as spans:

        @instrument(tracer_provider=spans.provider)
        def answer(question: str, blob: bytes) -> str:
            return "yes"

        def run() -> None:
            answer("q", b"x" * 100_000)
            spans.exporter.clear()

        assert grown_kib(run, 1000) < 100


def test_a_long_stream_without_capture_is_flat() -> None:
    """Fifty thousand chunks with capture off leave nothing while the stream runs."""
    with capture_spans() as spans:

        @instrument(capture="none", tracer_provider=spans.provider)
        def stream(question: str) -> Iterator[str]:
            for number in range(60_000):
                yield f"a token of some length {number}"

        running = stream("q")
        assert grown_kib(lambda: next(running), 50_000) < 100
        running.close()


def test_abandoned_streams_are_freed() -> None:
    """A stream that is dropped half way leaves nothing."""
    with capture_spans() as spans:

        @instrument(tracer_provider=spans.provider)
        def stream(question: str) -> Iterator[str]:
            yield "x" * 10_000
            yield "never"

        def run() -> None:
            next(stream("q"))
            spans.exporter.clear()

        assert grown_kib(run, 1000) < 100
