"""Finding single answers by the beginning of an id, in traces or in an audit log."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from itertools import islice
from pathlib import Path
from typing import Any

import msgspec

from groundwire.audit import AuditLog
from groundwire.envelopes import Limits
from groundwire.errors import AuditError, ConfigError
from groundwire.grade import Grade, render_explanation
from groundwire.graders import grade_record, resolve_graders
from groundwire.reading import read_records
from groundwire.record import RagRecord
from groundwire.settings import Settings

MAX_FOUND = 20
"""How many answers one look-up returns at most."""


@dataclass(frozen=True)
class GradedAnswer:
    """One answer with its grades; ``record_id`` and ``seq`` are its place in the log, None for a trace.

    ``problems`` says what in its record or its content is not as it was written.
    """

    record: RagRecord
    grades: list[Grade]
    record_id: str | None = None
    seq: int | None = None
    problems: list[str] = field(default_factory=list)

    def to_dict(self) -> dict[str, Any]:
        """JSON-ready values, with every explanation filled from the record."""
        grades = [
            {**msgspec.to_builtins(grade), "explanation": render_explanation(grade, self.record)}
            for grade in self.grades
        ]
        return {
            "record_id": self.record_id,
            "seq": self.seq,
            "problems": self.problems,
            "record": msgspec.to_builtins(self.record),
            "grades": grades,
        }


def find_answers(
    source: str | os.PathLike[str], identity: str, *, settings: Settings | None = None
) -> list[GradedAnswer]:
    """Return the answers whose trace, span or record id begins with ``identity`` (at most MAX_FOUND).

    ``source`` is an audit log (then the grades are the recorded ones) or anything that
    :func:`groundwire.read_records` reads (then they are made now). Raises EnvelopeError or AuditError where
    the source can not be read, ConfigError where ``identity`` is empty.
    """
    if not identity:
        raise ConfigError("is empty", where="the id", expected="the beginning of a trace, span or record id")
    wanted = identity.lower()
    if is_audit_log(source):
        return _with_problems(source, list(islice(_in_log(source, wanted), MAX_FOUND)))
    return list(islice(_in_traces(source, wanted, settings), MAX_FOUND))


def is_audit_log(source: str | os.PathLike[str]) -> bool:
    """Whether ``source`` is a folder that holds an audit log."""
    if not Path(source).is_dir():
        return False
    try:
        AuditLog.open(Path(source))
    except AuditError:
        return False
    return True


def _in_log(source: str | os.PathLike[str], wanted: str) -> Iterator[GradedAnswer]:
    log = AuditLog.open(Path(source))
    for entry in log.records():
        ids = (entry.subject.trace_id, entry.subject.span_id, entry.record_id)
        if any(one and one.startswith(wanted) for one in ids):
            yield GradedAnswer(log.answer(entry), log.explained_grades(entry), entry.record_id, entry.seq)


def _with_problems(source: str | os.PathLike[str], found: list[GradedAnswer]) -> list[GradedAnswer]:
    if not found:
        return []
    problems = AuditLog.open(Path(source)).problems(
        [answer.seq for answer in found if answer.seq is not None]
    )
    return [replace(answer, problems=problems.get(answer.seq or 0, [])) for answer in found]


def _in_traces(
    source: str | os.PathLike[str], wanted: str, settings: Settings | None
) -> Iterator[GradedAnswer]:
    settings = Settings() if settings is None else settings
    graders = resolve_graders(settings.score.graders, settings.graders)
    limits = Limits(max_line_bytes=settings.read.max_line_bytes)
    for record in read_records(source, limits=limits, ref_bases=settings.read.reference_bases):
        if any(one and one.startswith(wanted) for one in (record.trace_id, record.span_id)):
            yield GradedAnswer(record, grade_record(record, graders))
