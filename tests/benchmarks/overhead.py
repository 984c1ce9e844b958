"""What recording a call costs the thread that makes it, against spans that are written by hand.

Run: ``python tests/benchmarks/overhead.py [rounds]``. All variants run interleaved in one process; a figure
is the median over the rounds of the calling thread's CPU time a call (*total*: of the whole process, OTLP
encoding included). The workload: a question, an answer of 400 characters, five contexts of 1,000 characters
with id and score, two citations, usage.

A stream is written by hand in two ways. *In steps* it records what groundwire records of it (the joined
answer, how it ended, the number of chunks, the time to the first, the time that the consumer kept it
waiting), also when it is closed early or fails, and its span is current only while its body works. *Leaking*
it does none of this: the usual ``with`` around a loop of ``yield``, whose span stays current in the consumer
between chunks.
"""

from __future__ import annotations

import asyncio
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from time import perf_counter_ns
from typing import Any

import orjson
from opentelemetry import trace
from opentelemetry.context import attach, detach
from opentelemetry.exporter.otlp.proto.common.trace_encoder import encode_spans
from opentelemetry.sdk.trace import ReadableSpan, TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor, SpanExporter, SpanExportResult

from groundwire import instrument, sampler

CALLS = 100
QUESTION = "At what temperature does water boil on a mountain of 3,000 meters?"


def make_result(contexts: int = 5, letters: str = "lorem ipsum ") -> dict[str, Any]:
    text = (letters * 100)[:1000]
    return {
        "answer": (letters * 40)[:400],
        "contexts": [{"id": f"doc-{i}", "text": text, "score": 0.9 - i / 100} for i in range(contexts)],
        "citations": [{"quote": text[i : i + 60], "source_id": f"doc-{i}"} for i in range(2)],
        "usage": {"input_tokens": 1812, "output_tokens": 96},
    }


RESULT, MANY = make_result(), make_result(contexts=50)
UNICODE = make_result(letters="Größe 温度 ñandú ")
CHUNKS = [RESULT["answer"][i : i + 8] for i in range(0, 400, 8)]


class Dropping(SpanExporter):
    """Takes spans and drops them; with ``encodes`` it encodes them as OTLP first."""

    def __init__(self, encodes: bool = False) -> None:
        self.encodes = encodes

    def export(self, spans: Sequence[ReadableSpan]) -> SpanExportResult:
        if self.encodes:
            encode_spans(spans).SerializeToString()
        return SpanExportResult.SUCCESS

    def shutdown(self) -> None:
        pass


def provider_of(encodes: bool = False, **options: Any) -> TracerProvider:
    provider = TracerProvider(shutdown_on_exit=False, **options)
    provider.add_span_processor(BatchSpanProcessor(Dropping(encodes)))
    return provider


def write_twenty(span: trace.Span, question: str, result: dict[str, Any]) -> None:
    """What an engineer writes by hand: twenty attributes, one by one."""
    span.set_attribute("rag.question", question)
    span.set_attribute("rag.answer", result["answer"])
    for i, context in enumerate(result["contexts"]):
        span.set_attribute(f"rag.context.{i}.id", context["id"])
        span.set_attribute(f"rag.context.{i}.text", context["text"])
        span.set_attribute(f"rag.context.{i}.score", context["score"])
    span.set_attribute("rag.citations", json.dumps(result["citations"]))
    span.set_attribute("rag.input_tokens", result["usage"]["input_tokens"])
    span.set_attribute("rag.output_tokens", result["usage"]["output_tokens"])


def write_one(span: trace.Span, question: str, result: dict[str, Any]) -> None:
    span.set_attribute("rag", orjson.dumps({"question": question, **result}).decode())


def write_nothing(span: trace.Span, question: str, result: dict[str, Any]) -> None:
    pass


Write = Callable[[trace.Span, str, dict[str, Any]], None]


