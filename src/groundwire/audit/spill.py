"""What a run holds back until it is sealed: answers waiting for their place, and what the log has already.

A temporary SQLite file does the sorting and the look-ups, so memory stays flat however long the log is.
It holds no content in plain form but that of answers whose id the log has already used.
"""

from __future__ import annotations

import contextlib
import os
import sqlite3
from collections.abc import Iterable, Iterator
from pathlib import Path

import msgspec
from msgspec import Struct

from groundwire.audit.folder import WORK
from groundwire.audit.prepare import Prepared
from groundwire.errors import AuditError

_TABLES = """
PRAGMA journal_mode=OFF; PRAGMA synchronous=OFF; PRAGMA temp_store=FILE; PRAGMA cache_size=-16384;
CREATE TABLE latest (answer BLOB PRIMARY KEY, record_id TEXT, supersedes TEXT, run_id TEXT) WITHOUT ROWID;
CREATE TABLE used (record_id TEXT PRIMARY KEY, answer BLOB) WITHOUT ROWID;
CREATE TABLE gone (answer BLOB, kind TEXT, PRIMARY KEY (answer, kind)) WITHOUT ROWID;
CREATE TABLE waiting (answer BLOB PRIMARY KEY, place TEXT, record_id TEXT, bytes INTEGER, item BLOB);
"""


@contextlib.contextmanager
def disk_errors(folder: Path) -> Iterator[None]:
    """Turn what SQLite says of a full or broken disk into an AuditError."""
    try:
        yield
    except sqlite3.Error as cause:
        raise AuditError(
            "the work file can not be written",
            where=str(folder),
            got=str(cause),
            mend="Make room and run the same command again: it goes on where it stopped.",
        ) from cause


class Latest(Struct, frozen=True):
    """The newest record of an answer that the log has, and the run that wrote it."""

    record_id: str
    supersedes: str | None
    run_id: str | None


class Spill:
    """The writer's memory on disk, gone when closed."""

    def __init__(self, folder: Path) -> None:
        self._path = folder / f"{WORK}-{os.getpid()}.sqlite"
        os.close(os.open(self._path, os.O_CREAT | os.O_WRONLY | os.O_EXCL, 0o600))
        self._db = sqlite3.connect(self._path, isolation_level=None)
        self._db.executescript(_TABLES)
        self._db.execute("BEGIN")
        self._encode = msgspec.msgpack.Encoder().encode
        self._decode = msgspec.msgpack.Decoder(Prepared).decode

    def note_record(self, answer: bytes, found: Latest) -> None:
        """Remember that the log has this record, as the newest of its answer."""
        row = (answer, found.record_id, found.supersedes, found.run_id)
        self._db.execute("INSERT OR REPLACE INTO latest VALUES (?,?,?,?)", row)
        self._db.execute("INSERT OR REPLACE INTO used VALUES (?,?)", (found.record_id, answer))

    def note_id(self, content_id: str) -> None:
        """Remember that a record (or a manifest) points at this content."""
        self._db.execute("INSERT OR IGNORE INTO used VALUES (?, NULL)", (content_id,))

    def note_erasure(self, record_id: str, fields: Iterable[str]) -> None:
        """Remember that these fields of a record's answer were erased."""
        row = self._db.execute("SELECT answer FROM used WHERE record_id=?", (record_id,)).fetchone()
        if row is not None and row[0] is not None:
            pairs = [(row[0], field.partition(".")[0]) for field in fields]
            self._db.executemany("INSERT OR IGNORE INTO gone VALUES (?,?)", pairs)

    def erased_kinds(self, answer: bytes) -> set[str]:
        """Return the kinds of content (``answer``, ``contexts``) of an answer that were ever erased."""
        return {kind for (kind,) in self._db.execute("SELECT kind FROM gone WHERE answer=?", (answer,))}

    def latest(self, answer: bytes) -> Latest | None:
        """Return the newest record of an answer, None if the log has none."""
        row = self._db.execute(
            "SELECT record_id, supersedes, run_id FROM latest WHERE answer=?", (answer,)
        ).fetchone()
        return None if row is None else Latest(*row)

    def is_used(self, record_id: str) -> bool:
        """Say whether anything in the log has this id."""
        return self._db.execute("SELECT 1 FROM used WHERE record_id=?", (record_id,)).fetchone() is not None

    def waiting(self, answer: bytes) -> tuple[int, str] | None:
        """Return weight and id of the waiting record of an answer, None if none waits."""
        row = self._db.execute("SELECT bytes, record_id FROM waiting WHERE answer=?", (answer,)).fetchone()
        return None if row is None else (row[0], row[1])

    def wait(self, item: Prepared, weight: int) -> None:
        """Put an answer on hold; it takes the place of one with the same key."""
        place = f"{max(0, item.started_at_ns):020d}\0{item.trace_id}\0{item.span_id}\0{item.record_id}"
        row = (item.answer_key, place, item.record_id, weight, self._encode(item))
        self._db.execute("INSERT OR REPLACE INTO waiting VALUES (?,?,?,?,?)", row)

    def in_order(self) -> Iterator[Prepared]:
        """Yield what waits, by (started at, trace id, span id)."""
        for (blob,) in self._db.execute("SELECT item FROM waiting ORDER BY place"):
            yield self._decode(blob)

    def close(self) -> None:
        """Delete the file."""
        self._db.close()
        self._path.unlink(missing_ok=True)
