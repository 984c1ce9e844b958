"""The instrument's own metrics: calls, their duration, and losses; only where a MeterProvider is set.

``opentelemetry.metrics`` is not imported for this: as long as nobody else has, there is no provider.
"""

from __future__ import annotations

import sys
from typing import Any

from groundwire import __version__, semconv

_CALL = "groundwire.call.name"
_OUTCOME = "groundwire.call.outcome"


class _Instruments:
    __slots__ = ("calls", "duration", "loss", "provider")

    def __init__(self, provider: Any) -> None:
        meter = provider.get_meter(semconv.SCOPE_NAME, __version__)
        self.provider = provider
        self.calls = meter.create_counter(
            semconv.METRIC_CALLS, "{call}", "Calls of decorated functions, sampled or not."
        )
        self.duration = meter.create_histogram(semconv.METRIC_DURATION, "s", "Duration of calls.")
        self.loss = meter.create_counter(semconv.METRIC_LOSS, "{loss}", "What could not be recorded.")


_instruments: _Instruments | None = None


def _current() -> _Instruments | None:
    """Return the instruments of the MeterProvider that is set, or None.

    The public getter reads the environment on every call as long as none is set, which would cost as much as
    the rest of a call's bookkeeping; so the API's own variable is looked at first.
    """
    global _instruments
    module = sys.modules.get("opentelemetry.metrics._internal")
    if module is None or getattr(module, "_METER_PROVIDER", module) is None:
        return None
    try:
        provider = module.get_meter_provider()
        if type(provider).__name__ in ("_ProxyMeterProvider", "NoOpMeterProvider"):
            return None
        if _instruments is None or _instruments.provider is not provider:
            _instruments = _Instruments(provider)
    except Exception:  # noqa: BLE001 - a broken MeterProvider must not harm the user's call
        return None
    return _instruments


def add_call(name: str, outcome: str, span: Any = None) -> None:
    """Count one finished call, and its duration if its span was recorded. Never raises.

    ``outcome`` is ``returned``, ``failed`` or how a stream ended.
    """
    found = _current()
    if found is None:
        return
    try:
        labels = {_CALL: name, _OUTCOME: outcome}
        found.calls.add(1, labels)
        start_ns, end_ns = getattr(span, "start_time", None), getattr(span, "end_time", None)
        if start_ns and end_ns:
            found.duration.record((end_ns - start_ns) / 1e9, labels)
    except Exception:  # noqa: BLE001 - as above
        pass


def add_loss(reason: str, count: int) -> None:
    """Add to the metric ``groundwire.loss``. Never raises."""
    found = _current()
    if found is None:
        return
    try:
        found.loss.add(count, {"reason": reason})
    except Exception:  # noqa: BLE001 - as above
        pass
