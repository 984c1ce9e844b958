"""What a trace holds, for people: dialects and why, which graders can work, and what to switch on."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from groundwire import semconv
from groundwire.dialects.advice import advise
from groundwire.dialects.feedback import read_feedback
from groundwire.dialects.form import Reading, Role
from groundwire.dialects.native import Native
from groundwire.dialects.normalize import normalize_trace, read_spans
from groundwire.dialects.refs import RefFiles
from groundwire.dialects.tree import SpanTree
from groundwire.dialects.units import group_units
from groundwire.dialects.whole import make_whole
from groundwire.record import RagRecord
from groundwire.span import Trace

_TEXTS: Final = ("answer", "contexts")
GRADER_NEEDS: Final[dict[str, tuple[str, ...]]] = {
    "citation_provenance": ("answer", "contexts", "citations"),
    "citation_scope": ("answer", "contexts", "citations"),
    "citation_support": ("answer", "contexts", "citations"),
    "citation_accuracy": ("answer", "contexts", "citations"),
    "citation_coverage": ("answer", "citations"),
    "groundedness": _TEXTS,
    "quotation": _TEXTS,
    "verbatim_reuse": _TEXTS,
    "retrieval_use": _TEXTS,
    "abstention": ("question", "answer"),
    "pii_leak": ("answer",),
    "completed": (),
    "latency": ("latency_ns",),
    "cost": ("usage",),
}
"""The fields of a record without which a grader can only say unknown."""


class Gap(NamedTuple):
    """A field that is missing or damaged: why, and what to switch on in which instrumentation."""

    field: str
    reason: str
    dialect: str
    advice: str


class RecordDescription(NamedTuple):
    """One record: its dialects, the graders that can work on it, and the gaps for the rest."""

    trace_id: str
    span_id: str
    dialects: tuple[str, ...]
    gradable: tuple[str, ...]
    gaps: tuple[Gap, ...]


class TraceDescription(NamedTuple):
    """One trace. ``dialects`` counts spans by dialect, ``signs`` says per dialect what gave it away."""

    trace_id: str
    spans: int
    dialects: dict[str, int]
    signs: dict[str, str]
    records: tuple[RecordDescription, ...]
    unanswered_retrievals: int
    feedback: int


def describe_trace(
    trace: Trace, records: Sequence[RagRecord] | None = None, *, ref_bases: Sequence[str] = ()
) -> TraceDescription:
    """Return what the trace holds; ``records`` are its records, where they are at hand already.

    >>> describe_trace(Trace(trace_id="ab" * 16, spans=[])).records
    ()
    """
    if records is None:
        records = normalize_trace(trace, ref_bases=ref_bases)
    full = make_whole(trace)
    tree = SpanTree(full)
    readings = read_spans(tree, full.logs, RefFiles(ref_bases))
    known = [reading for reading in readings.values() if _dialect_of(reading) == reading.dialect != "unknown"]
    unanswered = group_units(tree, readings).unanswered
    return TraceDescription(
        trace_id=trace.trace_id,
        spans=len(tree.spans),
        dialects=dict(Counter(map(_dialect_of, readings.values()))),
        signs={reading.dialect: reading.why for reading in reversed(known)},
        records=tuple(_describe(record, tree, readings) for record in records),
        unanswered_retrievals=sum(reading.role is Role.RETRIEVAL for reading in unanswered),
        feedback=len(read_feedback(trace)),
    )


def _dialect_of(reading: Reading) -> str:
    """Return the dialect; spans of our own scope are ours, whatever keys they carry for others."""
    return Native.name if reading.span.scope.name == semconv.SCOPE_NAME else reading.dialect


def _describe(record: RagRecord, tree: SpanTree, readings: dict[str, Reading]) -> RecordDescription:
    head = readings.get(record.span_id or "")
    dialects = dict.fromkeys([head.dialect] if head is not None else [])
    if head is not None:
        below = (readings[span.span_id].dialect for span in tree.walk(head.span))
        dialects.update(dict.fromkeys(dialect for dialect in below if dialect != "unknown"))
    named = tuple(dialects)
    gaps = tuple(_find_gaps(record, named[0] if named else "unknown"))
    return RecordDescription(record.trace_id or "", record.span_id or "", named, list_gradable(record), gaps)


def list_gradable(record: RagRecord) -> tuple[str, ...]:
    """Return the names of the graders that have what they need of this record.

    >>> list_gradable(RagRecord(question="Who?", answer="Ada."))
    ('abstention', 'pii_leak', 'completed')
    """
    return tuple(name for name, needs in GRADER_NEEDS.items() if all(_has(record, field) for field in needs))


def _has(record: RagRecord, field: str) -> bool:
    value = getattr(record, field)
    if field == "contexts":
        return bool(value is not None and all(context.text is not None for context in value))
    if field == "citations":
        return bool(value)
    return value is not None


def _find_gaps(record: RagRecord, dialect: str) -> Iterator[Gap]:
    """Name what is missing, fields that graders need first."""
    reasons = dict(record.completeness)
    for field in ("question", "answer", "contexts", "usage"):
        if not _has(record, field) and not (field == "answer" and record.error is not None):
            reasons.setdefault(field, "not_captured")
    if record.answer is not None and record.citations is None:
        reasons.setdefault("citations", "not_captured")
    order = {
        name: index for index, name in enumerate(("question", "answer", "contexts", "citations", "usage"))
    }
    for field, reason in sorted(reasons.items(), key=lambda pair: (order.get(pair[0], 9), pair[0])):
        yield Gap(field, reason, dialect, advise(dialect, field, reason))
