"""Memory stays flat; small versions of ``tests/benchmarks/memory.py``."""

from __future__ import annotations

import gc
import tracemalloc
import weakref
from collections.abc import Iterator
from contextlib import suppress
from typing import Any

import pytest

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


def test_an_error_thrown_into_a_stream_is_not_kept() -> None:
    """It is free without the garbage collector, though it passed through our frames."""

    class Watched(Exception):
        pass

    with capture_spans() as spans:

        @instrument(tracer_provider=spans.provider)
        def stream(question: str) -> Iterator[str]:
            yield "a"

        running = stream("q")
        next(running)
        gc.disable()
        try:
            error = Watched()
            watched = weakref.ref(error)
            with suppress(Watched):
                running.throw(error)
            del error, running
            assert watched() is None
        finally:
            gc.enable()


@pytest.mark.parametrize("ending", ["exhausted", "closed", "abandoned"])
def test_a_streams_chunks_are_free_when_it_is_over(ending: str) -> None:
    """However it ended, without the garbage collector."""
    with capture_spans() as spans:

        @instrument(tracer_provider=spans.provider)
        def stream(question: str) -> Iterator[Big]:
            big = Big()
            watched.append(weakref.ref(big))
            yield big

        watched: list[weakref.ref[Big]] = []
        gc.disable()
        try:
            running = stream("q")
            next(running)
            if ending == "exhausted":
                next(running, None)
            elif ending == "closed":
                running.close()
            del running
            assert watched[0]() is None
        finally:
            gc.enable()
        assert spans.attributes()["groundwire.stream.end"] == ending


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
