"""Reading speed: OTLP/JSON lines → RagRecords, beside ``orjson.loads`` and a walk over the same file.

Run: ``python tests/benchmarks/ingest.py [spans] [rounds]``. Both ways alternate in one process and read
through the same buffer; the best CPU time of each counts. The walk takes every span and puts its
attributes into a dict. Shown for the batches that SDKs export (512 spans a line), for small ones, and for
text whose typography is not ASCII.
"""

from __future__ import annotations

import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import orjson

sys.path.insert(0, str(Path(__file__).parents[1]))
from benchmarks.native_spans import PLAIN, SPANS_PER_BATCH, TYPOGRAPHIC, native_lines
from groundwire.reading import read_records

_BUFFER_BYTES = 1 << 20


def walk(path: Path) -> int:
    """The baseline: what any reader must do at the least."""
    count = 0
    with path.open("rb", buffering=_BUFFER_BYTES) as file:
        for line in file:
            for group in orjson.loads(line)["resourceSpans"]:
                for scoped in group["scopeSpans"]:
                    for span in scoped["spans"]:
                        count += bool(attributes_of(span))
    return count


def attributes_of(span: dict[str, Any]) -> dict[str, Any]:
    found = {}
    for pair in span["attributes"]:
        ((kind, value),) = pair["value"].items()
        found[pair["key"]] = int(value) if kind == "intValue" else value
    return found


def ingest(path: Path) -> int:
    """What groundwire does: whole records, traces grouped, duplicates dropped."""
    return sum(1 for _ in read_records(path))


def cpu_seconds(action: Callable[[Path], int], path: Path) -> float:
    began = time.process_time()
    action(path)
    return time.process_time() - began


def compare(path: Path, spans: int, per_line: int, words: list[str], rounds: int) -> None:
    with path.open("wb") as file:
        file.writelines(native_lines(spans, per_line=per_line, words=words))
    assert walk(path) == ingest(path) == spans
    seconds: dict[Callable[[Path], int], list[float]] = {walk: [], ingest: []}
    for _ in range(rounds):
        for action, taken in seconds.items():
            taken.append(cpu_seconds(action, path))
    best = {action: min(taken) for action, taken in seconds.items()}
    megabytes = path.stat().st_size / 1e6
    kind = "plain" if words is PLAIN else "typographic"
    print(f"{spans:,} spans of {kind} text, {per_line} a line, {megabytes:.1f} MB")
    for action, took in best.items():
        print(f"  {action.__name__:7} {spans / took:9,.0f} records/CPU s {megabytes / took:7.0f} MB/CPU s")
    print(f"  ingest is {best[walk] / best[ingest]:.0%} of orjson.loads + walk")


def main(spans: int, rounds: int) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "traces.jsonl")
        compare(path, spans, SPANS_PER_BATCH, PLAIN, rounds)
        compare(path, spans, SPANS_PER_BATCH, TYPOGRAPHIC, rounds)
        compare(path, spans, 16, PLAIN, rounds)


if __name__ == "__main__":
    main(int((sys.argv[1:] or ["4096"])[0]), int((sys.argv[2:] or ["5"])[0]))
