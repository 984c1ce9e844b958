"""What goes wrong in production: every answer that does not arrive is counted somewhere."""

import os
import resource
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
import yaml
from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
from opentelemetry.sdk.trace import TracerProvider

from collector.answering import FACTS, make_answerer
from collector.running import CONFIGS, Collector
from collector.traffic import provider_to
from groundwire import diagnostics, read_records
from groundwire.envelopes import ReadStats
from groundwire.inspection import inspect_sources
from groundwire.instrumentation.processor import BoundedProcessor
from groundwire.settings import Settings

pytestmark = pytest.mark.real
Make = Callable[..., Collector]


@contextmanager
def counted_provider(
    collector: Collector, *, max_queue: int = 2048
) -> Iterator[tuple[TracerProvider, Counter[str]]]:
    """The processor that ``configure()`` sets up; the counter holds what it lost, once closed."""
    before = Counter(diagnostics()["lost"])
    provider = TracerProvider(shutdown_on_exit=False)
    exporter = OTLPSpanExporter(endpoint=f"{collector.http}/v1/traces", timeout=2)
    processor = BoundedProcessor(exporter, max_queue=max_queue, max_batch=8, delay_s=0.05)
    provider.add_span_processor(processor)
    lost: Counter[str] = Counter()
    yield provider, lost
    processor.force_flush(20_000)
    processor.shutdown()
    lost.update(Counter(diagnostics()["lost"]) - before)


def missing_sequences(traces: Path) -> tuple[int, int, ReadStats]:
    """How many answers arrived, how many numbers among theirs are missing, and what was read."""
    stats = ReadStats()
    sampled = [record.sampling for record in read_records(traces, stats=stats)]
    numbers = sorted(one.sequence for one in sampled if one and one.sequence)
    return len(numbers), numbers[-1] - numbers[0] + 1 - len(numbers), stats


@pytest.mark.parametrize("protocol", ["grpc", "http"])
def test_twenty_megabytes_of_contexts_arrive(
    protocol: str, collector: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One answer over 20 MB of contexts is written and read back whole."""
    monkeypatch.setenv("GROUNDWIRE_MAX_SPAN_BYTES", str(64 * 2**20))
    running = collector("laptop.yaml").start()
    documents = tuple(f"{n} {fact} " * 12_000 for n in range(10) for fact in FACTS)
    assert sum(map(len, documents)) > 20_000_000
    with provider_to(running, protocol) as provider:
        make_answerer(provider, documents)("Case 1")
    [record] = read_records(running.traces)
    assert [context.text for context in record.contexts or ()] == list(documents)


def test_many_large_answers_arrive(collector: Make) -> None:
    """Two hundred answers of 100 kB each, in the SDK's own batches: none is refused for size."""
    running = collector("laptop.yaml").start()
    documents = tuple(fact * 600 for fact in FACTS)
    with provider_to(running) as provider:
        answer = make_answerer(provider, documents)
        for number in range(200):
            answer(f"Case {number}")
    assert missing_sequences(running.traces)[:2] == (200, 0)


def test_a_killed_collector_loses_nothing_that_it_took(collector: Make) -> None:
    """Killed and started again under load, it has every answer: what it confirmed is in the file."""
    running = collector("laptop.yaml").start()
    with counted_provider(running) as (provider, lost):
        answer = make_answerer(provider)
        for number in range(400):
            answer(f"Case {number}")
            if number == 150:
                running.kill()
            if number == 250:
                running.start()
            time.sleep(0.002)
    arrived, missing, stats = missing_sequences(running.traces)
    assert (arrived, missing, lost.total(), stats.rejected_total) == (400, 0, 0, 0)


def test_what_a_full_queue_drops_is_counted_twice_over(collector: Make) -> None:
    """With a Collector that is down longer than the queue is deep, counter and sequence numbers agree."""
    running = collector("laptop.yaml").start()
    with counted_provider(running, max_queue=50) as (provider, lost):
        answer = make_answerer(provider)
        for number in range(300):
            answer(f"Case {number}")
            if number == 50:
                provider.force_flush()
                running.kill()
            time.sleep(0.001)
        running.start()
        time.sleep(1)
        provider.force_flush()
        answer("Case 300")
    arrived, missing, _ = missing_sequences(running.traces)
    assert lost["queue_full"] > 100
    assert (arrived, missing) == (301 - lost.total(), lost.total())


def test_a_full_disk_is_seen_and_outlived(collector: Make) -> None:
    """What could not be written is in the Collector's counter and in ours; afterwards it writes on."""
    running = collector("laptop.yaml").start()
    assert running.process is not None
    with counted_provider(running) as (provider, lost):
        answer = make_answerer(provider, tuple(fact * 30 for fact in FACTS))
        resource.prlimit(running.process.pid, resource.RLIMIT_FSIZE, (200_000, resource.RLIM_INFINITY))
        for number in range(60):
            answer(f"Case {number}")
        provider.force_flush()
        failed = running.counters()["otelcol_exporter_send_failed_spans"]
        resource.prlimit(running.process.pid, resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY,) * 2)
        for number in range(60, 100):
            answer(f"Case {number}")
    arrived, missing, _ = missing_sequences(running.traces)
    assert failed > 0 and lost["export_failed"] > 0
    assert (arrived, missing) == (100 - lost["export_failed"], lost["export_failed"])


