"""``@retriever``: a child span for a search, whose passages join the call around it."""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, TypeVar, overload

from opentelemetry import trace
from opentelemetry.trace import TracerProvider

from groundwire import semconv
from groundwire.instrumentation.calls import NO_CALL, Call, current_call
from groundwire.instrumentation.context import Context, context_with, get_current
from groundwire.instrumentation.functions import wrap_any
from groundwire.instrumentation.late import emission, shapes
from groundwire.instrumentation.losses import count_loss
from groundwire.instrumentation.policy import Capture, Redact
from groundwire.instrumentation.recording import AnswerSite, RecordedCall, Recording

if TYPE_CHECKING:
    from groundwire.instrumentation.functions import AnyCallable

F = TypeVar("F", bound="AnyCallable")


class RetrieverSite(AnswerSite):
    """A function that returns passages: its calls become retrieval spans under the answer's."""

    __slots__ = ()

    operation = semconv.OPERATION_RETRIEVAL
    kind = "RETRIEVER"
    decorator = "retriever"

    def begin(self, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> Recording | RecordedCall | None:
        """Open a span as a child of the answer's; None: there is no SDK, or it failed."""
        try:
            tracer = self.tracer()
            if tracer is None:
                return None
            enclosing = current_call()
            current = get_current()
            span = tracer.start_span(self.span_name, current)
            if not span.is_recording():
                return UnrecordedRetrieval(self, context_with(current, span, enclosing))
            recording = RecordedRetrieval(self, span, current, enclosing)
        except Exception as cause:  # noqa: BLE001 - never into the user's call
            count_loss("begin", cause)
            return None
        try:
            recording.read_arguments(args, kwargs)
        except Exception as cause:  # noqa: BLE001 - the call goes on without what could not be read
            count_loss("read", cause)
        return recording

    def skip(self) -> None:
        """Retrievals are not counted as calls."""


class UnrecordedRetrieval(Recording):
    """A retrieval that was not sampled: nothing is counted."""

    __slots__ = ()

    def _end(self, outcome: str) -> None:
        self.ended = True


class RecordedRetrieval(RecordedCall):
    """A retrieval whose span is recorded; hands its passages to the enclosing call."""

    def __init__(self, site: RetrieverSite, span: trace.Span, current: Context, enclosing: Call) -> None:
        super().__init__(site, span, 0, current)
        self.context = context_with(current, span, enclosing)
        self.enclosing = None if enclosing is NO_CALL else enclosing

    def finish(self, result: Any) -> None:
        """Read the result, write the span and end it."""
        self.finish_stream({}, result, "returned", {})

    def emit(self, fields: dict[str, Any], result: Any, known: Mapping[str, Any]) -> None:
        """Hand the passages to the enclosing call and write the span."""
        contexts = shapes.read_documents(result)
        if contexts is None:
            contexts = shapes.read_contexts(result)
        site, enclosing = self.site, self.enclosing
        policy = site.policy
        if enclosing is not None:
            policy = policy.stricter(enclosing.site.policy)
        if contexts is not None and isinstance(enclosing, RecordedCall) and not enclosing.ended:
            # Both steps are atomic: retrievers of one call may end in several threads at once.
            vars(enclosing).setdefault("retrieved", []).append(contexts)
            if not policy.retrieval_content:
                contexts = [_without_text(context) for context in contexts]
        emission.emit_fields(
            self.span, {"query": self.question, "contexts": contexts}, policy, dict(site.static)
        )

    def end(self, outcome: str) -> None:
        """End the span, once; retrievals are not counted as calls."""
        if not self.ended:
            self.ended = True
            try:
                if self.span.is_recording():
                    self.span.end()
            except Exception as cause:  # noqa: BLE001 - a span processor of the user's may raise
                count_loss("end", cause)
            self.release()
            self.enclosing = None


def _without_text(context: dict[str, Any]) -> dict[str, Any]:
    return {name: context[name] for name in ("id", "score") if context.get(name) is not None}


@overload
def retriever(function: F, /) -> F: ...


@overload
def retriever(
    *,
    name: str | None = None,
    question: str | None = None,
    capture: Capture | None = None,
    redact: Redact = None,
    tracer_provider: TracerProvider | None = None,
) -> Callable[[F], F]: ...


def retriever(function: Any = None, /, **options: Any) -> Any:
    """Record every call of a search function as a child span, and hand its passages to the call around it.

    For functions of every kind, as :func:`instrument`; ``question`` names the parameter that holds the
    query. Inside a decorated call the passages' texts stand once, on the answer's span; without one the
    retrieval span carries them itself.

    >>> @retriever
    ... def search(query: str) -> list[dict]:
    ...     return [{"id": "ada", "text": "Ada wrote it.", "score": 0.9}]
    >>> search("Who?")[0]["id"]
    'ada'
    """
    if function is None:
        return functools.partial(wrap_any, sort=RetrieverSite, options=options)
    return wrap_any(function, RetrieverSite, options)
