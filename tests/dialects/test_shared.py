"""The real traces beside the checkout: each gives exactly the records that its README states."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from groundwire.dialects import normalize_trace
from groundwire.envelopes import read_traces
from groundwire.record import RagRecord
from groundwire.span import Trace

QUESTION = "Which river flows through Bern, and where does it end?"
ANSWER = "The Aare flows through Bern and joins the Rhine at Koblenz [1][2]. Größe: 288 km 🌊 [1]."
ONE_CALL, TWO_CALLS = (143, 31), (286, 62)
USAGE = {
    "langfuse_v5": [ONE_CALL],
    "langsmith_otel": [ONE_CALL],
    "mlflow": [ONE_CALL],
    "openinference_langchain": [ONE_CALL],
    "openinference_llamaindex": [None],
    "openllmetry_langchain": [ONE_CALL],
    "openllmetry_sdk_openai_chroma": [ONE_CALL],
    "otel_genai_langchain": [ONE_CALL],
    "otel_genai_latest": [TWO_CALLS],
    "otel_genai_latest_logs": [TWO_CALLS],
    "otel_genai_latest_mapdocs": [TWO_CALLS],
    "pydantic_ai_logfire": [(203, 43), ONE_CALL],
    "trulens": [None],
}


def read(path: Path) -> list[RagRecord]:
    traces = (trace for trace in read_traces(str(path)) if isinstance(trace, Trace))
    return [record for trace in traces for record in normalize_trace(trace)]


@pytest.mark.parametrize("name", USAGE)
def test_each_file_gives_its_records(shared: Path, name: str) -> None:
    """One record an answered question, with its passages and its usage counted once."""
    records = read(shared / "traces" / "dialects" / f"{name}.jsonl")
    assert [(record.question, record.answer) for record in records] == [(QUESTION, ANSWER)] * len(USAGE[name])
    usages = [record.usage for record in records]
    assert [usage and (usage.input_tokens, usage.output_tokens) for usage in usages] == USAGE[name]
    for record in records:
        texts = {context.text for context in record.contexts or ()}
        assert len(texts) == 3
        assert any("288 km" in (text or "") for text in texts)


def test_langfuse_exports(shared: Path) -> None:
    """Langfuse's own export form: a plain answer, and an agent whose tool searched the web."""
    (plain,) = read(shared / "traces" / "dialects" / "langfuse_llamaindex-2025-06-05.trace.json")
    assert (plain.question, plain.contexts) == ("What is Langfuse?", None)
    assert plain.usage is not None and (plain.usage.input_tokens, plain.usage.output_tokens) == (13, 81)
    (agent,) = read(shared / "traces" / "dialects" / "langfuse_langgraph-python-2025-08-22.trace.json")
    assert agent.question == "Search the web for 'example' and summarize."
    assert [context.uri for context in agent.contexts or ()] == ["https://example.com"]
    assert agent.usage is not None and (agent.usage.input_tokens, agent.usage.output_tokens) == (168, 66)


def as_strings(trace: Trace) -> Trace:
    """What ClickHouse's rows and Jaeger's tags make of attributes: numbers, lists and maps become text."""
    for span in trace.spans:
        span.attributes = {key: as_string(value) for key, value in span.attributes.items()}
        for event in span.events:
            event.attributes = {key: as_string(value) for key, value in event.attributes.items()}
    return trace


def as_string(value: object) -> str:
    return value if isinstance(value, str) else json.dumps(value)


@pytest.mark.parametrize("name", USAGE)
def test_stringly_stores_change_nothing(shared: Path, name: str) -> None:
    """A store that keeps every attribute as text gives the same records."""
    path = shared / "traces" / "dialects" / f"{name}.jsonl"
    traces = [trace for trace in read_traces(str(path)) if isinstance(trace, Trace)]
    whole = [normalize_trace(trace) for trace in traces]
    assert [normalize_trace(as_strings(trace)) for trace in traces] == whole
