"""Which process instance this is, and how many calls it has seen: what makes losses countable.

A forked child is a new instance with a new id and a count from 1. Nothing here starts a thread.
"""

from __future__ import annotations

import itertools
import os
import threading
import time
from collections.abc import Callable

from groundwire.instrumentation import losses


class _Instance:
    __slots__ = ("count", "id")

    def __init__(self) -> None:
        self.renew()

    def renew(self) -> None:
        self.id = os.urandom(8).hex()
        self.count = itertools.count(1)


_instance = _Instance()
_after_fork: list[Callable[[], None]] = [_instance.renew, losses.forget]


def next_sequence() -> int:
    """Count one call of this process instance and return its number, from 1. Safe between threads."""
    return next(_instance.count)


def calls_so_far() -> int:
    """Return how many calls this process instance has counted."""
    return int(repr(_instance.count)[6:-1]) - 1


def process_id() -> str:
    """Return the id of this process instance: 16 hex digits, random, new after a fork."""
    return _instance.id


def after_fork(action: Callable[[], None]) -> None:
    """Have ``action`` run in every child that is forked from now on."""
    _after_fork.append(action)


def started(work: Callable[[], None], name: str) -> threading.Thread | None:
    """Return a daemon thread that does ``work``; None if no thread is to be had, now or at the exit."""
    thread = threading.Thread(target=work, name=name, daemon=True)
    try:
        thread.start()
    except RuntimeError as cause:
        losses.warn_once_a_minute(name, "%s: %s", name, cause)
        return None
    return thread


def is_disabled() -> bool:
    """Whether the environment switches the OpenTelemetry SDK off, as the SDK itself reads it."""
    return os.environ.get("OTEL_SDK_DISABLED", "").strip().lower() == "true"


_exit_began: list[float] = []


def remaining_exit_seconds(bound: float) -> float:
    """Return what is left of ``bound`` seconds since the exit began; all that holds it up shares them."""
    _exit_began.append(time.monotonic())
    return max(0.0, bound - (time.monotonic() - _exit_began[0]))


def _run_after_fork() -> None:
    for action in _after_fork:
        action()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_run_after_fork)
