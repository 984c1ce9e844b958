"""Exports of evaluation tools: Langfuse, MLflow, TruLens, Opik, spancheck."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from envelopes.otlp_lines import SHARED, SPAN, TRACE, otlp_attributes, otlp_line, otlp_span
from envelopes.reading_rows import read_loosely, read_objects
from groundwire.envelopes import ReadStats, read_traces
from groundwire.reading import read_records

ROOT = "1111111111111111"


def langfuse_observation(**fields: Any) -> dict[str, Any]:
    return {
        "id": SPAN,
        "traceId": TRACE,
        "type": "GENERATION",
        "name": "llm",
        "parentObservationId": ROOT,
        "startTime": "2023-11-14T22:13:20.000Z",
        "endTime": "2023-11-14T22:13:21.000Z",
        "input": '{"a": 1}',
        "output": "Ada.",
        "model": "m",
        "usageDetails": {"input": 13},
        "costDetails": {},
        "level": "ERROR",
        **fields,
    }


def test_langfuse_observations_carry_the_keys_of_its_sdk(tmp_path: Path) -> None:
    """Input, output, usage and type stand where Langfuse's own instrumentation writes them."""
    kept = {
        "attributes": {"llm.model_name": "m"},
        "scope": {"name": "lib"},
        "resourceAttributes": {"a": "b"},
        "mine": 1,
    }
    observation = langfuse_observation(metadata=json.dumps(kept))
    root = langfuse_observation(id=ROOT, type="SPAN", parentObservationId=None, metadata="{}")
    span, root = read_objects(
        tmp_path, {"trace": {"id": TRACE, "name": "t"}, "observations": [observation, root]}
    )
    keys = ("type", "input", "output", "model.name", "usage_details", "metadata.mine")
    values = [span.attributes[f"langfuse.observation.{key}"] for key in keys]
    assert values == ["generation", '{"a": 1}', "Ada.", "m", '{"input": 13}', "1"]
    assert (span.attributes["llm.model_name"], span.scope.name, span.resource) == ("m", "lib", {"a": "b"})
    assert (span.parent_span_id, span.status, span.end_ns) == (ROOT, "error", 1_700_000_001_000_000_000)
    assert root.attributes["langfuse.trace.name"] == "t"


def test_a_langfuse_trace_without_root_gets_one(tmp_path: Path) -> None:
    """What the trace itself says is kept, and its observations hang below it."""
    trace = {"id": TRACE, "name": "t", "timestamp": "2023-11-14T22:13:20Z", "input": '"Who?"', "userId": "u"}
    others = [langfuse_observation(id=f"{n:016x}", parentObservationId=None) for n in (1, 2)]
    root, *below = read_objects(tmp_path, {**trace, "observations": others})
    assert {span.parent_span_id for span in below} == {root.span_id}
    assert (root.attributes["langfuse.trace.input"], root.attributes["user.id"]) == ('"Who?"', "u")


def test_langfuse_blob_rows(tmp_path: Path) -> None:
    """Rows of the blob export are snake_case, and their times have no zone: it is UTC."""
    row = {
        "id": SPAN,
        "trace_id": TRACE,
        "type": "RETRIEVER",
        "name": "search",
        "parent_observation_id": None,
        "start_time": "2023-11-14 22:13:20.500000",
        "end_time": None,
        "output": '["a"]',
        "user_id": "u",
    }
    (span,) = read_objects(tmp_path, row)
    assert (span.start_ns, span.end_ns) == (1_700_000_000_500_000_000, None)
    assert (span.attributes["langfuse.observation.type"], span.attributes["user.id"]) == ("retriever", "u")


def test_langfuse_scores_of_people_are_feedback(tmp_path: Path) -> None:
    """Annotations are joined to the trace's answer; an evaluator's score is no feedback."""
    score = {"id": "s1", "traceId": TRACE, "name": "helpful", "value": 1, "dataType": "NUMERIC"}
    scores = [
        {**score, "source": "ANNOTATION", "comment": "yes"},
        {**score, "source": "EVAL", "id": "s2"},
    ]
    trace = {"id": TRACE, "name": "t", "scores": scores, "input": "Who?", "output": "Ada."}
    path = tmp_path / "export.json"
    path.write_text(json.dumps({"trace": trace, "observations": [langfuse_observation(level="DEFAULT")]}))
    stats = ReadStats()
    (record,) = read_records(path, stats=stats)
    assert [(said.score, said.label, said.comment) for said in record.feedback] == [(1.0, "helpful", "yes")]
    assert stats.skipped == {"evaluator_scores": 1}


