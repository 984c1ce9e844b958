"""Answers sent, written and lost when a Collector works, restarts, dies, is away, or its backend is away.

Run: python tests/benchmarks/collector_faults.py [--rate 200] [--seconds 60] [SCENARIO …]
Needs the Collector that .ci/collector builds. Prints a row of a Markdown table a scenario: what the files
lack, and which counters say so. Exits 1 when a loss is in no counter.
"""

from __future__ import annotations

import argparse
import logging
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from opentelemetry.exporter.otlp.proto.grpc.trace_exporter import OTLPSpanExporter
from opentelemetry.sdk.trace import TracerProvider

from collector.answering import FACTS, make_answerer
from collector.running import BUILD_LINE, CONFIGS, Collector, find_binary
from groundwire import diagnostics, read_records
from groundwire.envelopes import ReadStats
from groundwire.instrumentation.processor import BoundedProcessor

DOCUMENTS = tuple(fact * 35 for fact in FACTS)  # 6 kB of contexts an answer
Disturb = Callable[[Collector, float], None]


def leave_alone(running: Collector, seconds: float) -> None:
    """Nothing happens."""


def restart(running: Collector, seconds: float) -> None:
    """A planned restart in the middle."""
    time.sleep(seconds / 2)
    running.stop()
    running.start()


def kill(running: Collector, seconds: float) -> None:
    """A crash in the middle, started again one second later."""
    time.sleep(seconds / 2)
    running.kill()
    time.sleep(1)
    running.start()


def take_away(running: Collector, seconds: float) -> None:
    """Away for 30 seconds."""
    time.sleep(2)
    running.stop()
    time.sleep(30)
    running.start()


SCENARIOS: dict[str, tuple[str, str, Disturb, float | None, dict[str, str]]] = {
    "steady": ("steady", "laptop.yaml", leave_alone, None, {}),
    "redacted": ("steady, redacted, backend away", "production.yaml", leave_alone, None, {}),
    "restart": ("Collector restarted", "laptop.yaml", restart, 20, {}),
    "kill": ("Collector killed, back after 1 s", "laptop.yaml", kill, 20, {}),
    "away": ("Collector away for 30 s", "laptop.yaml", take_away, 40, {}),
    "queue-full": (
        "backend away, its queue full (600 kB)", "production.yaml", leave_alone, 20,
        {"GROUNDWIRE_BACKEND_PERCENT": "100", "GROUNDWIRE_QUEUE_BYTES": "600000"},
    ),
}  # fmt: skip


def measure(name: str, rate: float, seconds: float, folder: Path) -> bool:
    """Run one scenario and print its row; False when a loss is in no counter."""
    title, configuration, disturb, own_seconds, settings = SCENARIOS[name]
    duration = own_seconds or seconds
    binary = find_binary()
    if binary is None:
        sys.exit(f"the Collector is not built; run: {BUILD_LINE}")
    running = Collector(binary, folder / name, [CONFIGS / configuration], settings=settings).start()
    before = Counter(diagnostics()["lost"])
    try:
        sent = send(running, rate, duration, disturb)
        counters = running.counters()
    finally:
        running.stop()
    ours = Counter(diagnostics()["lost"]) - before
    stats = ReadStats()
    numbers = {one.sampling.sequence for one in read_records(running.traces, stats=stats) if one.sampling}
    lost = sent - len(numbers)
    theirs = {
        key.removesuffix("_total"): int(value)
        for key, value in counters.items()
        if value and ("failed_spans" in key or "refused_spans" in key)
    }
    told = ", ".join(f"`{key}` {value}" for key, value in {**ours, **theirs}.items()) or "–"
    print(
        f"| {title}, {rate:.0f}/s for {duration:.0f} s | {sent:,} | {len(numbers):,} | {lost:,} | {told} |",
        flush=True,
    )
    return lost == ours.total()


def send(running: Collector, rate: float, seconds: float, disturb: Disturb) -> int:
    """Answer questions at an even rate while ``disturb`` does its work; return how many were answered."""
    provider = TracerProvider(shutdown_on_exit=False)
    processor = BoundedProcessor(OTLPSpanExporter(endpoint=running.grpc, insecure=True), max_batch=64)
    provider.add_span_processor(processor)
    answer = make_answerer(provider, DOCUMENTS)
    trouble = threading.Thread(target=disturb, args=(running, seconds))
    trouble.start()
    began, number = time.monotonic(), 0
    while time.monotonic() - began < seconds:
        answer(f"Case {number}")
        number += 1
        time.sleep(max(0.0, began + number / rate - time.monotonic()))
    trouble.join()
    processor.force_flush(60_000)
    processor.shutdown()
    return number


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("scenarios", nargs="*", choices=[*SCENARIOS, []], metavar="SCENARIO")
    parser.add_argument("--rate", type=float, default=200)
    parser.add_argument("--seconds", type=float, default=60)
    options = parser.parse_args()
    logging.disable(logging.CRITICAL)
    print("| scenario | answers | in the files | lost | counted by |\n|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as folder:
        names = options.scenarios or list(SCENARIOS)
        agreed = [measure(name, options.rate, options.seconds, Path(folder)) for name in names]
    sys.exit(0 if all(agreed) else 1)


if __name__ == "__main__":
    main()
