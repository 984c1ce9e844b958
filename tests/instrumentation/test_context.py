"""Parents and children: nesting, tasks, threads, executors, and calls that are not sampled."""

from __future__ import annotations

import asyncio
import multiprocessing
from collections.abc import AsyncIterator, Callable, Iterator
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from contextlib import nullcontext
from threading import Thread
from typing import Any

import pytest
from opentelemetry import baggage, context as otel_context, trace
from opentelemetry.sdk.trace import ReadableSpan, TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor

from groundwire.instrumentation import bind, call, current_call, instrument, retriever, wrap_executor
from groundwire.instrumentation.sampling import sampler
from groundwire.testing import CapturedSpans, capture_spans
from instrumentation.kinds import report_parent
from instrumentation.reading import documents_of

Check = Callable[[int], None]


def span_id(span: ReadableSpan) -> int:
    assert span.context is not None
    return span.context.span_id


def parents(spans: list[ReadableSpan]) -> set[int | None]:
    return {span.parent.span_id if span.parent else None for span in spans}


def test_a_retriever_is_a_child_without_texts(spans: CapturedSpans, harmless: Check) -> None:
    """Inside a call the retrieval span has query, ids and scores; the texts stand on the answer's span."""

    @retriever(tracer_provider=spans.provider)
    def search(query: str) -> list[dict[str, Any]]:
        current_call().set_model("m")
        return [{"id": "a", "text": "Ada", "score": 0.5}]

    @instrument(tracer_provider=spans.provider)
    def answer(question: str) -> str:
        search("ada")
        return "yes"

    answer("Who?")
    retrieval, outer = spans.spans
    assert retrieval.name == f"retrieval {search.__qualname__.rpartition('<locals>.')[2]}"
    assert parents([retrieval]) == {span_id(outer)}
    assert documents_of(retrieval) == [{"id": "a", "score": 0.5}]
    assert (retrieval.attributes or {})["gen_ai.retrieval.query.text"] == "ada"
    assert documents_of(outer) == [{"id": "a", "content": "Ada", "score": 0.5}]
    assert (outer.attributes or {})["gen_ai.response.model"] == "m"
    harmless(1)


def test_a_retriever_alone_carries_the_texts(spans: CapturedSpans) -> None:
    """Without an enclosing call the retrieval span has the documents whole, and no call number."""

    @retriever(tracer_provider=spans.provider)
    def search(query: str) -> list[str]:
        return ["Ada"]

    search("ada")
    assert documents_of(spans.spans[0]) == [{"content": "Ada"}]
    assert "groundwire.call" not in spans.attributes()


def test_a_retriever_that_outlives_its_call(spans: CapturedSpans, harmless: Check) -> None:
    """What a thread finds after the answer is out is no context of it; its own span carries it."""
    calls: list[Any] = []

    @retriever(tracer_provider=spans.provider)
    def search(query: str) -> list[str]:
        return ["Ada"]

    @instrument(tracer_provider=spans.provider)
    def answer(question: str) -> str:
        calls.append((current_call(), bind(search)))
        return "yes"

    answer("Who?")
    call_that_ended, late = calls.pop()
    late("ada")
    assert documents_of(spans.spans[-1]) == [{"content": "Ada"}]
    assert call_that_ended.retrieved is None
    harmless(1)


def test_a_generator_retriever(spans: CapturedSpans) -> None:
    """A retriever that yields its passages is recorded with all of them."""

    @retriever(tracer_provider=spans.provider)
    def search(query: str) -> Iterator[str]:
        yield "Ada"
        yield "Byron"

    @instrument(tracer_provider=spans.provider)
    def answer(question: str) -> str:
        return " ".join(search(question))

    answer("Who?")
    assert documents_of(spans.spans[-1]) == [{"content": "Ada"}, {"content": "Byron"}]


@pytest.mark.parametrize("fails", [False, True])
def test_a_span_that_the_users_code_ends(spans: CapturedSpans, harmless: Check, fails: bool) -> None:
    """If the function ends its own span, it stays ended, no one complains, and the call is unharmed."""

    @instrument(tracer_provider=spans.provider)
    def answer(question: str) -> str:
        trace.get_current_span().end()
        if fails:
            raise KeyError(question)
        return "Ada."

    with pytest.raises(KeyError) if fails else nullcontext():
        assert answer("Who?") == "Ada."
    assert "output.value" not in spans.attributes()
    harmless(1)