def test_langfuse_blob_scores_and_traces(tmp_path: Path) -> None:
    """Rows of the scores and traces folders are no damage; their observations lie elsewhere."""
    score = {"id": "s", "trace_id": TRACE, "observation_id": SPAN, "name": "n", "value": 0, "source": "API"}
    row = {"id": TRACE, "timestamp": "2023-11-14 22:13:20", "bookmarked": False, "public": False}
    items, rejected, stats = read_loosely(tmp_path, {**score, "data_type": "BOOLEAN"}, row)
    assert [item.attributes["groundwire.feedback.span_id"] for item in items] == [SPAN]
    assert (rejected, stats.skipped) == ([], {"langfuse_trace_rows": 1})


ATTRIBUTES = {"mlflow.spanType": '"RETRIEVER"', "mlflow.spanInputs": '{"q": "Who?"}'}
NS = 1_700_000_000_000_000_000
MLFLOW = {
    "version 2": {
        "context": {"trace_id": f"0x{TRACE}", "span_id": f"0x{SPAN}"},
        "parent_id": None,
        "start_time": NS,
        "end_time": NS + 5,
        "status_code": "OK",
        "status_message": "",
        "attributes": ATTRIBUTES,
        "events": [],
    },
    "version 3": {
        "trace_id": "W47/95gDgQPSabYzgT/GDA==",
        "span_id": "7uGbfsPBsXQ=",
        "parent_span_id": None,
        "start_time_unix_nano": NS,
        "end_time_unix_nano": NS + 5,
        "attributes": ATTRIBUTES,
        "status": {"code": "STATUS_CODE_OK", "message": ""},
        "events": [],
    },
    "version 4": {
        "version": 4,
        "trace_id": f"tr-{TRACE}",
        "otel_trace_id": TRACE,
        "span_id": SPAN,
        "parent_span_id": "",
        "start_time_unix_nano": NS,
        "end_time_unix_nano": NS + 5,
        "attributes": ATTRIBUTES,
        "status": {"code": "OK"},
    },
    "3.5.0": {
        "trace_id": f"trace:/main.traces/{TRACE}",
        "span_id": SPAN,
        "parent_span_id": None,
        "start_time_unix_nano": NS,
        "end_time_unix_nano": NS + 5,
        "attributes": ATTRIBUTES,
        "status": {"code": "OK"},
    },
}


@pytest.mark.parametrize("fields", MLFLOW.values(), ids=MLFLOW.keys())
def test_mlflow_spans_in_all_their_forms(tmp_path: Path, fields: dict[str, Any]) -> None:
    """The forms differ in ids, times and status, and are one span; values stay JSON in text."""
    info = {"trace_id": f"tr-{TRACE}", "trace_metadata": {"mlflow.trace.session": "s"}}
    (span,) = read_objects(tmp_path, {"info": info, "data": {"spans": [{"name": "retrieve", **fields}]}})
    assert (span.trace_id, span.span_id, span.parent_span_id) == (TRACE, SPAN, None)
    assert (span.start_ns, span.end_ns, span.status, span.name) == (NS, NS + 5, "ok", "retrieve")
    assert span.attributes == {**ATTRIBUTES, "session.id": "s"}


