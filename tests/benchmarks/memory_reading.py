"""Memory of reading: the peak of a process that reads a large file to RagRecords.

Run: ``python tests/benchmarks/memory_reading.py [megabytes] [line megabytes]``. Two files of that size are
written to the temporary folder, one after the other: traces that stand together, and traces whose two spans
lie half a file apart.
"""

from __future__ import annotations

import hashlib
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))
from benchmarks.native_spans import TYPOGRAPHIC, native_lines

_IDS = re.compile(rb'"traceId":"[0-9a-f]{32}","spanId":"[0-9a-f]{16}"')
_SPAN_BYTES = 7_800
_READ = """
import pathlib, re, resource, sys, time
from groundwire.envelopes import ReadStats
from groundwire.reading import read_records

def peak_kib():
    status = pathlib.Path("/proc/self/status")  # resource's figure includes the parent's on Linux
    if status.exists():
        return int(re.search(r"VmHWM:\\s+(\\d+)", status.read_text())[1])
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss

base, stats = peak_kib(), ReadStats()
records = sum(1 for _ in read_records(sys.argv[1], stats=stats))
cpu_ms = int(time.process_time() * 1000)
print(records, stats.spans, base // 1024, peak_kib() // 1024, stats.spilled_bytes // 1_000_000, cpu_ms)
"""


def lines_of(megabytes: int, line_megabytes: float, traces: int | None) -> Iterator[bytes]:
    """Yield lines of equal content and new ids; ``traces`` None: every span is a trace of its own."""
    per_line = int(line_megabytes * 1_000_000 / _SPAN_BYTES)
    (template,) = native_lines(per_line, per_line=per_line, words=TYPOGRAPHIC)
    number = 0
    for _ in range(max(1, megabytes * 1_000_000 // len(template))):
        parts = _IDS.split(template)
        ids = [_ids(n, n if traces is None else n % traces) for n in range(number, number + per_line)]
        number += per_line
        yield b"".join(part for pair in zip(parts, [*ids, b""], strict=True) for part in pair)


def _ids(span: int, trace: int) -> bytes:
    trace_id = hashlib.blake2b(b"t%d" % trace, digest_size=16).hexdigest()
    return f'"traceId":"{trace_id}","spanId":"{span + 1:016x}"'.encode()


def measure(path: Path, name: str) -> None:
    child = subprocess.run(
        [sys.executable, "-c", _READ, str(path)], capture_output=True, text=True, check=True
    )
    records, spans, base, peak, spilled, cpu_ms = map(int, child.stdout.split())
    megabytes = path.stat().st_size / 1e6
    speed = megabytes / cpu_ms * 1000
    print(
        f"{name:12} {megabytes:6,.0f} MB, {spans:,} spans, {records:,} records: peak {peak} MiB"
        f" ({base} MiB before reading), {spilled:,} MB parked on disk, {speed:.0f} MB/CPU s"
    )


def main(megabytes: int, line_megabytes: float) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "traces.jsonl")
        for name, traces in (("contiguous", None), ("scattered", megabytes * 1_000_000 // _SPAN_BYTES // 2)):
            with path.open("wb") as file:
                file.writelines(lines_of(megabytes, line_megabytes, traces))
            measure(path, name)


if __name__ == "__main__":
    main(int((sys.argv[1:] or ["200"])[0]), float((sys.argv[2:] or ["7.5"])[0]))
