"""One writer at a time: the second fails at once and is told who holds the log."""

from __future__ import annotations

import contextlib
import os
import socket
import time
from collections.abc import Iterator
from pathlib import Path

import filelock
import orjson

from groundwire.audit.folder import HOLDER, LOCK, read_limited, write_private
from groundwire.errors import AuditError

_LOOKS, _LOOK_S = 20, 0.05


@contextlib.contextmanager
def hold(folder: Path) -> Iterator[None]:
    """Hold the writer's lock of ``folder``; raises AuditError naming the holder when it is taken."""
    if (folder / LOCK).is_symlink():
        raise AuditError("is a symbolic link", where=str(folder / LOCK), expected="a lock file of our own")
    lock = filelock.FileLock(folder / LOCK, timeout=0)
    _acquire(lock, folder)
    holder = folder / HOLDER
    try:
        write_private(holder, orjson.dumps({"pid": os.getpid(), "host": socket.gethostname()}))
        yield
    finally:
        holder.unlink(missing_ok=True)
        lock.release()


def _acquire(lock: filelock.BaseFileLock, folder: Path) -> None:
    """Take the lock, or say who has it; whoever just took it gets a moment to write its name."""
    for is_last in (*[False] * _LOOKS, True):
        try:
            lock.acquire()
            return
        except filelock.Timeout as cause:
            holder = _holder(folder)
            if holder is not None or is_last:
                raise _held(folder, holder or "an unnamed process") from cause
        except OSError as cause:
            raise AuditError(
                "can not be locked", where=str(folder), got=cause.strerror,
                mend="Name a folder that you may write to.",
            ) from cause  # fmt: skip
        time.sleep(_LOOK_S)


def _held(folder: Path, holder: str) -> AuditError:
    return AuditError(
        "another process is writing to this log", where=str(folder), got=holder,
        mend="Wait until it is done, or write to another folder.",
    )  # fmt: skip


def _holder(folder: Path) -> str | None:
    try:
        found = orjson.loads(read_limited(folder / HOLDER, 4096) or b"{}")
        return f"process {int(found['pid'])} on {str(found['host'])[:80]}"
    except (AuditError, orjson.JSONDecodeError, KeyError, TypeError, ValueError, OSError):
        return None
