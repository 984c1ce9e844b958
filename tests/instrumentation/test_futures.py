"""Tasks and futures that a function returns: the same object, and a span that ends with them."""

from __future__ import annotations

import asyncio
import gc
import logging
import threading
import weakref
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any

import pytest
from opentelemetry import trace
from opentelemetry.trace import StatusCode

from groundwire.instrumentation import current_call, instrument, retriever
from groundwire.testing import CapturedSpans
from instrumentation.reading import answer_of, attribute_of, documents_of

Check = Callable[[int], None]


async def work(question: str) -> dict[str, Any]:
    await asyncio.sleep(0)
    current_call().set_usage(input_tokens=3)
    if question == "fail":
        raise LookupError(question)
    return {"answer": "Ada", "contexts": ["Ada wrote it."]}


def test_a_task_is_returned_itself_and_its_answer_is_taken(spans: CapturedSpans, harmless: Check) -> None:
    """From a function and from a coroutine; what runs in the task stands under the span."""
    made: list[Any] = []
    seen: list[Any] = []

    @instrument(tracer_provider=spans.provider)
    def ask(question: str) -> Any:
        made.append(asyncio.get_running_loop().create_task(work(question)))
        return made[-1]

    @instrument(tracer_provider=spans.provider)
    async def ask_later(question: str) -> Any:
        return ask(question)

    async def main() -> None:
        before = trace.get_current_span()
        for function in (ask, ask_later):
            task = function("Who?")
            task = await task if asyncio.iscoroutine(task) else task
            assert task is made[-1]
            assert trace.get_current_span() is before
            seen.append(len(spans.spans))
            assert (await task)["answer"] == "Ada"
            assert answer_of(spans.spans[-1]) == "Ada"

    asyncio.run(main())
    assert seen == [0, 1]
    assert attribute_of(spans.spans[0], "gen_ai.usage.input_tokens") == 3
    harmless(3)


def test_a_future_that_is_done_or_holds_a_list(spans: CapturedSpans, harmless: Check) -> None:
    """What is done ends the span at once; ``gather`` gives a future as well."""
    decorated = instrument(tracer_provider=spans.provider)

    @decorated
    def at_once(question: str) -> Any:
        future: asyncio.Future[str] = asyncio.get_running_loop().create_future()
        future.set_result("Ada")
        return future

    @decorated
    def gathered(question: str) -> Any:
        return asyncio.gather(work(question), work(question))

    async def main() -> None:
        future = at_once("Who?")
        assert answer_of(spans.spans[0]) == "Ada"
        assert await future == "Ada"
        assert len(await gathered("Who?")) == 2

    asyncio.run(main())
    harmless(2)


def test_a_failed_and_a_cancelled_task(spans: CapturedSpans, harmless: Check) -> None:
    """The very error passes; a failure is one, a cancellation is none."""

    @instrument(tracer_provider=spans.provider)
    def ask(question: str) -> Any:
        return asyncio.ensure_future(work(question))

    async def main() -> None:
        with pytest.raises(LookupError):
            await ask("fail")
        task = ask("Who?")
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    asyncio.run(main())
    harmless(2)
    failed, cancelled = spans.spans
    assert attribute_of(failed, "error.type") == "LookupError"
    assert failed.status.status_code is StatusCode.ERROR
    assert attribute_of(cancelled, "error.type") == "asyncio.exceptions.CancelledError"
    assert cancelled.status.status_code is StatusCode.UNSET


def test_an_error_that_nobody_fetches_is_still_said(
    spans: CapturedSpans, caplog: pytest.LogCaptureFixture
) -> None:
    """Looking at a task's error would keep asyncio from warning of it."""

    @instrument(tracer_provider=spans.provider)
    def ask(question: str) -> Any:
        return asyncio.ensure_future(work(question))

    async def main() -> None:
        task = ask("fail")
        await asyncio.wait([task])
        del task
        gc.collect()

    with caplog.at_level(logging.ERROR):
        asyncio.run(main())
    assert "exception was never retrieved" in caplog.text
    assert len(spans.spans) == 1


def test_a_future_that_never_ends_keeps_nothing_alive(spans: CapturedSpans, harmless: Check) -> None:
    """Dropped, also in a cycle, it goes with what it held, and its span says so."""

    @instrument(tracer_provider=spans.provider)
    def ask(question: str, kept: Any, future: Any) -> Any:
        kept.future = future
        return future

    class Kept:
        future: Any

        def hear(self, future: Any) -> None:
            raise AssertionError("it ended")

    async def main() -> None:
        for make in (Future[str], asyncio.get_running_loop().create_future):
            kept, future = Kept(), make()
            gone = weakref.ref(kept)
            future.add_done_callback(kept.hear)
            assert ask("Who?", kept, future) is future
            del kept, future
            gc.collect()
            assert gone() is None

    asyncio.run(main())
    harmless(2)
    assert [attribute_of(span, "groundwire.stream.end") for span in spans.spans] == ["abandoned"] * 2


def test_a_future_of_a_pool(spans: CapturedSpans, harmless: Check) -> None:
    """Answered, failed, cancelled."""
    go = threading.Event()

    def search(question: str) -> list[str]:
        go.wait(10)
        if question == "fail":
            raise LookupError(question)
        return ["Ada wrote it."]

    with ThreadPoolExecutor(max_workers=1) as pool:

        @retriever(tracer_provider=spans.provider)
        def find(query: str) -> Future[list[str]]:
            return pool.submit(search, query)

        @instrument(tracer_provider=spans.provider)
        def ask(question: str) -> Any:
            return pool.submit(search, question)

        found, failed, cancelled = find("Who?"), ask("fail"), ask("Who?")
        assert type(found) is type(failed) is Future
        assert cancelled.cancel()
        assert not [span for span in spans.spans if span.name == "retrieval find"]
        go.set()
        assert found.result() == ["Ada wrote it."]
    harmless(2)
    retrieval = next(span for span in spans.spans if span.name.startswith("retrieval"))
    assert (documents_of(retrieval) or [])[0]["content"] == "Ada wrote it."
    kinds = {attribute_of(span, "error.type") for span in spans.spans}
    assert kinds == {None, "LookupError", "asyncio.exceptions.CancelledError"}
