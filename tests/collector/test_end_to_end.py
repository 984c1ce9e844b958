"""Decorated application → real exporters → real Collector → files → grades."""

import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest
from opentelemetry.sdk.trace import TracerProvider

from collector.answering import FACTS, grade, make_answerer
from collector.running import GATES, Collector
from collector.traffic import provider_to
from groundwire import current_call, feedback, instrument, read_records, sampler
from groundwire.dialects.sampling import parse_threshold
from groundwire.envelopes import read_items
from groundwire.pipeline import score
from groundwire.span import SpanData

pytestmark = pytest.mark.real
Make = Callable[..., Collector]
QUESTIONS = [f"Who wrote the first program? Case {number}" for number in range(60)]


@pytest.mark.parametrize("protocol", ["grpc", "http"])
def test_every_answer_is_graded(protocol: str, collector: Make) -> None:
    """Each call arrives once, over either protocol, and the false quotations are the ones found false."""
    running = collector("laptop.yaml").start()
    with provider_to(running, protocol) as provider:
        answer = make_answerer(provider)
        for question in QUESTIONS:
            answer(question)
    records, outcomes, result = grade(running.traces)
    failed = [question for question, found in outcomes.items() if found["citation_provenance"] == "fail"]
    assert sorted(records) == sorted(QUESTIONS)
    assert sorted(failed) == sorted(QUESTIONS[::3])
    assert (result.stats.rejected_total, result.stats.duplicates) == (0, 0)


def test_contexts_feedback_and_usage_survive(collector: Make) -> None:
    """Texts, usage, service and a feedback given later are on the record as the application had them."""
    running = collector("laptop.yaml").start()
    with provider_to(running) as provider:
        answer = make_answerer(provider)
        answer(QUESTIONS[4])
    records, _, _ = grade(running.traces)
    record = records[QUESTIONS[4]]
    assert [context.text for context in record.contexts or ()] == list(FACTS)
    assert (record.service, record.service_version) == ("shop", "3.1")
    assert record.usage is not None and record.usage.input_tokens == 104


def test_head_sampling_can_be_undone(collector: Make) -> None:
    """Each kept answer says that it had one chance in four, and which call of the process it was."""
    running = collector("laptop.yaml").start()
    with provider_to(running, sampler=sampler(0.25)) as provider:
        answer = make_answerer(provider)
        for number in range(300):
            answer(f"Which call? {number}")
    kept = {case_number(question): record.sampling for question, record in grade(running.traces)[0].items()}
    assert 30 < len(kept) < 150
    assert {(one.threshold, one.probability) for one in kept.values() if one} == {("c", 0.25)}
    assert len({one.process for one in kept.values() if one}) == 1
    assert len({one.sequence - number for number, one in kept.items() if one and one.sequence}) == 1


def case_number(question: str) -> int:
    return int(question.rpartition(" ")[2])


def settle(backend: Collector) -> None:
    """Wait until something came and then nothing more, for longer than batches and queues hold back."""
    seen, since, deadline = 0.0, time.monotonic(), time.monotonic() + 30
    while (not seen or time.monotonic() - since < 3.5) and time.monotonic() < deadline:
        count = backend.counters().get("otelcol_receiver_accepted_spans", 0.0)
        if count != seen:
            seen, since = count, time.monotonic()
        time.sleep(0.1)


@pytest.fixture
def backend(collector: Make) -> Collector:
    """Stands for a backend: a second Collector that writes what it is sent."""
    return collector("laptop.yaml").start()


def test_the_files_hold_everything_and_the_backend_a_share(collector: Make, backend: Collector) -> None:
    """All answers are in the files, unsampled; about half at the backend, each with a truthful threshold."""
    running = collector(
        "production.yaml", GROUNDWIRE_BACKEND=backend.http, GROUNDWIRE_BACKEND_PERCENT="50"
    ).start()
    with provider_to(running) as provider:
        answer = make_answerer(provider)
        for number in range(200):
            answer(f"Which call? {number}")
    settle(backend)
    whole, share = grade(running.traces)[0], grade(backend.traces)[0]
    assert len(whole) == 200 and {one.sampling.threshold for one in whole.values() if one.sampling} == {None}
    assert 60 < len(share) < 140
    assert {one.sampling.probability for one in share.values() if one.sampling} == {0.5}
    assert all(one.sampling and one.sampling.sequence for one in (*whole.values(), *share.values()))


def test_head_and_collector_sampling_multiply(collector: Make, backend: Collector) -> None:
    """Half kept by the service, half of those by the Collector: the backend's answers say a quarter."""
    running = collector(
        "production.yaml", GROUNDWIRE_BACKEND=backend.http, GROUNDWIRE_BACKEND_PERCENT="50"
    ).start()
    with provider_to(running, sampler=sampler(0.5)) as provider:
        answer = make_answerer(provider)
        for number in range(300):
            answer(f"Which call? {number}")
    settle(backend)
    half, quarter = (list(read_records(one.traces)) for one in (running, backend))
    assert {one.sampling.probability for one in half if one.sampling} == {0.5}
    assert {one.sampling.probability for one in quarter if one.sampling} == {0.25}
    assert 90 < len(half) < 210 and 30 < len(quarter) < 120


