"""The live side: decorates a RAG function so that every call leaves one self-contained span.

In go the user's calls, out go OpenTelemetry spans in the form that ``WIRE.md`` states. Decorating loads the
OpenTelemetry API; orjson and the answer shapes come with the first call that needs them, SDK and exporters
only with ``configure()``, wrapt only where an object has to be wrapped. It deliberately knows
nothing of records, grades and files, and never raises into, re-runs or blocks the user's call.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

_HOMES = {
    "Call": "calls",
    "current_call": "calls",
    "bind": "carry",
    "wrap_executor": "carry",
    "diagnostics": "diagnosing",
    "feedback": "rating",
    "instrument": "functions",
    "retriever": "retrieval",
    "configure": "set_up",
    "flush": "set_up",
    "sampler": "set_up",
    "call": "spanning",
}

__all__ = [
    "Call",
    "bind",
    "call",
    "configure",
    "current_call",
    "diagnostics",
    "feedback",
    "flush",
    "instrument",
    "retriever",
    "sampler",
    "wrap_executor",
]


def __getattr__(name: str) -> Any:
    home = _HOMES.get(name)
    if home is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(importlib.import_module(f"{__name__}.{home}"), name)
    globals()[name] = value
    return value


if TYPE_CHECKING:
    from groundwire.instrumentation.calls import Call as Call, current_call as current_call
    from groundwire.instrumentation.carry import bind as bind, wrap_executor as wrap_executor
    from groundwire.instrumentation.diagnosing import diagnostics as diagnostics
    from groundwire.instrumentation.functions import instrument as instrument
    from groundwire.instrumentation.rating import feedback as feedback
    from groundwire.instrumentation.retrieval import retriever as retriever
    from groundwire.instrumentation.set_up import (
        configure as configure,
        flush as flush,
        sampler as sampler,
    )
    from groundwire.instrumentation.spanning import call as call
