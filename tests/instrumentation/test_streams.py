"""Streams: the span lasts as long as they do, ends exactly once and says how; no one sees a difference."""

from __future__ import annotations

import asyncio
import gc
import time
from collections.abc import AsyncIterator, Callable, Iterator
from typing import Any

import pytest
from opentelemetry import trace

from groundwire.instrumentation import current_call, instrument
from groundwire.testing import CapturedSpans
from instrumentation.reading import answer_of

Check = Callable[[int], None]


def decorated(spans: CapturedSpans, **options: Any) -> Any:
    @instrument(tracer_provider=spans.provider, **options)
    def stream(question: str) -> Iterator[str]:
        yield "a"
        yield "b"
        yield "c"

    return stream


def decorated_async(spans: CapturedSpans) -> Any:
    @instrument(tracer_provider=spans.provider)
    async def stream(question: str) -> AsyncIterator[str]:
        for chunk in "abc":
            await asyncio.sleep(0)
            yield chunk

    return stream


def end_of(spans: CapturedSpans) -> tuple[Any, Any, str | None]:
    found = spans.attributes()
    return found["groundwire.stream.end"], found["groundwire.stream.chunks"], answer_of(spans.spans[-1])


def test_an_exhausted_stream(spans: CapturedSpans, harmless: Check) -> None:
    """All chunks pass, the answer is joined, the end is exhausted."""
    assert list(decorated(spans)("q")) == ["a", "b", "c"]
    assert end_of(spans) == ("exhausted", 3, "abc")
    harmless(1)


def test_a_closed_stream(spans: CapturedSpans, harmless: Check) -> None:
    """close() ends the span as closed with the partial answer; status stays unset."""
    stream = decorated(spans)("q")
    next(stream)
    stream.close()
    assert end_of(spans) == ("closed", 1, "a")
    assert spans.spans[0].status.is_unset
    harmless(1)


def test_an_abandoned_stream(spans: CapturedSpans, harmless: Check) -> None:
    """A generator that is dropped ends its span as abandoned, not as closed."""
    stream = decorated(spans)("q")
    next(stream)
    del stream
    gc.collect()
    assert end_of(spans) == ("abandoned", 1, "a")
    harmless(1)


def test_a_broken_off_loop(spans: CapturedSpans, harmless: Check) -> None:
    """`break` in a for loop over the stream ends its span."""
    for _ in decorated(spans)("q"):
        break
    assert end_of(spans)[:2] == ("abandoned", 1)
    harmless(1)


def test_a_failing_stream(spans: CapturedSpans, harmless: Check) -> None:
    """The body's exception passes as it is and makes the status ERROR; what was said before is kept."""
    error = ValueError("no")

    @instrument(tracer_provider=spans.provider)
    def stream(question: str) -> Iterator[str]:
        yield "a"
        raise error

    with pytest.raises(ValueError) as caught:
        list(stream("q"))
    assert caught.value is error
    assert end_of(spans) == ("failed", 1, "a")
    assert not spans.spans[0].status.is_unset
    harmless(1)


def test_a_stream_that_is_never_started(spans: CapturedSpans, harmless: Check) -> None:
    """Without a first step there is no call, hence no span."""
    decorated(spans)("q")
    decorated(spans)("q").close()
    harmless(0)


def test_send_throw_and_return_value_pass(spans: CapturedSpans, harmless: Check) -> None:
    """The whole generator protocol reaches the body."""

    @instrument(tracer_provider=spans.provider)
    def stream(question: str) -> Any:
        got = yield "first"
        try:
            yield got
        except KeyError as error:
            yield f"caught {error.args[0]}"
        return "value"

    running = stream("q")
    assert next(running) == "first"
    assert running.send(7) == 7
    assert running.throw(KeyError("x")) == "caught x"
    with pytest.raises(StopIteration) as stop:
        next(running)
    assert stop.value.value == "value"
    assert spans.attributes()["groundwire.stream.end"] == "exhausted"
    harmless(1)


@pytest.mark.parametrize("catches", [False, True])
def test_a_thrown_generator_exit_is_raised_as_by_the_body(
    spans: CapturedSpans, harmless: Check, catches: bool
) -> None:
    """throw(GeneratorExit), as contextlib does it, ends as in the bare generator; the span says closed."""

    @instrument(tracer_provider=spans.provider)
    def stream(question: str) -> Any:
        try:
            yield "a"
        except GeneratorExit:
            if not catches:
                raise
        return "value"

    running = stream("q")
    next(running)
    with pytest.raises(StopIteration if catches else GeneratorExit) as raised:
        running.throw(GeneratorExit)
    assert not catches or raised.value.args == ("value",)
    assert end_of(spans) == ("closed", 1, "a")
    harmless(1)