def test_the_backend_gets_shortened_texts_and_the_files_whole_ones(
    collector: Make, backend: Collector
) -> None:
    """A context of 9,000 characters is whole for scoring and cut for the backend, and known to be cut."""
    running = collector(
        "production.yaml", GROUNDWIRE_BACKEND=backend.http, GROUNDWIRE_BACKEND_PERCENT="100"
    ).start()
    long = ("The engine was designed by Charles Babbage. " * 250, *FACTS[1:])
    with provider_to(running) as provider:
        make_answerer(provider, long)("Which call? 1")
    settle(backend)
    [whole], [cut] = (list(grade(one.traces)[0].values()) for one in (running, backend))
    assert (whole.contexts or ())[0].text == long[0]
    assert whole.completeness.get("contexts") is None
    assert cut.completeness["contexts"] == "truncated"


def test_feedback_is_always_kept(collector: Make, backend: Collector) -> None:
    """At a share of one in a hundred every feedback reaches the backend, and none claims a chance."""
    running = collector(
        "production.yaml", GROUNDWIRE_BACKEND=backend.http, GROUNDWIRE_BACKEND_PERCENT="1"
    ).start()
    with provider_to(running) as provider:
        for ref in ask_for_refs(provider, 20):
            feedback(ref, score=1.0, tracer_provider=provider)
    settle(backend)
    thresholds = [parse_threshold(span.trace_state, span.trace_id) for span in given_feedback(backend)]
    assert [one.probability for one in thresholds if one] == [1.0] * 20
    assert len(given_feedback(running)) == 20


def test_feedback_after_the_decision_is_kept_too(collector: Make, backend: Collector) -> None:
    """A tail sampler has long dropped the answer when its feedback comes, and the feedback still arrives."""
    running = collector(
        "production.yaml", "tail-sampling.yaml", gates=GATES, GROUNDWIRE_BACKEND=backend.http,
        GROUNDWIRE_BACKEND_PERCENT="1", GROUNDWIRE_DECISION_WAIT="1s",
    ).start()  # fmt: skip
    with provider_to(running) as provider:
        refs = ask_for_refs(provider, 20)
        provider.force_flush()
        time.sleep(2.5)
        for ref in refs:
            feedback(ref, score=0.0, tracer_provider=provider)
    settle(backend)
    assert len(given_feedback(backend)) == 20


def ask_for_refs(provider: TracerProvider, count: int) -> list[str | None]:
    """Answer ``count`` questions and return what feedback on them needs."""
    refs = []

    @instrument(tracer_provider=provider)
    def answer(question: str) -> str:
        refs.append(current_call().ref)
        return "Ada."

    for number in range(count):
        answer(f"Who? {number}")
    return refs


def given_feedback(backend: Collector) -> list[SpanData]:
    spans = [item for item in read_items(backend.traces) if isinstance(item, SpanData)]
    return [span for span in spans if "groundwire.feedback.span_id" in span.attributes]


def test_tail_sampling_says_how_likely_each_answer_was(collector: Make, backend: Collector) -> None:
    """With the alpha gates errors are certain and the rest says its share; policy and sequence go along."""
    running = collector(
        "production.yaml", "tail-sampling.yaml", gates=GATES, GROUNDWIRE_BACKEND=backend.http,
        GROUNDWIRE_BACKEND_PERCENT="25", GROUNDWIRE_DECISION_WAIT="1s",
    ).start()  # fmt: skip
    with provider_to(running) as provider:
        answer = make_answerer(provider)
        for number in range(200):
            answer(f"Which call? {number}")
        for _ in range(10):
            fail(provider)
    settle(backend)
    kept = [one.sampling for one in read_records(backend.traces) if one.sampling]
    policies = Counter((one.policy, one.probability) for one in kept)
    assert policies["errors", 1.0] == 10
    assert 20 < policies["share", 0.25] < 90
    assert set(policies) == {("errors", 1.0), ("share", 0.25)}
    assert all(one.process and one.sequence for one in kept)
    assert len(grade(running.traces)[0]) >= 200


def fail(provider: TracerProvider) -> None:
    @instrument(tracer_provider=provider)
    def answer(question: str) -> str:
        raise ValueError("no index")

    with pytest.raises(ValueError):
        answer("Why?")


def test_from_a_node_only_a_log_without_content_leaves(collector: Make, tmp_path: Path) -> None:
    """Scored on the host with --content none, the folder that leaves holds no question, answer or context."""
    running = collector("node-local.yaml").start()
    with provider_to(running) as provider:
        answer = make_answerer(provider)
        for number in range(3):
            answer(f"Case {number}")
    score(running.traces, out=tmp_path / "audit", content="none")
    written = b"".join(path.read_bytes() for path in (tmp_path / "audit").rglob("*") if path.is_file())
    texts = [*FACTS, "Case 1", "The source says", "Ada Lovelace never wrote"]
    assert b"citation_provenance" in written
    assert [text for text in texts if text.encode() in written] == []
    assert (running.traces.stat().st_mode & 0o777) == 0o700
