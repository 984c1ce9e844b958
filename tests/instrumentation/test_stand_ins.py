"""Stand-ins have what servers and frameworks look for just where the original has it."""

from __future__ import annotations

import asyncio
import inspect
from collections.abc import AsyncIterable, AsyncIterator, Callable, Iterable
from typing import Any
from unittest.mock import AsyncMock, MagicMock, Mock

import pytest
import wrapt

from groundwire.instrumentation import instrument
from groundwire.testing import CapturedSpans
from instrumentation.reading import answer_of

Check = Callable[[int], None]
PROTOCOLS = ("__iter__", "__next__", "__aiter__", "__anext__", "close", "aclose", "send", "throw")


class Ticks:
    """An async iterator with nothing else."""

    def __init__(self) -> None:
        self._left = ["a", "b"]

    def __aiter__(self) -> Ticks:
        return self

    async def __anext__(self) -> str:
        if not self._left:
            raise StopAsyncIteration
        return self._left.pop(0)


class Lines:
    """An iterator that a server closes."""

    def __init__(self) -> None:
        self._lines = iter(["a", "b"])

    def __iter__(self) -> Lines:
        return self

    def __next__(self) -> str:
        return next(self._lines)

    def close(self) -> None:
        """Do nothing."""


@pytest.mark.parametrize("make", [lambda: map(str, "ab"), Ticks, Lines])
def test_a_returned_stream_has_no_method_that_it_had_not(spans: CapturedSpans, make: Any) -> None:
    """A stand-in answers hasattr as the stream does: a server that asks for close is not misled."""
    answer = instrument(tracer_provider=spans.provider)(lambda question: make())
    stream, bare = answer("Who?"), make()
    assert [hasattr(stream, name) for name in PROTOCOLS] == [hasattr(bare, name) for name in PROTOCOLS]
    assert isinstance(stream, AsyncIterable) is isinstance(bare, AsyncIterable)
    assert isinstance(stream, Iterable) is isinstance(bare, Iterable)


def test_a_streaming_response_takes_a_returned_iterator(spans: CapturedSpans, harmless: Check) -> None:
    """Starlette tells async from sync bodies by isinstance; both kinds arrive whole."""
    pytest.importorskip("httpx")
    testclient = pytest.importorskip("starlette.testclient")
    responses = pytest.importorskip("starlette.responses")

    @instrument(tracer_provider=spans.provider)
    def answer(question: str) -> Any:
        return Ticks() if question == "async" else map(str, "ab")

    async def app(scope: Any, receive: Any, send: Any) -> None:
        await responses.StreamingResponse(answer(scope["path"][1:]))(scope, receive, send)

    client = testclient.TestClient(app)
    assert [client.get(path).text for path in ("/async", "/sync")] == ["ab", "ab"]
    assert [answer_of(span) for span in spans.spans] == ["ab", "ab"]
    harmless(2)


class _Coroutine:
    async def __call__(self, question: str) -> str:
        return "Ada"


class _Inherited(_Coroutine):
    pass


class _Generator:
    def __call__(self, question: str) -> Any:
        yield "Ada"


class _AsyncGenerator:
    async def __call__(self, question: str) -> AsyncIterator[str]:
        yield "Ada"


class _Plain:
    def __call__(self, question: str) -> str:
        return "Ada"


@pytest.mark.parametrize("kind", [_Coroutine, _Inherited, _Generator, _AsyncGenerator, _Plain])
def test_frameworks_see_the_kind_of_a_callable_object(spans: CapturedSpans, kind: type) -> None:
    """``obj.__call__`` of a decorated object is of its kind, which is where FastAPI looks."""
    bare: Any = kind()
    decorated = instrument(tracer_provider=spans.provider)(bare)
    for tells in (inspect.iscoroutinefunction, inspect.isgeneratorfunction, inspect.isasyncgenfunction):
        assert tells(decorated.__call__) is tells(bare.__call__)
    assert inspect.signature(decorated) == inspect.signature(bare)


@wrapt.decorator  # type: ignore[untyped-decorator]
def as_list(wrapped: Any, instance: Any, args: Any, kwargs: Any) -> Any:
    return list(wrapped(*args, **kwargs))


@wrapt.decorator  # type: ignore[untyped-decorator]
def blocking(wrapped: Any, instance: Any, args: Any, kwargs: Any) -> Any:
    return asyncio.run(wrapped(*args, **kwargs))


@wrapt.decorator  # type: ignore[untyped-decorator]
def passing(wrapped: Any, instance: Any, args: Any, kwargs: Any) -> Any:
    return wrapped(*args, **kwargs)


def test_a_proxy_of_a_function_may_return_another_kind(spans: CapturedSpans, harmless: Check) -> None:
    """A decorator that turns a generator or a coroutine into a value is taken at what it returns."""

    @instrument(tracer_provider=spans.provider)
    @as_list
    def listed(question: str) -> Any:
        yield "Ada"

    @instrument(tracer_provider=spans.provider)
    @blocking
    async def awaited(question: str) -> str:
        return "Ada"

    @instrument(tracer_provider=spans.provider)
    @passing
    async def coming(question: str) -> str:
        return "Ada"

    @instrument(tracer_provider=spans.provider)
    @passing
    def streamed(question: str) -> Any:
        yield "Ada"

    assert (listed("q"), awaited("q"), asyncio.run(coming("q")), list(streamed("q"))) == (
        ["Ada"], "Ada", "Ada", ["Ada"],
    )  # fmt: skip
    assert inspect.iscoroutinefunction(coming)
    assert [answer_of(span) for span in spans.spans][1:] == ["Ada", "Ada", "Ada"]
    harmless(4)


def test_proxies_of_methods_are_decorated_where_they_stand(spans: CapturedSpans, harmless: Check) -> None:
    """``wrapt`` wraps a classmethod or staticmethod in a proxy that says it is one but is made otherwise."""

    @wrapt.decorator
    def passed_on(wrapped: Any, instance: Any, args: Any, kwargs: Any) -> Any:
        return wrapped(*args, **kwargs)

    class Bot:
        @instrument(tracer_provider=spans.provider)
        @passed_on
        @classmethod
        def of_class(cls, question: str) -> str:
            return f"{cls.__name__} {question}"

        @instrument(tracer_provider=spans.provider)
        @passed_on
        @staticmethod
        def of_none(question: str) -> str:
            return question

    assert (Bot.of_class("a"), Bot().of_class("b")) == ("Bot a", "Bot b")
    assert (Bot.of_none("a"), Bot().of_none("b")) == ("a", "b")
    harmless(4)


def test_a_mock_can_be_decorated(spans: CapturedSpans, harmless: Check) -> None:
    """It has every attribute that it is asked for, without end."""
    for kind in (Mock, MagicMock):
        mocked = kind(return_value="Ada")
        assert instrument(tracer_provider=spans.provider)(mocked)("Who?") == "Ada"
        mocked.assert_called_once_with("Who?")
    awaited = AsyncMock(return_value="Ada")
    assert asyncio.run(instrument(tracer_provider=spans.provider)(awaited)("Who?")) == "Ada"
    assert [answer_of(span) for span in spans.spans] == ["Ada"] * 3
    harmless(3)
