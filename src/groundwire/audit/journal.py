"""The appending end of a log: finds its head, splices ``seq``, ``prev`` and ``hash``, writes, checkpoints.

Whoever appends holds the lock. Existing lines are never rewritten; a torn last line is moved aside only
when asked to.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from groundwire.audit.canonical import join_members, plain_bytes
from groundwire.audit.digests import leaf_hash, record_hash
from groundwire.audit.folder import (
    CHECKPOINT,
    CHECKPOINTS,
    MAX_LINE_BYTES,
    RECORDS,
    Folder,
    read_limited,
    read_lines,
    replace_file,
    sync_folder,
    write_all,
)  # fmt: skip
from groundwire.audit.note import MAX_NOTE_BYTES, Checkpoint, Note, Signer, parse_note
from groundwire.audit.start import Start, find_start, origin_of
from groundwire.audit.wording import rfc3339_ns
from groundwire.errors import AuditError, ChainError

BATCH_RECORDS = 64
_HASH = b'"hash":"'


class _Ids(Struct):
    trace_id: str
    span_id: str = ""


class _Target(Struct):
    record_id: str
    fields: tuple[str, ...] = ()


class Brief(Struct, tag=False):
    """What the writer needs to know of a record that is already there."""

    type: str
    seq: int
    hash: str
    prev: str
    recorded_at: str
    run_id: str | None = None
    record_id: str | None = None
    supersedes: str | None = None
    subject: _Ids | None = None
    targets: tuple[_Target, ...] = ()


_brief_decoder = msgspec.json.Decoder(Brief)


class Journal:
    """The open end of a log. ``on_record`` sees every record that is already there, in order."""

    def __init__(
        self,
        folder: Folder,
        *,
        now: Callable[[], str],
        signer: Signer | None = None,
        recover: bool = False,
        on_record: Callable[[Brief], None] = lambda brief: None,
    ) -> None:
        self._last_type = ""
        self.folder, self._now, self._signer = folder, now, signer
        start = _require_start(folder)
        self.tree, self.last_hash, self.origin = start.tree(), start.last_hash, start.origin
        self.torn: tuple[int, str] | None = None
        self._buffer: list[bytes] = []
        self._head: Checkpoint | None = None
        self._last_day = ""
        self._path = folder.path / RECORDS
        self._read_head(on_record, recover)
        self._check_against_checkpoint()
        self._rotate()
        is_new = not self._path.exists()
        flags = (
            os.O_WRONLY | os.O_APPEND | os.O_CREAT | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_BINARY", 0)
        )
        self._handle = os.open(self._path, flags, 0o644)
        if is_new:
            sync_folder(folder.path)
        if self._ends_without_checkpoint:
            self.checkpoint()

    @property
    def size(self) -> int:
        """Number of records, those still in the buffer included."""
        return self.tree.size

    # --- reading the head -----------------------------------------------------------------------------
    def _read_head(self, on_record: Callable[[Brief], None], recover: bool) -> None:
        for path in self.folder.segments():
            for line in read_lines(path):
                if not line.endswith(b"\n"):
                    self._set_torn_aside(path, line, recover)
                    return
                on_record(self._take(path, line[:-1]))

    def _take(self, path: Path, line: bytes) -> Brief:
        head, mark, tail = line.partition(_HASH)
        try:
            brief = _brief_decoder.decode(line)
            fits = bool(mark) and brief.hash == record_hash(head + tail[66:])
        except msgspec.DecodeError:
            brief, fits = None, False
        if brief is None or not fits or brief.prev != self.last_hash or brief.seq != self.size:
            raise ChainError(
                f"record {self.size} was changed after it was written",
                where=path.name,
                mend="Nothing is appended to such a log. Run: groundwire audit verify",
            )
        self._advance(line, brief.hash)
        self._last_day, self._last_type = brief.recorded_at[:10], brief.type
        return brief

    def _advance(self, line: bytes, digest: str) -> None:
        self.tree.append(leaf_hash(line))
        self.last_hash = digest
        self.origin = self.origin or origin_of(digest)

    def _set_torn_aside(self, path: Path, torn: bytes, recover: bool) -> None:
        if not recover:
            raise AuditError(
                "the last line is torn (the writer was killed, or the disk was full)",
                where=f"{path.name}, after record {self.size - 1}",
                mend="Add --recover: the torn bytes are moved aside and the log goes on.",
            )
        replace_file(path.with_name(f"records.torn-{self.size}"), torn, 0o600)
        os.truncate(path, path.stat().st_size - len(torn))
        self.torn = (self.size, hashlib.sha256(torn).hexdigest())

    def _check_against_checkpoint(self) -> None:
        checkpoint = self.read_checkpoint()
        self._ends_without_checkpoint = False
        if checkpoint is None or checkpoint.size < self.size:
            self._ends_without_checkpoint = self._last_type not in ("run_started", "graded", "")
            return
        if checkpoint.size > self.size or checkpoint.root != self.tree.root():
            raise ChainError(
                "the checkpoint does not fit the records",
                where=CHECKPOINT,
                expected=f"size {self.size}",
                got=f"size {checkpoint.size}",
                mend="Nothing is appended to such a log. Run: groundwire audit verify",
            )

    def read_checkpoint(self) -> Checkpoint | None:
        """Return the newest checkpoint on disk, None if there is none."""
        data = read_limited(self.folder.path / CHECKPOINT, MAX_NOTE_BYTES)
        return None if data is None else parse_note(data.decode("utf-8", "replace")).checkpoint

    def _rotate(self) -> None:
        """Close yesterday's segment: one file a day (UTC), named by the number of its last record + 1."""
        if not self._last_day or self._last_day >= self._now()[:10] or not self._path.exists():
            return
        closed = self._path.with_name(f"records-{self.size:012d}.jsonl")
        if not closed.exists() and self._path.stat().st_size:
            self._path.rename(closed)
            sync_folder(self.folder.path)

    # --- appending ------------------------------------------------------------------------------------
    def append(self, members: dict[str, bytes]) -> int:
        """Add one record (canonical bytes by member) and return its ``seq``; durable after ``flush``."""
        seq = self.size
        whole = {
            **members,
            "prev": b'"%b"' % self.last_hash.encode(),
            "recorded_at": plain_bytes(self._now()),
            "seq": b"%d" % seq,
        }
        digest = record_hash(join_members(whole))
        whole["hash"] = b'"%b"' % digest.encode()
        line = join_members(whole)
        if len(line) >= MAX_LINE_BYTES - 1:
            raise AuditError(
                "a record is too large", expected=f"< {MAX_LINE_BYTES} bytes", got=str(len(line))
            )
        self._advance(line, digest)
        self._buffer.append(line)
        if len(self._buffer) >= BATCH_RECORDS:
            self.flush()
        return seq

    def append_value(self, **members: Any) -> int:
        """Add one record given as plain JSON values."""
        return self.append({name: plain_bytes(value) for name, value in members.items() if value is not None})

    def flush(self) -> None:
        """Write what is buffered and make it durable. On failure the file is left as it was before."""
        if not self._buffer:
            return
        data = b"\n".join(self._buffer) + b"\n"
        before = os.fstat(self._handle).st_size
        try:
            write_all(self._handle, data, self._path)
            os.fsync(self._handle)
        except OSError as cause:
            os.ftruncate(self._handle, before)
            raise AuditError(
                "can not be written; the log ends with the last whole batch",
                where=str(self._path),
                got=cause.strerror,
                mend="Make room and run the same command again: it goes on where it stopped.",
            ) from cause
        self._buffer.clear()

    def checkpoint(self) -> Checkpoint:
        """Flush, then write the head to ``checkpoints.jsonl`` and ``checkpoint``."""
        self.flush()
        if self._head is not None and self._head.size == self.size:
            return self._head
        self._head = head = Checkpoint(self.origin, self.size, self.tree.root())
        note = Note(head) if self._signer is None else self._signer.sign(head)
        self._keep(note)
        replace_file(self.folder.path / CHECKPOINT, note.render().encode())
        return head

    def _keep(self, note: Note) -> None:
        path = self.folder.path / CHECKPOINTS
        flags = os.O_RDWR | os.O_CREAT | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_BINARY", 0)
        handle = os.open(path, flags, 0o644)
        try:
            _drop_torn_tail(handle)
            write_all(handle, plain_bytes({"note": note.render()}) + b"\n", path)
            os.fsync(handle)
        finally:
            os.close(handle)

    def close(self) -> None:
        """Close the file; what is not flushed is gone."""
        os.close(self._handle)


def _require_start(folder: Folder) -> Start:
    start = find_start(folder)
    if start is None:
        raise ChainError(
            "the first records are gone, and no record says why",
            where=str(folder.path),
            mend="Nothing is appended to such a log. Run: groundwire audit verify",
        )
    return start


def _drop_torn_tail(handle: int) -> None:
    """Cut what a killed writer left after the last line feed, and go to the end."""
    size = os.lseek(handle, 0, os.SEEK_END)
    start = max(0, size - 2 * MAX_NOTE_BYTES)
    os.lseek(handle, start, os.SEEK_SET)
    tail = os.read(handle, size - start)
    os.ftruncate(handle, start + tail.rfind(b"\n") + 1)
    os.lseek(handle, 0, os.SEEK_END)


def clock_text(time_ns: int) -> str:
    """Return a point in time as records hold it: RFC 3339, UTC, milliseconds."""
    text = rfc3339_ns(time_ns)
    if text is None:
        raise AuditError("the clock is out of range", got=str(time_ns))
    return f"{text[:23]}Z"