def by_hand(
    tracer: trace.Tracer, write: Write, result: dict[str, Any] = RESULT
) -> dict[str, Callable[[str], Any]]:
    """The four kinds of function, each with a span written by hand."""

    def plain(question: str) -> Any:
        with tracer.start_as_current_span("rag") as span:
            write(span, question, result)
            return result

    async def coroutine(question: str) -> Any:
        with tracer.start_as_current_span("rag") as span:
            write(span, question, result)
            return result

    def generator(question: str) -> Iterator[str]:
        with tracer.start_as_current_span("rag") as span:
            parts = []
            for chunk in CHUNKS:
                parts.append(chunk)
                yield chunk
            write(span, question, {**result, "answer": "".join(parts)})

    async def async_generator(question: str) -> AsyncIterator[str]:
        with tracer.start_as_current_span("rag") as span:
            parts = []
            for chunk in CHUNKS:
                parts.append(chunk)
                yield chunk
            write(span, question, {**result, "answer": "".join(parts)})

    return {"sync": plain, "async": coroutine, "generator": generator, "async generator": async_generator}


def in_steps(
    tracer: trace.Tracer, write: Write, result: dict[str, Any] = RESULT
) -> dict[str, Callable[[str], Any]]:
    """The two kinds of stream, each with a span written by hand that does not leak into the consumer."""

    def generator(question: str) -> Iterator[str]:
        span = tracer.start_span("rag")
        context = trace.set_span_in_context(span)
        token: Any = attach(context)
        parts: list[str] = []
        started = perf_counter_ns()
        first, wait, outcome = 0, 0, "closed"
        try:
            for chunk in CHUNKS:
                parts.append(chunk)
                detach(token)
                token = None
                left = perf_counter_ns()
                first = first or left - started
                yield chunk
                wait += perf_counter_ns() - left
                token = attach(context)
            outcome = "exhausted"
        except Exception as error:
            outcome = "failed"
            span.record_exception(error)
            raise
        finally:
            write(span, question, {**result, "answer": "".join(parts)})
            write_stream(span, outcome, len(parts), first, wait)
            if token is not None:
                detach(token)
            span.end()

    async def async_generator(question: str) -> AsyncIterator[str]:
        span = tracer.start_span("rag")
        context = trace.set_span_in_context(span)
        token: Any = attach(context)
        parts: list[str] = []
        started = perf_counter_ns()
        first, wait, outcome = 0, 0, "closed"
        try:
            for chunk in CHUNKS:
                parts.append(chunk)
                detach(token)
                token = None
                left = perf_counter_ns()
                first = first or left - started
                yield chunk
                wait += perf_counter_ns() - left
                token = attach(context)
            outcome = "exhausted"
        except Exception as error:
            outcome = "failed"
            span.record_exception(error)
            raise
        finally:
            write(span, question, {**result, "answer": "".join(parts)})
            write_stream(span, outcome, len(parts), first, wait)
            if token is not None:
                detach(token)
            span.end()

    return {"generator": generator, "async generator": async_generator}


def write_stream(span: trace.Span, outcome: str, chunks: int, first: int, wait: int) -> None:
    """What an engineer writes of a stream by hand, beside its answer."""
    span.set_attribute("rag.stream.end", outcome)
    span.set_attribute("rag.stream.chunks", chunks)
    span.set_attribute("rag.stream.time_to_first_chunk_ns", first)
    span.set_attribute("rag.stream.consumer_wait_ns", wait)


def bare(result: dict[str, Any] = RESULT) -> dict[str, Callable[[str], Any]]:
    def plain(question: str) -> Any:
        return result

    async def coroutine(question: str) -> Any:
        return result

    def generator(question: str) -> Iterator[Any]:
        yield from CHUNKS
        return {name: value for name, value in result.items() if name != "answer"}

    async def async_generator(question: str) -> AsyncIterator[Any]:
        for chunk in CHUNKS:
            yield chunk
        yield {name: value for name, value in result.items() if name != "answer"}

    return {"sync": plain, "async": coroutine, "generator": generator, "async generator": async_generator}


