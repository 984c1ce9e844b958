"""Reading speed: OTLP/JSON lines → RagRecords, beside ``orjson.loads`` and a walk over the same file.

Run: ``python tests/benchmarks/ingest.py [spans] [rounds]``. Both ways alternate in one process; the best
CPU time of each counts. The walk takes every span and puts its attributes into a dict.
"""

from __future__ import annotations

import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import orjson

sys.path.insert(0, str(Path(__file__).parents[1]))
from benchmarks.native_spans import native_lines

from groundwire.reading import read_records


def walk(path: Path) -> int:
    """The baseline: what any reader must do at the least."""
    count = 0
    with path.open("rb") as file:
        for line in file:
            for group in orjson.loads(line)["resourceSpans"]:
                for scoped in group["scopeSpans"]:
                    for span in scoped["spans"]:
                        attributes = {}
                        for pair in span["attributes"]:
                            (value,) = pair["value"].values()
                            attributes[pair["key"]] = value
                        count += 1
    return count


def ingest(path: Path) -> int:
    """What groundwire does: whole records, traces grouped, duplicates dropped."""
    return sum(1 for _ in read_records(path))


def cpu_seconds(action: Callable[[Path], int], path: Path) -> float:
    began = time.process_time()
    action(path)
    return time.process_time() - began


def main(spans: int, rounds: int) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "traces.jsonl")
        with path.open("wb") as file:
            file.writelines(native_lines(spans))
        assert walk(path) == ingest(path) == spans
        seconds = {action: [] for action in (walk, ingest)}
        for _ in range(rounds):
            for action, taken in seconds.items():
                taken.append(cpu_seconds(action, path))
        best = {action: min(taken) for action, taken in seconds.items()}
        megabytes = path.stat().st_size / 1e6
    for action, taken in best.items():
        print(f"{action.__name__:7} {spans / taken:9,.0f} records/CPU s {megabytes / taken:7.0f} MB/CPU s")
    print(
        f"ingest is {best[walk] / best[ingest]:.0%} of orjson.loads + walk ({spans:,} spans, {megabytes:.1f} MB)"
    )


if __name__ == "__main__":
    main(int((sys.argv[1:] or ["4000"])[0]), int((sys.argv[2:] or ["5"])[0]))
