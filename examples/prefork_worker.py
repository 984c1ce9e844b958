"""A prefork server (gunicorn --preload, celery): set up once before the fork, flush before a worker goes.

Each worker is a process instance of its own with its own count of calls, so that lost answers can be counted.

Run: python examples/prefork_worker.py         (needs os.fork)
"""

from __future__ import annotations

import json
import os
import tempfile
from pathlib import Path

import groundwire


@groundwire.instrument
def answer(question: str) -> str:
    return f"You asked: {question}"


def work(number: int) -> None:
    """What a worker does until it is recycled (max-tasks-per-child)."""
    for task in range(2):
        answer(f"task {task} of worker {number}")
    groundwire.flush()


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "traces.jsonl"
        groundwire.configure(file=path, service_name="helpdesk")
        for number in range(2):
            child = os.fork()
            if child == 0:
                work(number)
                os._exit(0)
            os.waitpid(child, 0)
        report(path)


def report(path: Path) -> None:
    workers: dict[str, list[int]] = {}
    for line in path.read_text(encoding="utf-8").splitlines():
        for span in json.loads(line)["resourceSpans"][0]["scopeSpans"][0]["spans"]:
            values = {pair["key"]: pair["value"] for pair in span["attributes"]}
            _, process, sequence = values["groundwire.call"]["stringValue"].split(":")
            workers.setdefault(process, []).append(int(sequence))
    print(f"{len(workers)} workers, calls of each: {sorted(workers.values())}")


if __name__ == "__main__":
    main()
