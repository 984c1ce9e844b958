"""A kit for tests of decorated functions: spans in memory, ids that count, a clock that ticks.

Public: use it in your own tests. It loads the OpenTelemetry SDK.

>>> with capture_spans() as spans:
...     from groundwire import instrument
...     @instrument(tracer_provider=spans.provider)
...     def answer(question: str) -> str:
...         return "Ada."
...     _ = answer("Who wrote it?")
>>> spans.names()
['invoke_workflow answer']
>>> spans.attributes(0)["output.value"]
'Ada.'
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from types import TracebackType
from typing import Any

from opentelemetry.sdk.trace import ReadableSpan, TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor, SpanExporter, SpanExportResult
from opentelemetry.sdk.trace.id_generator import IdGenerator
from opentelemetry.sdk.trace.sampling import Sampler

__all__ = ["CapturedSpans", "CountingIds", "InMemoryExporter", "TickingClock", "capture_spans"]


class InMemoryExporter(SpanExporter):
    """Keeps every span that ended, in the order in which they ended."""

    def __init__(self) -> None:
        self.spans: list[ReadableSpan] = []

    def export(self, spans: Sequence[ReadableSpan]) -> SpanExportResult:
        """Keep ``spans``."""
        self.spans.extend(spans)
        return SpanExportResult.SUCCESS

    def clear(self) -> None:
        """Forget all spans."""
        self.spans.clear()

    def shutdown(self) -> None:
        """Do nothing: the spans stay readable."""

    def force_flush(self, timeout_millis: int = 30_000) -> bool:
        """Return True: nothing is queued."""
        return True


class CountingIds(IdGenerator):
    """Gives trace ids and span ids that count from 1, so that output is the same on every run.

    >>> ids = CountingIds()
    >>> ids.generate_trace_id(), ids.generate_span_id(), ids.generate_span_id()
    (1, 1, 2)
    """

    def __init__(self) -> None:
        self._trace_ids = itertools.count(1)
        self._span_ids = itertools.count(1)

    def generate_trace_id(self) -> int:
        """Return the next trace id."""
        return next(self._trace_ids)

    def generate_span_id(self) -> int:
        """Return the next span id."""
        return next(self._span_ids)


class TickingClock:
    """A clock in nanoseconds that moves on by ``step_ns`` at every reading, from ``start_ns``.

    >>> clock = TickingClock(start_ns=100, step_ns=5)
    >>> clock(), clock()
    (100, 105)
    """

    def __init__(self, start_ns: int = 1_700_000_000_000_000_000, step_ns: int = 1_000_000) -> None:
        self._readings = itertools.count(start_ns, step_ns)

    def __call__(self) -> int:
        """Return the time and move on."""
        return next(self._readings)


class CapturedSpans:
    """The spans of one test: ``provider`` to hand to the code under test, and what it recorded."""

    def __init__(self, sampler: Sampler | None = None) -> None:
        self.exporter = InMemoryExporter()
        self.provider = TracerProvider(sampler=sampler, id_generator=CountingIds(), shutdown_on_exit=False)
        self.provider.add_span_processor(SimpleSpanProcessor(self.exporter))

    @property
    def spans(self) -> list[ReadableSpan]:
        """The spans that ended, in that order."""
        return self.exporter.spans

    def names(self) -> list[str]:
        """Return the spans' names."""
        return [span.name for span in self.spans]

    def attributes(self, index: int = -1) -> dict[str, Any]:
        """Return the attributes of one span, by default the last."""
        return dict(self.spans[index].attributes or {})

    def __enter__(self) -> CapturedSpans:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.provider.shutdown()


def capture_spans(sampler: Sampler | None = None) -> CapturedSpans:
    """Return a tracer provider of its own whose spans are kept in memory, as a context manager."""
    return CapturedSpans(sampler)