def test_gathered_calls_are_siblings(spans: CapturedSpans, harmless: Check) -> None:
    """Fifty calls under asyncio.gather have one parent, the span around them."""

    @instrument(tracer_provider=spans.provider)
    async def inner(question: str) -> str:
        await asyncio.sleep(0)
        return question

    @instrument(tracer_provider=spans.provider)
    async def outer(question: str) -> str:
        return "".join(await asyncio.gather(*(inner(str(i)) for i in range(50))))

    asyncio.run(outer("q"))
    assert parents(spans.spans[:-1]) == {span_id(spans.spans[-1])}
    harmless(51)


def test_a_task_group_of_retrievers_joins_the_call(spans: CapturedSpans) -> None:
    """Retrievers in tasks hand their passages to the call that started them."""

    @retriever(tracer_provider=spans.provider)
    async def search(query: str) -> list[str]:
        await asyncio.sleep(0)
        return [query]

    @instrument(tracer_provider=spans.provider)
    async def answer(question: str) -> str:
        async with asyncio.TaskGroup() as group:
            for query in "abc":
                group.create_task(search(query))
        return "yes"

    asyncio.run(answer("q"))
    assert documents_of(spans.spans[-1]) == [{"content": "a"}, {"content": "b"}, {"content": "c"}]


def test_threads_keep_the_parent_through_bind_and_wrap_executor(
    spans: CapturedSpans, harmless: Check
) -> None:
    """A bound function and a wrapped executor run under the caller's span and call."""

    @retriever(tracer_provider=spans.provider)
    def search(query: str) -> list[str]:
        return [query]

    @instrument(tracer_provider=spans.provider)
    def answer(question: str) -> str:
        with wrap_executor(wrap_executor(ThreadPoolExecutor(2))) as pool:
            pool.submit(search, "a").result()
            list(pool.map(search, ["b", "c"]))
        thread = Thread(target=bind(search), args=("d",))
        thread.start()
        thread.join()
        return "yes"

    answer("q")
    assert parents(spans.spans[:-1]) == {span_id(spans.spans[-1])}
    found = documents_of(spans.spans[-1]) or []
    assert sorted(document["content"] for document in found) == ["a", "b", "c", "d"]
    harmless(1)


def test_a_pool_of_processes_keeps_the_parent(spans: CapturedSpans, harmless: Check) -> None:
    """In another process the caller's span is the parent; its call stays at home."""

    @instrument(tracer_provider=spans.provider)
    def outer(question: str) -> list[Any]:
        return [pool.submit(report_parent, "a").result(), *pool.map(report_parent, ["b"])]

    context = multiprocessing.get_context("spawn")
    with wrap_executor(ProcessPoolExecutor(1, mp_context=context)) as pool:
        seen = outer("q")
        outside = pool.submit(report_parent, "c").result()
    parent = span_id(spans.spans[0])
    assert seen == [("a", parent, False), ("b", parent, False)]
    assert outside == ("c", 0, False)
    harmless(1)


def test_outside_a_call_current_call_is_a_no_op() -> None:
    """current_call() is never None, and takes everything without a word."""
    nothing = current_call()
    assert not nothing.is_recording
    nothing.set_usage(input_tokens=1)
    nothing.add_contexts(["x"])
    nothing.abstain()
    nothing.set_cost(0.1)
    assert nothing.ref is None
    assert current_call() is nothing


def test_an_unsampled_call_is_current_but_not_read() -> None:
    """Unsampled: the span is still the parent of what runs inside, and the call is the shared no-op."""
    with capture_spans(sampler(0.0)) as spans:

        @instrument(extract=lambda arguments, result: 1 / 0, tracer_provider=spans.provider)
        def answer(question: str) -> bool:
            return trace.get_current_span().get_span_context().is_valid and not current_call().is_recording

        assert answer("q") is True
        assert spans.spans == []


