"""From a record back to the values it was made from: grades, and the answer as far as it is at hand."""

from __future__ import annotations

from typing import Any

import msgspec

from groundwire.audit.schema import Graded, Result
from groundwire.errors import AuditError, ChainError
from groundwire.grade import Evidence, Grade
from groundwire.record import RagRecord, Sampling, Usage


def grade_of(result: Result) -> Grade:
    """Return a recorded result as the Grade it came from, without its explanation."""
    return Grade(
        name=result.name,
        outcome=result.outcome,
        basis=result.basis,
        grader_version=result.grader_version,
        score=_real(result.score),
        label=result.label,
        evidence=tuple(
            Evidence(
                label=row.label, answer_start=row.answer_start, answer_end=row.answer_end,
                context_index=row.context_index, context_start=row.context_start, context_end=row.context_end,
                citation_index=row.citation_index, score=_real(row.score),
            )
            for row in result.evidence
        ),
        method=result.method,
        config_digest=result.config_digest,
    )  # fmt: skip


def _real(text: str | None) -> float | None:
    try:
        return None if text is None else float(text)
    except ValueError as cause:
        raise AuditError("is no decimal", got=repr(text[:20]) if text else "", mend=_VERIFY) from cause


_VERIFY = "Run: groundwire audit verify"


def rag_record(record: Graded, content: dict[str, Any] | None) -> RagRecord:
    """Join a record and its content into the RagRecord it was made from, as far as it is at hand.

    Raises ChainError where the content is none that an answer can have had.
    """
    try:
        return msgspec.convert(_fields(record, content), RagRecord, strict=False)
    except (msgspec.ValidationError, TypeError, ValueError) as cause:
        raise ChainError(
            "content does not fit", where=record.record_id, got=str(cause), mend=_VERIFY
        ) from cause


def _fields(record: Graded, content: dict[str, Any] | None) -> dict[str, Any]:
    fields = dict((content or {}).get("details") or {})
    for name in ("question", "answer", "citations", "history"):
        if content and name in content:
            fields[name] = content[name]
    if record.inputs.contexts is not None:
        fields["contexts"] = [
            (content or {}).get(f"contexts.{index}", {"length": slot.length})
            for index, slot in enumerate(record.inputs.contexts)
        ]
    if content is None or "details" not in content:
        fields |= _plain_facts(record)
    return fields


def _plain_facts(record: Graded) -> dict[str, Any]:
    """What the record itself says in plain form."""
    subject, system, sampling = record.subject, record.system, record.sampling
    facts: dict[str, Any] = {name: getattr(system, name) for name in system.__struct_fields__}
    for name in ("trace_id", "span_id", "latency_ns", "time_to_first_chunk_ns", "status", "finish_reason",
                 "stream_end", "abstained"):  # fmt: skip
        facts[name] = getattr(subject, name)
    facts["error"] = subject.error_type
    facts["usage"] = Usage(**{k: v for k, v in record.usage.items() if k in Usage.__struct_fields__})
    probability = _real(sampling.probability)
    facts["sampling"] = Sampling(
        threshold=sampling.threshold, probability=probability, source=sampling.source,
        policy=sampling.policy, process=sampling.process, sequence=sampling.sequence,
    )  # fmt: skip
    facts["completeness"] = record.completeness
    return {name: value for name, value in facts.items() if value is not None}
