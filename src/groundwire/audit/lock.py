"""One writer at a time: the second fails at once and is told who holds the log."""

from __future__ import annotations

import contextlib
import os
import socket
from collections.abc import Iterator
from pathlib import Path

import filelock
import orjson

from groundwire.audit.folder import HOLDER, LOCK, read_limited, write_private
from groundwire.errors import AuditError


@contextlib.contextmanager
def hold(folder: Path) -> Iterator[None]:
    """Hold the writer's lock of ``folder``; raises AuditError naming the holder when it is taken."""
    if (folder / LOCK).is_symlink():
        raise AuditError("is a symbolic link", where=str(folder / LOCK), expected="a lock file of our own")
    lock = filelock.FileLock(folder / LOCK, timeout=0)
    try:
        lock.acquire()
    except filelock.Timeout as cause:
        raise AuditError(
            "another process is writing to this log",
            where=str(folder),
            got=_holder(folder),
            mend="Wait until it is done, or write to another folder.",
        ) from cause
    holder = folder / HOLDER
    try:
        write_private(holder, orjson.dumps({"pid": os.getpid(), "host": socket.gethostname()}))
        yield
    finally:
        holder.unlink(missing_ok=True)
        lock.release()


def _holder(folder: Path) -> str:
    try:
        found = orjson.loads(read_limited(folder / HOLDER, 4096) or b"{}")
        return f"process {int(found['pid'])} on {str(found['host'])[:80]}"
    except (AuditError, orjson.JSONDecodeError, KeyError, TypeError, ValueError, OSError):
        return "an unnamed process"
