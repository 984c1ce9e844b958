"""Checks a log from its bytes alone and says what that proves. Reads only; one record in memory at a time."""

from __future__ import annotations

import hashlib
from collections import Counter
from typing import Any, Final

import msgspec
import orjson
from msgspec import Struct

from groundwire.audit.canonical import plain_bytes
from groundwire.audit.claims import Claim, Facts, claims_of
from groundwire.audit.digests import NO_HASH, leaf_hash, record_hash
from groundwire.audit.folder import (
    CHECKPOINT,
    CHECKPOINTS,
    RECORDS,
    SCHEMA,
    Folder,
    read_limited,
    read_lines,
)  # fmt: skip
from groundwire.audit.merkle import Tree
from groundwire.audit.note import MAX_NOTE_BYTES, Checkpoint, Note, PublicKey, parse_kept, parse_note
from groundwire.audit.published import schema_bytes
from groundwire.audit.schema import RECORD_SCHEMA, record_decoder
from groundwire.audit.verify_content import ContentCheck
from groundwire.errors import AuditError, SchemaVersionError

TAMPERED: Final = "tampered"
INCOMPLETE: Final = "incomplete"
NOTICE: Final = "notice"
_KEPT_FINDINGS = 20


class Finding(Struct, frozen=True):
    """One thing that does not fit. ``severity`` is ``tampered``, ``incomplete`` or ``notice``.

    ``seq`` is the record it was found at, None where it concerns no record. Holds no content.
    """

    severity: str
    problem: str
    seq: int | None = None


class Verification(Struct):
    """The outcome of checking a log.

    ``findings`` keeps the first twenty, ``totals`` counts all by severity. ``content`` counts records by
    the state of their content: ``checked``, ``partly_erased``, ``erased``, ``missing``, ``changed``,
    ``withheld``, ``not_in_this_copy``; and ``orphans`` (files without a record).
    """

    size: int = 0
    root_hex: str = ""
    findings: list[Finding] = msgspec.field(default_factory=list)
    totals: dict[str, int] = msgspec.field(default_factory=dict)
    records: dict[str, int] = msgspec.field(default_factory=dict)
    content: dict[str, int] = msgspec.field(default_factory=dict)
    claims: list[Claim] = msgspec.field(default_factory=list)
    erasures: list[tuple[int, int, str]] = msgspec.field(default_factory=list)
    """``(seq of the erased record, number of records erased, reason)``."""

    @property
    def first_bad(self) -> Finding | None:
        """What says that the log was changed, at the first record where something does; else None."""
        bad = [found for found in self.findings if found.severity == TAMPERED]
        return min(bad, key=lambda found: (found.seq is None, found.seq or 0), default=None)

    @property
    def outcome(self) -> str:
        """``intact``, ``tampered`` or ``incomplete``."""
        if self.totals.get(TAMPERED):
            return TAMPERED
        return INCOMPLETE if self.totals.get(INCOMPLETE) else "intact"

    @property
    def exit_code(self) -> int:
        """0 intact, 1 tampered, 3 incomplete."""
        return {"intact": 0, TAMPERED: 1}.get(self.outcome, 3)


def verify_folder(
    folder: Folder, *, checkpoint: str | None = None, public_key: str | None = None
) -> Verification:
    """Check a log; raises AuditError only where it can not be read at all."""
    return _Verifier(folder, checkpoint, public_key).run()


