"""Grades of the audit log → evaluations: what is sent, before any protocol. Pure."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from datetime import UTC, datetime

import msgspec
from msgspec import Struct

from groundwire import semconv
from groundwire.audit import AuditLog
from groundwire.audit.schema import EvidenceRow, Graded, Result
from groundwire.grade import render_explanation

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


class Evaluation(Struct, frozen=True):
    """One grade, ready to be sent.

    ``key`` (16 hex digits) is the same for the same judgment, whenever it is sent. ``trace_id`` and
    ``span_id`` are the judged span's, ``span_id`` None for a record that came without one. ``judged_at_ns``
    is the end of the judged span (its start where the latency is unknown, None where that is),
    ``graded_at_ns`` when the log recorded it; both nanoseconds UTC. ``attributes`` hold no content but a
    given explanation.
    """

    key: str
    name: str
    outcome: str
    trace_id: str
    span_id: str | None
    judged_at_ns: int | None
    graded_at_ns: int
    attributes: Mapping[str, str | float]


def read_evaluations(
    records: Iterable[Graded],
    *,
    names: Collection[str] | None = None,
    explain: Callable[[Graded], Mapping[str, str]] | None = None,
) -> Iterator[Evaluation]:
    """Yield the evaluations of ``records``, in order; ``names`` limits them to these grades.

    ``explain`` returns a record's explanations by grade name, which are content; None sends none.
    """
    for record in records:
        texts = explain(record) if explain else {}
        for result in record.results:
            if names is None or result.name in names:
                yield _evaluation(record, result, texts.get(result.name))


def explain_from(log: AuditLog) -> Callable[[Graded], dict[str, str]]:
    """Return a function that writes out a record's explanations from the content beside ``log``.

    A grade whose explanation is not at hand (not kept, erased) has none.
    """

    def explain(record: Graded) -> dict[str, str]:
        answer, grades = log.answer(record), log.explained_grades(record)
        return {grade.name: render_explanation(grade, answer) for grade in grades if grade.explanation}

    return explain


def _evaluation(record: Graded, result: Result, explanation: str | None) -> Evaluation:
    identity = f"{record.record_id}\n{result.name}".encode()
    started = parse_time_ns(record.subject.started_at) if record.subject.started_at else None
    return Evaluation(
        key=hashlib.sha256(identity).hexdigest()[:16],
        name=result.name,
        outcome=result.outcome,
        trace_id=record.subject.trace_id,
        span_id=record.subject.span_id,
        judged_at_ns=None if started is None else started + (record.subject.latency_ns or 0),
        graded_at_ns=parse_time_ns(record.recorded_at),
        attributes=_attributes(record, result, explanation),
    )


def _attributes(record: Graded, result: Result, explanation: str | None) -> dict[str, str | float]:
    stated: dict[str, str | float | None] = {
        semconv.EVALUATION_NAME: result.name,
        semconv.EVALUATION_SCORE: None if result.score is None else float(result.score),
        semconv.EVALUATION_LABEL: result.outcome,
        semconv.EVALUATION_EXPLANATION: explanation,
        semconv.GRADE_OUTCOME: result.outcome,
        semconv.GRADE_LABEL: result.label,
        semconv.GRADE_BASIS: result.basis,
        semconv.GRADE_METHOD: result.method,
        semconv.GRADE_VERSION: result.grader_version,
        semconv.GRADE_CONFIG: result.config_digest or None,
        semconv.GRADE_EVIDENCE: _evidence(result.evidence),
        semconv.ERROR_TYPE: "grader_error" if result.outcome == "error" else None,
        semconv.AUDIT_RECORD: record.record_id,
        semconv.AUDIT_RUN: record.run_id,
    }
    return {name: value for name, value in stated.items() if value is not None}


def _evidence(rows: tuple[EvidenceRow, ...]) -> str | None:
    return json.dumps(msgspec.to_builtins(rows), separators=(",", ":")) if rows else None


def parse_time_ns(text: str) -> int:
    """Return an RFC 3339 time, with up to nine digits of a second, as nanoseconds since the epoch.

    >>> parse_time_ns("1970-01-01T00:00:01.000000002Z")
    1000000002
    """
    whole, _, rest = text.partition(".")
    digits = rest[: len(rest) - len(rest.lstrip("0123456789"))]
    zone = rest[len(digits) :] if rest else ""
    moment = datetime.fromisoformat(f"{whole}{zone}".replace("Z", "+00:00"))
    since = moment - _EPOCH
    return (since.days * 86400 + since.seconds) * 10**9 + int(digits.ljust(9, "0")[:9] or 0)
