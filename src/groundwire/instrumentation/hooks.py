"""Runs the user's own code inside the instrument: hooks, none of them inside another, and ``__str__``."""

from __future__ import annotations

from collections.abc import Callable
from contextvars import ContextVar
from typing import Any, Final

_is_inside: ContextVar[bool] = ContextVar("groundwire-hook", default=False)


_ENDINGS: Final = ("SystemExit", "GeneratorExit", "CancelledError")


def run_foreign(function: Callable[..., Any], *given: Any) -> Any:
    """Return what the user's ``function`` returns. Raises what it raises, but what would end more than the
    call (SystemExit, GeneratorExit, CancelledError) as a RuntimeError.

    What comes from outside while it runs passes as it is: KeyboardInterrupt, SystemExit out of a handler of
    signals, what gevent throws in. To hold these back would keep the service from stopping.
    """
    try:
        return function(*given)
    except BaseException as error:
        name = type(error).__name__
        if isinstance(error, Exception) or name not in _ENDINGS or _is_of_a_signal(error):
            raise
        raise RuntimeError(f"{name} in the user's code") from error


def label_text(value: Any) -> str | None:
    """Return an id or an amount of any type as text; None for a list or a mapping, whose text may be endless.

    >>> label_text(7), label_text([7]), label_text(None)
    ('7', None, None)
    """
    if value is None or issubclass(type(value), (dict, list, tuple, set, frozenset)):
        return None
    text: str = run_foreign(str, value)
    return text


def _is_of_a_signal(error: BaseException) -> bool:
    """Whether a handler of signals raised it, which runs in the midst of whatever it interrupts."""
    import signal
    import traceback

    handlers = {getattr(signal.getsignal(number), "__code__", None) for number in signal.valid_signals()}
    return any(frame.f_code in handlers for frame, _ in traceback.walk_tb(error.__traceback__))


def call_hook(hook: Callable[..., Any], *given: Any) -> Any:
    """Return what ``hook`` returns. Raises what ``run_foreign`` does, and RecursionError inside another hook.

    A redaction that asks a decorated function would else redact that function's question, which asks it
    again: each text twice or more at every depth, which would hold up the service for good.
    """
    if _is_inside.get():
        raise RecursionError("a hook calls a function that has a hook")
    token = _is_inside.set(True)
    try:
        return run_foreign(hook, *given)
    finally:
        _is_inside.reset(token)
