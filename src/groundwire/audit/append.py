"""Appending to a log outside of a run: corrections, reviews, and what erasing and exporting leave behind."""

from __future__ import annotations

import contextlib
import re
import secrets
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from msgspec import Struct

from groundwire.audit.canonical import kept_bytes, plain_bytes
from groundwire.audit.content_fields import ContentField, Salts, commit_all
from groundwire.audit.digests import identity
from groundwire.audit.folder import Folder, sync_files
from groundwire.audit.journal import Journal, clock_text
from groundwire.audit.lock import hold
from groundwire.audit.log import AuditLog
from groundwire.audit.note import Signer
from groundwire.audit.schema import RECORD_SCHEMA, Graded
from groundwire.errors import AuditError

_CODE = re.compile(r"[A-Za-z][A-Za-z0-9_.-]{0,63}")
TOOL = "groundwire"
"""The actor when nobody is named."""
OUTCOMES = ("pass", "fail", "not_applicable", "unknown")


class Writing(Struct, frozen=True):
    """How to append: the clock (ns), a fixed time instead of it, a signing key, the source of salts."""

    clock: Callable[[], int] = time.time_ns
    recorded_at: str | None = None
    signer: Signer | None = None
    salts: Salts = secrets.token_bytes

    def now(self) -> str:
        """Return the time to record."""
        return self.recorded_at or clock_text(self.clock())


@contextlib.contextmanager
def appending(path: str | Path, writing: Writing) -> Iterator[tuple[AuditLog, Journal]]:
    """Hold the lock of an existing log and open its end; a new checkpoint is written on success."""
    log = AuditLog.open(path)
    with hold(log.path), contextlib.ExitStack() as stack:
        folder = Folder(log.path)
        folder.sweep()
        journal = Journal(folder, now=writing.now, signer=writing.signer)
        stack.callback(journal.close)
        before = journal.size
        yield log, journal
        if journal.size != before:
            journal.checkpoint()


def append_statement(
    journal: Journal,
    writing: Writing,
    statement: dict[str, Any],
    *,
    content: dict[str, str] | None = None,
    keep: bool = True,
) -> int:
    """Append a record of its own, its texts (``content``) committed to and kept apart; return its ``seq``."""
    placed: dict[str, Any] = {}
    record_id = identity(plain_bytes([statement, journal.size]))
    if content:
        fields: list[ContentField] = [
            (name, kept_bytes(value), len(value)) for name, value in content.items()
        ]
        placed, data = commit_all(fields, writing.salts)
        if keep:
            sync_files([journal.folder.write_content(record_id, data)])
        else:
            placed = {name: {"alg": "withheld/v1"} for name in placed}
    return journal.append_value(schema=RECORD_SCHEMA, record_id=record_id, **statement, **placed)


def correct(
    path: str | Path,
    *,
    reason: str,
    actor: str,
    about: str | None = None,
    comment: str | None = None,
    writing: Writing | None = None,
) -> int:
    """Append a correction and return its ``seq``; nothing that is there is changed.

    ``about`` names a record by its id (or the beginning of it), ``reason`` is a code (``wrong_label``),
    ``actor`` whoever says so: recorded as typed, proved by nothing. ``comment`` goes into ``content/``.
    """
    writing = writing or Writing()
    with appending(path, writing) as (log, journal):
        statement = {
            "type": "correction", "reason": require_code("reason", reason), "actor": person(actor),
            "about": None if about is None else find_record(log, about).record_id,
        }  # fmt: skip
        return append_statement(journal, writing, _set(statement), content=_comment(comment))


def review(
    path: str | Path,
    *,
    about: str,
    grade: str,
    outcome: str,
    actor: str,
    label: str | None = None,
    comment: str | None = None,
    writing: Writing | None = None,
) -> int:
    """Append a person's verdict on a grade of a record and return its ``seq``.

    ``outcome`` is ``pass``, ``fail``, ``not_applicable`` or ``unknown``. Raises AuditError when the record
    has no such grade. For ``about``, ``actor`` and ``comment`` see :func:`correct`.
    """
    writing = writing or Writing()
    if outcome not in OUTCOMES:
        raise AuditError("is no outcome", where="outcome", expected=", ".join(OUTCOMES), got=repr(outcome))
    with appending(path, writing) as (log, journal):
        record = find_record(log, about)
        names = sorted(result.name for result in record.results)
        if grade not in names:
            raise AuditError("has no such grade", where=about, expected=", ".join(names), got=repr(grade))
        statement = {
            "type": "human_review", "about": record.record_id, "grade": grade, "outcome": outcome,
            "actor": person(actor), "label": label and require_code("label", label),
        }  # fmt: skip
        return append_statement(journal, writing, _set(statement), content=_comment(comment))


def record_copy(
    path: str | Path,
    *,
    kind: str,
    place: str,
    records: int,
    actor: str = TOOL,
    writing: Writing | None = None,
) -> int:
    """Record that texts of ``records`` answers are about to leave the folder, and return the ``seq``.

    For everything that takes content out: bundles, reports, what is sent to a backend. ``kind`` is a code
    (``bundle``, ``report``, ``publish``); ``place`` says where to, and lies in ``content/``. An erasure
    lists these copies, so call it before the copy is made.
    """
    writing = writing or Writing()
    statement = {
        "type": "exported", "kind": require_code("kind", kind), "with_content": True, "records": records,
        "actor": person(actor),
    }  # fmt: skip
    with appending(path, writing) as (_, journal):
        return append_statement(journal, writing, statement, content={"place": place})


def find_record(log: AuditLog, record_id: str) -> Graded:
    """Return the graded record whose id begins so; raises AuditError unless there is exactly one."""
    found = [record for record in log.records(superseded=True) if record.record_id.startswith(record_id)]
    if len(found) != 1 or len(record_id) < 4:
        raise AuditError(
            "does not name one record", where=repr(record_id), expected="an id or a beginning that is unique",
            got=f"{len(found)} records",
        )  # fmt: skip
    return found[0]


def person(actor: str) -> dict[str, str]:
    """Return an actor as records hold it; raises AuditError for an empty one."""
    if not actor.strip() or len(actor) > 200:
        raise AuditError("is no actor", where="actor", expected="whoever does this, up to 200 characters")
    return {"kind": "tool" if actor == TOOL else "person", "id": actor.strip()}


def require_code(where: str, code: str) -> str:
    """Return ``code``; raises AuditError where it is a sentence (which could hold personal data)."""
    if not _CODE.fullmatch(code):
        raise AuditError(
            "is not a code", where=where, expected="letters, digits, . _ -", got=repr(code),
            mend="Say more in the comment: it lies apart from the log and can be erased.",
        )  # fmt: skip
    return code


def _comment(comment: str | None) -> dict[str, str]:
    return {"comment": comment} if comment else {}


def _set(statement: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in statement.items() if value is not None}
