"""The life of one call: begun, then finished with a result or failed; its span ends exactly once.

Nothing here raises: what goes wrong is counted, and the user's function runs as if it were bare.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from opentelemetry import trace

from groundwire import semconv
from groundwire.instrumentation.calls import NO_CALL, Call
from groundwire.instrumentation.context import Context, attach, context_with, get_current
from groundwire.instrumentation.late import emission, failures, gathering, quick, shapes
from groundwire.instrumentation.losses import count_loss
from groundwire.instrumentation.metrics import add_call
from groundwire.instrumentation.process import next_sequence, process_id
from groundwire.instrumentation.site import Site

SCHEMA = "1"
"""Version of the native span's vocabulary, as WIRE.md states it."""


class Recording:
    """A call whose span is current but not recorded (it was not sampled); only counted."""

    __slots__ = ("context", "ended", "site", "token")

    records = False

    token: Any

    def __init__(self, site: AnswerSite, context: Any) -> None:
        self.site, self.context = site, context
        self.ended = False

    def finish(self, result: Any) -> None:
        """The call returned ``result``."""
        self._end("returned")

    def fail(self, error: BaseException) -> None:
        """The call raised ``error`` (also KeyboardInterrupt, cancellation and the like)."""
        self._end("failed")

    def note_error(self, error: BaseException) -> None:
        """A stream's body raised ``error``; ``finish_stream`` follows."""

    def finish_stream(
        self, fields: dict[str, Any], chunks: Any, outcome: str, known: Mapping[str, Any]
    ) -> None:
        """The stream is over; ``fields`` is what its chunks said together, ``known`` what its end did."""
        self._end(outcome)

    def _end(self, outcome: str) -> None:
        if not self.ended:
            self.ended = True
            add_call(self.site.label, outcome)


class RecordedCall(Call):
    """A call whose span is recorded: what ``current_call()`` gives, and the end of its span."""

    records = True

    token: Any  # what attaching gave
    arguments: tuple[tuple[Any, ...], Mapping[str, Any]] | None = None
    context: Any
    ended = False

    def __init__(self, site: AnswerSite, span: trace.Span, sequence: int, current: Context) -> None:
        self.site, self.span, self.sequence = site, span, sequence
        self.context = context_with(current, span, self)

    def read_arguments(self, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> None:
        """Take the question (now, since the function may change its arguments) and what else they hold."""
        site = self.site
        usual = site.usual
        if 0 <= usual < len(args) and type(args[usual]) is str:
            self.question = args[usual]
        else:
            question = site.finder.question(args, kwargs)
            if type(question) is str:
                self.question = question
            elif question is not None:
                self.question, self.history = shapes.read_question(question)
        if site.reads_more:
            self.contexts_argument = site.finder.contexts(args, kwargs)
            self.update(**site.read_more(args, kwargs))
            if site.extract is not None:
                self.arguments = (args, kwargs)

    def finish(self, result: Any) -> None:
        """Read the result, write the span and end it."""
        try:
            fields = quick.read_quickly(result) if type(result) is dict else None
            self.emit(shapes.read_result(result) if fields is None else fields, result, {})
        except Exception as cause:  # noqa: BLE001 - never into the user's call
            count_loss("emit", cause)
        finally:  # also when the user interrupts just now
            self.end("returned")

    def fail(self, error: BaseException) -> None:
        """Put the exception onto the span and end it."""
        try:
            self.note_error(error)
        finally:
            self.finish_stream({}, None, "failed", {})

    def note_error(self, error: BaseException) -> None:
        """Put the exception onto the span."""
        try:
            if self.span.is_recording():
                failures.record_error(self.span, error, self.site.policy)
        except Exception as cause:  # noqa: BLE001 - never into the user's call
            count_loss("emit", cause)

    def finish_stream(
        self, fields: dict[str, Any], chunks: Any, outcome: str, known: Mapping[str, Any]
    ) -> None:
        """Write what the stream said and what is ``known`` of its end, and end the span."""
        try:
            self.emit(fields, chunks, known)
        except Exception as cause:  # noqa: BLE001 - never into the user's call
            count_loss("emit", cause)
        finally:
            self.end(outcome)

    def emit(self, fields: dict[str, Any], result: Any, known: Mapping[str, Any]) -> None:
        """Complete ``fields``, which the result said; write them and ``known`` attributes onto the span."""
        site = self.site
        if self.question is not None:
            fields["question"] = self.question
        if site.reads_more or self._told is not None or self.retrieved is not None or self.history:
            gathering.gather_fields(self, fields)
            if self.arguments is not None:
                arguments, self.arguments = self.arguments, None
                gathering.extract_fields(site, fields, arguments, result)
        known = {**site.static, **known, semconv.CALL: f"{SCHEMA}:{process_id()}:{self.sequence}"}
        emission.emit_fields(self.span, fields, site.policy, known)
        if site.policy.retrieval_content and self.retrieved is None:
            self._emit_retrieval(fields)

    def _emit_retrieval(self, fields: dict[str, Any]) -> None:
        """Make up a retrieval child that carries the documents too, for backends that render those."""
        found: dict[str, Any] = {key: fields[key] for key in ("documents", "contexts") if key in fields}
        site, tracer = self.site, self.site.tracer()
        if tracer is None or not found:
            return
        known = {**site.static, semconv.OPERATION_NAME: semconv.OPERATION_RETRIEVAL}
        if site.policy.openinference:
            known[semconv.OPENINFERENCE_KIND] = "RETRIEVER"
        name = f"{semconv.OPERATION_RETRIEVAL} {site.label}"
        with tracer.start_span(name, context=self.context, record_exception=False) as span:
            emission.emit_fields(span, {**found, "query": fields.get("question")}, site.policy, known)

    def end(self, outcome: str) -> None:
        """End the span, once, and let go of everything that is the user's."""
        if self.ended:
            return
        self.ended = True
        try:
            if self.span.is_recording():  # else the user's own code has ended it: the SDK would warn
                self.span.end()
        except Exception as cause:  # noqa: BLE001 - a span processor of the user's may raise
            count_loss("end", cause)
        self.release()
        add_call(self.site.label, outcome, self.span)

    def release(self) -> None:
        """Let go of everything that is the user's: a call that someone keeps must not keep that alive."""
        self.context = self.question = self.token = None
        if self.site.reads_more or self._told or self.retrieved is not None or self.history:
            self.history = self.contexts_argument = self.retrieved = self._told = self.arguments = None


class AnswerSite(Site):
    """A function that answers: its calls become answer spans."""

    __slots__ = ()

    def begin(self, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> Recording | RecordedCall | None:
        """Open a span for a call; None: there is no SDK, or it failed. Counts the call in any case."""
        try:
            sequence = next_sequence()
            tracer = self.tracer()
            if tracer is None:
                return None
            current = get_current()
            span = tracer.start_span(self.span_name, current)
            if not span.is_recording():
                return Recording(self, context_with(current, span, NO_CALL))
            call = RecordedCall(self, span, sequence, current)
        except Exception as cause:  # noqa: BLE001 - never into the user's call
            count_loss("begin", cause)
            return None
        try:
            call.read_arguments(args, kwargs)
        except Exception as cause:  # noqa: BLE001 - the call goes on without what could not be read
            count_loss("read", cause)
        return call

    def enter(self, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> Recording | RecordedCall | None:
        """Open a span and make it current; ``restore(recording.token)`` undoes the latter."""
        recording = self.begin(args, kwargs)
        if recording is not None:
            recording.token = attach(recording.context)
        return recording

    def skip(self) -> None:
        """Count a call that is not recorded since there is no SDK."""
        next_sequence()