class _Verifier:
    def __init__(self, folder: Folder, kept: str | None, public_key: str | None) -> None:
        self.folder, self.result = folder, Verification()
        self.kept = None if kept is None else parse_kept(kept)
        self.key = None if public_key is None else PublicKey.parse(public_key)
        self.tree, self.prev, self.first_hash = Tree(), NO_HASH, ""
        self.totals: Counter[str] = Counter()
        self.types: Counter[str] = Counter()
        self.open_run: str | None = None
        self._passed: set[tuple[int, str]] = set()
        self._is_signed = False
        self.newest: Note | None = None
        self.expected: dict[int, list[tuple[str, Checkpoint]]] = {}
        self.content = ContentCheck(folder, self.found)

    def found(self, severity: str, problem: str, seq: int | None = None) -> None:
        self.totals[severity] += 1
        if len(self.result.findings) < _KEPT_FINDINGS or (severity != NOTICE and self.totals[severity] == 1):
            self.result.findings.append(Finding(severity, problem, seq))

    def run(self) -> Verification:
        self._read_checkpoints()
        self._check_records()
        self._check_heads()
        self._check_signature()
        self.content.finish()
        self._check_rest()
        result = self.result
        result.size, result.root_hex = self.tree.size, self.tree.root().hex()
        result.totals, result.records = dict(self.totals), dict(self.types)
        result.content, result.erasures = dict(self.content.counts), self.content.erasures
        result.claims = claims_of(self._facts())
        return result

    def _facts(self) -> Facts:
        return Facts(
            size=self.tree.size,
            is_tampered=bool(self.totals[TAMPERED]),
            own_checkpoint=None if self.newest is None else self.newest.checkpoint.size,
            kept_checkpoint=None if self.kept is None else self.kept.checkpoint.size,
            key_name=None if self.key is None else self.key.name,
            is_signed=self._is_signed,
            content=dict(self.content.counts),
        )

    # --- checkpoints ----------------------------------------------------------------------------------
    def _read_checkpoints(self) -> None:
        if self.kept is not None:
            self._expect("the checkpoint you gave", self.kept)
        data = read_limited(self.folder.path / CHECKPOINT, MAX_NOTE_BYTES)
        if data is not None:
            self.newest = self._parse(data, CHECKPOINT)
        for line in self._checkpoint_lines():
            self._read_old_checkpoint(line)

    def _parse(self, data: bytes, where: str) -> Note | None:
        try:
            note = parse_note(data.decode("utf-8", "replace"), where=where)
        except AuditError as error:
            self.found(TAMPERED, str(error))
            return None
        self._expect(where, note)
        return note

    def _expect(self, where: str, note: Note) -> None:
        self.expected.setdefault(note.checkpoint.size, []).append((where, note.checkpoint))

    def _checkpoint_lines(self) -> list[bytes]:
        data = read_limited(self.folder.path / CHECKPOINTS)
        lines = [] if data is None else data.split(b"\n")
        if lines and lines[-1]:
            self.found(INCOMPLETE, f"{CHECKPOINTS}: the last line is torn")
        return lines[:-1]

    def _read_old_checkpoint(self, line: bytes) -> None:
        try:
            fields = orjson.loads(line)
            text = fields["note"]
            if plain_bytes({"note": text}) != line:
                raise ValueError
        except (ValueError, KeyError, TypeError):
            self.found(TAMPERED, f"{CHECKPOINTS}: a line is not as it was written")
            return
        self._parse(text.encode("utf-8", "replace"), CHECKPOINTS)

    def _check_size(self) -> None:
        for where, checkpoint in self.expected.pop(self.tree.size, ()):
            if checkpoint.root != self.tree.root():
                self.found(TAMPERED, f"the first {self.tree.size} records are not those of {where}")
            elif checkpoint.origin != self._origin():
                self.found(TAMPERED, f"{where} is of another log ({checkpoint.origin[:60]})")
            else:
                self._passed.add((checkpoint.size, checkpoint.root.hex()))

    def _origin(self) -> str:
        return f"groundwire.audit/{self.first_hash[:32]}"

    def _check_heads(self) -> None:
        for size in sorted(self.expected):
            for where, _ in self.expected[size]:
                self.found(
                    TAMPERED, f"{size - self.tree.size} records at the end are gone: {where} counts {size}"
                )

    def _check_signature(self) -> None:
        if self.key is None:
            return
        note = self.newest
        self._is_signed = note is not None and self.key.is_signed_by(note)
        if not self._is_signed:
            self.found(TAMPERED, f"the checkpoint is not signed by {self.key.name}")
        if self.kept is not None and self.kept.signatures and not self.key.is_signed_by(self.kept):
            self.found(TAMPERED, f"the checkpoint you gave is not signed by {self.key.name}")

    # --- records --------------------------------------------------------------------------------------
    def _check_records(self) -> None:
        paths = self.folder.segments()
        for path in paths:
            for line in read_lines(path):
                if not line.endswith(b"\n"):
                    severity = INCOMPLETE if path.name == RECORDS else TAMPERED
                    self.found(severity, f"{path.name}: the last line is torn", self.tree.size)
                    continue
                self._check_record(line[:-1])
                self._check_size()

    def _check_record(self, line: bytes) -> None:
        seq = self.tree.size
        self.tree.append(leaf_hash(line))
        entry = self._parse_record(line, seq)
        if entry is None:
            self.prev = ""
            return
        declared = entry.pop("hash", None)
        digest = record_hash(plain_bytes(entry))
        self.first_hash = self.first_hash or digest
        if declared != digest:
            self.found(TAMPERED, "the record was changed: its hash does not fit its bytes", seq)
        if self.prev and entry.get("prev") != self.prev:
            self.found(TAMPERED, "the record does not follow the one before it", seq)
        if entry.get("seq") != seq:
            self.found(TAMPERED, f"the record says it is number {str(entry.get('seq'))[:20]}", seq)
        self.prev = digest
        self._check_meaning(line, entry, seq)

    def _parse_record(self, line: bytes, seq: int) -> dict[str, Any] | None:
        try:
            entry = orjson.loads(line)
            is_canonical = isinstance(entry, dict) and plain_bytes(entry) == line
        except (orjson.JSONDecodeError, orjson.JSONEncodeError):
            self.found(TAMPERED, "the line is not JSON", seq)
            return None
        if not is_canonical:
            self.found(TAMPERED, "the line is not canonical JSON", seq)
        return entry if isinstance(entry, dict) else None

    def _check_meaning(self, line: bytes, entry: dict[str, Any], seq: int) -> None:
        if entry.get("schema") != RECORD_SCHEMA:
            if not self.totals[TAMPERED]:
                raise SchemaVersionError(
                    "unknown format", where=f"record {seq}", expected=RECORD_SCHEMA,
                    got=str(entry.get("schema"))[:80], mend="Use a release that reads it.",
                )  # fmt: skip
            return
        try:
            record_decoder.decode(line)
        except msgspec.DecodeError:
            self.found(TAMPERED, "the record does not fit the schema", seq)
            return
        self.types[entry["type"]] += 1
        self._check_run(entry, seq)
        self.content.see(entry, seq)

    def _check_run(self, entry: dict[str, Any], seq: int) -> None:
        kind, run_id = entry["type"], entry.get("run_id")
        if kind == "run_started":
            if self.open_run is not None:
                self.found(TAMPERED, "a run starts inside another", seq)
            self.open_run = run_id
            self._check_manifest(entry, seq)
        elif kind in ("run_finished", "graded"):
            if run_id is None or run_id != self.open_run:
                self.found(TAMPERED, "the record belongs to no run that is open", seq)
            if kind == "run_finished":
                self.open_run = None

    def _check_manifest(self, entry: dict[str, Any], seq: int) -> None:
        run_id = str(entry.get("run_id"))
        try:
            data = read_limited(self.folder.manifest_path(run_id))
        except AuditError as error:
            self.found(TAMPERED, str(error), seq)
            return
        if data is None:
            self.found(TAMPERED, f"the manifest of run {run_id} is missing", seq)
        elif hashlib.sha256(data).hexdigest() != entry["manifest"].get("commit"):
            self.found(TAMPERED, f"the manifest of run {run_id} was changed", seq)
        else:
            manifest = orjson.loads(data)
            self._check_former(manifest.get("former_checkpoint"), seq)
            self.content.see_manifest(run_id, manifest, seq)

    def _check_former(self, former: dict[str, Any] | None, seq: int) -> None:
        if former is not None and (former.get("size"), former.get("root")) not in self._passed:
            self.found(TAMPERED, "the run names a former checkpoint that is not in the log", seq)

    # --- the rest -------------------------------------------------------------------------------------
    def _check_rest(self) -> None:
        if self.open_run is not None:
            self.found(INCOMPLETE, f"run {self.open_run} is not finished")
        for name, published in schema_bytes().items():
            copy = read_limited(self.folder.path / SCHEMA / name)
            if copy is not None and copy != published:
                self.found(TAMPERED, f"{SCHEMA}/{name} is not the published one")
        for name in self.folder.foreign_names():
            self.found(NOTICE, f"a file that is no part of the log: {name[:60]}")
