"""One folder for a reviewer: the log or a selection of it, and all that is needed to check it elsewhere."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from importlib import resources
from pathlib import Path
from typing import Any

from msgspec import Struct

from groundwire.audit.append import TOOL, Writing, record_copy
from groundwire.audit.canonical import plain_bytes
from groundwire.audit.folder import (
    CHECKPOINT,
    CHECKPOINTS,
    CONTENT,
    MANIFESTS,
    RECORDS,
    SCHEMA,
    Folder,
    read_limited,
    read_lines,
)  # fmt: skip
from groundwire.audit.log import AuditLog
from groundwire.audit.manifest import manifest_content_id
from groundwire.audit.proof import Leaves, newest_note
from groundwire.audit.published import schema_bytes
from groundwire.audit.readable import write_report
from groundwire.audit.schema import (
    Erased,
    Graded,
    HumanReview,
    Record,
    Retired,
    RunFinished,
    RunStarted,
    record_decoder,
)
from groundwire.audit.selector import Predicate
from groundwire.errors import AuditError

_FILES = ("READ-ME-FIRST.txt", "verify.py")


class Bundle(Struct, frozen=True):
    """A bundle on disk: its ``records``, of them ``answers`` graded; ``seq`` of the record about the copy."""

    path: str
    records: int
    answers: int
    with_content: bool
    seq: int | None = None


def export(
    path: str | Path,
    out: str | Path,
    *,
    where: Predicate | None = None,
    with_content: bool = False,
    actor: str = TOOL,
    writing: Writing | None = None,
) -> Bundle:
    """Write a bundle into the new folder ``out``: the whole log, or the records that ``where`` chooses.

    A selection carries a proof of inclusion for each record. With ``with_content`` the texts go along, and
    the export is recorded in the log first, so that a later erasure can name the copy. Raises AuditError
    when ``out`` exists, the log has no checkpoint, or another process holds it, ChainError when the log
    does not verify.
    """
    log, target = AuditLog.open(path), Path(out)
    if target.exists() and (not target.is_dir() or any(target.iterdir())):
        raise AuditError("is there already", where=str(out), expected="a new or empty folder")
    newest_note(log)
    log.verify(strict=True)
    seq = _record_copy(log, target, where, actor, writing or Writing()) if with_content else None
    target.mkdir(parents=True, exist_ok=True)
    lines = _copy_whole(log, target) if where is None else _copy_selection(log, target, where)
    chosen = [record_decoder.decode(line) for line in lines] if where is not None else None
    _copy_manifests(log, target, chosen)
    if with_content:
        _copy_content(log, target, chosen)
    _copy_helpers(target)
    answers = write_report(AuditLog.open(target), target / "report.html", is_selection=where is not None)
    return Bundle(str(target), _count(target), answers, with_content, seq)


def _record_copy(log: AuditLog, target: Path, where: Predicate | None, actor: str, writing: Writing) -> int:
    count = sum(1 for _ in log.records(superseded=True, where=where))
    return record_copy(
        log.path, kind="bundle", place=str(target), records=count, actor=actor, writing=writing
    )


def _copy_whole(log: AuditLog, target: Path) -> list[bytes]:
    for segment in Folder(log.path).segments():
        shutil.copyfile(segment, target / segment.name, follow_symlinks=False)
    for name in (CHECKPOINT, CHECKPOINTS):
        _copy_file(log.path / name, target / name)
    return []


def _copy_selection(log: AuditLog, target: Path, where: Predicate) -> list[bytes]:
    """Write the chosen lines and their proofs; return the lines."""
    leaves = Leaves.of(log)
    lines = leaves.lines
    places = list(_choose([record_decoder.decode(line) for line in lines], where))
    proofs = (
        plain_bytes({"proof": [node.hex() for node in leaves.prove(seq)], "seq": seq})
        for seq in (place + leaves.start for place in places)
    )
    (target / RECORDS).write_bytes(b"".join(lines[seq] + b"\n" for seq in places))
    (target / "proofs.jsonl").write_bytes(b"".join(proof + b"\n" for proof in proofs))
    _copy_file(log.path / CHECKPOINT, target / CHECKPOINT)
    return [lines[seq] for seq in places]


def _choose(entries: list[Record], where: Predicate) -> Iterator[int]:
    """Yield the places of chosen answers, of their runs, of what was later said of them, and of record 0.

    Record 0 (or what retired it) names the log: the checkpoint's origin is made from its hash.
    """
    ids = {entry.record_id for entry in entries if isinstance(entry, Graded) and where(entry)}
    runs = {entry.run_id for entry in entries if isinstance(entry, Graded) and entry.record_id in ids}
    for seq, entry in enumerate(entries):
        if isinstance(entry, Graded):
            is_chosen = entry.record_id in ids
        elif isinstance(entry, (RunStarted, RunFinished)):
            is_chosen = entry.run_id in runs
        elif isinstance(entry, Erased):
            is_chosen = any(target.record_id in ids for target in entry.targets)
        else:
            is_chosen = isinstance(entry, HumanReview) and entry.about in ids
        if is_chosen or entry.seq == 0 or isinstance(entry, Retired):
            yield seq


def _copy_manifests(log: AuditLog, target: Path, chosen: list[Record] | None) -> None:
    (target / MANIFESTS).mkdir()
    for run_id in _run_ids(log, chosen):
        path = Folder(log.path).manifest_path(run_id)
        _copy_file(path, target / MANIFESTS / path.name)


def _copy_content(log: AuditLog, target: Path, chosen: list[Record] | None) -> None:
    source, made = Folder(log.path), Folder(target)
    (target / CONTENT).mkdir(mode=0o700)
    entries: Any = log.entries() if chosen is None else chosen
    ids = (entry.record_id for entry in entries if getattr(entry, "record_id", None) is not None)
    for content_id in [*ids, *map(manifest_content_id, _run_ids(log, chosen))]:
        data = source.read_content(content_id)
        if data is not None:
            made.write_content(content_id, data)


def _run_ids(log: AuditLog, chosen: list[Record] | None) -> list[str]:
    entries: Any = log.entries() if chosen is None else chosen
    return [entry.run_id for entry in entries if isinstance(entry, RunStarted) and entry.run_id]


def _copy_helpers(target: Path) -> None:
    package = resources.files("groundwire.audit")
    for name in _FILES:
        (target / name).write_bytes(package.joinpath("bundle", name).read_bytes())
    (target / "FORMAT.md").write_bytes(package.joinpath("FORMAT.md").read_bytes())
    (target / SCHEMA).mkdir()
    for name, data in schema_bytes().items():
        (target / SCHEMA / name).write_bytes(data)


def _copy_file(source: Path, target: Path) -> None:
    data = read_limited(source)
    if data is not None:
        target.write_bytes(data)


def _count(target: Path) -> int:
    return sum(1 for path in Folder(target).segments() for _ in read_lines(path))