@pytest.mark.parametrize("encode", [lambda value: value, json.dumps], ids=["objects", "JSON text"])
def test_trulens_rows(tmp_path: Path, encode: Any) -> None:
    """An event row has decimal ids; its objects may stand as JSON text."""
    trace = {"trace_id": str(int(TRACE, 16)), "span_id": str(int(SPAN, 16)), "parent_id": ""}
    record = {"name": "retrieve", "kind": 1, "status": "STATUS_CODE_ERROR"}
    row = {
        "event_id": str(int(SPAN, 16)),
        "record": encode(record),
        "trace": encode(trace),
        "record_type": "SPAN",
        "record_attributes": encode({"ai.observability.span_type": "retrieval"}),
        "resource_attributes": encode({"service.name": "rag"}),
        "start_timestamp": "2023-11-14 22:13:20.000000",
        "timestamp": "2023-11-14 22:13:21.000000",
    }
    (span,) = read_objects(tmp_path, row)
    assert (span.trace_id, span.span_id, span.parent_span_id) == (TRACE, SPAN, None)
    assert (span.kind, span.status, span.end_ns - span.start_ns) == (1, "error", 1_000_000_000)
    assert span.attributes == {"ai.observability.span_type": "retrieval"}


def record_in_pieces() -> list[dict[str, Any]]:
    """One TruLens record: root, retrieval and model call, each in a trace of its own."""
    base = "ai.observability."
    parts: list[dict[str, Any]] = [
        {"span_type": "record_root", "record_root.input": "Who?", "record_root.output": "Ada."},
        {"span_type": "retrieval", "retrieval.retrieved_contexts": ["It was Ada."]},
        {"span_type": "generation", "cost.num_prompt_tokens": 7, "call.return": "Ada."},
    ]
    return [
        otlp_span(
            f"{number + 1:032x}",
            f"{number + 1:016x}",
            startTimeUnixNano=str(10**18 + number),
            endTimeUnixNano=str(10**18 + number + 1),
            attributes=otlp_attributes(**{f"{base}{k}": v for k, v in {**part, "record_id": "r1"}.items()}),
        )
        for number, part in enumerate(parts)
    ]


@pytest.mark.parametrize("order", [(0, 1, 2), (2, 1, 0), (1, 2, 0)])
def test_a_trulens_record_in_several_traces_is_one_answer(tmp_path: Path, order: tuple[int, ...]) -> None:
    """Whatever comes first, and with a record of its own in another trace beside it."""
    spans = record_in_pieces()
    other = otlp_span("ef" * 16, attributes=otlp_attributes(**{"ai.observability.record_id": "r2"}))
    lines = [otlp_line(spans[number]) for number in order] + [otlp_line(other)]
    (tmp_path / "a.jsonl").write_bytes(b"\n".join(lines))
    (record,) = read_records(tmp_path)
    assert (record.question, record.answer, record.trace_id) == ("Who?", "Ada.", f"{1:032x}")
    assert record.contexts is not None and record.contexts[0].text == "It was Ada."
    assert record.usage is not None and record.usage.input_tokens == 7


OPIK_TRACE = {
    "id": "0190a1b2-0000-7000-8000-000000000001", "project_id": "p", "name": "ask", "thread_id": "t1",
    "start_time": "2026-01-05T10:00:00Z", "end_time": "2026-01-05T10:00:01Z",
    "input": {"question": "Who?"}, "output": {"answer": "It was Ada, they say."},
    "feedback_scores": [
        {"name": "helpful", "value": 1.0, "source": "ui"},
        {"name": "judge", "value": 0.2, "source": "online_scoring"},
    ],
}  # fmt: skip


def opik_span(number: int, kind: str, given: Any, said: Any, **fields: Any) -> dict[str, Any]:
    return {
        "id": f"0190a1b2-0000-7000-8000-00000000010{number}", "trace_id": OPIK_TRACE["id"], "type": kind,
        "name": kind, "parent_span_id": None, "start_time": f"2026-01-05T10:00:00.{number}Z",
        "end_time": f"2026-01-05T10:00:00.{number + 1}Z", "input": given, "output": said, **fields,
    }  # fmt: skip


OPIK_SPANS = [
    opik_span(1, "tool", {"query": "Who?"}, {"documents": [{"id": "d1", "content": "It was Ada."}]}),
    opik_span(
        2, "llm", {"messages": [{"role": "user", "content": "Who?"}]},
        {"choices": [{"message": {"role": "assistant", "content": "It was Ada, they say."}}]},
        usage={"prompt_tokens": 7, "completion_tokens": 2}, model="m", total_estimated_cost=0.5,
    ),
]  # fmt: skip