def ours(result: dict[str, Any] = RESULT, **options: Any) -> dict[str, Callable[[str], Any]]:
    return {kind: instrument(**options)(function) for kind, function in bare(result).items()}


def run_many(kind: str, function: Callable[[str], Any]) -> None:
    """Call a function of a kind CALLS times, each stream to its end."""
    if kind == "sync":
        for _ in range(CALLS):
            function(QUESTION)
    elif kind == "generator":
        for _ in range(CALLS):
            for _ in function(QUESTION):
                pass
    else:
        asyncio.run(_await_many(kind, function))


async def _await_many(kind: str, function: Callable[[str], Any]) -> None:
    for _ in range(CALLS):
        if kind == "async":
            await function(QUESTION)
        else:
            async for _ in function(QUESTION):
                pass


def measure(
    variants: dict[str, tuple[str, Callable[[str], Any]]],
    rounds: int,
    clock: Callable[[], int] = time.thread_time_ns,
) -> dict[str, float]:
    """Return the median CPU time of a call in microseconds for each variant, all interleaved."""
    times: dict[str, list[float]] = {name: [] for name in variants}
    for name, (kind, function) in variants.items():
        run_many(kind, function)
        del name
    for _ in range(rounds):
        for name, (kind, function) in variants.items():
            start = clock()
            run_many(kind, function)
            times[name].append((clock() - start) / CALLS / 1000)
    return {name: statistics.median(values) for name, values in times.items()}


def show(title: str, found: dict[str, float], baseline: str, bars: dict[str, str] | None = None) -> None:
    print(f"\n{title}\n\n| variant | µs a call | ratio | bar |\n|---|---:|---:|---|")
    for name, value in found.items():
        bar = (bars or {}).get(name, "")
        print(f"| {name} | {value:.2f} | {value / found[baseline]:.2f} | {bar} |")


HAND = "by hand, 20 attributes"
LEAKING = "by hand, 20 attributes, leaking"
STEPS = "by hand, 20 attributes and the stream's, in steps"


def recording(rounds: int) -> None:
    provider = provider_of()
    tracer = provider.get_tracer("by-hand")
    hand, one, none = (by_hand(tracer, write) for write in (write_twenty, write_one, write_nothing))
    steps = in_steps(tracer, write_twenty)
    mine = ours(tracer_provider=provider)
    plain = bare()
    for kind in plain:
        variants = {
            "bare function": (kind, plain[kind]),
            "bare span": (kind, none[kind]),
            LEAKING if kind in steps else HAND: (kind, hand[kind]),
            "by hand, one orjson string": (kind, one[kind]),
        }
        if kind in steps:
            variants[STEPS] = (kind, steps[kind])
        variants["groundwire"] = (kind, mine[kind])
        found = measure(variants, rounds)
        baseline = STEPS if kind in steps else HAND
        show(f"Recording, {kind}", found, baseline, {"groundwire": "≤ 0.75, goal 0.60"})
        if kind in steps:
            print(f"\ngroundwire against the one that leaks: {found['groundwire'] / found[LEAKING]:.2f}")


