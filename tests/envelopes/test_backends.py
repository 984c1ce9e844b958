"""Query APIs and tables of tracing backends: Tempo, ClickHouse, Phoenix."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from envelopes.otlp_lines import SPAN, TRACE, otlp_line, otlp_request, otlp_span
from envelopes.reading_rows import read_loosely, read_objects
from envelopes.test_frames import message
from groundwire.envelopes import read_traces
from groundwire.span import Rejected

WRAPPERS: dict[str, Any] = {
    "Tempo, first form": lambda groups: {"batches": groups},
    "Tempo, second form": lambda groups: {"trace": {"resourceSpans": groups}, "status": "COMPLETE"},
    "Jaeger's third API": lambda groups: {"result": {"resourceSpans": groups}},
    "a list of requests": lambda groups: [{"resourceSpans": groups}],
    "snake_case": lambda groups: {"resource_spans": [{"scope_spans": g["scopeSpans"]} for g in groups]},
    "before 0.19": lambda groups: {
        "resourceSpans": [
            {"instrumentationLibrarySpans": [{"spans": s["spans"]} for s in g["scopeSpans"]]} for g in groups
        ]
    },
}


@pytest.mark.parametrize("wrap", WRAPPERS.values(), ids=WRAPPERS.keys())
def test_every_wrapping_of_otlp_is_opened(tmp_path: Path, wrap: Any) -> None:
    """The span is found wherever a query API puts its batches."""
    (span,) = read_objects(tmp_path, wrap(otlp_request(otlp_span())["resourceSpans"]))
    assert (span.trace_id, span.attributes) == (TRACE, {"question": "Who?"})


def test_a_span_in_the_style_of_protobuf_json(tmp_path: Path) -> None:
    """Base64 ids, names for enumerations and snake_case keys are the same span."""
    span = {
        "trace_id": "W47/95gDgQPSabYzgT/GDA==",
        "span_id": "7uGbfsPBsXQ=",
        "name": "answer",
        "kind": "SPAN_KIND_SERVER",
        "start_time_unix_nano": "1700000000000000000",
        "attributes": [{"key": "n", "value": {"int_value": "7"}}],
        "status": {"code": "STATUS_CODE_ERROR"},
    }
    (found,) = read_objects(tmp_path, {"resource_spans": [{"scope_spans": [{"spans": [span]}]}]})
    assert (found.trace_id, found.span_id, found.kind, found.status) == (TRACE, SPAN, 2, "error")
    assert (found.start_ns, found.attributes) == (1_700_000_000_000_000_000, {"n": 7})


def test_a_partial_answer_of_a_backend_is_counted(tmp_path: Path) -> None:
    """Tempo says when spans are missing; so do the counts."""
    answer = {"trace": otlp_request(otlp_span()), "status": "PARTIAL"}
    items, rejected, stats = read_loosely(tmp_path, answer)
    assert (len(items), rejected, stats.skipped) == (1, [], {"spans_of_partial_traces": 1})


def test_a_trace_that_a_backend_calls_partial_is_so(tmp_path: Path) -> None:
    """Status 1 of Tempo's protobuf answer, ``PARTIAL`` of the JSON one, and no other trace."""
    (tmp_path / "json").write_text(json.dumps({"trace": otlp_request(otlp_span()), "status": "PARTIAL"}))
    (tmp_path / "other").write_bytes(otlp_line(otlp_span("ab" * 16)))
    inner = message("cd" * 16)
    sized = b"\x0a" + encode_varint(len(inner)) + inner
    (tmp_path / "protobuf").write_bytes(sized + b"\x18\x01")
    found = {trace.trace_id: trace.is_partial for trace in read_traces(tmp_path)}
    assert found == {TRACE: True, "ab" * 16: False, "cd" * 16: True}


def encode_varint(number: int) -> bytes:
    """The protobuf spelling of a length: seven bits a byte, the lowest first."""
    head = [number >> shift & 127 for shift in range(0, number.bit_length(), 7)]
    return bytes([*(byte | 128 for byte in head[:-1]), head[-1]])


@pytest.mark.parametrize("mark", [{"boolValue": True}, {"stringValue": "true"}], ids=["bool", "text"])
def test_a_summary_of_pruned_spans_is_refused(tmp_path: Path, mark: dict[str, Any]) -> None:
    """It stands for several calls and tells of none; the trace that held it is partial."""
    summary = otlp_span(span_id="aa" * 8, attributes=[{"key": "aggregation.is_summary", "value": mark}])
    (tmp_path / "a.jsonl").write_bytes(otlp_line(otlp_span(), summary))
    rejected: list[Rejected] = []
    (trace,) = read_traces(tmp_path, on_reject=rejected.append)
    assert ([span.span_id for span in trace.spans], trace.is_partial) == ([SPAN], True)
    assert [one.reason for one in rejected] == ["summary_span"]


