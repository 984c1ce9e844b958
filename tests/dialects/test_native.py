"""Native spans: the wire form read back, and what is said of content that did not arrive whole."""

from __future__ import annotations

import json
from typing import Any

from groundwire.dialects import normalize_trace
from groundwire.record import Citation, Message, RagRecord, Usage
from groundwire.span import Scope, SpanData, SpanEvent, Trace

TRACE_ID = "0af7651916cd43dd8448eb211c80319c"


def messages(*turns: tuple[str, str]) -> str:
    return json.dumps([{"role": role, "parts": [{"type": "text", "content": text}]} for role, text in turns])


def native_span(**attributes: Any) -> SpanData:
    base = {
        "groundwire.call": "1:00aa11bb22cc33dd:7",
        "gen_ai.input.messages": messages(("system", "Be brief."), ("user", "Who was Ada?")),
        "gen_ai.output.messages": messages(("assistant", "A mathematician [1].")),
        "gen_ai.retrieval.documents": '[{"id":"a","content":"Ada was a mathematician.","score":0.9}]',
    }
    named = {name.replace("__", "."): value for name, value in attributes.items()}
    merged = {name: value for name, value in {**base, **named}.items() if value is not None}
    return SpanData(
        TRACE_ID, "b" * 16, "invoke_workflow answer", start_ns=1_000, end_ns=4_000, attributes=merged,
        scope=Scope("groundwire", "0.1.0"), resource={"service.name": "kb"},
    )  # fmt: skip


def only_record(span: SpanData, **options: Any) -> RagRecord:
    (record,) = normalize_trace(Trace(span.trace_id, [span]), **options)
    return record


def test_messages_documents_and_counts_come_back() -> None:
    """The last user message is the question, what stands before it the history."""
    span = native_span(
        gen_ai__usage__input_tokens=12, groundwire__citations='[{"source_id":"a","answer_end":3}]'
    )
    record = only_record(span)
    assert (record.question, record.answer) == ("Who was Ada?", "A mathematician [1].")
    assert record.history == (Message(role="system", content="Be brief."),)
    assert record.contexts is not None and record.contexts[0].text == "Ada was a mathematician."
    assert record.citations == (Citation(source_id="a", answer_end=3),)
    assert record.usage == Usage(input_tokens=12)
    assert (record.latency_ns, record.service) == (3_000, "kb")
    assert record.sampling is not None and record.sampling.sequence == 7


def test_provenance_names_span_and_attribute() -> None:
    """Each field says which span and attribute it came from."""
    assert only_record(native_span()).provenance["answer"] == "bbbbbbbbbbbbbbbb:gen_ai.output.messages"


def test_absent_is_none_and_empty_is_empty() -> None:
    """Contexts that were not captured are None; a retriever that found nothing gives an empty tuple."""
    assert only_record(native_span(gen_ai__retrieval__documents=None)).contexts is None
    assert only_record(native_span(gen_ai__retrieval__documents="[]")).contexts == ()


def test_capture_none_says_not_captured() -> None:
    """What the capture setting left out is named, so that no grader takes it for empty."""
    span = native_span(
        groundwire__capture="none", gen_ai__input__messages=None, gen_ai__output__messages=None,
        gen_ai__retrieval__documents='[{"id":"a","score":0.9}]',
    )  # fmt: skip
    completeness = only_record(span).completeness
    assert {completeness[name] for name in ("question", "answer", "contexts")} == {"not_captured"}


def test_dropped_attributes_are_named() -> None:
    """With dropped attributes on the span, an absent field is dropped, not unknown."""
    span = native_span(gen_ai__retrieval__documents=None)
    span.dropped_attributes = 3
    assert only_record(span).completeness["contexts"] == "dropped"


def test_cut_documents_are_recovered_and_marked() -> None:
    """A backend cut the JSON in the middle: what stands before the cut is kept, the record says truncated."""
    whole = '[{"id":"a","content":"Ada was a mathematician."},{"id":"b","content":"She was born in 18'
    record = only_record(native_span(gen_ai__retrieval__documents=whole))
    assert record.contexts is not None and [context.truncated for context in record.contexts] == [False, True]
    assert record.completeness["contexts"] == "truncated"


def test_error_joins_type_and_message() -> None:
    """A failed call is a record with the error's type and message."""
    span = native_span(error__type="ValueError", gen_ai__output__messages=None)
    span.status = "error"
    span.events = [SpanEvent("exception", attributes={"exception.message": "no index"})]
    assert only_record(span).error == "ValueError: no index"


def test_offloaded_content_is_read_from_allowed_folders_only(tmp_path: Any) -> None:
    """A reference is resolved under an allowed base and nowhere else."""
    (tmp_path / "answer.json").write_text(messages(("assistant", "Stored.")), encoding="utf-8")
    uri = f"file://{tmp_path}/answer.json"
    span = native_span(gen_ai__output__messages=None, gen_ai__output__messages_ref=uri)
    assert only_record(span, ref_bases=[str(tmp_path)]).answer == "Stored."
    refused = only_record(span, ref_bases=[str(tmp_path / "elsewhere")])
    assert (refused.answer, refused.completeness["answer"]) == (None, "not_exported")


def test_changes_on_the_span_become_completeness() -> None:
    """Truncation and redaction that the writer states are passed on."""
    changes = '[{"field":"answer","change":"truncated"},{"field":"contexts","change":"redacted"}]'
    completeness = only_record(native_span(groundwire__changes=changes)).completeness
    assert completeness == {"answer": "truncated", "contexts.text": "redacted"}


def test_values_of_the_wrong_type_never_raise() -> None:
    """Any type in any attribute gives a record."""
    for value in (0, -1.5, True, b"\xff", [], {}, "{", '["', "null", [None], {"a": [1]}):
        attributes = {name: value for name in native_span().attributes if name != "groundwire.call"}
        span = native_span(**{name.replace(".", "__"): item for name, item in attributes.items()})
        assert isinstance(only_record(span), RagRecord)
