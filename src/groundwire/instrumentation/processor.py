"""The span processor of ``configure()``: a bounded queue, one daemon thread, batches bounded in count and
bytes.

Unlike the SDK's it counts what it drops, and neither flush nor shutdown ever takes longer than it was given.
"""

from __future__ import annotations

import os
import threading
import time
from collections import deque
from collections.abc import Callable

from opentelemetry.context import Context, attach, detach, set_value
from opentelemetry.sdk.trace import ReadableSpan, Span, SpanProcessor
from opentelemetry.sdk.trace.export import SpanExporter, SpanExportResult

from groundwire.instrumentation.losses import count_loss, warn_once_a_minute
from groundwire.instrumentation.process import after_fork, started

_SUPPRESS = "suppress_instrumentation"
MAX_BATCH_CHARACTERS = 3_000_000
"""Keeps a request under the 4 MiB that a gRPC receiver takes by default."""

MAX_SETTING = 1_000_000_000


class BoundedProcessor(SpanProcessor):
    """Queues ended spans and exports them from one daemon thread, started with the first span.

    ``make_another``: how a forked child gets an exporter of its own; without, it uses its parent's.
    """

    def __init__(
        self,
        exporter: SpanExporter,
        *,
        max_queue: int = 2048,
        max_batch: int = 64,
        delay_s: float = 1.0,
        make_another: Callable[[], SpanExporter] | None = None,
    ) -> None:
        self._exporter = exporter
        self._max_queue, self._max_batch, self._delay_s = max_queue, max_batch, delay_s
        self._make_another = make_another
        self._inherited: list[SpanExporter] = []
        self._is_forked = False
        self._closed = False
        self._renew()
        after_fork(self._begin_in_child)

    def _begin_in_child(self) -> None:
        self._is_forked = True
        self._renew()

    def _renew(self) -> None:
        """Begin anew, also in a forked child (the parent exports what it had queued)."""
        self._queue: deque[ReadableSpan] = deque()
        self._awake = threading.Condition(threading.Lock())
        self._worker: threading.Thread | None = None
        self._is_exporting = False
        self._on_the_way = 0
        self._hurry = False

    def on_start(self, span: Span, parent_context: Context | None = None) -> None:
        """Do nothing: only ended spans matter."""

    def on_end(self, span: ReadableSpan) -> None:
        """Queue a sampled span, or count it as lost if the queue is full. Never blocks on the exporter."""
        if span.context is None or not span.context.trace_flags.sampled:
            return
        if self._closed or len(self._queue) >= self._max_queue:
            count_loss("closed" if self._closed else "queue_full")
            return
        self._queue.append(span)
        if self._worker is None:
            self._start()
        if len(self._queue) >= self._max_batch and not self._hurry:
            self._wake()

    def _start(self) -> None:
        with self._awake:
            if self._worker is None:
                self._worker = started(self._work, "groundwire-export")

    def _wake(self) -> None:
        with self._awake:
            self._hurry = True
            self._awake.notify_all()

    def _work(self) -> None:
        while True:
            with self._awake:
                if not self._hurry:
                    self._awake.wait(self._delay_s)
                self._hurry = False
            self._drain()
            if self._closed and not self._queue:
                return

    def _drain(self) -> None:
        self._is_exporting = True
        try:
            while batch := self._take_batch():
                self._export(batch)
                self._on_the_way = 0
        finally:
            with self._awake:
                self._is_exporting = False
                self._awake.notify_all()

    def _take_batch(self) -> list[ReadableSpan]:
        batch: list[ReadableSpan] = []
        room = MAX_BATCH_CHARACTERS
        while self._queue and len(batch) < self._max_batch:
            room -= _characters(self._queue[0])
            if batch and room < 0:
                break
            self._on_the_way += 1
            batch.append(self._queue.popleft())
        return batch

    def _export(self, batch: list[ReadableSpan]) -> None:
        token = attach(set_value(_SUPPRESS, True))
        try:
            if self._is_forked:
                self._replace_inherited()
            if self._exporter.export(batch) is not SpanExportResult.SUCCESS:
                self._lose()
        except BaseException as cause:  # noqa: BLE001 - nor may it end the only thread that exports
            self._lose(cause)
        finally:
            detach(token)

    def _lose(self, cause: BaseException | None = None) -> None:
        if self._on_the_way:  # else a shutdown that was out of time has counted them
            count_loss("export_failed", cause, count=self._on_the_way)

    def _replace_inherited(self) -> None:
        """Leave the parent's exporter alone: over its connections both would speak at once.

        It is kept, since closing it here would end an encrypted connection for the parent too.
        """
        if self._make_another is not None:
            self._inherited.append(self._exporter)
            self._exporter = self._make_another()
        self._is_forked = False

    def force_flush(self, timeout_millis: int = 30_000) -> bool:
        """Export what is queued; True if that was done within the time."""
        deadline = time.monotonic() + timeout_millis / 1000
        if self._worker is None:
            return not self._queue
        self._wake()
        with self._awake:
            while self._queue or self._is_exporting:
                remaining = deadline - time.monotonic()
                if remaining <= 0:
                    return False
                self._awake.wait(min(remaining, 0.05))
        return True

    def shutdown(self, timeout_s: float = 5.0) -> None:
        """Export what is queued for at most ``timeout_s`` seconds, count the rest as lost, and close.

        Spans that are on the way when the time is over count as lost: nobody will hear whether they arrived.
        """
        if self._closed:
            return
        timeout_s -= min(1.0, timeout_s / 5)  # what the interpreter itself needs counts too
        deadline = time.monotonic() + timeout_s
        is_done = self.force_flush(int(timeout_s * 1000))
        self._closed = True
        if not is_done:
            count_loss("shutdown", count=len(self._queue) + self._on_the_way)
            self._queue.clear()
            self._on_the_way = 0
            return
        self._wake()
        if self._worker is not None:
            self._worker.join(max(0.0, deadline - time.monotonic()))
        try:
            if not self._is_forked:
                self._exporter.shutdown()
        except Exception as cause:  # noqa: BLE001 - an exporter's fault is no fault of the service
            warn_once_a_minute("shutdown", "the exporter did not close: %s", cause)


def _characters(span: ReadableSpan) -> int:
    return sum(len(value) for value in (span.attributes or {}).values() if isinstance(value, str))


def setting(name: str, default: int) -> int:
    """Return a whole number from the environment, or the default if it is missing or none above 0."""
    try:
        value = int(os.environ.get(name, ""))
    except ValueError:
        return default
    return value if 0 < value <= MAX_SETTING else default
