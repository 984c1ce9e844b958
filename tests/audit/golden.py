"""Writes the golden logs of format version 1. Once released, the logs are never written again.

python tests/audit/golden.py FOLDER
"""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from audit.samples import TIME, answer, five, grades, salts, write_log
from groundwire.audit import AuditLog, Signer
from groundwire.audit.append import Writing, correct, review
from groundwire.audit.erase import erase
from groundwire.audit.published import schema_bytes
from groundwire.grade import Outcome

SIGNER = Signer("example.com/golden", bytes(range(32)))
PUBLIC_KEY = str(SIGNER.public_key)


def write_plain(path: Path) -> None:
    """Five answers, no content."""
    five(path, content="none")


def write_full(path: Path) -> None:
    """Two runs, superseding, a review, a correction, an erasure, signed checkpoints."""
    five(path, signer=SIGNER)
    write_log(path, map(answer, range(6)), run_id="run-2", judged=grades(Outcome.FAIL, "2"), signer=SIGNER)
    writing = Writing(recorded_at=TIME, salts=salts(), signer=SIGNER)
    newest = list(AuditLog.open(path).records())[1].record_id
    review(
        path,
        about=newest,
        grade="latency",
        outcome="pass",
        actor="R. Viewer",
        comment="Fine.",
        writing=writing,
    )
    correct(path, about=newest, reason="wrong_label", actor="R. Viewer", comment="Not so.", writing=writing)
    erase(path, traces=[answer(2).trace_id], writing=writing)


def write_segments(path: Path) -> None:
    """Runs of three days, each with a file of its own."""
    for day in (1, 2, 3):
        write_log(path, [answer(day)], run_id=f"run-{day}", recorded_at=f"2026-12-0{day}T08:00:00.000Z")


LOGS = {"plain": write_plain, "full": write_full, "segments": write_segments}


def write_all(path: Path) -> None:
    """Write every golden log, and the published schemas, under ``path``."""
    for name, write in LOGS.items():
        write(path / name)
        (path / name / ".lock").unlink(missing_ok=True)
    (path / "schema").mkdir()
    for name, data in schema_bytes().items():
        (path / "schema" / name).write_bytes(data)


if __name__ == "__main__":
    write_all(Path(sys.argv[1]))
