"""The checkpoints that a log must fit: its own, earlier ones, and one that the reader kept."""

from __future__ import annotations

from collections.abc import Callable

import orjson

from groundwire.audit.canonical import plain_bytes
from groundwire.audit.folder import CHECKPOINT, CHECKPOINTS, Folder, read_limited
from groundwire.audit.note import MAX_NOTE_BYTES, Checkpoint, Note, PublicKey, parse_kept, parse_note
from groundwire.errors import AuditError

OWN = "checkpoint"
KEPT = "the checkpoint you gave"


class Heads:
    """Compares each size that some checkpoint names with the root the records have there.

    ``found(severity, problem, seq)`` reports. ``passed`` are the (size, root) pairs that fitted,
    ``own_size`` the size of the folder's newest checkpoint, ``covered`` the largest size that one of the
    folder's checkpoints names, ``signed_size`` that of the largest one signed by the given key.
    """

    def __init__(
        self,
        folder: Folder,
        kept: str | None,
        public_key: str | None,
        found: Callable[[str, str, int | None], None],
    ) -> None:
        self.folder, self.found = folder, found
        self.kept = None if kept is None else parse_kept(kept)
        self.key = None if public_key is None else PublicKey.parse(public_key)
        self.own: Checkpoint | None = None
        self.signed_size: int | None = None
        self.passed: set[tuple[int, str]] = set()
        self.covered = 0
        self._expected: dict[int, list[tuple[str, Checkpoint]]] = {}

    @property
    def own_size(self) -> int | None:
        """Size of the folder's newest checkpoint, None if it has none."""
        return None if self.own is None else self.own.size

    def read(self) -> None:
        """Read every checkpoint there is."""
        if self.kept is not None:
            self._expect(KEPT, self.kept)
        data = read_limited(self.folder.path / CHECKPOINT, MAX_NOTE_BYTES)
        if data is not None and (note := self._parse(data, CHECKPOINT)) is not None:
            self.own = note.checkpoint
        for line in self._old_lines():
            self._read_old(line)
        if self.key is not None and self.signed_size is None:
            self.found("tampered", f"no checkpoint is signed by {self.key.name}", None)

    def _old_lines(self) -> list[bytes]:
        data = read_limited(self.folder.path / CHECKPOINTS)
        lines = [b""] if data is None else data.split(b"\n")
        if lines[-1]:
            self.found("incomplete", f"{CHECKPOINTS}: the last line is torn", None)
        return lines[:-1]

    def _read_old(self, line: bytes) -> None:
        try:
            text = orjson.loads(line)["note"]
            if not isinstance(text, str) or plain_bytes({"note": text}) != line:
                raise ValueError
        except (ValueError, KeyError, TypeError):
            self.found("tampered", f"{CHECKPOINTS}: a line is not as it was written", None)
            return
        self._parse(text.encode("utf-8", "replace"), CHECKPOINTS)

    def _parse(self, data: bytes, where: str) -> Note | None:
        try:
            note = parse_note(data.decode("utf-8", "replace"), where=where)
        except AuditError as error:
            self.found("tampered", str(error), None)
            return None
        self._expect(where, note)
        self.covered = max(self.covered, note.checkpoint.size)
        return note

    def _expect(self, where: str, note: Note) -> None:
        head = note.checkpoint
        self._expected.setdefault(head.size, []).append((where, head))
        if self.key is not None and note.signatures and self.key.is_signed_by(note):
            self.signed_size = max(head.size, self.signed_size or 0)

    def begin_after(self, size: int) -> None:
        """Leave out checkpoints of sizes that retired segments had: nothing is left to compare."""
        for other in [other for other in self._expected if other < size]:
            for where, _ in self._expected.pop(other):
                if where == KEPT:
                    self.found("notice", f"{where} is older than what is left: it proves nothing here", None)
                    self.kept = None

    def wants(self, size: int) -> bool:
        """Say whether some checkpoint names this size."""
        return size in self._expected

    def reach(self, size: int, root: bytes, origin: str) -> None:
        """Compare the log's head at ``size`` with every checkpoint that names it."""
        for where, head in self._expected.pop(size, ()):
            if head.root != root:
                self.found("tampered", f"the first {size} records are not those of {where}", None)
            elif head.origin != origin:
                self.found("tampered", f"{where} is of another log ({head.origin[:60]})", None)
            else:
                self.passed.add((size, root.hex()))

    def finish(self, size: int) -> None:
        """Report the checkpoints that count more records than there are."""
        for other in sorted(self._expected):
            for where, _ in self._expected[other]:
                self.found(
                    "tampered", f"{other - size} records at the end are gone: {where} counts {other}", None
                )
