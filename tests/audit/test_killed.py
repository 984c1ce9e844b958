"""A writer killed with no chance to clean up. (tests/benchmarks/audit.py does this 200 times at random.)"""

import subprocess
import sys
import time

import orjson
import pytest

from audit.samples import answer, write_log
from groundwire.audit import AuditLog
from groundwire.audit.append import Writing, appending

ANSWERS = 300
VOLATILE = {"recorded_at", "run_id", "commit", "prev", "hash", "seq"}
CODE = f"""
import sys; sys.path[:0] = {sys.path!r}
from pathlib import Path
from audit.samples import answer, write_log
write_log(Path(sys.argv[1]), map(answer, range({ANSWERS})), run_id=None)
"""


def without_volatile(value):
    if isinstance(value, dict):
        return {name: without_volatile(item) for name, item in value.items() if name not in VOLATILE}
    return [without_volatile(item) for item in value] if isinstance(value, list) else value


def comparable(log):
    segments = sorted(log.glob("records*.jsonl"))  # a new one begins with each day
    entries = [orjson.loads(line) for path in segments for line in path.read_bytes().splitlines()]
    return [without_volatile(entry) for entry in entries if entry["type"] != "correction"]


def size_of(path):
    return path.stat().st_size if path.exists() else 0


MOMENTS = {
    "while it begins": lambda log: (log / "manifests").exists(),
    "while it reads": lambda log: sum(1 for _ in log.glob("content/*/*.json")) > 20,
    "while it seals": lambda log: (
        (log / "records.jsonl").exists() and (log / "records.jsonl").stat().st_size > 9_000
    ),
}


@pytest.mark.parametrize("moment", MOMENTS)
def test_a_killed_run_is_intact_or_incomplete_and_can_be_completed(tmp_path, moment):
    """Never tampered; the same command again comes to the log of an undisturbed run."""
    log, deadline = tmp_path / "killed", time.monotonic() + 60
    writer = subprocess.Popen([sys.executable, "-c", CODE, str(log)])
    while writer.poll() is None and not MOMENTS[moment](log) and time.monotonic() < deadline:
        time.sleep(0.001)
    writer.kill()
    writer.wait()
    if (log / "records.jsonl").exists():
        assert AuditLog.open(log).verify().exit_code in (0, 3)
    runs = AuditLog.open(log).runs() if (log / "records.jsonl").exists() else []
    if not (runs and runs[-1].completed):
        write_log(log, map(answer, range(ANSWERS)), run_id=None, recover=True)
    with appending(log, Writing()):
        pass
    write_log(tmp_path / "whole", map(answer, range(ANSWERS)))
    assert comparable(log) == comparable(tmp_path / "whole")
    assert AuditLog.open(log).verify().exit_code == 0
