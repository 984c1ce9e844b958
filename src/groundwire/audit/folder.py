"""The folder on disk: names, safe opening, content files. Everything in it is untrusted when read.

No path is built from an id that is not 64 hex digits, no symbolic link is followed, nothing of unlimited
size is read.
"""

from __future__ import annotations

import os
import re
import stat
import sys
from collections.abc import Callable, Container, Iterable, Iterator
from pathlib import Path

from groundwire.errors import AuditError

RECORDS, CHECKPOINT, CHECKPOINTS = "records.jsonl", "checkpoint", "checkpoints.jsonl"
MANIFESTS, CONTENT, SCHEMA = "manifests", "content", "schema"
PROOFS = "proofs.jsonl"
BUNDLE_FILES = (PROOFS, "READ-ME-FIRST.txt", "FORMAT.md", "verify.py", "report.html")
LOCK, HOLDER, WORK = ".lock", ".writer", ".work"
MAX_LINE_BYTES = 32 * 2**20
MAX_FILE_BYTES = 256 * 2**20
_FIRST_READ = 2**16
_HEX64 = re.compile(r"[0-9a-f]{64}")
_SHARD = re.compile(r"[0-9a-f]{2}")
_CONTENT_FILE = re.compile(r"[0-9a-f]{64}\.json")
_RUN_ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,79}")
_SEGMENT = re.compile(r"records-\d{12}\.jsonl")
_TORN = re.compile(r"records\.torn-\d+")
_NOFOLLOW = getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_BINARY", 0)


class Folder:
    """Names and safe access inside one audit folder; creates nothing unless asked."""

    def __init__(self, path: str | Path) -> None:
        self.path = Path(path)
        self._root = str(self.path)
        self._checked: set[str] = set()

    def segments(self) -> list[Path]:
        """Return the record files in order: closed segments, then ``records.jsonl`` if it exists."""
        closed = sorted(entry for entry in self.path.iterdir() if _SEGMENT.fullmatch(entry.name))
        active = self.path / RECORDS
        return [*closed, active] if os.path.lexists(active) else closed

    def manifest_path(self, run_id: str) -> Path:
        """Return the path of a run's manifest; raises AuditError for an id that is no run id."""
        if not _RUN_ID.fullmatch(run_id) or ".." in run_id:
            raise AuditError(
                "is not a run id", where="run_id", expected="letters, digits, . _ -", got=repr(run_id)
            )
        self.require_plain_folder(MANIFESTS)
        return self.path / MANIFESTS / f"{run_id}.json"

    def content_path(self, record_id: str) -> Path:
        """Return ``content/<rr>/<record_id>.json``; raises AuditError unless the id is 64 hex digits."""
        return Path(self._content_name(record_id))

    def _content_name(self, record_id: str) -> str:
        if not _HEX64.fullmatch(record_id):
            raise AuditError(
                "is not a record id", where="record_id", expected="64 hex digits", got=repr(record_id)
            )
        self.require_plain_folder(CONTENT)
        self.require_plain_folder(f"{CONTENT}/{record_id[:2]}")
        return f"{self._root}/{CONTENT}/{record_id[:2]}/{record_id}.json"

    def has_content(self) -> bool:
        """Say whether the folder has a ``content`` folder at all."""
        return (self.path / CONTENT).is_dir()

    def content_ids(self) -> Iterator[str]:
        """Yield the ids of all content files (of any name that is an id)."""
        root = self.path / CONTENT
        for shard in sorted(root.iterdir()) if root.is_dir() and not root.is_symlink() else ():
            if shard.is_dir() and not shard.is_symlink():
                yield from (p.stem for p in sorted(shard.iterdir()) if _HEX64.fullmatch(p.stem))

    def count_content(self) -> int:
        """Return how many content files there are."""
        return sum(1 for _, is_ours in self._content_names() if is_ours)

    def foreign_content_names(self) -> Iterator[str]:
        """Yield the names in ``content/`` that are none of a content file."""
        return (name for name, is_ours in self._content_names() if not is_ours)

    def _content_names(self) -> Iterator[tuple[str, bool]]:
        """Yield every name in ``content/`` but unfinished ones, and whether a content file can have it."""
        if not self.has_content():
            return
        for shard in os.scandir(self.path / CONTENT):
            if not (_SHARD.fullmatch(shard.name) and shard.is_dir(follow_symlinks=False)):
                yield f"{CONTENT}/{shard.name}", False
                continue
            for entry in os.scandir(shard):
                if not entry.name.startswith(WORK):
                    is_ours = entry.name[:2] == shard.name and bool(_CONTENT_FILE.fullmatch(entry.name))
                    yield f"{CONTENT}/{shard.name}/{entry.name}", is_ours

    def foreign_manifest_names(self, run_ids: Container[str]) -> list[str]:
        """Return the names in ``manifests/`` that are no manifest of these runs, sorted."""
        return self._others(MANIFESTS, lambda name: name.endswith(".json") and name[:-5] in run_ids)

    def foreign_schema_names(self, names: Container[str]) -> list[str]:
        """Return the names in ``schema/`` that are none of these, sorted."""
        return self._others(SCHEMA, lambda name: name in names)

    def _others(self, folder: str, is_known: Callable[[str], bool]) -> list[str]:
        if not (self.path / folder).is_dir():
            return []
        names = (entry.name for entry in os.scandir(self.path / folder))
        return sorted(
            f"{folder}/{name}" for name in names if not is_known(name) and not name.startswith(WORK)
        )

    def read_content(self, record_id: str) -> bytes | None:
        """Return a content file's bytes, None if it does not exist."""
        return read_limited(self._content_name(record_id))

    def write_content(self, record_id: str, data: bytes) -> Path:
        """Write a content file with mode 0600 (not yet synced) and return its path."""
        path = self.content_path(record_id)
        flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC | _NOFOLLOW
        try:
            handle = os.open(path, flags, 0o600)
        except FileNotFoundError:
            path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            self._checked.discard(f"{CONTENT}/{record_id[:2]}")
            handle = os.open(path, flags, 0o600)
        try:
            write_all(handle, data, path)
        finally:
            os.close(handle)
        return path

    def require_plain_folder(self, name: str) -> None:
        """Raise AuditError if ``name`` exists and is anything but a folder (a symbolic link above all)."""
        if name in self._checked:
            return
        try:
            mode = os.lstat(self.path / name).st_mode
        except FileNotFoundError:
            return
        if not stat.S_ISDIR(mode):
            raise AuditError("is not a plain folder", where=name, expected="a folder, no symbolic link")
        self._checked.add(name)

    def sweep(self) -> None:
        """Delete what a killed writer left unfinished. Only for who holds the lock."""
        shards = [shard for shard in (self.path / CONTENT).glob("??") if not shard.is_symlink()]
        for place in (self.path, self.path / MANIFESTS, self.path / SCHEMA, *shards):
            for left in place.glob(f"{WORK}*"):
                left.unlink(missing_ok=True)

    def foreign_names(self) -> list[str]:
        """Return the names in the folder that the format does not know, sorted."""
        known = {RECORDS, CHECKPOINT, CHECKPOINTS, MANIFESTS, CONTENT, SCHEMA, LOCK, HOLDER, *BUNDLE_FILES}
        return sorted(
            entry.name
            for entry in self.path.iterdir()
            if entry.name not in known
            and not entry.name.startswith(WORK)
            and not _SEGMENT.fullmatch(entry.name)
            and not _TORN.fullmatch(entry.name)
        )


