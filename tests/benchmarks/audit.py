"""How fast a log is written and verified, and whether it survives being killed.

python tests/benchmarks/audit.py verify [ANSWERS]     default 100,000
python tests/benchmarks/audit.py write [ANSWERS]      default 2,000: share of a default scoring run
python tests/benchmarks/audit.py kill [TIMES]         default 200: kill -9 at random moments
"""

# ruff: noqa: E402
from __future__ import annotations

import os
import random
import resource
import shutil
import signal
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

sys.path[0] = str(Path(__file__).resolve().parents[1])

import orjson

from audit.samples import answer, manifest, write_log
from groundwire.audit import AuditLog, AuditWriter, prepare
from groundwire.audit.append import Writing, appending
from groundwire.record import RagRecord, RetrievedContext

VOLATILE = {"recorded_at", "run_id", "commit", "prev", "hash", "seq"}
PASSAGE = "The lighthouse was built in 1874 and stands 31 meters above the shore. " * 12


def rag_answer(number: int) -> RagRecord:
    """An answer of ordinary size: five passages of about 850 characters, two sentences."""
    contexts = [RetrievedContext(id=f"doc-{i}", text=PASSAGE, score=0.9 - i / 10) for i in range(5)]
    text = "The lighthouse was built in 1874 [1]. It stands 31 meters above the shore [2]."
    return answer(
        number, question="How tall is the lighthouse?", answer=text, contexts=contexts, citations=None
    )


def memory_mb() -> float:
    """Peak memory of this process."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def bench_verify(count: int) -> None:
    """Verify a log with content; prints seconds a core and how memory grows with the log."""
    from groundwire.graders import default_graders, grade_record

    judged = grade_record(rag_answer(0), default_graders())
    for size in (count // 10, count):
        for content in ("none", "keep"):
            folder = Path(tempfile.mkdtemp(dir=os.environ.get("BENCH_DIR")))
            write_log(folder, map(rag_answer, range(size)), content=content, judged=judged)
            child = os.fork()
            if child == 0:
                _verify_and_report(folder, size, content)
                os._exit(0)
            os.waitpid(child, 0)
            shutil.rmtree(folder)


def _verify_and_report(folder: Path, size: int, content: str) -> None:
    before, wall, cpu = memory_mb(), time.perf_counter(), time.process_time()
    found = AuditLog.open(folder).verify()
    wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
    megabytes = (folder / "records.jsonl").stat().st_size / 2**20
    print(
        f"verify {size:>7,} answers, content {content:<4} {megabytes:6.0f} MB of records: "
        f"{found.outcome}, {cpu:5.2f} s of CPU, {wall:5.2f} s, memory +{memory_mb() - before:.0f} MB",
        flush=True,
    )


def bench_write(count: int) -> None:
    """Compare grading with what the audit log adds to it, in one process and one run."""
    from groundwire.graders import default_graders, grade_record

    answers, graders = [rag_answer(number) for number in range(count)], default_graders()
    grade_record(answers[0], graders)
    start = time.process_time()
    judged = [grade_record(record, graders) for record in answers]
    grading = time.process_time() - start
    for content in ("none", "keep"):
        keeps = content == "keep"
        start = time.process_time()
        made = [prepare(r, g, keep_content=keeps) for r, g in zip(answers, judged, strict=True)]
        preparing = time.process_time() - start
        folder = Path(tempfile.mkdtemp(dir=os.environ.get("BENCH_DIR")))
        start, wall = time.process_time(), time.perf_counter()
        with AuditWriter(folder, manifest(), content=content) as writer:
            for item in made:
                writer.add(item)
            writer.finish({})
        writing, wall = time.process_time() - start, time.perf_counter() - wall
        shutil.rmtree(folder)
        whole = grading + preparing + writing
        each = {"grading": grading, "preparing": preparing, "writing": writing, "writing, wall": wall}
        print(
            f"content {content:<4} " + ", ".join(f"{k} {v / count * 1e6:.0f} µs" for k, v in each.items()),
            f"an answer; the log is {100 * (preparing + writing) / whole:.0f} % of the run,"
            f" its serial part {100 * writing / whole:.0f} %",
        )


def bench_kill(times: int, answers: int = 400) -> None:
    """Kill a writer at random moments: verify says 0 or 3, and the run can be completed."""
    pick, codes, torn = random.Random(7), Counter(), 0
    base = Path(tempfile.mkdtemp(dir=os.environ.get("BENCH_DIR")))
    start = time.perf_counter()
    _write(base / "whole", answers)
    whole_s, want = time.perf_counter() - start, _comparable(base / "whole")
    for number in range(times):
        folder = base / str(number)
        _kill_after(folder, answers, pick.uniform(0, whole_s * 1.1))
        if not (folder / "records.jsonl").exists():
            codes["nothing yet"] += 1
        else:
            found = AuditLog.open(folder).verify()
            codes[found.exit_code] += 1
            assert found.exit_code in (0, 3), (number, found.findings)
        torn += _resume(folder, answers)
        assert _comparable(folder) == want, number
        assert AuditLog.open(folder).verify().exit_code == 0
        shutil.rmtree(folder)
    shutil.rmtree(base)
    print(
        f"killed {times} times: exit codes {dict(codes)}, {torn} torn lines; every log came to an equal end"
    )


def _write(folder: Path, answers: int, **options: object) -> None:
    write_log(folder, (answer(number) for number in reversed(range(answers))), run_id=None, **options)


def _kill_after(folder: Path, answers: int, seconds: float) -> None:
    child = os.fork()
    if child == 0:
        _write(folder, answers)
        os._exit(0)
    time.sleep(seconds)
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)


def _resume(folder: Path, answers: int) -> int:
    """Run the same again unless it was done; return whether a torn line had to be moved aside."""
    runs = AuditLog.open(folder).runs() if (folder / "records.jsonl").exists() else []
    if not runs or not runs[-1].completed:
        _write(folder, answers, recover=True)
    with appending(folder, Writing()):
        """A run that was killed after its last record lacks only its checkpoint."""
    return len(list(folder.glob("records.torn-*")))


def _comparable(folder: Path) -> list[object]:
    entries = [orjson.loads(line) for line in (folder / "records.jsonl").read_bytes().splitlines()]
    return [_without_volatile(entry) for entry in entries if entry["type"] != "correction"]


def _without_volatile(value: object) -> object:
    if isinstance(value, dict):
        return {name: _without_volatile(item) for name, item in value.items() if name not in VOLATILE}
    return [_without_volatile(item) for item in value] if isinstance(value, list) else value


if __name__ == "__main__":
    command, *rest = sys.argv[1:] or ["write"]
    defaults = {"verify": (bench_verify, 100_000), "write": (bench_write, 2_000), "kill": (bench_kill, 200)}
    function, default = defaults[command]
    function(int(rest[0]) if rest else default)
