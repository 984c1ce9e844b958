"""What has already arrived where: one small append-only file a destination, beside the audit log's folder."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterable
from pathlib import Path

SUFFIX = ".published"


class Ledger:
    """The keys that a destination has confirmed. Not evidence: deleting it only makes a run send again.

    For the log ``audit/`` it lies in ``audit.published/``: nothing foreign goes into the log's own folder.
    A line is one confirmed batch, flushed to disk before the next is sent; a cut last line counts as not
    confirmed.

    >>> import tempfile
    >>> audit = Path(tempfile.mkdtemp()) / "audit"
    >>> Ledger(audit, "http://localhost:4318 logs").add(["a1", "b2"])
    >>> "a1" in Ledger(audit, "http://localhost:4318 logs")
    True
    """

    def __init__(self, audit: Path, destination: str) -> None:
        name = hashlib.sha256(destination.encode()).hexdigest()[:16]
        whole = audit.resolve()
        self.path = whole.with_name(whole.name + SUFFIX) / f"{name}.jsonl"
        self._keys = set(_read_keys(self.path))

    def __contains__(self, key: object) -> bool:
        return key in self._keys

    def __len__(self) -> int:
        return len(self._keys)

    def add(self, keys: Iterable[str]) -> None:
        """Remember ``keys`` as arrived; on disk when this returns."""
        added = list(keys)
        self.path.parent.mkdir(parents=True, exist_ok=True)
        with self.path.open("ab") as file:
            file.write(self._start_of_line() + json.dumps(added).encode() + b"\n")
            file.flush()
            os.fsync(file.fileno())
        self._keys.update(added)

    def _start_of_line(self) -> bytes:
        with self.path.open("rb") as file:
            size = file.seek(0, os.SEEK_END)
            if size == 0:
                return b""
            file.seek(size - 1)
            return b"" if file.read(1) == b"\n" else b"\n"


def _read_keys(path: Path) -> Iterable[str]:
    if not path.exists():
        return
    for line in path.read_bytes().splitlines():
        try:
            yield from json.loads(line)
        except ValueError:
            continue
