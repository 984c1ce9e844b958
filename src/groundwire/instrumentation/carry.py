"""Takes the current call along into threads and executors; into other processes, its place in the trace."""

from __future__ import annotations

import functools
import sys
from collections.abc import Callable
from concurrent.futures import Executor, Future
from typing import Any, ParamSpec, TypeVar

from opentelemetry import trace
from opentelemetry.trace import NonRecordingSpan, SpanContext

from groundwire.instrumentation.calls import NO_CALL
from groundwire.instrumentation.context import Context, attach, context_with, get_current, restore

P = ParamSpec("P")
R = TypeVar("R")
E = TypeVar("E", bound=Executor)


def bind(function: Callable[P, R]) -> Callable[P, R]:
    """Return ``function`` bound to the span and call that are current *now*, for another thread to run.

    >>> from threading import Thread
    >>> thread = Thread(target=bind(print), args=("in the same trace",))
    >>> thread.start(); thread.join()
    in the same trace
    """
    context = get_current()

    @functools.wraps(function)
    def bound(*args: P.args, **kwargs: P.kwargs) -> R:
        return _run_in(context, function, *args, **kwargs)

    return bound


def _run_in(context: Context, function: Callable[P, R], *args: P.args, **kwargs: P.kwargs) -> R:
    token = attach(context)
    try:
        return function(*args, **kwargs)
    finally:
        restore(token)


def _run_under(parent: SpanContext, function: Callable[P, R], *args: P.args, **kwargs: P.kwargs) -> R:
    """Run ``function`` in another process as a child of the span that submitted it."""
    return _run_in(context_with(get_current(), NonRecordingSpan(parent), NO_CALL), function, *args, **kwargs)


def _bind_to_process(function: Callable[..., R]) -> Callable[..., R]:
    """Return ``function`` with what can be pickled of the current context: whose child it is."""
    here = trace.get_current_span().get_span_context()
    return functools.partial(_run_under, here, function) if here.is_valid else function


def _is_of_processes(executor: Executor) -> bool:
    """Whether it is a pool of processes, without loading what such pools need where there is none."""
    module = sys.modules.get("concurrent.futures.process")
    return module is not None and isinstance(executor, module.ProcessPoolExecutor)


def wrap_executor(executor: E) -> E:
    """Make an executor's ``submit`` and ``map`` carry the caller's span and call; returns the same executor.

    A pool of threads carries both. A pool of processes carries only whose children its spans are: those that
    a worker with a tracer provider of its own makes stand in the same trace, but ``current_call()`` there is
    the no-op, and what a ``@retriever`` found there does not join the call.

    >>> from concurrent.futures import ThreadPoolExecutor
    >>> with wrap_executor(ThreadPoolExecutor()) as pool:
    ...     pool.submit(str.upper, "ada").result()
    'ADA'
    """
    if getattr(executor, "_groundwire_wrapped", False):
        return executor
    submit = executor.submit
    carry = _bind_to_process if _is_of_processes(executor) else bind

    def bound_submit(function: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        return submit(carry(function), *args, **kwargs)

    executor.submit = bound_submit  # type: ignore[method-assign]
    executor._groundwire_wrapped = True  # type: ignore[attr-defined]
    return executor
