"""Puts an exception onto a span: always its type; message and stack only with capture full, after
redaction."""

from __future__ import annotations

import traceback
from types import TracebackType

from opentelemetry import trace
from opentelemetry.trace import StatusCode

from groundwire import semconv
from groundwire.instrumentation.hooks import run_foreign
from groundwire.instrumentation.late import values
from groundwire.instrumentation.policy import Policy

_MAX_MESSAGE = 8_192
_MAX_STACK = 32_768
_MAX_FRAMES = 64
"""How many of the innermost frames are written: an error that passes many decorated calls, as in a recursion,
is written by each of them."""
_MAX_CHAIN = 16
"""How many errors that led to an error are written with it; of a longer chain none."""


def record_error(span: trace.Span, error: BaseException, policy: Policy) -> None:
    """Set ``error.type``, add the event ``exception``, and set the status to ERROR for an Exception."""
    name = type_name(error)
    span.set_attribute(semconv.ERROR_TYPE, name)
    message = _settled(_message_of(error), policy, _MAX_MESSAGE) if policy.full else None
    event = {semconv.EXCEPTION_TYPE: name}
    if policy.full:
        if message is not None:
            event[semconv.EXCEPTION_MESSAGE] = message
        stack = _settled(_stack_of(error), policy, _MAX_STACK)
        if stack is not None:
            event[semconv.EXCEPTION_STACKTRACE] = stack
    span.add_event(semconv.EXCEPTION_EVENT, event)
    if isinstance(error, Exception):
        span.set_status(StatusCode.ERROR, message or None)


def type_name(error: BaseException) -> str:
    """Return an exception's qualified name, without module for built-in ones."""
    kind = type(error)
    return kind.__qualname__ if kind.__module__ == "builtins" else f"{kind.__module__}.{kind.__qualname__}"


def _message_of(error: BaseException) -> str | None:
    try:
        message: str = run_foreign(str, error)
        return message
    except Exception:  # noqa: BLE001 - a hostile __str__
        return None


def _stack_of(error: BaseException) -> str | None:
    try:
        inner, chain = _innermost(error.__traceback__), _is_short_chain(error)
        return "".join(run_foreign(_lines_of, error, inner, chain))
    except Exception:  # noqa: BLE001 - a hostile __str__
        return None


def _lines_of(error: BaseException, inner: TracebackType | None, chain: bool) -> list[str]:
    return traceback.format_exception(type(error), error, inner, limit=-_MAX_FRAMES, chain=chain)


def _innermost(first: TracebackType | None) -> TracebackType | None:
    """Skip all but the last frames; the traceback module would look at each before it leaves it out."""
    last = first
    for _ in range(_MAX_FRAMES):
        last = last and last.tb_next
    while last is not None and first is not None:
        last, first = last.tb_next, first.tb_next
    return first


def _is_short_chain(error: BaseException | None) -> bool:
    for _ in range(_MAX_CHAIN):
        if error is None:
            return True
        error = error.__cause__ or error.__context__
    return False


def _settled(text: str | None, policy: Policy, limit: int) -> str | None:
    if text is None:
        return None
    if policy.redact_kinds or policy.redact_call:
        from groundwire.instrumentation.redaction import redact_text

        text = redact_text(text, policy)
    text = values.clean_text(text, "error", values.Changes())
    return text if len(text) <= limit else text[:limit] + "…"
