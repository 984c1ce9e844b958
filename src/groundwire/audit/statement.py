"""What a record says in plain form of an answer and its grades: its *statement*, without commitments."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import Any

from msgspec import to_builtins

from groundwire.audit.content_fields import ContentField
from groundwire.audit.schema import RECORD_SCHEMA
from groundwire.audit.wording import (
    decimal_string,
    error_type,
    plain_count,
    plain_id,
    plain_name,
    plain_word,
    present,
    rfc3339_ns,
    threshold,
)
from groundwire.grade import Evidence, Grade
from groundwire.record import Cost, RagRecord


def make_statement(record: RagRecord, grades: Sequence[Grade], trace_id: str) -> dict[str, Any]:
    """Return the plain members of a graded record; equal answers with equal grades give equal ones."""
    statement: dict[str, Any] = {
        "schema": RECORD_SCHEMA,
        "type": "graded",
        "subject": _subject(record, trace_id),
        "system": present({name: plain_name(getattr(record, name)) for name in _SYSTEM}),
        "sampling": _sampling(record),
        "results": [_result(grade) for grade in sorted(grades, key=lambda grade: grade.name)],
    }
    usage = record.usage and present(
        {name: plain_count(value) for name, value in to_builtins(record.usage).items()}
    )
    cost = record.recorded_cost
    completeness = {k: v for k, v in record.completeness.items() if plain_word(k) and plain_word(v)}
    return {
        **statement,
        **({"usage": usage} if usage else {}),
        **({"cost": _cost(cost)} if cost else {}),
        **({"completeness": completeness} if completeness else {}),
    }


def _cost(cost: Cost) -> dict[str, Any]:
    named = {"amount": cost.amount, "currency": cost.currency, "source": cost.source}
    return present({name: plain_name(value) for name, value in named.items()})


_SYSTEM = (
    "service", "service_version", "environment", "model", "provider", "prompt_id", "prompt_version",
    "index_version",
)  # fmt: skip


def _subject(record: RagRecord, trace_id: str) -> dict[str, Any]:
    return present(
        {
            "trace_id": trace_id,
            "span_id": record.span_id and plain_id(record.span_id),
            "started_at": rfc3339_ns(record.started_at_ns),
            "latency_ns": plain_count(record.latency_ns),
            "time_to_first_chunk_ns": plain_count(record.time_to_first_chunk_ns),
            "status": plain_word(record.status),
            "error_type": error_type(record.error),
            "finish_reason": plain_word(record.finish_reason),
            "stream_end": plain_word(record.stream_end),
            "abstained": record.abstained,
        }
    )


def _sampling(record: RagRecord) -> dict[str, Any]:
    sampling = record.sampling
    if sampling is None:
        return {"source": "unknown"}
    made = present(
        {
            "threshold": threshold(sampling.threshold),
            "probability": sampling.probability and decimal_string(sampling.probability),
            "policy": plain_name(sampling.policy),
            "process": plain_name(sampling.process),
            "sequence": plain_count(sampling.sequence),
        }
    )
    return {"source": plain_word(sampling.source) or "unknown", **made}


def _result(grade: Grade) -> dict[str, Any]:
    result = present(
        {
            "name": grade.name,
            "outcome": str(grade.outcome),
            "basis": str(grade.basis),
            "method": grade.method,
            "grader_version": grade.grader_version,
            "label": plain_word(grade.label),
            "score": decimal_string(grade.score),
        }
    )
    if grade.config_digest:
        result["config_digest"] = grade.config_digest
    if grade.evidence:
        result["evidence"] = [_evidence(row) for row in grade.evidence]
    return result


_OFFSETS = (
    "answer_start", "answer_end", "context_index", "context_start", "context_end", "citation_index",
)  # fmt: skip


def _evidence(row: Evidence) -> dict[str, Any]:
    made = {name: value for name in _OFFSETS if (value := getattr(row, name)) is not None}
    if row.label is not None and (label := plain_word(row.label)) is not None:
        made["label"] = label
    if row.score is not None and (score := decimal_string(row.score)) is not None:
        made["score"] = score
    return made


def trace_id_of(record: RagRecord, fields: list[ContentField]) -> str:
    """Return the record's trace id; an answer without one is named by a digest of its content."""
    if record.trace_id:
        return plain_id(record.trace_id)
    return hashlib.sha256(b"\0".join(value for _, value, _ in fields)).hexdigest()[:32]


def cluster_of(record: RagRecord) -> bytes | None:
    """Digest of the conversation, else of the user; only ever in memory and in the writer's work file."""
    for kind, value in (("conversation", record.conversation_id), ("user", record.subject_id)):
        if value:
            return hashlib.sha256(f"{kind}\0{value}".encode("utf-8", "surrogatepass")).digest()[:16]
    return None
