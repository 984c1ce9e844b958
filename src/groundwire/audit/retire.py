"""Retention: the texts of old answers go as erasures; whole old segments go with their records, if asked."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

from msgspec import Struct

from groundwire.audit.append import TOOL, Writing, append_statement, appending, person, require_code
from groundwire.audit.digests import leaf_hash
from groundwire.audit.erase import Erasure, erase_ids, why_erased, with_comments
from groundwire.audit.folder import RECORDS, Folder, read_lines, sync_folder
from groundwire.audit.journal import Journal, clock_text
from groundwire.audit.log import AuditLog
from groundwire.audit.manifest import manifest_content_id
from groundwire.audit.schema import Graded, Record, RunStarted, record_decoder
from groundwire.audit.start import Start, find_start, origin_of
from groundwire.errors import ConfigError


class Retirement(Struct, frozen=True):
    """What a retirement did: the erasure, and the segments that went whole with their ``records``."""

    erasure: Erasure
    segments: int = 0
    records: int = 0


def retire(
    path: str | Path,
    *,
    older_than: timedelta,
    whole_segments: bool = False,
    reason: str = "retention",
    actor: str = TOOL,
    writing: Writing | None = None,
) -> Retirement:
    """Erase the texts of answers that started (and the names of runs that began) longer ago than that.

    With ``whole_segments`` the closed segments (one a day) whose records are all that old go too, from the
    oldest on; a ``retired`` record keeps what is needed to verify the rest up to the same root.
    """
    writing = writing or Writing()
    with appending(path, writing) as (log, journal):
        cutoff = _cutoff(writing, older_than)
        ids = with_comments(log, set(_old_contents(log, cutoff)))
        erasure = erase_ids(log, journal, writing, ids, (), why_erased(reason, actor))
        old = list(_old_segments(journal.folder, cutoff)) if whole_segments else []
        for segment in old:
            _record(journal, writing, segment, reason, actor)
        journal.checkpoint()
        for segment in old:
            _remove(journal.folder, segment)
        return Retirement(erasure, len(old), sum(len(segment.contents) for segment in old))


def _cutoff(writing: Writing, older_than: timedelta) -> str:
    if writing.recorded_at is not None:
        raise ConfigError("retiring goes by the clock", where="recorded_at", expected="none")
    age_ns = int(older_than.total_seconds()) * 10**9
    return clock_text(max(0, writing.clock() - age_ns))[:19]


def _old_contents(log: AuditLog, cutoff: str) -> Iterator[str]:
    for entry in log.entries():
        content_id = _content_id(entry)
        if content_id is not None and isinstance(entry, (Graded, RunStarted)) and _is_old(entry, cutoff):
            yield content_id


def _is_old(entry: Record, cutoff: str) -> bool:
    moment = entry.subject.started_at if isinstance(entry, Graded) else None
    return (moment or entry.recorded_at)[:19] < cutoff


def _content_id(entry: Record) -> str | None:
    if isinstance(entry, RunStarted):
        return None if entry.run_id is None else manifest_content_id(entry.run_id)
    return getattr(entry, "record_id", None)


class _Segment(Struct):
    path: Path
    first_seq: int
    end: Start
    contents: list[str | None]


def _old_segments(folder: Folder, cutoff: str) -> Iterator[_Segment]:
    """Yield the closed segments, oldest first, up to the first that holds something younger."""
    start = find_start(folder) or Start()
    tree, origin = start.tree(), start.origin
    for path in folder.segments():
        lines = [line[:-1] for line in read_lines(path)]
        entries = [record_decoder.decode(line) for line in lines]
        is_old = all(_is_old(entry, cutoff) and entry.recorded_at[:19] < cutoff for entry in entries)
        if path.name == RECORDS or not is_old:
            return
        first = tree.size
        for line in lines:
            tree.append(leaf_hash(line))
        origin = origin or origin_of(entries[0].hash)
        end = Start(tree.size, entries[-1].hash, origin, tuple(tree.peaks))
        yield _Segment(path, first, end, [_content_id(entry) for entry in entries])


def _record(journal: Journal, writing: Writing, segment: _Segment, reason: str, actor: str) -> None:
    end = segment.end
    statement = {
        "type": "retired", "first_seq": segment.first_seq, "size": end.size, "last_hash": end.last_hash,
        "origin": end.origin, "peaks": [peak.hex() for peak in end.peaks],
        "reason": require_code("reason", reason), "actor": person(actor),
    }  # fmt: skip
    append_statement(journal, writing, statement)


def _remove(folder: Folder, segment: _Segment) -> None:
    for content_id in segment.contents:
        if content_id is not None:
            folder.content_path(content_id).unlink(missing_ok=True)
    segment.path.unlink()
    sync_folder(folder.path)