def clickhouse_row(**fields: Any) -> dict[str, Any]:
    return {
        "Timestamp": "2023-11-14 22:13:20.123456789",
        "TraceId": TRACE,
        "SpanId": SPAN,
        "ParentSpanId": "",
        "SpanName": "answer",
        "SpanKind": "Internal",
        "ServiceName": "rag",
        "ResourceAttributes": {"host": "h"},
        "ScopeName": "lib",
        "SpanAttributes": {"question": "Who?", "n": "7"},
        "Duration": "1000",
        "StatusCode": "Error",
        "StatusMessage": "no",
        "Links.TraceId": [],
        "Links.SpanId": [],
        **fields,
    }


NESTED = {
    "flat columns": {
        "Events.Timestamp": ["2023-11-14 22:13:20"],
        "Events.Name": ["e"],
        "Events.Attributes": [{"a": "b"}],
    },
    "a list": {"Events": [{"Timestamp": "2023-11-14 22:13:20", "Name": "e", "Attributes": {"a": "b"}}]},
    "an object of lists": {
        "Events": {"Timestamp": ["2023-11-14 22:13:20"], "Name": ["e"], "Attributes": [{"a": "b"}]}
    },
}


@pytest.mark.parametrize("events", NESTED.values(), ids=NESTED.keys())
def test_clickhouse_rows(tmp_path: Path, events: dict[str, Any]) -> None:
    """A row of otel_traces is a span; nested columns come flat, as a list or as an object."""
    (span,) = read_objects(tmp_path, clickhouse_row(**events))
    assert (span.start_ns, span.end_ns) == (1_700_000_000_123_456_789, 1_700_000_000_123_457_789)
    assert (span.kind, span.status, span.parent_span_id) == (1, "error", None)
    assert (span.attributes, span.resource) == (
        {"question": "Who?", "n": "7"},
        {"host": "h", "service.name": "rag"},
    )
    (event,) = span.events
    assert (event.name, event.time_ns, event.attributes) == ("e", 1_700_000_000_000_000_000, {"a": "b"})


def test_clickhouse_json_columns_get_their_dots_back(tmp_path: Path) -> None:
    """The JSON variant of the table nests what was a dotted key."""
    row = clickhouse_row(SpanAttributes={"gen_ai": {"usage": {"input_tokens": 5}}, "plain": "x"})
    (span,) = read_objects(tmp_path, {"meta": [], "data": [row], "rows": 1})
    assert span.attributes == {"gen_ai.usage.input_tokens": 5, "plain": "x"}


DOCUMENTS = [{"document.content": "text", "document.id": "d1", "document.metadata": {"page": 1}}]
FLAT = {
    "input.value": "Who?",
    "retrieval.documents.0.document.content": "text",
    "retrieval.documents.0.document.id": "d1",
    "retrieval.documents.0.document.metadata": '{"page": 1}',
    "openinference.span.kind": "RETRIEVER",
}
PHOENIX = {
    "a row of the data frame": {
        "context.trace_id": TRACE,
        "context.span_id": SPAN,
        "attributes.input.value": "Who?",
        "attributes.retrieval.documents": DOCUMENTS,
        "attributes.llm.model_name": None,
        "start_time": 1_700_000_000_000,
    },
    "an object of the API": {
        "context": {"trace_id": TRACE, "span_id": SPAN},
        "start_time": "2023-11-14T22:13:20+00:00",
        "attributes": {"input": {"value": "Who?"}, "retrieval": {"documents": DOCUMENTS}},
    },
    "arrays instead of documents": {
        "context.trace_id": TRACE,
        "context.span_id": SPAN,
        "start_time": 1_700_000_000_000_000_000,
        "attributes.input.value": "Who?",
        "attributes.retrieval.documents.contents": ["text"],
        "attributes.retrieval.documents.ids": ["d1"],
        "attributes.retrieval.documents.0.document.metadata": '{"page": 1}',
    },
}


@pytest.mark.parametrize("row", PHOENIX.values(), ids=PHOENIX.keys())
def test_phoenix_spans_are_openinference_again(tmp_path: Path, row: dict[str, Any]) -> None:
    """Un-flattened attributes get the flat keys of the spans that Phoenix received."""
    given = {
        "name": "a",
        "span_kind": "RETRIEVER",
        "parent_id": None,
        "status_code": "OK",
        "events": [],
        **row,
    }
    (span,) = read_objects(tmp_path, given)
    assert (span.trace_id, span.span_id, span.status) == (TRACE, SPAN, "ok")
    assert span.start_ns == 1_700_000_000_000_000_000
    assert span.attributes == FLAT
