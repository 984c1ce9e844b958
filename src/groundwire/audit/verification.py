"""Checks a log from its bytes alone and says what that proves. Reads only; one record in memory at a time."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from itertools import zip_longest
from typing import Final

import msgspec
import orjson
from msgspec import Struct

from groundwire.audit.claims import Claim, Facts, claims_of
from groundwire.audit.digests import leaf_hash
from groundwire.audit.folder import PROOFS, RECORDS, SCHEMA, Folder, read_limited, read_lines
from groundwire.audit.heads import Heads
from groundwire.audit.merkle import Tree, root_from_inclusion
from groundwire.audit.published import schema_bytes
from groundwire.audit.start import find_start, origin_of
from groundwire.audit.verify_content import ContentCheck
from groundwire.audit.verify_record import RecordCheck

TAMPERED: Final = "tampered"
INCOMPLETE: Final = "incomplete"
NOTICE: Final = "notice"
_KEPT_FINDINGS = 20
_PROGRESS_RECORDS = 500
Progress = Callable[[int, int], None]
"""Is told the bytes of records done and in all."""


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
    folder: Folder,
    *,
    checkpoint: str | None = None,
    public_key: str | None = None,
    on_progress: Progress | None = None,
) -> Verification:
    """Check a log; raises AuditError only where it can not be read at all."""
    return _Verifier(folder, checkpoint, public_key, on_progress or (lambda done, total: None)).run()


class _Verifier:
    def __init__(
        self, folder: Folder, kept: str | None, public_key: str | None, on_progress: Progress
    ) -> None:
        self.folder, self.result, self._on_progress = folder, Verification(), on_progress
        self.is_selection = (folder.path / PROOFS).exists()
        self.tree, self.origin = Tree(), ""
        self.is_retired = False
        self.totals: Counter[str] = Counter()
        self.heads = Heads(folder, kept, public_key, self.found)
        self.content = ContentCheck(folder, self.found)
        self.records = RecordCheck(folder, self.content, self.found, is_whole=not self.is_selection)
        self.records.passed = self.heads.passed

    def found(self, severity: str, problem: str, seq: int | None = None) -> None:
        self.totals[severity] += 1
        if len(self.result.findings) < _KEPT_FINDINGS or (severity != NOTICE and self.totals[severity] == 1):
            self.result.findings.append(Finding(severity, problem, seq))

    def run(self) -> Verification:
        self.heads.read()
        if self.is_selection:
            self._check_selection()
        else:
            self._check_chain()
        self.content.finish()
        self._check_rest()
        result = self.result
        result.size, result.root_hex = self.tree.size, self.tree.root().hex()
        result.totals, result.records = dict(self.totals), dict(self.records.types)
        result.content, result.erasures = dict(self.content.counts), self.content.erasures
        result.claims = claims_of(self._facts())
        return result

    def _facts(self) -> Facts:
        heads = self.heads
        return Facts(
            size=self.tree.size,
            selected_from=heads.own_size if self.is_selection else None,
            is_tampered=bool(self.totals[TAMPERED]),
            kept_size=None if heads.kept is None else heads.kept.checkpoint.size,
            key_name=None if heads.key is None else heads.key.name,
            signed_size=heads.signed_size,
            content=dict(self.content.counts),
        )

    # --- a whole log ----------------------------------------------------------------------------------
    def _check_chain(self) -> None:
        prev = self._begin()
        for line in self._whole_lines():
            prev = self.records.check(line, self.tree.size, prev)
            self.origin = self.origin or origin_of(prev)
            self.tree.append(leaf_hash(line))
            if self.heads.wants(self.tree.size):
                self.heads.reach(self.tree.size, self.tree.root(), self.origin)
        self.heads.finish(self.tree.size)
        if self.tree.size == 0:
            self.found(INCOMPLETE, "the log holds no record")
        elif self.records.open_run is not None:
            self.found(INCOMPLETE, f"run {self.records.open_run} is not finished")
        elif self.heads.covered < self.tree.size:
            self.found(
                INCOMPLETE, f"the records from {self.heads.covered} on are under no checkpoint of the log"
            )

    def _begin(self) -> str:
        """Take up where retired segments end; return the hash of the record before the first one."""
        start = find_start(self.folder)
        if start is None:
            self.found(TAMPERED, "the first records are gone, and no record says why", 0)
            return ""
        if start.size:
            self.is_retired = True
            self.tree, self.origin = start.tree(), start.origin
            self.records.begin_after(start.size)
            self.heads.begin_after(start.size)
            self.heads.reach(start.size, self.tree.root(), self.origin)
            self.found(NOTICE, f"records 0 to {start.size - 1} were retired; what is left begins after them")
        return start.last_hash

    def _whole_lines(self) -> Iterator[bytes]:
        paths = self.folder.segments()
        done, total = 0, sum(path.lstat().st_size for path in paths)
        for path in paths:
            for line in read_lines(path):
                done += len(line)
                if self.tree.size % _PROGRESS_RECORDS == 0:
                    self._on_progress(done, total)
                if line.endswith(b"\n"):
                    yield line[:-1]
                else:
                    severity = INCOMPLETE if path.name == RECORDS else TAMPERED
                    self.found(severity, f"{path.name}: the last line is torn", self.tree.size)

    # --- a selection with proofs ----------------------------------------------------------------------
    def _check_selection(self) -> None:
        head = self.heads.own
        proofs = read_lines(self.folder.path / PROOFS)
        for line, proof in zip_longest(self._whole_lines(), proofs):
            if line is None or proof is None or head is None:
                self.found(TAMPERED, f"records, proofs and checkpoint do not go together at {self.tree.size}")
                return
            self._check_selected(line, proof)
        if head is not None and head.origin != self.origin:
            self.found(TAMPERED, "the checkpoint is not of the log whose first record is here")
        kept = self.heads.kept
        if kept is not None and kept.checkpoint != head:
            self.found(TAMPERED, "the proofs do not lead to the checkpoint you gave, but to another size")

    def _check_selected(self, line: bytes, proof: bytes) -> None:
        head = self.heads.own
        try:
            found = orjson.loads(proof)
            seq, nodes = int(found["seq"]), [bytes.fromhex(node) for node in found["proof"]]
        except (ValueError, KeyError, TypeError):
            self.found(TAMPERED, f"{PROOFS}: line {self.tree.size + 1} is no proof")
            return
        digest = self.records.check(line, seq, "")
        self.origin = origin_of(digest) if seq == 0 else self.origin or self.records.retired_origin
        if head is None or root_from_inclusion(leaf_hash(line), seq, head.size, nodes) != head.root:
            self.found(TAMPERED, "the record is not in the log of the checkpoint", seq)
        self.tree.append(leaf_hash(line))

    # --- the rest -------------------------------------------------------------------------------------
    def _check_rest(self) -> None:
        self.folder.require_plain_folder(SCHEMA)
        for name, published in schema_bytes().items():
            copy = read_limited(self.folder.path / SCHEMA / name)
            if copy is not None and copy != published:
                self.found(TAMPERED, f"{SCHEMA}/{name} is not the published one")
        for name in self._foreign_names():
            self.found(NOTICE, f"a file that is no part of the log: {name[:120]}")
        orphans = self.content.counts["orphans"]
        if orphans:
            what = "1 file that belongs" if orphans == 1 else f"{orphans} files that belong"
            self.found(NOTICE, f"content/ holds {what} to no record")

    def _foreign_names(self) -> Iterator[str]:
        yield from self.folder.foreign_names()
        yield from self.folder.foreign_schema_names(schema_bytes())
        yield from self.folder.foreign_content_names()
        for name in self.folder.foreign_manifest_names(self.records.run_ids):
            if not (self.is_retired and name.endswith(".json")):  # may be of a run that was retired
                yield name
