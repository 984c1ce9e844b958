"""Nothing in a trace can raise or hang, whatever any attribute holds."""

from __future__ import annotations

import copy
import random
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings, strategies as st

from dialects.making import TRACE_ID
from groundwire.dialects import describe_trace, normalize_trace
from groundwire.envelopes import read_traces
from groundwire.record import RagRecord
from groundwire.span import LogData, Scope, SpanData, SpanEvent, Trace

KEYS = [
    "openinference.span.kind", "input.value", "output.value", "output.mime_type", "llm.token_count.prompt",
    "retrieval.documents.0.document.content", "retrieval.documents", "llm.input_messages.0.message.content",
    "gen_ai.operation.name", "gen_ai.input.messages", "gen_ai.output.messages",
    "gen_ai.retrieval.documents",
    "gen_ai.usage.input_tokens", "gen_ai.response.finish_reasons", "gen_ai.prompt.0.content",
    "gen_ai.prompt",
    "gen_ai.completion", "gen_ai.tool.call.result", "gen_ai.system_instructions",
    "gen_ai.input.messages_ref",
    "traceloop.span.kind", "traceloop.entity.input", "traceloop.entity.output", "langfuse.observation.type",
    "langfuse.observation.input", "langfuse.observation.output", "langfuse.observation.usage_details",
    "langfuse.observation.completion_start_time", "mlflow.spanType", "mlflow.spanInputs",
    "mlflow.spanOutputs",
    "mlflow.chat.tokenUsage", "ai.observability.span_type", "ai.observability.call.return",
    "langsmith.span.kind",
    "ai.observability.retrieval.retrieved_contexts", "haystack.component.type", "haystack.component.output",
    "haystack.pipeline.input_data", "ai.operationId", "ai.prompt", "ai.response.text", "ai.ranking",
    "ai.documents", "function.args", "all_messages_events", "final_result", "pydantic_ai.all_messages",
    "input",
    "output", "groundwire.schema", "groundwire.citations", "groundwire.tags", "groundwire.changes",
    "groundwire.content.digests", "groundwire.feedback.span_id", "error.type", "db.system", "metadata",
]  # fmt: skip
KINDS = [
    "LLM", "RETRIEVER", "RERANKER", "CHAIN", "AGENT", "TOOL", "chat", "retrieval", "execute_tool",
    "workflow",
    "invoke_agent", "generation", "retriever", "record_root", "reranking", '"RETRIEVER"', "ai.rerank", "1",
    "application/json", "InMemoryBM25Retriever", "OpenAIChatGenerator",
]  # fmt: skip
BROKEN = [
    '{"a": [1', '"[1, 2]"', "[[[[", "{'a': (1, 2)}", "\ud83c", "NaN", "1e999", "[]", "{}", "null",
    '[{"role":"user","parts":[{"type":"text","content":"q"}]}]', '{"messages": [["a", 1]]}',
]  # fmt: skip
leaves = (
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20) | st.binary(max_size=8)
    | st.sampled_from(KINDS)
    | st.sampled_from(BROKEN)
)  # fmt: skip
names = st.sampled_from(
    ["role", "content", "id", "text", "parts", "type", "metadata", "score", "documents", "kwargs"]
)
values = st.recursive(
    leaves,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(names, inner, max_size=4),
    max_leaves=8,
)
attributes = st.dictionaries(st.sampled_from(KEYS), values, max_size=10)
times = st.none() | st.integers(-5, 2**62)
events = st.builds(
    SpanEvent,
    st.sampled_from(["db.query.result", "gen_ai.choice", "gen_ai.content.prompt", "exception", "x"]),
    times,
    st.dictionaries(
        st.sampled_from(["db.query.result.document", "message", "gen_ai.prompt", "content"]), values
    ),
)
ids = st.sampled_from([f"{n:016x}" for n in range(1, 6)])
spans = st.builds(
    SpanData, st.just(TRACE_ID), ids, st.sampled_from(["haystack.component.run", "retrieve", ""]),
    st.none() | ids,
    start_ns=times, end_ns=times, attributes=attributes, events=st.lists(events, max_size=2),
    scope=st.builds(Scope, st.sampled_from(["", "langsmith", "logfire", "openlit.x", "groundwire"])),
    trace_state=st.sampled_from(["", "ot=th:c", "ot=th:zz", "ot=rv:1;th:8,x=y"]),
    dropped_attributes=st.integers(0, 2),
)  # fmt: skip
logs = st.builds(
    LogData, st.sampled_from(["gen_ai.choice", "gen_ai.user.message",
    "gen_ai.client.inference.operation.details"]),
    st.just(TRACE_ID), ids, times, values, attributes,
)  # fmt: skip
traces = st.builds(Trace, st.just(TRACE_ID), st.lists(spans, max_size=5), st.lists(logs, max_size=2))


