"""Takes the current call along into threads and executors."""

from __future__ import annotations

import functools
from collections.abc import Callable
from concurrent.futures import Executor, Future
from typing import Any, ParamSpec, TypeVar

from groundwire.instrumentation.context import attach, get_current, restore

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
        token = attach(context)
        try:
            return function(*args, **kwargs)
        finally:
            restore(token)

    return bound


def wrap_executor(executor: E) -> E:
    """Make an executor's ``submit`` and ``map`` carry the caller's span and call; returns the same executor.

    For thread pools. A process pool's workers do not share the caller's context: there, only what can be
    pickled would travel.

    >>> from concurrent.futures import ThreadPoolExecutor
    >>> with wrap_executor(ThreadPoolExecutor()) as pool:
    ...     pool.submit(str.upper, "ada").result()
    'ADA'
    """
    if getattr(executor, "_groundwire_wrapped", False):
        return executor
    submit = executor.submit

    def bound_submit(function: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        return submit(bind(function), *args, **kwargs)

    executor.submit = bound_submit  # type: ignore[method-assign]
    executor._groundwire_wrapped = True  # type: ignore[attr-defined]
    return executor
