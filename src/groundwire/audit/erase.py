"""Erasing content: an appended record first, then the texts and their salts are gone. The log still verifies.

What is out of reach: backups, the trace store, copies that were exported (those made with content are
listed), blocks that a disk keeps. What stays in the record is a salted commitment and a length; without
the salt no guess can be tested against it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

import orjson
from msgspec import Struct

from groundwire.audit.append import (
    TOOL,
    Writing,
    append_statement,
    appending,
    find_record,
    person,
    require_code,
)
from groundwire.audit.canonical import canonical_bytes
from groundwire.audit.folder import Folder, replace_file, sync_folder
from groundwire.audit.journal import Journal
from groundwire.audit.log import AuditLog
from groundwire.audit.schema import Correction, Exported, Graded, HumanReview, RunStarted
from groundwire.errors import AuditError

FIELDS = ("question", "answer", "contexts", "citations", "history", "details", "explanations", "comment")
_TARGETS_PER_RECORD = 1_000


class Erasure(Struct, frozen=True):
    """What an erasure did: ``records`` whose content it touched, the ``seq`` of the records that say so.

    ``copies`` are the exports made with content before: they lie outside of the folder. ``orphans`` counts
    content files without a record that went too.
    """

    records: int
    seqs: tuple[int, ...]
    copies: tuple[Exported, ...]
    orphans: int = 0


def erase(
    path: str | Path,
    *,
    records: Sequence[str] = (),
    traces: Sequence[str] = (),
    subjects: Sequence[str] = (),
    fields: Sequence[str] = (),
    reason: str = "erasure_request",
    actor: str = TOOL,
    writing: Writing | None = None,
) -> Erasure:
    """Erase the content of answers, named by a record, a trace id, or the subject id that traces carried.

    All records of an answer are meant, superseded ones and people's comments on them included. ``fields``
    narrows it down (see ``FIELDS``; default: all). A second erasure of the same finds nothing and adds
    nothing. Raises AuditError where a record id names none, or another process holds the log.
    """
    unknown = sorted(set(fields) - set(FIELDS))
    if unknown:
        raise AuditError("no such field", where="fields", expected=", ".join(FIELDS), got=", ".join(unknown))
    writing = writing or Writing()
    with appending(path, writing) as (log, journal):
        named = [find_record(log, name) for name in records]
        found = {*_versions(log, named), *_of_traces(log, traces), *_of_subjects(log, subjects)}
        ids = with_comments(log, found)
        orphans = _drop_orphans(log, journal.folder, subjects, traces)
        return erase_ids(log, journal, writing, ids, fields, why_erased(reason, actor), orphans)


def why_erased(reason: str, actor: str) -> dict[str, Any]:
    """Return what an erasure record says of reason and actor."""
    return {"type": "erased", "reason": require_code("reason", reason), "actor": person(actor)}


def _versions(log: AuditLog, named: Sequence[Graded]) -> Iterator[str]:
    """Yield all records of the same answers: what one holds, the others hold too."""
    if named:
        answers = {(record.subject.trace_id, record.subject.span_id) for record in named}
        for record in log.records(superseded=True):
            if (record.subject.trace_id, record.subject.span_id) in answers:
                yield record.record_id


def _of_traces(log: AuditLog, traces: Sequence[str]) -> Iterator[str]:
    if traces:
        named = set(traces)
        yield from (r.record_id for r in log.records(superseded=True) if r.subject.trace_id in named)


def _of_subjects(log: AuditLog, subjects: Sequence[str]) -> Iterator[str]:
    if subjects:
        known = {record.record_id for record in log.records(superseded=True)}
        yield from (
            name for name in Folder(log.path).content_ids() if name in known and _is_of(log, name, subjects)
        )


def _is_of(log: AuditLog, content_id: str, subjects: Sequence[str]) -> bool:
    details = (log.content(content_id) or {}).get("details")
    return isinstance(details, dict) and details.get("subject_id") in subjects


def with_comments(log: AuditLog, ids: set[str]) -> list[str]:
    """Add the comments that people wrote on the records."""
    about = {
        entry.record_id
        for entry in log.entries()
        if isinstance(entry, (HumanReview, Correction)) and entry.about in ids
    }
    return sorted(ids | about)


def _drop_orphans(log: AuditLog, folder: Folder, subjects: Sequence[str], traces: Sequence[str]) -> int:
    """Unlink what a killed run left of these people: content that has no record."""
    if not subjects and not traces:
        return 0
    known = {
        entry.record_id
        for entry in log.entries()
        if not isinstance(entry, RunStarted) and hasattr(entry, "record_id")
    }
    dropped = 0
    for name in folder.content_ids():
        details = {} if name in known else (log.content(name) or {}).get("details") or {}
        if details.get("subject_id") in subjects or details.get("trace_id") in traces:
            folder.content_path(name).unlink()
            dropped += 1
    return dropped


def erase_ids(
    log: AuditLog,
    journal: Journal,
    writing: Writing,
    ids: Iterable[str],
    fields: Sequence[str],
    why: dict[str, Any],
    orphans: int = 0,
) -> Erasure:
    """Record the erasure of what is there of these contents, then remove it."""
    targets = [target for name in ids if (target := _target(log, name, fields)) is not None]
    seqs = [
        append_statement(journal, writing, {**why, "targets": targets[at : at + _TARGETS_PER_RECORD]})
        for at in range(0, len(targets), _TARGETS_PER_RECORD)
    ]
    if seqs:
        journal.checkpoint()
    for target in targets:
        _unlink(journal.folder, target["record_id"], set(target["fields"]))
    copies = tuple(entry for entry in log.entries() if isinstance(entry, Exported) and entry.with_content)
    return Erasure(len(targets), tuple(seqs), copies, orphans)


def _target(log: AuditLog, content_id: str, fields: Sequence[str]) -> dict[str, Any] | None:
    there = sorted(
        name for name in log.content(content_id) or () if not fields or name.partition(".")[0] in fields
    )
    return {"record_id": content_id, "fields": there} if there else None


def _unlink(folder: Folder, content_id: str, fields: set[str]) -> None:
    path = folder.content_path(content_id)
    file = orjson.loads(folder.read_content(content_id) or b'{"fields":{}}')
    rest = {name: field for name, field in file["fields"].items() if name not in fields}
    if rest:
        replace_file(path, canonical_bytes({**file, "fields": rest}) + b"\n", 0o600)
    else:
        path.unlink(missing_ok=True)
        sync_folder(path.parent)