def test_no_child_is_an_orphan_at_half_the_traces() -> None:
    """At a ratio of one half, over 300 traces with streams, each exported child's parent is exported too."""
    with capture_spans() as spans:
        provider = TracerProvider(sampler=sampler(0.5), shutdown_on_exit=False)
        provider.add_span_processor(SimpleSpanProcessor(spans.exporter))

        @retriever(tracer_provider=provider)
        async def search(query: str) -> list[str]:
            return [query]

        @instrument(tracer_provider=provider)
        async def stream(question: str) -> AsyncIterator[str]:
            for query in "ab":
                yield (await search(query))[0]

        async def consume(number: int) -> None:
            running = stream(str(number))
            async for _ in running:
                if number % 3 == 0:
                    break
            await running.aclose()

        async def main() -> None:
            await asyncio.gather(*(consume(number) for number in range(300)))

        asyncio.run(main())
        exported = {span_id(span) for span in spans.spans}
        roots = [span for span in spans.spans if span.parent is None]
        assert 90 < len(roots) < 210
        assert all(span.name.startswith("invoke_workflow") for span in roots)
        assert all(span.parent is None or span.parent.span_id in exported for span in spans.spans)


def test_conversation_and_baggage_are_read_by_name(spans: CapturedSpans) -> None:
    """The conversation's parameter and the named baggage keys are read; other baggage is not."""

    @instrument(
        conversation="session",
        baggage={"user": "subject_id", "channel": "tags"},
        tracer_provider=spans.provider,
    )
    def answer(question: str, session: int = 0) -> str:
        return "yes"

    context = baggage.set_baggage("user", "u1")
    context = baggage.set_baggage("channel", "web", context)
    context = baggage.set_baggage("secret", "s", context)
    token = otel_context.attach(context)
    try:
        answer("Who?", session=7)
    finally:
        otel_context.detach(token)
    found = spans.attributes()
    assert (found["gen_ai.conversation.id"], found["user.id"]) == ("7", "u1")
    assert found["groundwire.tags"] == '{"channel":"web"}'


def test_call_works_with_async_with_and_keeps_the_exception(spans: CapturedSpans, harmless: Check) -> None:
    """`async with call(...)` records, nests and lets exceptions through."""

    async def main() -> str:
        try:
            async with call("chat", question="Who?", tracer_provider=spans.provider):
                raise LookupError("none")
        except LookupError as error:
            return str(error)

    assert asyncio.run(main()) == "none"
    assert spans.attributes()["error.type"] == "LookupError"
    harmless(1)


def test_after_the_end_a_call_takes_nothing_and_holds_nothing(spans: CapturedSpans) -> None:
    """A call that someone keeps is inert afterwards; its reference still names the span."""
    with call("chat", question="Who?", tracer_provider=spans.provider) as kept:
        kept.add_contexts(["big"])
    kept.set_answer("too late")
    assert kept.told() == {}
    assert kept.ref == f"00-{spans.spans[0].context.trace_id:032x}-{span_id(spans.spans[0]):016x}-01"
    assert "output.value" not in spans.attributes()


def test_calls_at_once_have_a_state_of_their_own(spans: CapturedSpans, harmless: Check) -> None:
    """Two calls of one coroutine function that run at once do not mix what they are told."""

    @instrument(tracer_provider=spans.provider)
    async def answer(question: str) -> str:
        await asyncio.sleep(0)
        current_call().set_model(question)
        await asyncio.sleep(0)
        return question

    async def main() -> None:
        await asyncio.gather(answer("a"), answer("b"))

    asyncio.run(main())
    told = [(span.attributes or {})["gen_ai.response.model"] for span in spans.spans]
    asked = [(span.attributes or {})["input.value"] for span in spans.spans]
    assert told == asked and set(asked) == {"a", "b"}
    harmless(2)


def test_retrievers_in_many_threads_lose_nothing(spans: CapturedSpans) -> None:
    """Passages that arrive from forty searches in eight threads all join the call."""

    @retriever(tracer_provider=spans.provider)
    def search(query: str) -> list[str]:
        return [query]

    @instrument(tracer_provider=spans.provider)
    def answer(question: str) -> str:
        with wrap_executor(ThreadPoolExecutor(8)) as pool:
            list(pool.map(search, [f"passage {number}" for number in range(40)]))
        return "yes"

    answer("q")
    found = {document["content"] for document in documents_of(spans.spans[-1]) or []}
    assert found == {f"passage {number}" for number in range(40)}