def open_regular(path: str | Path) -> int:
    """Open a regular file for reading, following no link; raises AuditError or FileNotFoundError."""
    try:
        handle = os.open(path, os.O_RDONLY | _NOFOLLOW)
    except FileNotFoundError:
        raise
    except OSError as cause:
        raise AuditError(
            "can not be opened",
            where=Path(path).name,
            expected="a regular file, no symbolic link",
            got=cause.strerror,
        ) from cause
    if not stat.S_ISREG(os.fstat(handle).st_mode):
        os.close(handle)
        raise AuditError("is not a regular file", where=Path(path).name)
    return handle


def read_limited(path: str | Path, limit: int = MAX_FILE_BYTES) -> bytes | None:
    """Return a file's bytes, None if it does not exist; raises AuditError above ``limit`` bytes."""
    try:
        handle = open_regular(path)
    except FileNotFoundError:
        return None
    try:
        data = os.read(handle, _FIRST_READ)
        if len(data) == _FIRST_READ:
            data += _read_rest(handle, limit + 1 - len(data))
    finally:
        os.close(handle)
    if len(data) > limit:
        raise AuditError("is too large", where=Path(path).name, expected=f"at most {limit} bytes")
    return data


def _read_rest(handle: int, limit: int) -> bytes:
    parts = []
    while limit > 0 and (part := os.read(handle, limit)):
        parts.append(part)
        limit -= len(part)
    return b"".join(parts)


def read_lines(path: Path) -> Iterator[bytes]:
    """Yield the lines of a file with their line feeds; a line above the limit raises AuditError."""
    with os.fdopen(open_regular(path), "rb", buffering=2**20) as file:
        while line := file.readline(MAX_LINE_BYTES):
            if len(line) == MAX_LINE_BYTES:
                raise AuditError(
                    "has a line without end", where=Path(path).name, expected=f"< {MAX_LINE_BYTES} bytes"
                )
            yield line


def write_all(handle: int, data: bytes, path: Path) -> None:
    """Write all of ``data``, however many system calls it takes; an OSError names ``path``."""
    view = memoryview(data)
    try:
        while view:
            view = view[os.write(handle, view) :]
    except OSError as cause:
        cause.filename = str(path)
        raise


def write_private(path: Path, data: bytes) -> None:
    """Write a small file of our own, following no link."""
    handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | _NOFOLLOW, 0o600)
    try:
        write_all(handle, data, path)
    finally:
        os.close(handle)


def replace_file(path: Path, data: bytes, mode: int = 0o644) -> None:
    """Write a file so that readers see the old or the new bytes, and sync both it and its folder."""
    temporary = path.with_name(f"{WORK}-{path.name}")
    handle = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | _NOFOLLOW, mode)
    try:
        write_all(handle, data, path)
        os.fsync(handle)
    finally:
        os.close(handle)
    temporary.replace(path)
    sync_folder(path.parent)


def sync_folder(path: Path) -> None:
    """Make a folder's entries durable (does nothing where the system can not)."""
    if sys.platform == "win32":
        return
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def sync_files(paths: Iterable[Path]) -> None:
    """Make written files durable: one by one when few, in one go when many (Linux)."""
    paths = list(paths)
    if len(paths) > 32 and sys.platform.startswith("linux"):
        os.sync()
        return
    for path in paths:
        handle = os.open(path, os.O_RDWR | _NOFOLLOW)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
