"""What reading an answer costs, beside ``json.dumps`` of the same answer in the same run.

Run: python tests/benchmarks/shapes.py

CPU time of one call in µs, the best of several rounds; the baseline is what any tracer at least pays to write
the same content down.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

sys.path[0] = str(Path(__file__).resolve().parents[1])

from groundwire.shapes import join_chunks, read_result  # noqa: E402
from shapes import payloads, stream_payloads  # noqa: E402 - the tests' payloads, not this file

ROUNDS, CALLS = 9, 1_000
ANSWER, PASSAGE = "a" * 400, "x" * 1_000
PASSAGES = [{"id": f"d{n}", "text": PASSAGE, "score": 0.5} for n in range(5)]
CITATIONS = [{"quote": PASSAGE[:40], "source_id": f"d{n}"} for n in range(2)]
WHOLE: dict[str, Any] = {
    "text": ANSWER,
    "answer and 5 texts": {"answer": ANSWER, "contexts": [PASSAGE] * 5},
    "tuple of answer and 5 texts": (ANSWER, [PASSAGE] * 5),
    "answer, 5 passages, 2 citations, usage": {
        "answer": ANSWER,
        "contexts": PASSAGES,
        "citations": CITATIONS,
        "usage": {"input_tokens": 812, "output_tokens": 90},
    },
    "answer and 50 passages": {"answer": ANSWER, "contexts": PASSAGES * 10},
    **{name: payload for name, (payload, _) in payloads.ALL.items()},
}
STREAMED: dict[str, list[Any]] = {
    "50 texts": [f"{n} pieces " for n in range(50)],
    "50 server-sent events": [f'data: {{"token": "{"a" * 8}"}}\n\n'] * 50,
    **{name: events for name, (events, _) in stream_payloads.ALL.items()},
}


def cost_us(work: Callable[[], Any]) -> float:
    """Return the CPU time of one call, the best of the rounds."""
    best = float("inf")
    for _ in range(ROUNDS):
        start = time.process_time()
        for _ in range(CALLS):
            work()
        best = min(best, (time.process_time() - start) / CALLS)
    return best * 1e6


def show(title: str, values: dict[str, Any], read: Callable[[Any], Any]) -> None:
    """Print one table: reading, the baseline, their ratio."""
    print(f"{title:<42} {'read µs':>9} {'dumps µs':>9} {'ratio':>6}")
    for name, value in values.items():
        reading, dumping = (
            cost_us(lambda value=value: read(value)),
            cost_us(lambda value=value: json.dumps(value)),
        )
        print(f"  {name:<40} {reading:>9.2f} {dumping:>9.2f} {reading / dumping:>6.2f}")


if __name__ == "__main__":
    show("read_result of", WHOLE, read_result)
    show("join_chunks of", STREAMED, join_chunks)