def test_files_that_rotate_are_read_while_they_are_written(collector: Make, tmp_path: Path) -> None:
    """A reader that runs beside the writer meets no error, and in the end has every answer once."""
    config = yaml.safe_load((CONFIGS / "laptop.yaml").read_text())
    config["exporters"]["file/traces"]["rotation"] = {"max_megabytes": 1, "max_backups": 1000}
    (tmp_path / "small.yaml").write_text(yaml.safe_dump(config))
    running = collector(tmp_path / "small.yaml").start()
    is_done = threading.Event()
    writer = threading.Thread(target=write_answers, args=(running, is_done))
    writer.start()
    passes: list[tuple[int, int]] = []
    while not is_done.is_set() or not passes:
        time.sleep(0.05)
        if any(running.traces.glob("traces*")):
            stats = ReadStats()
            passes.append((sum(1 for _ in read_records(running.traces, stats=stats)), stats.rejected_total))
    writer.join()
    arrived, missing, stats = missing_sequences(running.traces)
    assert (arrived, missing, stats.rejected_total, stats.duplicates) == (300, 0, 0, 0)
    assert stats.files > 5 and {rejected for _, rejected in passes} == {0}


def write_answers(running: Collector, is_done: threading.Event) -> None:
    """Three hundred answers of 30 kB, a few in a request."""
    with provider_to(running, max_export_batch_size=4, schedule_delay_millis=20) as provider:
        answer = make_answerer(provider, tuple(fact * 180 for fact in FACTS))
        for number in range(300):
            answer(f"Case {number}")
            time.sleep(0.003)
    is_done.set()


def test_a_backend_that_is_away_costs_the_files_nothing(collector: Make) -> None:
    """With its queue full, the backend loses its copies, counted; every answer is in the files once."""
    running = collector(
        "production.yaml", GROUNDWIRE_BACKEND_PERCENT="100", GROUNDWIRE_QUEUE_BYTES="500000"
    ).start()
    with counted_provider(running) as (provider, lost):
        answer = make_answerer(provider, tuple(fact * 100 for fact in FACTS))
        for number in range(600):
            answer(f"Case {number}")
    time.sleep(1.5)
    dropped = running.counters()["otelcol_exporter_enqueue_failed_spans"]
    arrived, missing, stats = missing_sequences(running.traces)
    assert dropped > 0
    assert (arrived, missing, lost.total(), stats.duplicates) == (600, 0, 0, 0)


def test_what_waits_for_the_backend_survives_a_restart(collector: Make) -> None:
    """Answers queued on disk while the backend was away reach it after the Collector's next start."""
    backend = collector("laptop.yaml")
    running = collector(
        "production.yaml", GROUNDWIRE_BACKEND=backend.http, GROUNDWIRE_BACKEND_PERCENT="100"
    ).start()
    with provider_to(running) as provider:
        make_answerer(provider)("Case 1")
    time.sleep(1.5)
    running.kill()
    backend.start()
    running.start()
    deadline = time.monotonic() + 30
    while not any(backend.traces.glob("*")) and time.monotonic() < deadline:
        time.sleep(0.2)
    assert [record.question for record in read_records(backend.traces)] == ["Case 1"]


PREFORK = """
import os, sys
import groundwire as gw

@gw.instrument
def answer(question):
    return "Ada."

gw.configure(endpoint=sys.argv[1], protocol="grpc")
answer("Who? 0")
children = []
for worker in range(3):
    child = os.fork()
    if child == 0:
        for number in range(5):
            answer(f"Who? {worker} {number}")
        gw.flush(10)
        os._exit(0)
    children.append(child)
for child in children:
    os.waitpid(child, 0)
gw.flush(10)
"""


def test_answers_of_forked_workers_arrive(collector: Make) -> None:
    """Set up before the fork, each worker sends its own answers and counts them for itself."""
    running = collector("laptop.yaml").start()
    subprocess.run([sys.executable, "-W", "ignore", "-c", PREFORK, running.grpc], check=True, timeout=60)
    counts = Counter(record.sampling.process for record in read_records(running.traces) if record.sampling)
    assert sorted(counts.values()) == [1, 5, 5, 5]


OVERFLOW = """
import sys
import groundwire as gw

@gw.instrument
def answer(question):
    return "Ada."

gw.configure(endpoint=sys.argv[1], protocol="http/protobuf")
for number in range(40):
    answer(f"Who? {number}")
gw.flush(10)
answer("Who? 40")
gw.flush(10)
print(gw.diagnostics()["lost"]["queue_full"])
"""


def test_inspect_says_what_never_arrived(collector: Make) -> None:
    """What a queue dropped is in diagnostics() there, and in `inspect` here."""
    running = collector("laptop.yaml").start()
    environment = {**os.environ, "OTEL_BSP_MAX_QUEUE_SIZE": "5", "OTEL_BSP_SCHEDULE_DELAY": "60000"}
    command = [sys.executable, "-W", "ignore", "-c", OVERFLOW, running.http]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    lost = int(done.stdout)
    assert lost == 35
    said = inspect_sources([str(running.traces)], settings=Settings()).render()
    assert f"{41 - lost} of at least 41 calls" in said