def test_a_body_that_ignores_its_closing(spans: CapturedSpans, harmless: Check) -> None:
    """It raises what the bare generator raises; the span is over."""

    @instrument(tracer_provider=spans.provider)
    def stream(question: str) -> Iterator[str]:
        try:
            yield "a"
        except GeneratorExit:
            yield "b"

    running = stream("q")
    next(running)
    with pytest.raises(RuntimeError, match="ignored GeneratorExit"):
        running.close()
    assert end_of(spans) == ("closed", 1, "a")
    harmless(1)


@pytest.mark.parametrize("reacts", ["raises", "returns", "goes on"])
@pytest.mark.parametrize("way", ["athrow", "aclose"])
def test_an_async_body_hears_a_generator_exit_as_if_bare(
    spans: CapturedSpans, harmless: Check, way: str, reacts: str
) -> None:
    """However it reacts, the consumer gets what the bare generator gives; the span says closed."""

    async def bare(question: str) -> Any:
        try:
            yield "a"
        except GeneratorExit:
            if reacts == "raises":
                raise
            if reacts == "returns":
                return
        yield "b"
        try:
            yield "c"
        except LookupError:
            yield "d"

    async def consume(function: Any) -> list[Any]:
        stream = function("q")
        seen = [await anext(stream)]
        steps: list[Any] = [lambda: stream.athrow(GeneratorExit()) if way == "athrow" else stream.aclose()]
        steps += [lambda: anext(stream), lambda: stream.athrow(LookupError()), *[lambda: anext(stream)] * 2]
        for step in steps:
            try:
                seen.append(await step())
            except BaseException as error:
                seen.append((type(error), error.args))
        return seen

    decorated = instrument(tracer_provider=spans.provider)(bare)
    assert asyncio.run(consume(decorated)) == asyncio.run(consume(bare))
    assert end_of(spans) == ("closed", 1, "a")
    harmless(1)


def test_asend_and_athrow_pass(spans: CapturedSpans, harmless: Check) -> None:
    """The whole async generator protocol reaches the body."""

    @instrument(tracer_provider=spans.provider)
    async def stream(question: str) -> Any:
        got = yield "first"
        try:
            yield got
        except KeyError as error:
            yield f"caught {error.args[0]}"

    async def consume() -> list[Any]:
        running = stream("q")
        return [await anext(running), await running.asend(7), await running.athrow(KeyError("x"))] + [
            item async for item in running
        ]

    assert asyncio.run(consume()) == ["first", 7, "caught x"]
    assert spans.attributes()["groundwire.stream.end"] == "exhausted"
    harmless(1)


def test_an_async_stream(spans: CapturedSpans, harmless: Check) -> None:
    """An async generator is recorded as a sync one is."""

    async def consume() -> list[str]:
        return [chunk async for chunk in decorated_async(spans)("q")]

    assert asyncio.run(consume()) == ["a", "b", "c"]
    assert end_of(spans) == ("exhausted", 3, "abc")
    harmless(1)


def test_an_async_loop_broken_off_and_collected(spans: CapturedSpans, harmless: Check) -> None:
    """`async for … break`, then the garbage collector: no detach error, one span, abandoned."""

    async def consume() -> None:
        async for _ in decorated_async(spans)("q"):
            break
        gc.collect()
        await asyncio.sleep(0.01)

    asyncio.run(consume())
    assert end_of(spans) == ("abandoned", 1, "a")
    harmless(1)


def test_an_async_stream_closed_from_another_task(spans: CapturedSpans, harmless: Check) -> None:
    """aclose() from another task ends the span as closed, without a word in the log."""

    async def consume() -> None:
        stream = decorated_async(spans)("q")
        await anext(stream)
        await asyncio.create_task(stream.aclose())

    asyncio.run(consume())
    assert end_of(spans) == ("closed", 1, "a")
    harmless(1)


def test_a_loop_that_shuts_down_closes_an_async_stream_once(
    spans: CapturedSpans, caplog: pytest.LogCaptureFixture
) -> None:
    """The body cleans up in peace, and asyncio has nothing to complain of."""
    kept, cleaned = [], []

    @instrument(tracer_provider=spans.provider)
    async def stream(question: str) -> AsyncIterator[str]:
        try:
            yield "a"
        finally:
            await asyncio.sleep(0)
            cleaned.append(question)

    async def main() -> None:
        for question in "qrstuvwx":
            kept.append(stream(question))
            await anext(kept[-1])

    with caplog.at_level("WARNING"):
        asyncio.run(main())
    assert sorted(cleaned) == list("qrstuvwx")
    assert caplog.messages == []
    assert end_of(spans) == ("closed", 1, "a")


