"""groundwire: tells whether a RAG system's answers can be trusted in production.

The live side (``instrument``, ``retriever``, ``call``, …) needs only the base install; the offline side
(``read_records``, ``grade_record``, ``score``, …) needs ``pip install 'groundwire[score]'``. Public names
are imported on first use, so that decorating a function loads nothing of the offline side.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"

_HOMES = {
    "groundwire.instrumentation": (
        "instrument", "retriever", "call", "current_call", "configure", "feedback", "flush", "diagnostics",
        "bind", "sampler",
    ),
    "groundwire.record": (
        "RagRecord", "RetrievedContext", "Citation", "Usage", "Message", "Cost", "Feedback", "Expected",
        "Sampling", "parse_record",
    ),
    "groundwire.grade": ("Grade", "Outcome", "Basis", "Evidence", "Grader", "Shared", "render_explanation"),
    "groundwire.span": ("Rejected", "Origin"),
    "groundwire.graders": ("grade_record", "default_graders"),
    "groundwire.graders.claim_report": ("report_claims",),
    "groundwire.reading": ("read_records",),
    "groundwire.text.reuse_check": ("check",),
    "groundwire.pipeline": ("score",),
    "groundwire.settings": ("Settings",),
    "groundwire.audit": ("AuditLog",),
    "groundwire.errors": (
        "GroundwireError", "ConfigError", "MissingExtraError", "EnvelopeError", "DialectError", "RecordError",
        "AuditError", "ChainError", "SchemaVersionError", "JudgeError",
    ),
}  # fmt: skip
_HOME_OF = {name: module for module, names in _HOMES.items() for name in names}

__all__ = ["__version__", *_HOME_OF]


def __getattr__(name: str) -> Any:
    module = _HOME_OF.get(name)
    if module is None:
        raise AttributeError(f"module 'groundwire' has no attribute {name!r}")
    value = getattr(importlib.import_module(module), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *_HOME_OF})


if TYPE_CHECKING:
    from groundwire.audit import AuditLog as AuditLog
    from groundwire.errors import (
        AuditError as AuditError,
        ChainError as ChainError,
        ConfigError as ConfigError,
        DialectError as DialectError,
        EnvelopeError as EnvelopeError,
        GroundwireError as GroundwireError,
        JudgeError as JudgeError,
        MissingExtraError as MissingExtraError,
        RecordError as RecordError,
        SchemaVersionError as SchemaVersionError,
    )
    from groundwire.grade import (
        Basis as Basis,
        Evidence as Evidence,
        Grade as Grade,
        Grader as Grader,
        Outcome as Outcome,
        Shared as Shared,
        render_explanation as render_explanation,
    )
    from groundwire.graders import default_graders as default_graders, grade_record as grade_record
    from groundwire.graders.claim_report import report_claims as report_claims
    from groundwire.instrumentation import (
        bind as bind,
        call as call,
        configure as configure,
        current_call as current_call,
        diagnostics as diagnostics,
        feedback as feedback,
        flush as flush,
        instrument as instrument,
        retriever as retriever,
        sampler as sampler,
    )
    from groundwire.pipeline import score as score
    from groundwire.reading import read_records as read_records
    from groundwire.record import (
        Citation as Citation,
        Cost as Cost,
        Expected as Expected,
        Feedback as Feedback,
        Message as Message,
        RagRecord as RagRecord,
        RetrievedContext as RetrievedContext,
        Sampling as Sampling,
        Usage as Usage,
        parse_record as parse_record,
    )
    from groundwire.settings import Settings as Settings
    from groundwire.span import Origin as Origin, Rejected as Rejected
    from groundwire.text.reuse_check import check as check
