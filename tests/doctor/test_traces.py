import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor

from groundwire import instrument, sampler
from groundwire.doctor import Finding, examine_traces
from groundwire.errors import EnvelopeError
from groundwire.instrumentation.otlp_json import JsonLinesExporter

Write = Callable[..., Path]


@pytest.fixture
def write(tmp_path: Path) -> Write:
    """Writes the spans of decorated calls to a file, as the Collector does."""

    def write_answers(count: int, *, size: int = 10, **provider_options: Any) -> Path:
        path = tmp_path / "traces.jsonl"
        provider = TracerProvider(shutdown_on_exit=False, **provider_options)
        provider.add_span_processor(SimpleSpanProcessor(JsonLinesExporter(path)))

        @instrument(tracer_provider=provider)
        def answer(question: str) -> dict[str, Any]:
            return {"answer": "Ada.", "contexts": ["x" * size]}

        for number in range(count):
            answer(f"Who? {number}")
        provider.shutdown()
        return path

    return write_answers


def found(path: Path) -> dict[str, Finding]:
    return {one.check: one for one in examine_traces(path)}


def edit(path: Path, change: Callable[[dict[str, Any]], None]) -> None:
    """Apply ``change`` to each span of the file."""
    lines = []
    for line in path.read_text().splitlines():
        request = json.loads(line)
        change(request["resourceSpans"][0]["scopeSpans"][0])
        lines.append(json.dumps(request))
    path.write_text("\n".join(lines) + "\n")


def test_weights_are_exact_where_every_answer_has_a_threshold(write: Write) -> None:
    """A sampler that writes `th` makes weights exact, and the probabilities are told."""
    weights = found(write(64, sampler=sampler(0.5)))["weights"]
    assert weights.level == "ok" and set(weights.data["probabilities"]) == {"0.5"}


def test_weights_are_unknown_without_a_threshold(write: Write) -> None:
    """Where calls are missing and nothing says why, weights are unknown, and the remedy is named."""
    path = write(6)
    path.write_text("\n".join(path.read_text().splitlines()[3:]) + "\n")
    weights = found(path)["weights"]
    assert weights.level == "note" and "groundwire.sampler" in (weights.mend or "")


def test_a_tail_sampler_that_contradicts_itself_is_bad(write: Write) -> None:
    """A threshold that the trace's own randomness does not meet gives no weight."""
    path = write(3)

    def claim(scope: dict[str, Any]) -> None:
        for span in scope["spans"]:
            span["traceId"] = span["traceId"][:18] + "0" * 13 + "1"
            span["traceState"] = "ot=th:c"

    edit(path, claim)
    assert found(path)["weights"].level == "bad"


def test_a_tail_policy_without_a_threshold_is_bad(write: Write) -> None:
    """A tail sampler's policy alone says that answers were chosen, not how likely."""
    path = write(3)
    policy = {"key": "tailsampling.policy", "value": {"stringValue": "share"}}
    edit(path, lambda scope: scope["scope"].update(attributes=[policy]))
    assert found(path)["weights"].level == "bad"


def test_losses_are_counted_by_sequence_numbers(write: Write) -> None:
    """Numbers that are missing below the highest are calls that never arrived."""
    path = write(10)
    lines = path.read_text().splitlines()
    path.write_text("\n".join(lines[:4] + lines[7:]) + "\n")
    losses = found(path)["losses"]
    assert losses.level == "note" and losses.data["missing"] >= 3


@pytest.mark.parametrize(
    ("size", "cut"),
    [(100, set()), (3_000, {"Elastic APM", "Grafana Tempo", "Dash0"}), (250_000, {"AWS X-Ray", "Datadog"})],
)
def test_backends_that_would_cut_are_named(size: int, cut: set[str], write: Write) -> None:
    """Each backend's published limit is held against the longest value of every span."""
    backends = found(write(2, size=size))["backends"]
    assert cut <= set(backends.data.get("cut", {}))
    assert bool(cut) == (backends.level == "note")


def test_traces_without_an_answer_are_said_to_have_none(tmp_path: Path) -> None:
    """Spans of other things are no answers: nothing is claimed about sampling."""
    path = tmp_path / "traces.jsonl"
    path.write_text('{"resourceSpans":[]}\n')
    assert list(found(path)) == ["traces"]


def test_a_source_that_is_missing_is_an_error(tmp_path: Path) -> None:
    """A wrong path is no finding."""
    with pytest.raises(EnvelopeError):
        examine_traces(tmp_path / "nowhere")