@settings(max_examples=150)
@given(trace=traces)
def test_any_attribute_of_any_type_gives_records(trace: Trace) -> None:
    """Every dialect takes every value, in any shape of trace, cycles and missing parents included."""
    assert all(isinstance(record, RagRecord) for record in normalize_trace(trace))
    describe_trace(trace)


@given(trace=traces)
def test_the_order_of_the_spans_does_not_matter(trace: Trace) -> None:
    """Spans come in any order; the records are the same."""
    unique = {span.span_id: span for span in trace.spans}
    forwards = Trace(TRACE_ID, list(unique.values()), trace.logs)
    backwards = Trace(TRACE_ID, list(reversed(unique.values())), trace.logs)
    assert normalize_trace(forwards) == normalize_trace(backwards)


def mutate(value: Any, rng: random.Random) -> Any:
    if isinstance(value, str) and value:
        at = rng.randrange(len(value))
        choices = [
            value[:at],
            value[at:],
            value * 2,
            value[:at] + rng.choice('"{}[]\\,:0\x00\ud83c') + value[at:],
        ]
        return rng.choice(
            [*choices, "__REDACTED__", [value], {"value": value}, value.encode("utf-8", "replace"), at]
        )
    return rng.choice([None, True, -1, 2**70, float("nan"), "", [], {}, str(value), [value], {"a": value}])


@pytest.mark.parametrize("seed", range(3))
def test_mutants_of_real_traces_give_records(shared: Path, seed: int) -> None:
    """Real traces with some values cut, retyped or broken never raise."""
    rng = random.Random(seed)
    originals = [t for t in read_traces(str(shared / "traces" / "dialects")) if isinstance(t, Trace)]
    for original in originals:
        for _ in range(8):
            trace = copy.deepcopy(original)
            for span in trace.spans:
                for key in list(span.attributes):
                    if rng.random() < 0.15:
                        span.attributes[key] = mutate(span.attributes[key], rng)
            assert all(isinstance(record, RagRecord) for record in normalize_trace(trace))


@pytest.mark.parametrize(
    "text",
    ["[" * 50_000, "{'a':" * 50_000, '{"a":' * 50_000, "(" * 100_000, "[1] " * 50_000, "<doc>" * 50_000,
     "Context:\n" * 50_000, "-" * 100_000, '"' * 100_001, "\\" * 100_000, "[{" * 30_000,
     "Source 1:\n" * 20_000],
)  # fmt: skip
def test_hostile_texts_take_linear_time(text: str) -> None:
    """Deep nesting, endless openers and repeated labels neither exhaust the stack nor take for ever."""
    for key in ("gen_ai.input.messages", "output.value", "gen_ai.retrieval.documents", "function.args"):
        span = SpanData(TRACE_ID, "1" * 16, "x", attributes={"gen_ai.operation.name": "chat", key: text})
        span.attributes["openinference.span.kind"] = "CHAIN"
        assert len(normalize_trace(Trace(TRACE_ID, [span]))) <= 1


def test_a_trace_of_many_spans_is_read_without_deep_recursion() -> None:
    """A chain of ten thousand spans, each the parent of the next, is no trouble."""
    chain = [
        SpanData(TRACE_ID, f"{n:016x}", "step", f"{n - 1:016x}" if n else None, start_ns=n + 1, end_ns=10**6)
        for n in range(10_000)
    ]
    assert normalize_trace(Trace(TRACE_ID, chain)) == []


def test_a_trace_of_thousands_of_calls_stays_linear() -> None:
    """Four thousand model calls and as many retrievals under one root: each finds its neighbors only."""
    root = SpanData(TRACE_ID, "f" * 16, "batch", start_ns=1, end_ns=10**9)
    spans = [root]
    for n in range(4_000):
        asked = f'[{{"role":"user","content":"what is number {n}, please?"}}]'
        retrieval = {"gen_ai.operation.name": "retrieval", "gen_ai.retrieval.documents": f'["text {n}"]'}
        call = {
            "gen_ai.operation.name": "chat",
            "gen_ai.input.messages": asked,
            "gen_ai.output.messages": f"it is {n}",
        }
        for kind, attributes in enumerate((retrieval, call)):
            at = n * 10 + kind * 5 + 2
            spans.append(
                SpanData(
                    TRACE_ID, f"{at:016x}", "x", "f" * 16, start_ns=at, end_ns=at + 1, attributes=attributes
                )
            )
    records = normalize_trace(Trace(TRACE_ID, spans))
    assert len(records) == 4_000
    assert [context.text for context in records[7].contexts or ()] == ["text 7"]
