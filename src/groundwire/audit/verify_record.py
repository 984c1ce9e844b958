"""Checks one record at a time: its bytes, its hash, its place, and what it points at."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Callable
from typing import Any

import msgspec
import orjson

from groundwire.audit.canonical import plain_bytes
from groundwire.audit.digests import record_hash
from groundwire.audit.folder import Folder, read_limited
from groundwire.audit.schema import RECORD_SCHEMA, record_decoder
from groundwire.audit.verify_content import ContentCheck
from groundwire.errors import AuditError, SchemaVersionError

Found = Callable[[str, str, int | None], None]


def _body(line: bytes, entry: dict[str, Any], declared: Any) -> bytes:
    """Return the canonical bytes without the hash: cut out where it stands once, else written anew."""
    member = f'"hash":"{declared}",'.encode("utf-8", "replace")
    return line.replace(member, b"") if line.count(member) == 1 else plain_bytes(entry)


class RecordCheck:
    """Checks records in order. ``open_run`` is the run that is not finished yet, ``types`` counts them,
    ``run_ids`` are the runs that began.

    In a selection (``is_whole`` False) records stand alone: neither their place nor their run is checked.
    """

    def __init__(self, folder: Folder, content: ContentCheck, found: Found, *, is_whole: bool) -> None:
        self.folder, self.content, self.found, self.is_whole = folder, content, found, is_whole
        self.passed: set[tuple[int, str]] = set()
        self.types: Counter[str] = Counter()
        self.open_run: str | None = None
        self.run_ids: set[str] = set()
        self.is_good = True
        self.retired_origin = ""
        self._first = 0

    def begin_after(self, size: int) -> None:
        """Begin with record ``size``: a run may be open, and heads before it are unknown."""
        self._first = size

    def check(self, line: bytes, seq: int, prev: str) -> str:
        """Check the record ``seq`` and return its recomputed hash, ``""`` where the line can not be read.

        ``prev`` is the recomputed hash of the record before; ``""`` where that is not known.
        """
        entry = self._parse(line, seq)
        if entry is None:
            return ""
        declared = entry.pop("hash", None)
        digest = record_hash(_body(line, entry, declared))
        if declared != digest:
            self._bad("the record was changed: its hash does not fit its bytes", seq)
        if prev and entry.get("prev") != prev:
            self._bad("the record does not follow the one before it", seq)
        if entry.get("seq") != seq:
            self._bad(f"the record says it is number {str(entry.get('seq'))[:20]}", seq)
        self._check_meaning(line, entry, seq)
        return digest

    def _bad(self, problem: str, seq: int) -> None:
        self.is_good = False
        self.found("tampered", problem, seq)

    def _parse(self, line: bytes, seq: int) -> dict[str, Any] | None:
        try:
            entry = orjson.loads(line)
            is_canonical = isinstance(entry, dict) and plain_bytes(entry) == line
        except (orjson.JSONDecodeError, orjson.JSONEncodeError):
            self._bad("the line is not JSON", seq)
            return None
        if not is_canonical:
            self._bad("the line is not canonical JSON", seq)
        return entry if isinstance(entry, dict) else None

    def _check_meaning(self, line: bytes, entry: dict[str, Any], seq: int) -> None:
        if entry.get("schema") != RECORD_SCHEMA:
            if self.is_good:
                raise SchemaVersionError(
                    "unknown format", where=f"record {seq}", expected=RECORD_SCHEMA,
                    got=str(entry.get("schema"))[:80], mend="Use a release that reads it.",
                )  # fmt: skip
            return
        try:
            record_decoder.decode(line)
        except msgspec.DecodeError:
            self._bad("the record does not fit the schema", seq)
            return
        self.types[entry["type"]] += 1
        self.retired_origin = entry.get("origin", self.retired_origin)
        self._check_run(entry, seq)
        self.content.see(entry, seq)

    def _check_run(self, entry: dict[str, Any], seq: int) -> None:
        kind, run_id = entry["type"], entry.get("run_id")
        if kind == "run_started":
            if self.open_run is not None and self.is_whole:
                self._bad("a run starts inside another", seq)
            self.open_run = run_id
            self.run_ids.add(str(run_id))
            self._check_manifest(entry, seq)
        elif kind in ("run_finished", "graded"):
            if self.open_run is None and seq == self._first and self._first:
                self.open_run = run_id
            if self.is_whole and (run_id is None or run_id != self.open_run):
                self._bad("the record belongs to no run that is open", seq)
            if kind == "run_finished":
                self.open_run = None

    def _check_manifest(self, entry: dict[str, Any], seq: int) -> None:
        run_id = str(entry.get("run_id"))
        try:
            data = read_limited(self.folder.manifest_path(run_id))
        except AuditError as error:
            self._bad(str(error), seq)
            return
        if data is None:
            self._bad(f"the manifest of run {run_id} is missing", seq)
        elif hashlib.sha256(data).hexdigest() != entry["manifest"].get("commit"):
            self._bad(f"the manifest of run {run_id} was changed", seq)
        else:
            self._read_manifest(run_id, data, seq)

    def _read_manifest(self, run_id: str, data: bytes, seq: int) -> None:
        try:
            manifest = orjson.loads(data)
            former = manifest.get("former_checkpoint")
            head = None if former is None else (former["size"], former["root"])
        except (orjson.JSONDecodeError, AttributeError, KeyError, TypeError):
            self._bad(f"the manifest of run {run_id} can not be read", seq)
            return
        is_checkable = self.is_whole and head is not None and head[0] >= self._first
        if is_checkable and head not in self.passed:
            self._bad("the run names a former checkpoint that is not in the log", seq)
        self.content.see_manifest(run_id, manifest, seq)