@pytest.mark.parametrize(
    "export",
    [[{"trace": OPIK_TRACE, "spans": OPIK_SPANS}], [OPIK_TRACE, *OPIK_SPANS]],
    ids=["bundle", "rows"],
)
def test_an_opik_export_is_one_answer(tmp_path: Path, export: list[dict[str, Any]]) -> None:
    """Question and answer of the trace, the tool's documents, the model call's usage, a person's score."""
    (tmp_path / "a.jsonl").write_text("".join(json.dumps(each) + "\n" for each in export))
    stats = ReadStats()
    (record,) = read_records(tmp_path, stats=stats)
    assert (record.question, record.answer, record.model) == ("Who?", "It was Ada, they say.", "m")
    assert record.contexts is not None and record.contexts[0].id == "d1"
    assert record.usage is not None and record.usage.input_tokens == 7
    assert [given.label for given in record.feedback] == ["helpful"]
    assert stats.skipped == {"evaluator_scores": 1}


def test_an_opik_span_that_failed_says_so(tmp_path: Path) -> None:
    """Type and message of its error."""
    error = {"exception_type": "ValueError", "message": "no", "traceback": "…"}
    (span,) = read_objects(tmp_path, opik_span(1, "general", {"a": 1}, None, error_info=error))
    assert (span.status, span.status_message, span.attributes["error.type"]) == ("error", "no", "ValueError")


CASE = {
    "case_id": "c1",
    "category": "faq",
    "input": "Who?",
    "expected": "Ada",
    "meta": {"answerable": True},
    "error": None,
    "output": {
        "answer": "Ada wrote it.",
        "contexts": ["Ada wrote it in 1843.", "Other."],
        "citations": [{"span": "Ada wrote it", "source_id": "d1"}, "Ada"],
        "sources": {"d1": "Ada wrote it in 1843."},
        "usage": {"input_tokens": 5, "output_tokens": 6, "cost_usd": 0.01},
        "latency_ms": 12.5,
        "abstained": None,
    },
    "grades": [],
    "citations": [{"span": "Ada wrote it", "ok": True}],
}
FAILED = {
    "case_id": "c2",
    "category": "default",
    "input": {"q": "x"},
    "error": "ValueError('boom')",
    "output": None,
}


@pytest.mark.parametrize("key", ["cases", "results"])
def test_spancheck_logs_and_runs_are_records(tmp_path: Path, key: str) -> None:
    """Cases of an audit log or a saved run can be scored again; a failed call is a record with its error."""
    path = tmp_path / "audit.json"
    path.write_text(json.dumps({"schema_version": "1.0", key: [CASE, FAILED]}, indent=2))
    good, failed = read_records(path)
    assert (good.question, good.answer, good.latency_ns) == ("Who?", "Ada wrote it.", 12_500_000)
    assert [(c.id, c.text) for c in good.contexts] == [("d1", "Ada wrote it in 1843."), (None, "Other.")]
    assert [(c.quote, c.source_id) for c in good.citations] == [("Ada wrote it", "d1"), ("Ada", None)]
    assert (good.usage.input_tokens, good.recorded_cost.amount, good.expected.answer) == (5, "0.01", "Ada")
    assert (failed.error, failed.answer, failed.question) == ("ValueError('boom')", None, '{"q": "x"}')


def test_a_foreign_row_without_ids_is_rejected_alone(tmp_path: Path) -> None:
    """A row that belongs to no trace is counted with its place."""
    rows = [langfuse_observation(id=""), langfuse_observation()]
    items, rejected, _ = read_loosely(tmp_path, {"trace": {"id": TRACE}, "observations": rows})
    assert (len(items), [each.reason for each in rejected]) == (1, ["no_id"])


@pytest.mark.skipif(not SHARED.is_dir(), reason="the shared traces are not beside the repository")
@pytest.mark.parametrize("path", sorted(SHARED.glob("*/*")), ids=lambda path: path.name)
def test_every_real_file_reads_without_loss(path: Path) -> None:
    """Every shared file gives its spans or logs, and nothing of it is rejected."""
    rejected: list[Any] = []
    traces = list(read_traces(path, on_reject=rejected.append))
    assert rejected == []
    assert sum(len(trace.spans) + len(trace.logs) for trace in traces) > 0
