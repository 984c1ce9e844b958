"""Makes a span and its call current, and un-makes it without ever logging or raising.

Both lie in OpenTelemetry's own context, so that they travel wherever that travels (tasks, threading
instrumentations, ``bind``). One copy of the context holds both.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from opentelemetry import context as otel_context, trace

CALL_KEY: Final = otel_context.create_key("groundwire-call")
SPAN_KEY: Final = next(iter(trace.set_span_in_context(trace.INVALID_SPAN, otel_context.Context())))

Context = otel_context.Context


def _shortest() -> tuple[Callable[[], Context], Callable[[Context], Any], Callable[[Any], Any]]:
    """Return how to get, attach and reset the current context: by the variable itself where it is one."""
    token: Any = otel_context.attach(otel_context.get_current())
    variable = getattr(token, "var", None)
    otel_context.detach(token)
    if variable is None:
        return otel_context.get_current, otel_context.attach, otel_context.detach
    return variable.get, variable.set, variable.reset


get_current, attach, reset = _shortest()
"""``reset`` undoes an ``attach`` as ``restore`` does, but raises ValueError in a foreign context."""


def restore(token: Any) -> None:
    """Undo an ``attach``; in a foreign context (a stream closed by another task) do nothing, silently."""
    try:
        reset(token)
    except ValueError:
        pass


def context_with(current: Context, span: trace.Span, call: Any) -> Context:
    """Return the ``current`` context with ``span`` and ``call`` in it."""
    return Context({**current, SPAN_KEY: span, CALL_KEY: call})
