"""Jaeger's UI JSON."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from envelopes.otlp_lines import SHARED
from envelopes.reading_rows import read_objects
from groundwire.envelopes import read_items
from groundwire.span import Scope, SpanLink


def jaeger_span(**fields: Any) -> dict[str, Any]:
    return {
        "traceID": "a1",
        "spanID": "b2",
        "operationName": "answer",
        "startTime": 1_700_000_000_000_000,
        **fields,
    }


def read_one(folder: Path, **fields: Any) -> Any:
    trace = {"traceID": "a1", "spans": [jaeger_span(processID="p1", **fields)]}
    trace["processes"] = {
        "p1": {"serviceName": "rag", "tags": [{"key": "host", "type": "string", "value": "h"}]}
    }
    (span,) = read_objects(folder, {"data": [trace], "total": 0, "errors": None})
    return span


def test_fields_come_from_where_jaeger_keeps_them(tmp_path: Path) -> None:
    """Kind, status, scope and trace state are tags there; times are microseconds."""
    texts = {
        "span.kind": "client", "otel.status_code": "ERROR", "otel.status_description": "no",
        "otel.scope.name": "lib", "otel.scope.version": "1", "w3c.tracestate": "ot=th:8", "question": "Who?",
    }  # fmt: skip
    tags = [{"key": key, "type": "string", "value": value} for key, value in texts.items()]
    tags.append({"key": "error", "type": "bool", "value": True})
    span = read_one(tmp_path, duration=123, tags=tags)
    assert (span.trace_id, span.span_id) == ("a1".rjust(32, "0"), "b2".rjust(16, "0"))
    assert (span.kind, span.status, span.status_message, span.trace_state) == (3, "error", "no", "ot=th:8")
    assert (span.start_ns, span.end_ns) == (1_700_000_000_000_000_000, 1_700_000_000_000_123_000)
    assert (span.attributes, span.scope) == ({"question": "Who?"}, Scope("lib", "1"))
    assert span.resource == {"host": "h", "service.name": "rag"}


def test_typed_tags_keep_their_digits(tmp_path: Path) -> None:
    """Large integers, which Jaeger writes as text, and binary values come back exact."""
    values = [("int64", "9007199254740993", 2**53 + 1), ("float64", 1, 1.0), ("binary", "AAE=", b"\0\1")]
    tags = [{"key": kind, "type": kind, "value": value} for kind, value, _ in values]
    assert read_one(tmp_path, tags=tags).attributes == {kind: expected for kind, _, expected in values}


def test_references_are_parents_and_links(tmp_path: Path) -> None:
    """A child's reference within the trace is its parent; every other reference is a link."""
    references = [
        {"refType": "CHILD_OF", "traceID": "a1", "spanID": "c3"},
        {"refType": "FOLLOWS_FROM", "traceID": "a1", "spanID": "d4"},
    ]
    span = read_one(tmp_path, references=references)
    assert span.parent_span_id == "c3".rjust(16, "0")
    assert span.links == [SpanLink("a1".rjust(32, "0"), "d4".rjust(16, "0"))]


def test_logs_are_events(tmp_path: Path) -> None:
    """A log's field named event is the event's name."""
    fields = [{"key": "event", "type": "string", "value": "e"}, {"key": "n", "type": "int64", "value": 1}]
    (event,) = read_one(tmp_path, logs=[{"timestamp": 1_700_000_000_000_000, "fields": fields}]).events
    assert (event.name, event.time_ns, event.attributes) == ("e", 1_700_000_000_000_000_000, {"n": 1})


@pytest.mark.skipif(not SHARED.is_dir(), reason="the shared traces are not beside the repository")
def test_a_real_trace_is_the_same_in_both_forms() -> None:
    """What Jaeger shows of a trace is what OTLP said, but for nanoseconds."""
    otlp, jaeger = (
        list(read_items(SHARED / "envelopes" / name))
        for name in ("jaeger_otlp2jaeger-in.json", "jaeger_ui.json")
    )
    for span in (*otlp, *jaeger):
        span.origin = None
    assert otlp == jaeger
