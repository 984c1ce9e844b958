"""The life of one call: begun, then finished with a result or failed; its span ends exactly once.

Nothing here raises: what goes wrong is counted, and the user's function runs as if it were bare.
"""

from __future__ import annotations

from collections.abc import Mapping
from time import perf_counter_ns
from typing import Any

from opentelemetry import trace

from groundwire import semconv
from groundwire.instrumentation.calls import NO_CALL, Call
from groundwire.instrumentation.context import context_with
from groundwire.instrumentation.emission import emit_fields
from groundwire.instrumentation.failures import record_error
from groundwire.instrumentation.gathering import extract_fields, gather_fields
from groundwire.instrumentation.losses import count_loss
from groundwire.instrumentation.metrics import add_call
from groundwire.instrumentation.process import next_sequence, process_id
from groundwire.instrumentation.site import Site
from groundwire.shapes import read_question, read_result


class Recording:
    """A call whose span is current but not recorded (it was not sampled); only counted."""

    __slots__ = ("context", "ended", "site", "started_ns")

    records = False

    def __init__(self, site: AnswerSite, context: Any) -> None:
        self.site, self.context = site, context
        self.ended = False
        self.started_ns = perf_counter_ns()

    def finish(self, result: Any) -> None:
        """The call returned ``result``."""
        self._end("returned")

    def fail(self, error: BaseException) -> None:
        """The call raised ``error`` (also KeyboardInterrupt, cancellation and the like)."""
        self._end("failed")

    def note_error(self, error: BaseException) -> None:
        """A stream's body raised ``error``; ``finish_stream`` follows."""

    def finish_stream(self, fields: dict[str, Any], chunks: Any, outcome: str) -> None:
        """The stream is over; ``fields`` is what its chunks said together."""
        self._end(outcome)

    def _end(self, outcome: str) -> None:
        if not self.ended:
            self.ended = True
            add_call(self.site.label, perf_counter_ns() - self.started_ns, outcome)


class RecordedCall(Recording):
    """A call whose span is recorded."""

    __slots__ = ("_arguments", "call")

    records = True

    def __init__(self, site: AnswerSite, context: Any, call: Call) -> None:
        super().__init__(site, context)
        self.call = call
        self._arguments: tuple[tuple[Any, ...], Mapping[str, Any]] | None = None

    def read_arguments(self, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> None:
        """Take the question (now, since the function may change its arguments) and what else they hold."""
        call, site = self.call, self.site
        question = site.finder.question(args, kwargs)
        if type(question) is str:
            call.question = question
        elif question is not None:
            call.question, call.history = read_question(question)
        call.contexts_argument = site.finder.contexts(args, kwargs)
        if site.reads_more:
            call.update(**site.read_more(args, kwargs))
        if site.extract is not None:
            self._arguments = (args, kwargs)

    def finish(self, result: Any) -> None:
        """Read the result, write the span and end it."""
        try:
            self._emit(read_result(result), result)
        except Exception as cause:  # noqa: BLE001 - never into the user's call
            count_loss("emit", cause)
        self._end_span("returned")

    def fail(self, error: BaseException) -> None:
        """Put the exception onto the span and end it."""
        self.note_error(error)
        self.finish_stream({}, None, "failed")

    def note_error(self, error: BaseException) -> None:
        """Put the exception onto the span."""
        try:
            record_error(self.call.span, error, self.site.policy)
        except Exception as cause:  # noqa: BLE001 - never into the user's call
            count_loss("emit", cause)

    def finish_stream(self, fields: dict[str, Any], chunks: Any, outcome: str) -> None:
        """Write what the stream said, and end the span."""
        try:
            self._emit(fields, chunks)
        except Exception as cause:  # noqa: BLE001 - never into the user's call
            count_loss("emit", cause)
        self._end_span(outcome)

    def _emit(self, fields: dict[str, Any], result: Any) -> None:
        call = self.call
        gather_fields(call, fields)
        if self._arguments is not None:
            arguments, self._arguments = self._arguments, None
            extract_fields(call.site, fields, arguments, result)
        attributes = {semconv.PROCESS: process_id(), semconv.SEQUENCE: call.sequence}
        emit_fields(call.span, fields, call.site.policy, attributes)

    def _end_span(self, outcome: str) -> None:
        if self.ended:
            return
        try:
            self.call.span.end()
        except Exception as cause:  # noqa: BLE001 - a span processor of the user's may raise
            count_loss("end", cause)
        self.call.forget()
        self._end(outcome)


class AnswerSite(Site):
    """A function that answers: its calls become answer spans."""

    __slots__ = ()

    def begin(self, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> Recording | None:
        """Open a span for a call; None: there is no SDK, or it failed. Counts the call in any case."""
        try:
            sequence = next_sequence()
            tracer = self.tracer()
            if tracer is None:
                return None
            return self.open(tracer, sequence, args, kwargs)
        except Exception as cause:  # noqa: BLE001 - never into the user's call
            count_loss("begin", cause)
            return None

    def open(
        self, tracer: trace.Tracer, sequence: int, args: tuple[Any, ...], kwargs: Mapping[str, Any]
    ) -> Recording:
        """Start the span and read the arguments."""
        span = tracer.start_span(self.span_name, attributes=self.static)
        if not span.is_recording():
            return Recording(self, context_with(span, NO_CALL))
        call = Call(self, span, sequence)
        recording = RecordedCall(self, context_with(span, call), call)
        try:
            recording.read_arguments(args, kwargs)
        except Exception as cause:  # noqa: BLE001 - the call goes on without what could not be read
            count_loss("read", cause)
        return recording

    def skip(self) -> None:
        """Count a call that is not recorded since there is no SDK."""
        next_sequence()
