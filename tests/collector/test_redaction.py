"""The production configuration's redaction, on the real Collector: what it takes away, and what it leaves."""

import json
import urllib.request
from collections.abc import Callable
from typing import Any

import pytest
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.trace import Status, StatusCode

from collector.answering import FACTS, grade
from collector.running import Collector
from collector.traffic import provider_to
from groundwire import instrument
from groundwire.envelopes import read_items
from groundwire.span import SpanData

pytestmark = pytest.mark.real
Make = Callable[..., Collector]
SECRETS = (
    "sk-proj-abcdefghij0123456789ABCD",
    "ada.lovelace@example.org",
    "4111 1111 1111 1111",
    "AKIAIOSFODNN7EXAMPLE",
    "+44 20 7946 0958",
)
RESULTS: dict[str, dict[str, Any]] = {
    "clean, true": {
        "answer": f"{FACTS[1]} [2]",
        "contexts": list(FACTS),
        "citations": [{"quote": FACTS[1][:-1], "source_id": "2"}],
    },
    "clean, false": {
        "answer": 'It says "Ada wrote nothing at all" [2].',
        "contexts": list(FACTS),
        "citations": [{"quote": "Ada wrote nothing at all", "source_id": "2"}],
    },
    "a secret in another document": {
        "answer": f"{FACTS[1]} [2]",
        "contexts": [f"Write to:\n{secret}\nor call." for secret in SECRETS[:1]] + list(FACTS[1:]),
        "citations": [{"quote": FACTS[1][:-1], "source_id": "2"}],
    },
    "secrets in the cited document, elsewhere": {
        "answer": f"{FACTS[1]} [1]",
        "contexts": [f"{SECRETS[1]}\n{FACTS[1]}\n{SECRETS[2]} \\ {SECRETS[3]}"],
        "citations": [{"quote": FACTS[1][:-1], "source_id": "1"}],
    },
    "a secret that is quoted": {
        "answer": f'Write to "{SECRETS[1]} at the office" [1].',
        "contexts": [f"Visitors: write to {SECRETS[1]} at the office of the works."],
        "citations": [{"quote": f"{SECRETS[1]} at the office", "source_id": "1"}],
    },
    "a secret before what is cited by its place": {
        "answer": f"Ask {SECRETS[4]} first. {FACTS[1]}",
        "contexts": list(FACTS),
        "citations": [{"answer_start": 28, "answer_end": 28 + len(FACTS[1]), "source_id": "2"}],
    },
}


def ask_all(provider: TracerProvider) -> None:
    @instrument(tracer_provider=provider)
    def answer(question: str) -> dict[str, Any]:
        return RESULTS[question]

    for question in RESULTS:
        answer(question)


def outcomes_through(collector: Make, configuration: str) -> tuple[dict[str, dict[str, str]], bytes]:
    running = collector(configuration).start()
    with provider_to(running) as provider:
        ask_all(provider)
    return grade(running.traces)[1], (running.traces / "traces.jsonl").read_bytes()


def test_no_planted_secret_is_in_the_files(collector: Make) -> None:
    """Not in questions, answers, documents or citations, whatever stands around it."""
    _, written = outcomes_through(collector, "production.yaml")
    assert [secret for secret in SECRETS if secret.encode() in written] == []


def plant_everywhere(provider: TracerProvider) -> None:
    """Secrets where a text can stand on a span: lists, maps, events, the status."""
    with provider.get_tracer("shop").start_as_current_span("chat", record_exception=False) as span:
        span.set_attribute("one", f"first line\n{SECRETS[0]}")
        span.set_attribute("list", [f"a\n{SECRETS[1]}", "b"])
        span.set_attribute("gen_ai.input.messages", [{"role": "user", "content": f"b\n{SECRETS[0]}"}])
        span.set_attribute("other", {"deep": {"deeper": f"card: {SECRETS[2]}"}})
        span.record_exception(ValueError(f"no such key\n{SECRETS[0]}"))
        span.set_status(Status(StatusCode.ERROR, f"ValueError: {SECRETS[3]}"))


def test_secrets_are_masked_wherever_texts_stand(collector: Make) -> None:
    """In single values, lists, maps, events and the status of spans; what is not secret stays readable."""
    running = collector("production.yaml").start()
    with provider_to(running) as provider:
        plant_everywhere(provider)
    written = (running.traces / "traces.jsonl").read_bytes()
    assert [secret for secret in SECRETS if secret.encode() in written] == []
    [span] = [item for item in read_items(running.traces) if isinstance(item, SpanData)]
    assert str(span.attributes["one"]).startswith("first line\n")
    assert json.loads(span.attributes["gen_ai.input.messages"])[0]["role"] == "user"
    assert "\ufdd0" not in written.decode()


def test_logs_are_masked_too(collector: Make) -> None:
    """Bodies and attributes of log records go through the same patterns."""
    running = collector("production.yaml").start()
    record = {
        "body": {"kvlistValue": {"values": [text("content", f"Hello\n{SECRETS[0]}")]}},
        "attributes": [text("gen_ai.user.message", json.dumps({"content": f"Hi\n{SECRETS[4]}"}))],
        "traceId": "0af7651916cd43dd8448eb211c80319c",
    }
    body = json.dumps({"resourceLogs": [{"scopeLogs": [{"logRecords": [record]}]}]}).encode()
    request = urllib.request.Request(
        f"{running.http}/v1/logs", data=body, headers={"Content-Type": "application/json"}
    )
    with urllib.request.urlopen(request, timeout=5):
        pass
    written = (running.traces / "logs.jsonl").read_bytes()
    assert b"Hello" in written
    assert [secret for secret in SECRETS if secret.encode() in written] == []


def text(key: str, value: str) -> dict[str, Any]:
    return {"key": key, "value": {"stringValue": value}}


def test_redaction_changes_no_verdict(collector: Make) -> None:
    """A masked value stays equal to itself, so quoting it still passes; the rest is judged as before."""
    plain, _ = outcomes_through(collector, "laptop.yaml")
    masked, _ = outcomes_through(collector, "production.yaml")
    changed = {
        (question, name): (outcome, masked[question].get(name))
        for question, found in plain.items()
        for name, outcome in found.items()
        if name not in ("pii_leak",) and masked[question].get(name) != outcome
    }
    assert changed == {}
