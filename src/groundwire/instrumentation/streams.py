"""Follows a stream: current only while its body runs, ended exactly once, and said how.

The drivers are real generators around the user's, so that ``send``, ``throw``, ``close`` and the return value
pass through. Span and call are attached around each step alone; between steps the consumer's context is
untouched, and no token ever crosses a context.
"""

from __future__ import annotations

import weakref
from collections.abc import AsyncGenerator, Callable, Generator, Mapping
from time import perf_counter_ns
from typing import Any

from groundwire.instrumentation.buffer import ChunkBuffer
from groundwire.instrumentation.context import attach, restore
from groundwire.instrumentation.losses import count_loss
from groundwire.instrumentation.recording import AnswerSite, RecordedCall, Recording

_CANCELLED = ("CancelledError", "Cancelled")


def _nothing(_: Any) -> None:
    """Stand in for attaching and restoring where nothing is recorded."""


class Following:
    """One stream being followed. It opens its recording at the first step unless it was given one.

    A driver calls ``open`` once, and ``end``, ``close`` or ``fail`` once the stream is over; each step runs
    between ``enter`` and ``settle``, the last between ``enter`` and ``leave``.
    """

    __slots__ = (
        "_arguments", "_buffer", "_chunks", "_first_ns", "_is_open", "_left_ns", "_reset", "_set",
        "_started_ns", "_wait_ns", "consumer", "context", "recording", "site",
    )  # fmt: skip

    def __init__(self, site: AnswerSite, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> None:
        self.site = site
        self._arguments: tuple[tuple[Any, ...], Mapping[str, Any]] | None = (args, kwargs)
        self.recording: Recording | RecordedCall | None = None
        self.consumer: weakref.ref[Any] | None = None
        self.context: Any = None
        self._buffer: ChunkBuffer | None = None
        self._chunks = self._wait_ns = self._started_ns = self._left_ns = 0
        self._first_ns: int | None = None
        self._is_open = False
        self._set: Callable[[Any], Any] = _nothing
        self._reset: Callable[[Any], None] = _nothing

    @classmethod
    def of(cls, recording: Recording | RecordedCall) -> Following:
        """Follow a stream that a function returned whose recording is open already."""
        following = cls(recording.site, (), {})
        following._arguments = None
        following._take(recording)
        return following

    def open(self) -> None:
        """Open the recording, if that has not been done; where there is none, the steps do nothing."""
        self._is_open = True
        if self._arguments is not None:
            args, kwargs = self._arguments
            self._arguments = None
            recording = self.site.begin(args, kwargs)
            if recording is not None:
                self._take(recording)

    def _take(self, recording: Recording | RecordedCall) -> None:
        self.recording, self.context = recording, recording.context
        self._set, self._reset = attach, restore
        self._started_ns = self._left_ns = perf_counter_ns()
        if recording.records:
            self._buffer = ChunkBuffer(recording.site.policy)

    def drop(self, _: Any) -> None:
        """End the span of a returned stream that was let go of before its first step."""
        if not self._is_open:
            self.end("abandoned")

    def enter(self) -> Any:
        """Make the span current for one step of the body; returns what ``leave`` takes."""
        if self._chunks:
            self._wait_ns += perf_counter_ns() - self._left_ns
        return self._set(self.context)

    def leave(self, token: Any) -> None:
        """End the step that ``enter`` began, whatever context this is."""
        self._reset(token)
        self._left_ns = perf_counter_ns()

    def settle(self, token: Any, chunk: Any) -> None:
        """End the step that ``enter`` began, and take note of the chunk that the body yielded."""
        self._reset(token)
        self._left_ns = perf_counter_ns()
        self._chunks += 1
        buffer = self._buffer
        if buffer is not None:
            if self._first_ns is None:
                self._first_ns = self._left_ns - self._started_ns
            buffer.add(chunk)

    def is_abandoned(self) -> bool:
        """Whether the stream is being closed because nobody holds it any more."""
        return self.consumer is not None and self.consumer() is None

    def close(self) -> None:
        """End the span: the consumer closed the stream, or let go of it."""
        self.end("abandoned" if self.is_abandoned() else "closed")

    def fail(self, error: BaseException) -> None:
        """End the span: the body raised ``error``."""
        if isinstance(error, GeneratorExit):
            self.close()
        elif type(error).__name__ in _CANCELLED and not isinstance(error, Exception):
            self.end("cancelled")
        else:
            recording = self.recording
            if recording is not None and not recording.ended:
                recording.note_error(error)
            self.end("failed")

    def end(self, outcome: str, value: Any = None) -> None:
        """End the span, once; ``value`` is what the generator returned."""
        recording, buffer = self.recording, self._buffer
        if recording is None or recording.ended:
            return
        self._buffer = None
        fields: dict[str, Any] = {}
        chunks: list[Any] = []
        try:
            if buffer is not None:
                fields, chunks = buffer.join(value)
        except Exception as cause:  # noqa: BLE001 - never into the user's stream
            count_loss("read", cause)
        fields["stream_end"] = outcome
        fields["stream_chunks"] = self._chunks
        fields["consumer_wait_ns"] = self._wait_ns
        fields["time_to_first_chunk_ns"] = self._first_ns
        recording.finish_stream(fields, chunks, outcome)
        self.context = None
        self._set = self._reset = _nothing


def start_generator(site: AnswerSite, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """Call a generator function and return a generator that is followed."""
    inner = site.function(*args, **kwargs)
    if is_idle(site):
        return inner
    return named_after(inner, follow_generator, Following(site, args, kwargs))


def start_async_generator(site: AnswerSite, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """Call an async generator function and return an async generator that is followed."""
    inner = site.function(*args, **kwargs)
    if is_idle(site):
        return inner
    return named_after(inner, follow_async_generator, Following(site, args, kwargs))


def is_idle(site: AnswerSite) -> bool:
    """Whether there is no SDK; the call is counted all the same."""
    try:
        if site.tracer() is not None:
            return False
    except Exception as cause:  # noqa: BLE001 - never into the user's call
        count_loss("begin", cause)
    site.skip()
    return True


def named_after(inner: Any, driver: Any, following: Following) -> Any:
    """Start ``driver`` on ``inner``, let it look like ``inner``, and note who consumes it."""
    outer = driver(following, inner)
    outer.__name__, outer.__qualname__ = inner.__name__, inner.__qualname__
    following.consumer = weakref.ref(outer, following.drop if following.recording is not None else None)
    return outer


def follow_generator(following: Following, inner: Generator[Any, Any, Any]) -> Generator[Any, Any, Any]:
    """Drive ``inner`` step by step, each step under its span."""
    following.open()
    enter, leave, settle = following.enter, following.leave, following.settle
    resume: Any = inner.send
    sent: Any = None
    while True:
        token = enter()
        try:
            item = resume(sent)
        except StopIteration as stop:
            leave(token)
            following.end("exhausted", stop.value)
            return stop.value
        except BaseException as error:
            leave(token)
            following.fail(error)
            raise
        settle(token, item)
        try:
            sent = yield item
            resume = inner.send
        except GeneratorExit:
            return _close_inner(following, inner)
        except BaseException as error:  # noqa: BLE001 - it belongs to the body
            resume, sent = inner.throw, error


def _close_inner(following: Following, inner: Generator[Any, Any, Any]) -> Any:
    token = following.enter()
    try:
        value = inner.close()  # type: ignore[func-returns-value]
    except BaseException as error:
        following.leave(token)
        following.fail(error)
        raise
    following.leave(token)
    following.close()
    return value


async def follow_async_generator(
    following: Following, inner: AsyncGenerator[Any, Any]
) -> AsyncGenerator[Any, Any]:
    """Drive the async generator ``inner`` step by step, each step under its span."""
    following.open()
    enter, leave, settle = following.enter, following.leave, following.settle
    resume: Any = inner.asend
    sent: Any = None
    while True:
        token = enter()
        try:
            item = await resume(sent)
        except StopAsyncIteration:
            leave(token)
            following.end("exhausted")
            return
        except BaseException as error:
            leave(token)
            following.fail(error)
            raise
        settle(token, item)
        try:
            sent = yield item
            resume = inner.asend
        except GeneratorExit:
            await _aclose_inner(following, inner)
            raise
        except BaseException as error:  # noqa: BLE001 - it belongs to the body
            resume, sent = inner.athrow, error


async def _aclose_inner(following: Following, inner: AsyncGenerator[Any, Any]) -> None:
    token = following.enter()
    try:
        await inner.aclose()
    except BaseException as error:
        following.leave(token)
        following.fail(error)
        raise
    following.leave(token)
    following.close()
