"""Checks single records where they are shown: their own bytes, their neighbors' links, their content."""

from __future__ import annotations

from collections.abc import Collection, Iterator

import msgspec
from msgspec import Struct

from groundwire.audit.digests import NO_HASH, record_hash
from groundwire.audit.folder import PROOFS, Folder, read_lines
from groundwire.audit.verify_content import ContentCheck
from groundwire.audit.verify_record import RecordCheck


class _Head(Struct):
    seq: int = -1
    type: str = ""
    prev: str = ""
    hash: str = ""


class SpotCheck:
    """What does not fit in a few records of a log. Cheaper than a verification, and proves less.

    Only the records asked for and the erasures (which explain missing content) are hashed; of the others
    just the links to a neighbor that is asked for are read. A log whose records were all hashed anew
    passes: that only a verification against a kept checkpoint tells.
    """

    def __init__(self, folder: Folder, seqs: Collection[int]) -> None:
        self._folder, self._seqs = folder, frozenset(seqs)
        self._problems: dict[int, list[str]] = {}
        self._content = ContentCheck(folder, self._found)
        self._records = RecordCheck(folder, self._content, self._found, is_whole=False)

    def run(self) -> dict[int, list[str]]:
        """Return the problems by record number; a record without any is left out."""
        is_whole = not (self._folder.path / PROOFS).exists()
        before: _Head | None = None
        for line, head in self._lines():
            if head.seq in self._seqs or (head.type == "erased" and _fits(line, head)):
                self._records.check(line, head.seq, "")
            if is_whole:
                self._check_link(before, head)
            before = head
        self._content.report_missing()
        return self._problems

    def _lines(self) -> Iterator[tuple[bytes, _Head]]:
        for path in self._folder.segments():
            for line in read_lines(path):
                if line.endswith(b"\n"):
                    yield line[:-1], _read_head(line)

    def _check_link(self, before: _Head | None, head: _Head) -> None:
        last = before or _Head(hash=NO_HASH if head.seq == 0 else head.prev)
        if head.prev == last.hash:
            return
        if head.seq in self._seqs:
            self._found("tampered", "the record does not follow the one before it", head.seq)
        elif last.seq in self._seqs:
            self._found("tampered", "the record after it does not follow it", last.seq)

    def _found(self, severity: str, problem: str, seq: int | None) -> None:
        if seq is not None and seq in self._seqs and severity == "tampered":
            self._problems.setdefault(seq, []).append(problem)


def _fits(line: bytes, head: _Head) -> bool:
    """Say whether the record has its own hash: a changed erasure explains nothing."""
    member = b'"hash":"%b",' % head.hash.encode()
    return line.count(member) == 1 and record_hash(line.replace(member, b"")) == head.hash


def _read_head(line: bytes) -> _Head:
    try:
        return msgspec.json.decode(line, type=_Head)
    except msgspec.DecodeError:
        return _Head()
