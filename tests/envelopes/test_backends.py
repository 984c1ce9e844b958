"""Query APIs and tables of tracing backends: Tempo, ClickHouse, Phoenix."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from envelopes.otlp_lines import SPAN, TRACE, otlp_request, otlp_span
from envelopes.reading_rows import read_loosely, read_objects

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
}


@pytest.mark.parametrize("events", NESTED.values(), ids=NESTED.keys())
def test_clickhouse_rows(tmp_path: Path, events: dict[str, Any]) -> None:
    """A row of otel_traces is a span; nested columns come flat or as a list."""
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
