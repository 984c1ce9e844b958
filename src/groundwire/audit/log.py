"""Reading a log: records, grades, runs, content.

The folder is untrusted; what does not fit raises AuditError.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from pathlib import Path
from typing import Any, Self

import msgspec
import orjson
from msgspec import Struct

from groundwire.audit.folder import Folder, read_limited, read_lines
from groundwire.audit.manifest import manifest_content_id
from groundwire.audit.restore import grade_of, rag_record
from groundwire.audit.schema import (
    RECORD_SCHEMA,
    Graded,
    HumanReview,
    Record,
    RunFinished,
    RunStarted,
    record_decoder,
)  # fmt: skip
from groundwire.audit.spot_check import SpotCheck
from groundwire.audit.verification import Finding, Verification, verify_folder
from groundwire.errors import AuditError, ChainError, SchemaVersionError
from groundwire.grade import Grade
from groundwire.record import RagRecord


class Run(Struct, frozen=True):
    """One run of a log. ``completed``: False where a later run closed it, None while it is open."""

    run_id: str
    started_at: str
    finished_at: str | None = None
    completed: bool | None = None
    counts: dict[str, int] = msgspec.field(default_factory=dict)


class AuditLog:
    """A log on disk, open for reading.

    Iterating is lazy and holds one record at a time. Nothing is verified but what reading needs: call
    :meth:`verify` first where it matters, or :meth:`problems` for a few records that are shown.
    """

    def __init__(self, path: str | Path) -> None:
        self.path = Path(path)
        self._folder = Folder(self.path)

    @classmethod
    def open(cls, path: str | Path) -> Self:
        """Return the log in the folder ``path``; raises AuditError where there is none."""
        log = cls(path)
        if not log.path.is_dir():
            raise AuditError("is not a folder", where=str(path), expected="an audit folder", mend=_MAKE)
        if not log._folder.segments():
            raise AuditError("holds no audit log", where=str(path), expected="records.jsonl", mend=_MAKE)
        return log

    # --- records --------------------------------------------------------------------------------------
    def entries(self) -> Iterator[Record]:
        """Yield every record of every type, in order. A torn last line is left out."""
        seq = 0
        for path in self._folder.segments():
            for line in read_lines(path):
                if not line.endswith(b"\n"):
                    return
                yield self._decode(path, seq, line)
                seq += 1

    def line(self, seq: int) -> dict[str, Any]:
        """Return the record ``seq`` as it is written; raises AuditError where there is none."""
        for path in self._folder.segments():
            for line in read_lines(path):
                found = _loads(line, path.name) if b'"seq":%d' % seq in line else {}
                if found.get("seq") == seq:
                    return found
        raise AuditError(
            "no such record", where=f"seq {seq}", mend="`groundwire audit verify` says how many there are."
        )

    def entry(self, seq: int) -> Record:
        """Return the record ``seq`` as a value; raises AuditError where there is none."""
        for entry in self.entries():
            if entry.seq == seq:
                return entry
        raise AuditError(
            "no such record", where=f"seq {seq}", mend="`groundwire audit verify` says how many there are."
        )

    def _decode(self, path: Path, seq: int, line: bytes) -> Record:
        try:
            entry = record_decoder.decode(line)
        except msgspec.DecodeError as cause:
            raise ChainError(f"{path.name}: record {seq} can not be read", mend=_VERIFY) from cause
        if entry.schema != RECORD_SCHEMA:
            raise SchemaVersionError(
                "unknown format", where=f"record {seq}", expected=RECORD_SCHEMA, got=entry.schema[:80]
            )
        return entry

    def records(
        self,
        *,
        run: str | None = None,
        superseded: bool = False,
        where: Callable[[Graded], bool] | None = None,
    ) -> Iterator[Graded]:
        """Yield graded answers in order: each answer's newest record, or with ``superseded`` all of them.

        ``run`` keeps the records that this run wrote; ``where`` keeps those it returns True for.
        """
        old = set() if superseded else self._superseded_ids(run)
        for entry in self.entries():
            if not isinstance(entry, Graded) or entry.record_id in old or run not in (None, entry.run_id):
                continue
            if where is None or where(entry):
                yield entry

    def _superseded_ids(self, run: str | None) -> set[str]:
        return {
            entry.supersedes
            for entry in self.entries()
            if isinstance(entry, Graded) and entry.supersedes and run in (None, entry.run_id)
        }

    def grades(
        self,
        *,
        run: str | None = None,
        superseded: bool = False,
        where: Callable[[Graded], bool] | None = None,
    ) -> Iterator[tuple[Graded, Grade]]:
        """Yield every grade with the record it stands in; explanations are empty (they are content)."""
        for record in self.records(run=run, superseded=superseded, where=where):
            for result in record.results:
                yield record, grade_of(result)

    def reviews(self) -> Iterator[HumanReview]:
        """Yield what people said of grades, in order."""
        return (entry for entry in self.entries() if isinstance(entry, HumanReview))

    def runs(self) -> list[Run]:
        """Return the runs in order."""
        runs: dict[str, Run] = {}
        for entry in self.entries():
            if isinstance(entry, RunStarted) and entry.run_id:
                runs[entry.run_id] = Run(entry.run_id, entry.recorded_at)
            elif isinstance(entry, RunFinished) and entry.run_id in runs:
                runs[entry.run_id] = msgspec.structs.replace(
                    runs[entry.run_id],
                    finished_at=entry.recorded_at, completed=entry.completed, counts=entry.counts,
                )  # fmt: skip
        return list(runs.values())

    def manifests(self) -> dict[str, dict[str, Any]]:
        """Return each run's manifest as written, with committed names filled in where content is at hand."""
        return {run.run_id: self._manifest(run.run_id) for run in self.runs()}

    def _manifest(self, run_id: str) -> dict[str, Any]:
        data = read_limited(self._folder.manifest_path(run_id))
        if data is None:
            raise ChainError("the manifest is missing", where=f"manifests/{run_id}.json", mend=_VERIFY)
        manifest: dict[str, Any] = _loads(data, f"manifests/{run_id}.json")
        names = self._fields(manifest_content_id(run_id)) or {}
        try:
            for name, value in names.items():
                _put_name(manifest, name, value)
        except (KeyError, IndexError, ValueError, TypeError) as cause:
            raise AuditError("does not fit its content", where=f"run {run_id}", mend=_VERIFY) from cause
        return manifest

    # --- content --------------------------------------------------------------------------------------
    def content(self, record_id: str) -> dict[str, Any] | None:
        """Return a record's content fields by name, None where none is at hand (not kept, or erased).

        Names are ``question``, ``answer``, ``contexts.<index>``, ``citations``, ``history``, ``details``,
        ``explanations``; erased fields are absent.
        """
        return self._fields(record_id)

    def _fields(self, record_id: str) -> dict[str, Any] | None:
        data = self._folder.read_content(record_id)
        if data is None:
            return None
        found = _loads(data, f"content of {record_id[:12]}…")
        try:
            return {name: field["value"] for name, field in found["fields"].items()}
        except (KeyError, TypeError, AttributeError) as cause:
            raise ChainError("is not a content file", where=record_id, mend=_VERIFY) from cause

    def answer(self, record: Graded) -> RagRecord:
        """Return the answer as it was graded; what is not at hand is None, its reason in ``completeness``."""
        return rag_record(record, self.content(record.record_id))

    def explained_grades(self, record: Graded) -> list[Grade]:
        """Return a record's grades with their explanations where content is at hand."""
        told = (self.content(record.record_id) or {}).get("explanations") or {}
        if not isinstance(told, dict):
            raise ChainError("content does not fit", where=record.record_id, mend=_VERIFY)
        return [
            msgspec.structs.replace(grade_of(result), explanation=str(told.get(result.name, "")))
            for result in record.results
        ]

    def problems(self, seqs: Collection[int]) -> dict[int, list[str]]:
        """Return what does not fit in the records ``seqs``, by number; nothing for those that fit.

        Checks these records' own bytes, their links to their neighbors and their content, where
        :meth:`verify` checks the whole log. An empty answer is no proof, only no contradiction.
        """
        return SpotCheck(self._folder, seqs).run()

    def verify(
        self,
        *,
        checkpoint: str | None = None,
        public_key: str | None = None,
        strict: bool = False,
        on_progress: Callable[[int, int], None] | None = None,
    ) -> Verification:
        """Check the whole log and say what is proved.

        ``checkpoint`` is the text of a checkpoint that you kept (or its anchor line), ``public_key`` a
        verifier key. With ``strict`` a changed log raises ChainError instead of only being reported.
        ``on_progress`` is told the bytes of records done and in all.
        """
        found = verify_folder(
            self._folder, checkpoint=checkpoint, public_key=public_key, on_progress=on_progress
        )
        if strict and found.first_bad is not None:
            raise ChainError(found.first_bad.problem, where=_place(self.path, found.first_bad), mend=_VERIFY)
        return found


def _place(path: Path, found: Finding) -> str:
    return str(path) if found.seq is None else f"{path}, record {found.seq}"


def _put_name(manifest: dict[str, Any], name: str, value: Any) -> None:
    kind, _, index = name.partition(".")
    if kind == "inputs":
        manifest["inputs"][int(index)]["name"] = value
    else:
        manifest[name] = value


_MAKE = "Write one with: groundwire score TRACES -o FOLDER"
_VERIFY = "Run: groundwire audit verify"


def _loads(data: bytes, where: str) -> dict[str, Any]:
    try:
        found = orjson.loads(data)
    except orjson.JSONDecodeError as cause:
        raise ChainError("is not JSON", where=where, mend=_VERIFY) from cause
    if not isinstance(found, dict):
        raise ChainError("is no JSON object", where=where, mend=_VERIFY)
    return found
