"""How much of a value is looked at: a bound in steps, so that no value, however woven, holds a call up.

Each field of a mapping and each item of a list that is looked at costs a step. Values may share their parts
or hold themselves, so a bound on depth and length alone would not do.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Final, TypeVar

STEPS: Final = 100_000
"""Steps of one reading: enough for ten thousand passages; a usual answer takes thirty."""
_UNBOUNDED: Final = 10**15
T = TypeVar("T")


class Exhausted(Exception):
    """The reading has used up its steps; what it has so far is what it gives."""


class Budget(threading.local):
    """The steps that are left to the reading of this thread; unbounded outside one."""

    left = _UNBOUNDED


budget: Final = Budget()


def bounded(read: Callable[[], T], default: T) -> T:
    """Run one reading within its steps; ``default`` where it raises, which never gets out.

    >>> bounded(lambda: 1 // 0, -1)
    -1
    """
    budget.left = STEPS
    try:
        return read()
    except Exception:  # noqa: BLE001 - reading never raises into the caller
        return default
    finally:
        budget.left = _UNBOUNDED
