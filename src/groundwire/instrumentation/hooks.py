"""Calls the user's own hooks, and none of them inside another."""

from __future__ import annotations

from collections.abc import Callable
from contextvars import ContextVar
from typing import Any

_is_inside: ContextVar[bool] = ContextVar("groundwire-hook", default=False)


def call_hook(hook: Callable[..., Any], *given: Any) -> Any:
    """Return what ``hook`` returns. Raises what it raises, and RecursionError inside another hook.

    A redaction that asks a decorated function would else redact that function's question, which asks it
    again: each text twice or more at every depth, which would hold up the service for good.
    """
    if _is_inside.get():
        raise RecursionError("a hook calls a function that has a hook")
    token = _is_inside.set(True)
    try:
        return hook(*given)
    finally:
        _is_inside.reset(token)