def test_an_async_stream_that_is_cancelled(spans: CapturedSpans, harmless: Check) -> None:
    """Cancelling the consumer inside a step ends the span as cancelled; status stays unset."""

    @instrument(tracer_provider=spans.provider)
    async def stream(question: str) -> AsyncIterator[str]:
        yield "a"
        await asyncio.sleep(60)

    async def consume() -> None:
        async def read() -> None:
            async for _ in stream("q"):
                pass

        task = asyncio.create_task(read())
        await asyncio.sleep(0.01)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    asyncio.run(consume())
    assert end_of(spans) == ("cancelled", 1, "a")
    assert spans.spans[0].status.is_unset
    harmless(1)


def test_a_cancelled_coroutine(spans: CapturedSpans, harmless: Check) -> None:
    """Cancellation of a coroutine names itself as the error type, but is no ERROR."""

    @instrument(tracer_provider=spans.provider)
    async def answer(question: str) -> str:
        await asyncio.sleep(60)
        return "never"

    async def consume() -> None:
        with pytest.raises(asyncio.TimeoutError):
            await asyncio.wait_for(answer("q"), 0.01)

    asyncio.run(consume())
    assert spans.attributes()["error.type"] == "asyncio.exceptions.CancelledError"
    assert spans.spans[0].status.is_unset
    harmless(1)


def test_interleaved_streams_leave_no_span_behind(spans: CapturedSpans, harmless: Check) -> None:
    """Two streams read in turn: afterwards nothing is current, and a new span is a root."""
    a, b = decorated(spans)("a"), decorated(spans)("b")
    next(a), next(b)
    list(a), list(b)
    assert not trace.get_current_span().get_span_context().is_valid
    span = spans.provider.get_tracer("test").start_span("later")
    span.end()
    assert spans.spans[-1].parent is None
    harmless(2)


def test_the_span_is_current_inside_the_body_alone(spans: CapturedSpans, harmless: Check) -> None:
    """In the body the stream's span and call are current; between the steps they are not."""
    seen: list[int] = []

    @instrument(tracer_provider=spans.provider)
    def stream(question: str) -> Iterator[str]:
        seen.append(trace.get_current_span().get_span_context().span_id)
        current_call().set_model("m")
        yield "a"
        seen.append(trace.get_current_span().get_span_context().span_id)

    for _ in stream("q"):
        assert not trace.get_current_span().get_span_context().is_valid
        assert not current_call().is_recording
    assert spans.spans[0].context is not None
    assert seen == [spans.spans[0].context.span_id] * 2
    assert spans.attributes()["gen_ai.response.model"] == "m"
    harmless(1)


def test_a_span_of_the_body_spans_its_steps(spans: CapturedSpans, harmless: Check) -> None:
    """A span that the body opens around a `yield` is current in its next steps, and never in the consumer."""
    tracer = spans.provider.get_tracer("test")

    @instrument(tracer_provider=spans.provider)
    def stream(question: str) -> Iterator[str]:
        with tracer.start_as_current_span("model"):
            yield "a"
            tracer.start_span("inside").end()
            yield "b"
        tracer.start_span("after").end()

    for _ in stream("q"):
        assert not trace.get_current_span().get_span_context().is_valid
    by_name = {span.name.split()[0]: span for span in spans.spans}
    parents = {name: by_name[name].parent for name in ("model", "inside", "after")}
    assert parents["inside"] == by_name["model"].get_span_context()
    assert parents["model"] == parents["after"] == by_name["invoke_workflow"].get_span_context()
    harmless(1)


def test_a_span_of_the_body_is_current_while_it_closes(spans: CapturedSpans, harmless: Check) -> None:
    """What the body's `finally` does on close() stands under the span that the body has open there."""
    tracer = spans.provider.get_tracer("test")

    @instrument(tracer_provider=spans.provider)
    def stream(question: str) -> Iterator[str]:
        with tracer.start_as_current_span("model"):
            try:
                yield "a"
            finally:
                tracer.start_span("clean-up").end()

    running = stream("q")
    next(running)
    running.close()
    by_name = {span.name: span for span in spans.spans}
    assert by_name["clean-up"].parent == by_name["model"].get_span_context()
    harmless(1)


