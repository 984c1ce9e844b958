"""What could not be recorded, counted by reason; and warnings that never flood.

The instrument never raises into the user's call. What goes wrong inside it is counted here, shown by
``diagnostics()``, added to the metric ``groundwire.loss`` where there is a MeterProvider, and said once a
minute and reason on the logger ``groundwire``, at DEBUG for a failure of ours while a call runs.
"""

from __future__ import annotations

import logging
import time
from collections import Counter

from groundwire.instrumentation.metrics import add_loss

logger = logging.getLogger("groundwire")
logger.addHandler(logging.NullHandler())

_PERIOD_S = 60.0
_lost: Counter[str] = Counter()
_said: dict[str, float] = {}


def count_loss(reason: str, cause: BaseException | None = None, *, count: int = 1) -> None:
    """Count something that was not recorded. Never raises.

    ``reason`` is a stable word (``begin``, ``read``, ``emit``, ``offload_full``, …).
    """
    _lost[reason] += count
    add_loss(reason, count)
    if cause is not None and _is_due(reason):
        logger.debug("groundwire could not record part of a call (%s): %s", reason, type(cause).__name__)


def warn_once_a_minute(topic: str, message: str, *args: object) -> None:
    """Log a warning unless the same topic was warned of within the last minute."""
    if _is_due(topic):
        logger.warning(message, *args)


def lost() -> dict[str, int]:
    """Return the losses so far by reason."""
    return dict(_lost)


def forget() -> None:
    """Begin anew, as in a forked child: its losses are its own."""
    _lost.clear()


def _is_due(topic: str) -> bool:
    now = time.monotonic()
    if now - _said.get(topic, -_PERIOD_S) < _PERIOD_S:
        return False
    _said[topic] = now
    return True
