"""Writes one run into a log: one writer, content before its record, records in a fixed order.

Answers may be added in any order. They wait on disk until :meth:`AuditWriter.finish` seals the run: then
they are appended by (started at, trace id, span id), whatever the executor was.
"""

from __future__ import annotations

import contextlib
import hashlib
import secrets
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from types import TracebackType
from typing import Literal, Self

import msgspec
from msgspec import Struct

from groundwire.audit.canonical import plain_bytes
from groundwire.audit.content_fields import Salts
from groundwire.audit.digests import identity
from groundwire.audit.folder import Folder, read_limited, replace_file, sync_files
from groundwire.audit.journal import Brief, Journal, clock_text
from groundwire.audit.lock import hold
from groundwire.audit.manifest import FormerCheckpoint, RunManifest, manifest_content_id, place_manifest
from groundwire.audit.note import Signer
from groundwire.audit.opening import (
    append_torn_note,
    comparable_manifest,
    fill_folder,
    make_folder,
    new_run_id,
    utc_moment,
)
from groundwire.audit.prepare import Prepared
from groundwire.audit.schema import RECORD_SCHEMA
from groundwire.audit.spill import Latest, Spill, disk_errors
from groundwire.audit.withhold import without_kinds
from groundwire.errors import AuditError

_UNSYNCED_FILES = 4096


class Written(Struct, frozen=True):
    """What a run added: new answers, answers the log said the same of already, new records of old answers.

    ``superseded`` are among ``added``. ``duplicates`` came twice in this run. ``size`` and ``root_hex``
    are the new checkpoint's.
    """

    run_id: str
    added: int
    known: int
    superseded: int
    duplicates: int
    size: int
    root_hex: str


