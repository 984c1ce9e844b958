"""What is known of a stream while it runs, and how its span ends: exactly once, and said how."""

from __future__ import annotations

import weakref
from collections.abc import Callable, Mapping
from time import perf_counter, time_ns
from typing import Any

from groundwire import semconv
from groundwire.instrumentation.buffer import ChunkBuffer
from groundwire.instrumentation.context import attach, get_current, reset, restore
from groundwire.instrumentation.late import shapes
from groundwire.instrumentation.losses import count_loss
from groundwire.instrumentation.recording import AnswerSite, RecordedCall, Recording

_CANCELLED = ("CancelledError", "Cancelled")


class Following:
    """One stream being followed. It opens its recording at the first step unless it was given one.

    A driver calls ``open`` once, and ``stop`` or ``close`` once the stream is over. Each step of the body
    runs between ``enter`` and ``settle``, the last between ``enter`` and ``leave``. The drivers of generators
    do these three by themselves, since a call a chunk would cost more than what it does, and hand over what
    they found: with ``advance`` after many chunks, with ``note`` or ``finish`` at the end.

    ``left`` and ``wait`` (seconds): when the last step ended, and how long the consumer has kept the body
    waiting so far. ``first``: how long the body took to its first chunk. ``context``: what is current in the
    body, which may have put more into it than we did; None once the span has ended. ``source``: gives what a
    client's stream has put together by itself so far.
    """

    __slots__ = (
        "_arguments", "_is_open", "_said", "_started", "buffer", "consumer", "context", "first", "left",
        "recording", "site", "source", "wait",
    )  # fmt: skip

    def __init__(self, site: AnswerSite, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> None:
        self.site = site
        self._arguments: tuple[tuple[Any, ...], Mapping[str, Any]] | None = (args, kwargs)
        self.recording: Recording | RecordedCall | None = None
        self.consumer: weakref.ref[Any] | None = None
        self.context: Any = None
        self.buffer = _NO_CHUNKS
        self.first: float | None = None
        self.left = self.wait = self._started = 0.0
        self._is_open = False
        self._said: Mapping[str, Any] | None = None
        self.source: Callable[[], Any] | None = None

    @classmethod
    def of(cls, recording: Recording | RecordedCall) -> Following:
        """Follow a stream that a function returned whose recording is open already."""
        following = cls(recording.site, (), {})
        following._arguments = None
        following._take(recording)
        following._started -= _seconds_since(recording)
        return following

    def open(self) -> tuple[Callable[[Any], Any], Callable[[Any], Any]]:
        """Open the recording, if that has not been done; return how to attach and to reset a context."""
        self._is_open = True
        if self._arguments is not None:
            args, kwargs = self._arguments
            self._arguments = None
            recording = self.site.begin(args, kwargs)
            if recording is None:
                self.buffer = ChunkBuffer(None)
                return _nothing, _nothing
            self._take(recording)
        return attach, reset

    def _take(self, recording: Recording | RecordedCall) -> None:
        self.recording, self.context = recording, recording.context
        self.buffer = ChunkBuffer(recording.site.policy if recording.records else None)
        self.left = self._started = perf_counter()

    def drop(self, _: Any) -> None:
        """End the span of a returned stream that was let go of before its first step."""
        if not self._is_open:
            self.end("abandoned")

    def enter(self) -> Any:
        """Make the span current for one step of the body; returns what ``leave`` takes."""
        if self.context is None:
            return None
        self.wait += perf_counter() - self.left
        return attach(self.context)

    def leave(self, token: Any) -> None:
        """End the step that ``enter`` began, whatever context this is."""
        if token is not None:
            restore(token)
            self.left = perf_counter()

    def settle(self, token: Any, chunk: Any) -> None:
        """End the step that ``enter`` began, and take note of the chunk that the body yielded."""
        if token is not None:
            self.context = get_current()
            self.leave(token)
            if self.first is None:
                self.first = self.left - self._started - self.wait
            self.buffer.add(chunk)

    def hear(self, whole: Any) -> None:
        """Take note of what is said beside the chunks (the object around the stream, a whole answer).

        What the chunks say wins, but for an answer that goes on where they stop.
        """
        recording = self.recording
        try:
            if recording is not None and recording.records and not recording.ended:
                self._said = {**(self._said or {}), **shapes.read_result(whole)}
        except Exception as cause:  # noqa: BLE001 - never into the user's stream
            count_loss("read", cause)

    def advance(self, chunk: Any, wait: float, left: float) -> int:
        """See to what a driver has put into the buffer; return how many more chunks it may put there."""
        if self.first is None:
            self.first = left - self._started - wait
        else:
            self.buffer.settle()
        return self.buffer.stretch(chunk)

    def note(self, context: Any, wait: float, left: float) -> None:
        """Take over what a driver kept by itself, between two steps."""
        self.context, self.wait, self.left = context, wait, left
        if self.first is None:
            self.first = left - self._started - wait

    def finish(self, token: Any, wait: float, error: BaseException) -> None:
        """End the step that a driver has begun by itself, and the span: the body raised ``error``."""
        self.wait = wait
        if token is not None:
            restore(token)
        self.stop(error)

    def close(self) -> None:
        """End the span: the consumer closed the stream, or let go of it."""
        is_abandoned = self.consumer is not None and self.consumer() is None
        self.end("abandoned" if is_abandoned else "closed")

    def stop(self, error: BaseException) -> None:
        """End the span: the body raised ``error``, which at its regular end is a Stop(Async)Iteration."""
        if isinstance(error, StopIteration):
            self.end("exhausted", error.value)
        elif isinstance(error, StopAsyncIteration):
            self.end("exhausted")
        elif isinstance(error, GeneratorExit):
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
        recording = self.recording
        if recording is None or recording.ended:
            return
        fields: dict[str, Any] = {}
        chunks: list[Any] = []
        buffer, self.buffer = self.buffer, _NO_CHUNKS
        source, self.source = self.source, None
        try:
            if recording.records:
                fields, chunks = buffer.join(value)
                if source is not None:
                    self.hear(source())
                if self._said:
                    fields = _joined(self._said, fields)
        except Exception as cause:  # noqa: BLE001 - never into the user's stream
            count_loss("read", cause)
        known = {
            semconv.STREAM_END: outcome,
            semconv.STREAM_CHUNKS: buffer.count(),
            semconv.CONSUMER_WAIT_NS: int(self.wait * 1e9),
        }
        if self.first is not None:
            known[semconv.TIME_TO_FIRST_CHUNK_NS] = int(self.first * 1e9)
        recording.finish_stream(fields, chunks, outcome, known)
        self.context = self._said = None


_NO_CHUNKS = ChunkBuffer(None)
"""Stands in once a stream has ended: its chunks are no longer kept alive."""


def _joined(said: Mapping[str, Any], chunks: dict[str, Any]) -> dict[str, Any]:
    """Return what was said beside the chunks and what they say; a client may read on by itself."""
    joined = {**said, **chunks}
    begun, whole = chunks.get("answer"), said.get("answer")
    if type(begun) is str and type(whole) is str and whole.startswith(begun) and "digests" not in chunks:
        joined["answer"] = whole
    return joined


def _nothing(_: Any) -> None:
    """Stand in for attaching and resetting where opening a recording failed."""


def _seconds_since(recording: Recording | RecordedCall) -> float:
    """Return how long the call that returned a stream has taken; 0.0 if its span does not say."""
    started_ns = getattr(getattr(recording, "span", None), "start_time", None)
    return max(0.0, (time_ns() - started_ns) / 1e9) if type(started_ns) is int else 0.0
