"""Streams that a plain function returns: iterators, clients' stream objects, streaming responses."""

from __future__ import annotations

import asyncio
import gc
import io
import time
from collections.abc import AsyncIterator, Callable, Iterator
from types import TracebackType
from typing import Any
from unittest.mock import AsyncMock, MagicMock

import pytest

from groundwire.instrumentation import instrument
from groundwire.testing import CapturedSpans
from instrumentation.reading import answer_of, documents_of

Check = Callable[[int], None]


def returning(spans: CapturedSpans, value: Any) -> Any:
    @instrument(tracer_provider=spans.provider)
    def answer(question: str) -> Any:
        return value

    return answer("Who?")


class ClientStream:
    """Shaped like a model client's stream: an iterator, a context manager, with attributes."""

    def __init__(self, chunks: list[str]) -> None:
        self._chunks = iter(chunks)
        self.response = {"id": "r1"}
        self.closed = False

    def __iter__(self) -> Iterator[str]:
        return self

    def __next__(self) -> str:
        return next(self._chunks)

    def __enter__(self) -> ClientStream:
        return self

    def __exit__(self, kind: type | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()

    def close(self) -> None:
        self.closed = True


class AsyncClientStream:
    """The same, async."""

    def __init__(self, chunks: list[str]) -> None:
        self._chunks = iter(chunks)

    def __aiter__(self) -> AsyncClientStream:
        return self

    async def __anext__(self) -> str:
        await asyncio.sleep(0)
        for chunk in self._chunks:
            return chunk
        raise StopAsyncIteration

    async def __aenter__(self) -> AsyncClientStream:
        return self

    async def __aexit__(self, *error: object) -> None:
        await self.close()

    async def close(self) -> None:
        await asyncio.sleep(0)


class MessageStreamManager:
    """Shaped like Anthropic's: the stream comes out of the `with`."""

    def __init__(self, stream: ClientStream) -> None:
        self._stream = stream

    def __enter__(self) -> ClientStream:
        return self._stream

    def __exit__(self, *error: object) -> None:
        self._stream.close()


class StreamingResponse:
    """Shaped like Starlette's."""

    def __init__(self, content: Any) -> None:
        self.body_iterator = content
        self.status_code = 200


def ended(spans: CapturedSpans) -> tuple[Any, str | None]:
    return spans.attributes()["groundwire.stream.end"], answer_of(spans.spans[-1])


def test_a_returned_generator(spans: CapturedSpans, harmless: Check) -> None:
    """A generator that a plain function returns is followed to its end."""
    assert list(returning(spans, (chunk for chunk in "abc"))) == ["a", "b", "c"]
    assert ended(spans) == ("exhausted", "abc")
    harmless(1)


def test_a_returned_iterator(spans: CapturedSpans, harmless: Check) -> None:
    """Any iterator is; the proxy iterates as the original does."""
    assert list(returning(spans, map(str.upper, "abc"))) == ["A", "B", "C"]
    assert ended(spans) == ("exhausted", "ABC")
    harmless(1)


def test_a_client_stream_keeps_class_and_attributes(spans: CapturedSpans, harmless: Check) -> None:
    """A client's stream object still is one: isinstance, attributes, with, close."""
    original = ClientStream(["a", "b"])
    stream = returning(spans, original)
    assert isinstance(stream, ClientStream)
    assert stream.response is original.response
    with stream as entered:
        assert list(entered) == ["a", "b"]
    assert original.closed
    assert ended(spans) == ("exhausted", "ab")
    harmless(1)


def test_a_client_stream_closed_early(spans: CapturedSpans, harmless: Check) -> None:
    """Closing after one chunk keeps that chunk and says closed."""
    stream = returning(spans, ClientStream(["a", "b"]))
    next(stream)
    stream.close()
    assert ended(spans) == ("closed", "a")
    harmless(1)


def test_a_client_stream_that_does_not_close(spans: CapturedSpans, harmless: Check) -> None:
    """An error while closing passes and ends the span as failed."""

    class Stuck(ClientStream):
        def close(self) -> None:
            raise OSError("socket")

    stream = returning(spans, Stuck(["a"]))
    with pytest.raises(OSError, match="socket"):
        stream.close()
    assert spans.attributes()["groundwire.stream.end"] == "failed"
    harmless(1)


def test_an_error_of_the_consumer_is_none_of_the_stream(spans: CapturedSpans, harmless: Check) -> None:
    """What the `with` block around a stream raises closes the stream; it does not make its span an ERROR."""
    with pytest.raises(KeyError), returning(spans, ClientStream(["a", "b"])) as stream:
        raise KeyError(next(stream))
    assert ended(spans) == ("closed", "a")
    assert spans.spans[0].status.is_unset
    harmless(1)


def test_a_client_stream_dropped(spans: CapturedSpans, harmless: Check) -> None:
    """Dropping the object ends the span as abandoned."""
    stream = returning(spans, ClientStream(["a", "b"]))
    next(stream)
    del stream
    gc.collect()
    assert ended(spans) == ("abandoned", "a")
    harmless(1)


def test_a_stream_manager(spans: CapturedSpans, harmless: Check) -> None:
    """A manager whose `with` gives the stream is followed through it."""
    manager = returning(spans, MessageStreamManager(ClientStream(["a", "b"])))
    with manager as stream:
        assert list(stream) == ["a", "b"]
    assert ended(spans) == ("exhausted", "ab")
    harmless(1)


def test_an_async_client_stream(spans: CapturedSpans, harmless: Check) -> None:
    """An async stream object is followed through `async with` and `async for`."""

    @instrument(tracer_provider=spans.provider)
    async def answer(question: str) -> AsyncClientStream:
        return AsyncClientStream(["a", "b"])

    async def consume() -> list[str]:
        async with await answer("Who?") as stream:
            return [chunk async for chunk in stream]

    assert asyncio.run(consume()) == ["a", "b"]
    assert ended(spans) == ("exhausted", "ab")
    harmless(1)


def test_a_streaming_response_is_returned_itself(spans: CapturedSpans, harmless: Check) -> None:
    """The very response object comes back; its body is followed until it ends."""

    async def body() -> AsyncIterator[str]:
        yield "a"
        yield "b"

    response = StreamingResponse(body())
    assert returning(spans, response) is response
    assert spans.spans == []

    async def send() -> list[str]:
        return [chunk async for chunk in response.body_iterator]

    assert asyncio.run(send()) == ["a", "b"]
    assert ended(spans) == ("exhausted", "ab")
    harmless(1)


class Restarting:
    """An iterator whose `iter()` begins anew."""

    def __iter__(self) -> Restarting:
        self._left = ["b", "a"]
        return self

    def __next__(self) -> str:
        if not self._left:
            raise StopIteration
        return self._left.pop()


class Handing:
    """A stream object that hands out an iterator of its own, each time a new one."""

    def __iter__(self) -> Iterator[str]:
        return iter("ab")

    def __next__(self) -> str:
        raise NotImplementedError


class AsyncHanding:
    """An async iterable that is no iterator."""

    async def __aiter__(self) -> AsyncIterator[str]:
        yield "a"
        yield "b"


@pytest.mark.parametrize("make", [Restarting, Handing])
def test_the_streams_own_iteration_is_used(
    spans: CapturedSpans, harmless: Check, make: Callable[[], Any]
) -> None:
    """What `iter()` of the stream does is done, also a second time; the span holds the first."""
    stream = returning(spans, make())
    assert (list(stream), list(stream)) == (["a", "b"], ["a", "b"])
    assert ended(spans) == ("exhausted", "ab")
    harmless(1)


def test_an_async_iterable(spans: CapturedSpans, harmless: Check) -> None:
    """An object with nothing but `__aiter__` is a stream, and can be iterated as often as before."""

    async def consume() -> list[list[str]]:
        stream = returning(spans, AsyncHanding())
        return [[chunk async for chunk in stream] for _ in range(2)]

    assert asyncio.run(consume()) == [["a", "b"], ["a", "b"]]
    assert ended(spans) == ("exhausted", "ab")
    harmless(1)


class StreamedResponse:
    """Shaped like LlamaIndex's: what it found is there at once, the answer is still to come."""

    def __init__(self) -> None:
        self.response_gen = (token for token in ["Ada ", "wrote it."])
        self.source_nodes = [{"node": {"text": "Ada wrote it.", "id_": "a"}, "score": 0.5}]
        self.response_txt = None


def test_a_response_with_sources_and_a_stream(spans: CapturedSpans, harmless: Check) -> None:
    """Its sources and what its stream said stand on one span; the very object is returned."""
    response = StreamedResponse()
    assert returning(spans, response) is response
    assert "".join(response.response_gen) == "Ada wrote it."
    assert ended(spans) == ("exhausted", "Ada wrote it.")
    assert documents_of(spans.spans[-1]) == [{"content": "Ada wrote it.", "id": "a", "score": 0.5}]
    harmless(1)


def test_a_stream_that_fails(spans: CapturedSpans, harmless: Check) -> None:
    """The client's error passes and ends the span as failed."""

    def body() -> Iterator[str]:
        yield "a"
        raise ConnectionError("reset")

    with pytest.raises(ConnectionError):
        list(returning(spans, map(str, body())))
    assert ended(spans) == ("failed", "a")
    harmless(1)


@pytest.mark.parametrize(
    "value", [io.StringIO("text"), object(), {"a": 1}, [1], "text", None, 7, MagicMock(), AsyncMock()]
)
def test_values_are_not_taken_for_streams(spans: CapturedSpans, harmless: Check, value: Any) -> None:
    """Files and values are returned as they are, and the call is over."""
    assert returning(spans, value) is value
    assert "groundwire.stream.end" not in spans.attributes()
    harmless(1)


@pytest.mark.parametrize(
    "make", [lambda: (c for c in "ab"), lambda: iter(["a"]), lambda: ClientStream(["a"])]
)
def test_a_returned_stream_that_is_never_read(
    spans: CapturedSpans, harmless: Check, make: Callable[[], Any]
) -> None:
    """Letting go of it before its first step ends the span as abandoned."""
    returning(spans, make())
    gc.collect()
    assert spans.attributes()["groundwire.stream.end"] == "abandoned"
    harmless(1)


@pytest.mark.parametrize("make", [lambda: (c for c in "ab"), lambda: ClientStream(["a", "b"])])
def test_the_time_to_the_first_chunk_begins_with_the_call(
    spans: CapturedSpans, harmless: Check, make: Callable[[], Any]
) -> None:
    """It holds the work of the function that returned the stream, but not the consumer's delay after it."""

    @instrument(tracer_provider=spans.provider)
    def answer(question: str) -> Any:
        time.sleep(0.02)
        return make()

    stream = answer("Who?")
    time.sleep(0.1)
    list(stream)
    found = spans.attributes()
    waited = found["groundwire.stream.consumer_wait_ns"]
    assert waited >= 100_000_000
    assert 19_000_000 < found["groundwire.stream.time_to_first_chunk_ns"] < waited
    harmless(1)


def test_a_part_of_a_stream_does_not_end_it(spans: CapturedSpans, harmless: Check) -> None:
    """Dropping the text stream of a client's stream leaves the stream open until its own end."""

    class Message(ClientStream):
        @property
        def text_stream(self) -> Iterator[str]:
            return iter(["x"])

    stream = returning(spans, Message(["a", "b"]))
    assert next(stream.text_stream) == "x"
    gc.collect()
    assert spans.spans == []
    stream.close()
    assert ended(spans)[0] == "closed"
    harmless(1)


def test_a_hostile_result_is_no_stream(spans: CapturedSpans, harmless: Check) -> None:
    """A result whose class or attributes raise is returned as it is."""

    class Meta(type):
        def __getattr__(cls, name: str) -> Any:
            raise RuntimeError(name)

    class Hostile(metaclass=Meta):
        @property
        def __class__(self) -> Any:
            raise RuntimeError("class")

    value = Hostile()
    assert returning(spans, value) is value
    harmless(1)


@pytest.mark.parametrize("is_async", [False, True])
def test_what_entering_a_manager_does_is_under_the_span(spans: CapturedSpans, is_async: bool) -> None:
    """A client sends its request when its `with` is entered; a span of that request is no orphan."""
    tracer = spans.provider.get_tracer("client")

    class RequestStreamManager:
        def __enter__(self) -> Any:
            tracer.start_span("POST").end()
            return ClientStream(["a", "b"])

        def __exit__(self, *error: object) -> None:
            tracer.start_span("never mind").end()

        async def __aenter__(self) -> Any:
            return self.__enter__()

        async def __aexit__(self, *error: object) -> None:
            return None

    async def main() -> None:
        async with returning(spans, RequestStreamManager()) as stream:
            assert list(stream) == ["a", "b"]

    if is_async:
        asyncio.run(main())
    else:
        with returning(spans, RequestStreamManager()) as stream:
            assert list(stream) == ["a", "b"]
    posts = [span for span in spans.spans if span.name == "POST"]
    answer = next(span for span in spans.spans if span.name.startswith("invoke_workflow"))
    assert posts[0].parent is not None
    assert posts[0].parent.span_id == answer.context.span_id


def test_an_answer_that_the_client_read_on_is_whole(spans: CapturedSpans) -> None:
    """A consumer that stops after one chunk and asks for the whole answer got the whole answer."""

    class Whole(ClientStream):
        def get_final_text(self) -> str:
            return "ab"

    stream = returning(spans, Whole(["a", "b"]))
    assert next(stream) == "a"
    assert stream.get_final_text() == "ab"
    stream.close()
    assert answer_of(spans.spans[0]) == "ab"
