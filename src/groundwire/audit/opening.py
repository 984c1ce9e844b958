"""What happens before the first record: the folder, the run's name, a torn line, a run that was killed."""

from __future__ import annotations

import contextlib
import secrets
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

import orjson

from groundwire.audit.canonical import plain_bytes
from groundwire.audit.content_fields import without_commits
from groundwire.audit.digests import identity
from groundwire.audit.folder import MANIFESTS, SCHEMA, Folder, replace_file
from groundwire.audit.journal import Journal
from groundwire.audit.published import schema_bytes
from groundwire.audit.schema import RECORD_SCHEMA
from groundwire.errors import AuditError, ConfigError


def make_folder(folder: Folder) -> None:
    """Create a log's empty folder, so that it can be locked; raises AuditError where that can not be."""
    _require_own(folder)
    with _usable(folder):
        folder.path.mkdir(parents=True, exist_ok=True)


def fill_folder(folder: Folder) -> None:
    """Put the folders and the schema of an empty log into it. Only for who holds the lock."""
    with _usable(folder):
        for name in (MANIFESTS, SCHEMA):
            folder.require_plain_folder(name)
            (folder.path / name).mkdir(exist_ok=True)
        for name, data in schema_bytes().items():
            if not (folder.path / SCHEMA / name).exists():
                replace_file(folder.path / SCHEMA / name, data)


@contextlib.contextmanager
def _usable(folder: Folder) -> Iterator[None]:
    try:
        yield
    except OSError as cause:
        raise AuditError(
            "can not be used as an audit folder", where=str(folder.path), got=cause.strerror,
            mend="Name a folder that you may write to.",
        ) from cause  # fmt: skip


def _require_own(folder: Folder) -> None:
    """Refuse a folder that holds other things and no log: it was hardly meant."""
    if not folder.path.is_dir() or folder.segments():
        return
    foreign = folder.foreign_names()
    if foreign:
        raise AuditError(
            "holds other files and no audit log",
            where=str(folder.path),
            expected="a new, an empty or an audit folder",
            got=f"{foreign[0][:60]} and {len(foreign) - 1} more" if foreign[1:] else foreign[0][:60],
            mend="Name another folder.",
        )


def append_torn_note(journal: Journal) -> None:
    """Record that a torn last line was moved aside, if one was."""
    if journal.torn is None:
        return
    seq, digest = journal.torn
    statement = {
        "schema": RECORD_SCHEMA, "type": "correction", "reason": "torn_line_moved_aside",
        "actor": {"kind": "tool", "id": "groundwire"}, "torn_sha256": digest,
    }  # fmt: skip
    journal.append_value(record_id=identity(plain_bytes([statement, seq])), **statement)
    journal.flush()


def comparable_manifest(manifest: bytes) -> Any:
    """Return what two manifests of the same command have in common."""
    found = orjson.loads(manifest)
    found.pop("former_checkpoint", None)
    return without_commits(found)


def utc_moment(moment: str | None) -> str | None:
    """Return a given time as records hold it; one without a time zone is an error, not a guess."""
    if not moment:
        return None
    try:
        parsed = datetime.fromisoformat(moment)
        if parsed.tzinfo is None:
            raise ValueError
    except ValueError as cause:
        raise ConfigError(
            "is no time with a time zone",
            where="recorded_at",
            expected="2026-11-30T12:00:00Z",
            got=repr(moment),
        ) from cause
    return f"{parsed.astimezone(UTC):%Y-%m-%dT%H:%M:%S}.{parsed.microsecond // 1000:03d}Z"


def new_run_id(now: str) -> str:
    """Return a fresh run id: the time, for people, and eight random digits."""
    return f"{now[:19].replace('-', '').replace(':', '')}Z-{secrets.token_hex(4)}"