class AuditWriter:
    """Context manager that writes one run. Raises AuditError at once when another process holds the log.

    ``content`` is ``keep`` or ``none``. ``recorded_at`` fixes the time of all records, ``run_id`` the run's
    name (default: time and random). A run that was killed is resumed when ``manifest`` says the same;
    otherwise it is closed as not completed. ``recover`` allows to move a torn last line aside.
    """

    def __init__(
        self,
        path: str | Path,
        manifest: RunManifest,
        *,
        content: Literal["keep", "none"] = "keep",
        clock: Callable[[], int] = time.time_ns,
        run_id: str | None = None,
        recorded_at: str | None = None,
        recover: bool = False,
        signer: Signer | None = None,
        salts: Salts = secrets.token_bytes,
    ) -> None:
        self.path, self.manifest = Path(path), manifest
        self.keeps_content = content == "keep"
        self._recorded_at, self._clock = utc_moment(recorded_at), clock
        self._asked_run_id, self._recover, self._signer, self._salts = run_id, recover, signer, salts
        self._stack = contextlib.ExitStack()
        self._folder = Folder(self.path)
        self._unfinished: str | None = None
        self._fresh: list[Path] = []
        self._known = self._duplicates = 0
        self._had_unfinished = False
        self.run_id = ""

    def __enter__(self) -> Self:
        make_folder(self._folder)
        with contextlib.ExitStack() as stack:
            stack.enter_context(hold(self.path))
            fill_folder(self._folder)
            self._folder.sweep()
            self._spill = Spill(self.path)
            stack.callback(self._spill.close)
            self._journal = Journal(
                self._folder, now=self._now, signer=self._signer, recover=self._recover, on_record=self._see
            )
            stack.callback(self._journal.close)
            self._begin()
            self._stack = stack.pop_all()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._stack.close()

    def _now(self) -> str:
        return self._recorded_at or clock_text(self._clock())

    # --- beginning ------------------------------------------------------------------------------------
    def _see(self, brief: Brief) -> None:
        if brief.record_id is not None:
            self._spill.note_id(brief.record_id)
        if brief.type == "run_started" and brief.run_id is not None:
            self._unfinished = brief.run_id
            self._spill.note_id(manifest_content_id(brief.run_id))
        elif brief.type == "run_finished":
            self._unfinished = None
        elif brief.type == "graded" and brief.subject is not None and brief.record_id is not None:
            answer = answer_key(brief.subject.trace_id, brief.subject.span_id)
            self._spill.note_record(answer, Latest(brief.record_id, brief.supersedes, brief.run_id))
        for target in brief.targets:
            self._spill.note_erasure(target.record_id, target.fields)

    def _begin(self) -> None:
        append_torn_note(self._journal)
        self._had_unfinished = self._unfinished is not None
        if self._unfinished is not None:
            if self._resumes(self._unfinished):
                self.run_id = self._unfinished
                return
            self._journal.append_value(
                schema=RECORD_SCHEMA, type="run_finished", run_id=self._unfinished, completed=False
            )
        self.run_id = self._asked_run_id or new_run_id(self._now())
        self._start()

    def _resumes(self, run_id: str) -> bool:
        if self._asked_run_id not in (None, run_id):
            return False
        found = read_limited(self._folder.manifest_path(run_id))
        if found is None:
            return False
        made, _ = place_manifest(self.manifest, run_id, None, self._salts if self.keeps_content else None)
        return bool(comparable_manifest(found) == comparable_manifest(made))

    def _start(self) -> None:
        path = self._folder.manifest_path(self.run_id)
        if path.exists():
            raise AuditError(
                "a run of this name is in the log already",
                where="run_id",
                got=self.run_id,
                mend="Choose another.",
            )
        former = self._journal.read_checkpoint()
        head = None if former is None else FormerCheckpoint(size=former.size, root=former.root.hex())
        salts = self._salts if self.keeps_content else None
        placed, content = place_manifest(self.manifest, self.run_id, head, salts)
        if content is not None:
            content_id = manifest_content_id(self.run_id)
            self._spill.note_id(content_id)
            sync_files([self._folder.write_content(content_id, content)])
        path.parent.mkdir(exist_ok=True)
        replace_file(path, placed)
        digest = {"alg": "sha256", "commit": hashlib.sha256(placed).hexdigest()}
        self._journal.append_value(
            schema=RECORD_SCHEMA, type="run_started", run_id=self.run_id, manifest=digest
        )
        self._journal.flush()

    # --- adding ---------------------------------------------------------------------------------------
    def add(self, prepared: Prepared) -> None:
        """Take one answer; of two with the same trace and span id the fuller one stays."""
        with disk_errors(self.path):
            self._add(prepared)

    def _add(self, prepared: Prepared) -> None:
        latest = self._spill.latest(prepared.answer_key)
        is_own = latest is not None and latest.run_id == self.run_id
        if latest is not None and not is_own:
            reduced = self._without_erased(prepared)
            if _says_the_same(prepared, latest) or _says_the_same(reduced, latest):
                self._known += 1
                return
            prepared = reduced
        if not self._loses_to_waiting(prepared):
            self._spill.wait(self._with_content_placed(prepared, is_own), _weight(prepared))

    def _without_erased(self, prepared: Prepared) -> Prepared:
        erased = self._spill.erased_kinds(prepared.answer_key)
        return without_kinds(prepared, erased) if erased else prepared

    def _with_content_placed(self, prepared: Prepared, is_own: bool) -> Prepared:
        """Write the content at once, unless a killed run did, or the id stands for older content already."""
        if prepared.content is None or (not is_own and self._spill.is_used(prepared.record_id)):
            return prepared
        if not is_own:
            self._fresh.append(self._folder.write_content(prepared.record_id, prepared.content))
            if len(self._fresh) >= _UNSYNCED_FILES:
                self._sync_content()
        return msgspec.structs.replace(prepared, content=None)

    def _sync_content(self) -> None:
        sync_files([path for path in self._fresh if path.exists()])
        self._fresh.clear()

    def _loses_to_waiting(self, prepared: Prepared) -> bool:
        rival = self._spill.waiting(prepared.answer_key)
        if rival is None:
            return False
        self._duplicates += 1
        if rival[1] == prepared.record_id or rival >= (_weight(prepared), prepared.record_id):
            return True
        if not self._spill.is_used(rival[1]):
            self._folder.content_path(rival[1]).unlink(missing_ok=True)
        return False

    # --- sealing --------------------------------------------------------------------------------------
    def finish(self, counts: Mapping[str, int]) -> Written:
        """Append what waits in order, then ``run_finished`` with ``counts``, then the checkpoint."""
        with disk_errors(self.path):
            return self._finish(counts)

    def _finish(self, counts: Mapping[str, int]) -> Written:
        self._sync_content()
        added = superseded = 0
        clusters: dict[bytes, int] = {}
        for item in self._spill.in_order():
            cluster = None if item.cluster is None else clusters.setdefault(item.cluster, len(clusters))
            superseded += self._seal(item, cluster)
            added += 1
        totals = {
            "added": added, "known": self._known, "superseded": superseded, "duplicates": self._duplicates,
        }  # fmt: skip
        self._journal.append_value(
            schema=RECORD_SCHEMA, type="run_finished", run_id=self.run_id, completed=True,
            counts={**counts, **totals},
        )  # fmt: skip
        head = self._journal.checkpoint()
        if self._had_unfinished:
            self._drop_orphans()
        return Written(self.run_id, **totals, size=head.size, root_hex=head.root.hex())

    def _drop_orphans(self) -> None:
        """Unlink the texts of a killed run that no record points at."""
        for content_id in self._folder.content_ids():
            if not self._spill.is_used(content_id):
                self._folder.content_path(content_id).unlink()

    def _seal(self, item: Prepared, cluster: int | None) -> bool:
        """Append one answer unless a killed run already did; say whether it supersedes another record."""
        latest = self._spill.latest(item.answer_key)
        if latest is not None and latest.run_id == self.run_id:
            return latest.supersedes is not None
        record_id = item.record_id
        members = dict(item.members)
        if latest is not None:
            members["supersedes"] = plain_bytes(latest.record_id)
            if self._spill.is_used(record_id):
                record_id = _repeated_id(record_id, latest.record_id)
        if item.content is not None:
            sync_files([self._folder.write_content(record_id, item.content)])
        if cluster is not None:
            members["cluster"] = b"%d" % cluster
        members["record_id"], members["run_id"] = plain_bytes(record_id), plain_bytes(self.run_id)
        self._journal.append(members)
        self._spill.note_id(record_id)
        return latest is not None


def answer_key(trace_id: str, span_id: str) -> bytes:
    """Return the key under which all records of one answer are found."""
    return hashlib.sha256(plain_bytes([trace_id, span_id])).digest()


def _says_the_same(prepared: Prepared, latest: Latest) -> bool:
    return latest.record_id in (prepared.record_id, _repeated_id(prepared.record_id, latest.supersedes))


def _repeated_id(record_id: str, supersedes: str | None) -> str:
    """Return the id of a statement that was made before, and is made again over another one."""
    return identity(plain_bytes([record_id, supersedes]))


def _weight(prepared: Prepared) -> int:
    return sum(map(len, prepared.members.values()))