def without_a_bar(rounds: int) -> None:
    provider = provider_of()
    rows = {
        HAND: ("sync", by_hand(provider.get_tracer("by-hand"), write_twenty)["sync"]),
        "groundwire": ("sync", ours(tracer_provider=provider)["sync"]),
        "groundwire, redact=True": ("sync", ours(tracer_provider=provider, redact=True)["sync"]),
        "groundwire, capture=hash": ("sync", ours(tracer_provider=provider, capture="hash")["sync"]),
        "groundwire, capture=none": ("sync", ours(tracer_provider=provider, capture="none")["sync"]),
        "groundwire, non-ASCII text": ("sync", ours(UNICODE, tracer_provider=provider)["sync"]),
        "groundwire, 50 contexts": ("sync", ours(MANY, tracer_provider=provider)["sync"]),
    }
    show("Recording, sync, other settings", measure(rows, max(rounds // 4, 5)), HAND)


def total(rounds: int) -> None:
    """CPU of the whole process, the export thread's OTLP encoding included."""
    providers = [provider_of(encodes=True) for _ in range(2)]
    functions = {
        HAND: by_hand(providers[0].get_tracer("by-hand"), write_twenty)["sync"],
        "groundwire": ours(tracer_provider=providers[1])["sync"],
    }

    def flushed(function: Callable[[str], Any], provider: TracerProvider) -> Callable[[str], Any]:
        calls = 0

        def call(question: str) -> None:
            nonlocal calls
            function(question)
            calls += 1
            if calls % CALLS == 0:
                provider.force_flush()

        return call

    pairs = zip(functions.items(), providers, strict=True)
    variants = {name: ("sync", flushed(function, provider)) for (name, function), provider in pairs}
    show("Total CPU with OTLP encoding, sync", measure(variants, rounds, time.process_time_ns), HAND,
         {"groundwire": "≤ 0.80"})  # fmt: skip


def not_sampled(rounds: int) -> None:
    provider = provider_of(sampler=sampler(0.0))
    variants = {
        "bare unsampled span": ("sync", by_hand(provider.get_tracer("by-hand"), write_nothing)["sync"]),
        "groundwire": ("sync", ours(tracer_provider=provider)["sync"]),
    }
    show("Not sampled, sync", measure(variants, rounds), "bare unsampled span", {"groundwire": "≤ 1.5"})


def no_sdk(rounds: int) -> None:
    mine, plain = ours(), bare()
    variants = {"bare function": ("sync", plain["sync"]), "groundwire": ("sync", mine["sync"])}
    show("No SDK, sync", measure(variants, rounds), "bare function", {"groundwire": "≤ 3 µs"})


def import_time(times: int = 15) -> None:
    """What importing and decorating costs on top of what every instrumented service imports anyway (CPU).

    With bytecode in its cache, as where a package is installed (a first run fills it), and compiled anew, as
    with PYTHONDONTWRITEBYTECODE in a checkout.
    """
    clock = "time.process_time()"
    base = f"import time; s = {clock}; import opentelemetry.trace, wrapt; m = {clock}; "
    code = f"{base}from groundwire import instrument; instrument(lambda q: q); e = {clock}; "
    code += "print((m - s) * 1000, (e - m) * 1000)"
    kept = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    with tempfile.TemporaryDirectory() as folder:
        cached = {**kept, "PYTHONPYCACHEPREFIX": folder}
        _milliseconds(code, cached)
        _show_import("bytecode cached", [_milliseconds(code, cached) for _ in range(times)])
        empty = {**kept, "PYTHONPYCACHEPREFIX": folder + "/none", "PYTHONDONTWRITEBYTECODE": "1"}
        _show_import("all compiled", [_milliseconds(code, empty) for _ in range(times)])


def _show_import(state: str, found: list[list[float]]) -> None:
    first, second = (statistics.median(values) for values in zip(*found, strict=True))
    print(f"\nImport, {state}: opentelemetry.trace and wrapt {first:.1f} ms, groundwire {second:.1f} ms more")
    print("(CPU time; groundwire with decorating one function; bar 15 ms)")


def _milliseconds(code: str, environment: dict[str, str]) -> list[float]:
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, env=environment
    )
    return [float(word) for word in done.stdout.split()]


if __name__ == "__main__":
    asked = int(sys.argv[1]) if len(sys.argv) > 1 else 60
    no_sdk(asked)
    recording(asked)
    without_a_bar(asked)
    total(asked)
    not_sampled(asked)
    import_time()
