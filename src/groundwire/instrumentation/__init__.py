"""The live side: decorates a RAG function so that every call leaves one self-contained span.

In go the user's calls, out go OpenTelemetry spans in the form that ``WIRE.md`` states. Decorating loads the
OpenTelemetry API, orjson and the answer shapes; the SDK and exporters only if ``configure()`` is called,
wrapt only where an object has to be wrapped. It deliberately knows nothing of records, grades and files,
and never raises into, re-runs or blocks the user's call.
"""

from groundwire.instrumentation.calls import Call, current_call
from groundwire.instrumentation.carry import bind, wrap_executor
from groundwire.instrumentation.diagnosing import diagnostics
from groundwire.instrumentation.feedback import feedback
from groundwire.instrumentation.functions import instrument
from groundwire.instrumentation.retrieval import retriever
from groundwire.instrumentation.set_up import configure, flush, sampler
from groundwire.instrumentation.spanning import call

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