def test_a_span_of_an_async_body_spans_its_steps(spans: CapturedSpans, harmless: Check) -> None:
    """The same holds for an async generator."""
    tracer = spans.provider.get_tracer("test")

    @instrument(tracer_provider=spans.provider)
    async def stream(question: str) -> AsyncIterator[str]:
        with tracer.start_as_current_span("model"):
            yield "a"
            await asyncio.sleep(0)
            tracer.start_span("inside").end()

    async def consume() -> None:
        async for _ in stream("q"):
            assert not trace.get_current_span().get_span_context().is_valid

    asyncio.run(consume())
    by_name = {span.name: span for span in spans.spans}
    assert by_name["inside"].parent == by_name["model"].get_span_context()
    harmless(1)


def test_nested_calls_in_an_async_stream_share_the_trace(spans: CapturedSpans, harmless: Check) -> None:
    """A decorated call inside an async generator is a child of its span."""

    @instrument(tracer_provider=spans.provider)
    async def inner(question: str) -> str:
        return question

    @instrument(tracer_provider=spans.provider)
    async def stream(question: str) -> AsyncIterator[str]:
        yield await inner("x")
        yield await inner("y")

    async def consume() -> None:
        async for _ in stream("q"):
            pass

    asyncio.run(consume())
    outer = spans.spans[-1]
    assert outer.context is not None
    assert [span.parent.span_id for span in spans.spans[:-1] if span.parent] == [outer.context.span_id] * 2
    harmless(3)


def test_producer_and_consumer_time_are_apart(spans: CapturedSpans) -> None:
    """The time to the first chunk excludes the consumer; the consumer's waiting is counted beside it."""
    for _ in decorated(spans)("q"):
        time.sleep(0.002)
    found = spans.attributes()
    assert found["groundwire.stream.consumer_wait_ns"] >= 3 * 2_000_000
    assert 0 < found["groundwire.stream.time_to_first_chunk_ns"] < found["groundwire.stream.consumer_wait_ns"]


def test_a_generators_return_value_completes_the_answer(spans: CapturedSpans) -> None:
    """What the generator returns at its end (contexts, usage) is read too."""

    @instrument(tracer_provider=spans.provider)
    def stream(question: str) -> Any:
        yield "Ada."
        return {"contexts": ["Ada wrote it."], "usage": {"input_tokens": 3}}

    list(stream("q"))
    found = spans.attributes()
    assert found["gen_ai.retrieval.documents"] == '[{"content":"Ada wrote it."}]'
    assert found["gen_ai.usage.input_tokens"] == 3


def test_extract_sees_the_chunks(spans: CapturedSpans) -> None:
    """For a stream the hook gets the list of chunks."""
    list(decorated(spans, extract=lambda arguments, chunks: {"answer": "+".join(chunks)})("q"))
    assert answer_of(spans.spans[0]) == "a+b+c"


def test_a_closing_body_may_raise(spans: CapturedSpans, harmless: Check) -> None:
    """An error in the body's clean-up passes to the one who closes, and ends the span as failed."""

    @instrument(tracer_provider=spans.provider)
    def stream(question: str) -> Iterator[str]:
        try:
            yield "a"
        finally:
            raise OSError("disk")

    running = stream("q")
    next(running)
    with pytest.raises(OSError, match="disk"):
        running.close()
    assert spans.attributes()["groundwire.stream.end"] == "failed"
    harmless(1)


def test_a_last_chunk_of_another_kind_is_read(spans: CapturedSpans) -> None:
    """Text chunks may end with a mapping of contexts and usage, or with more text in a mapping."""

    @instrument(tracer_provider=spans.provider)
    def stream(last: dict[str, Any]) -> Any:
        yield "Ada "
        yield last

    list(stream({"contexts": ["Ada wrote it."]}))
    list(stream({"text": "wrote it."}))
    assert [answer_of(span) for span in spans.spans] == ["Ada ", "Ada wrote it."]
    assert (spans.spans[0].attributes or {})["gen_ai.retrieval.documents"] == '[{"content":"Ada wrote it."}]'


def test_the_span_spans_the_whole_stream(spans: CapturedSpans, harmless: Check) -> None:
    """The span starts before the body's first line and ends after its last."""
    moments: list[int] = []

    @instrument(tracer_provider=spans.provider)
    def stream(question: str) -> Iterator[str]:
        moments.append(time.time_ns())
        yield "a"
        moments.append(time.time_ns())

    running = stream("q")
    assert spans.spans == []
    list(running)
    span = spans.spans[0]
    assert span.start_time is not None and span.end_time is not None
    assert span.start_time <= moments[0] <= moments[1] <= span.end_time
    harmless(1)
