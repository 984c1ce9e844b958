"""The native dialect's law: emit → export through the real SDK → read → normalize gives the record back."""

from __future__ import annotations

import itertools
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, strategies as st
from msgspec import structs
from opentelemetry.exporter.otlp.proto.common.trace_encoder import encode_spans
from opentelemetry.sdk.resources import Resource
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

import groundwire
from groundwire.dialects import join_feedback, normalize_trace, read_feedback
from groundwire.envelopes import read_traces
from groundwire.record import RagRecord, parse_record
from groundwire.span import Trace

EXPORTER = InMemorySpanExporter()
PROVIDER = TracerProvider(resource=Resource({"service.name": "kb", "service.version": "2"}))
PROVIDER.add_span_processor(SimpleSpanProcessor(EXPORTER))
NUMBERS = itertools.count()

texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=60)
huge = st.builds(lambda text, times: text * times, texts, st.integers(1, 300))
labels = st.text(st.characters(exclude_categories=["Cs", "Cc"]), min_size=1, max_size=12)
counts = st.integers(0, 2**40)
scores = st.floats(allow_nan=False, allow_infinity=False)
plain_values = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53), 2**53) | texts,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(texts, inner, max_size=3),
    max_leaves=6,
)


def some(**fields: st.SearchStrategy[Any]) -> st.SearchStrategy[dict[str, Any]]:
    """Mappings with any subset of the fields."""
    return st.fixed_dictionaries({}, optional=fields)


def has_content(context: dict[str, Any]) -> bool:
    return any(context.get(name) for name in ("id", "text", "uri", "title"))


contexts = some(
    id=labels, text=huge, score=scores, uri=labels, title=labels,
    metadata=st.dictionaries(labels, plain_values.filter(bool), min_size=1, max_size=3),
).filter(has_content)  # fmt: skip
citations = some(quote=labels, claim=labels).flatmap(
    lambda fields: labels.map(lambda source: {**fields, "source_id": source})
)
usages = some(
    input_tokens=counts, output_tokens=counts, cache_read_input_tokens=counts,
    cache_write_input_tokens=counts, reasoning_output_tokens=counts,
).filter(bool)  # fmt: skip
turns = st.fixed_dictionaries({"role": st.sampled_from(["system", "user", "assistant"]), "content": texts})
records = some(
    question=huge, answer=huge, contexts=st.lists(contexts, max_size=6),
    citations=st.lists(citations, max_size=4),
    usage=usages, history=st.lists(turns, min_size=1, max_size=4), model=labels, provider=labels,
    conversation_id=labels, subject_id=labels, prompt_id=labels, prompt_version=labels, index_version=labels,
    tenant=labels, abstained=st.booleans(), finish_reason=labels, latency_ns=counts,
    tags=st.dictionaries(labels, texts, min_size=1, max_size=3),
    metadata=st.dictionaries(texts, plain_values, min_size=1, max_size=3),
)  # fmt: skip


def emit(fields: dict[str, Any]) -> None:
    EXPORTER.clear()
    with groundwire.call(tracer_provider=PROVIDER) as call:
        call.update(**fields)


def read_back(folder: Path) -> Trace:
    """Encode the finished spans as OTLP protobuf, write them to a file and read that."""
    path = folder / f"{next(NUMBERS)}.binpb"
    path.write_bytes(encode_spans(EXPORTER.get_finished_spans()).SerializeToString())
    (trace,) = read_traces(str(path))
    assert isinstance(trace, Trace)
    return trace


def as_emitted(record: RagRecord) -> RagRecord:
    """Take away what the call itself was never told."""
    own = "trace_id span_id started_at_ns status service service_version sampling provenance"
    blank = RagRecord()
    return structs.replace(record, **{name: getattr(blank, name) for name in own.split()})


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("spans")


@given(fields=records)
def test_a_record_comes_back_as_it_was_emitted(folder: Path, fields: dict[str, Any]) -> None:
    """Any Unicode, None, empty and huge fields: what was told to a call is what is read."""
    emit(fields)
    (record,) = normalize_trace(read_back(folder))
    expected = parse_record(fields)
    if "latency_ns" not in fields:
        expected = structs.replace(expected, latency_ns=record.latency_ns)
    told = {name: value for name, value in record.metadata.items() if name in expected.metadata}
    assert all(name.startswith("groundwire.") for name in record.metadata.keys() - told.keys())
    record = structs.replace(record, metadata=told)
    assert as_emitted(record) == expected


def test_offsets_into_the_answer_come_back(folder: Path) -> None:
    """A citation's range of the answer is the same code points after the way through the SDK."""
    cited = {"source_id": "a", "claim": "Ada", "answer_start": 9, "answer_end": 12}
    emit({"answer": "Größe 🌊: Ada.", "citations": [cited]})
    (record,) = normalize_trace(read_back(folder))
    assert record.citations is not None and record.answer is not None
    (citation,) = record.citations
    assert record.answer[citation.answer_start : citation.answer_end] == "Ada"


def test_an_empty_call_is_a_record_without_content(folder: Path) -> None:
    """Nothing told: every content field is None, none is empty."""
    emit({})
    (record,) = normalize_trace(read_back(folder))
    assert (record.question, record.answer, record.contexts, record.citations, record.usage) == (None,) * 5


@given(text=st.text(min_size=1, max_size=30))
def test_lone_surrogates_keep_every_offset(folder: Path, text: str) -> None:
    """A lone surrogate comes back as U+FFFD, one for one, so that offsets still hold."""
    emit({"answer": text})
    (record,) = normalize_trace(read_back(folder))
    assert record.answer == "".join("\ufffd" if "\ud800" <= char <= "\udfff" else char for char in text)


def test_a_failed_call_is_a_record_with_its_error(folder: Path) -> None:
    """The exception's type and message come back; there is no answer."""
    EXPORTER.clear()
    with (
        pytest.raises(ValueError, match="no index"),
        groundwire.call(tracer_provider=PROVIDER, question="Who?"),
    ):
        raise ValueError("no index")
    (record,) = normalize_trace(read_back(folder))
    assert (record.question, record.error, record.status) == ("Who?", "ValueError: no index", "error")


def test_feedback_finds_its_answer(folder: Path) -> None:
    """Feedback given later is joined to the record by its reference."""
    EXPORTER.clear()
    with groundwire.call(tracer_provider=PROVIDER, question="Who?") as call:
        call.set_answer("Ada.")
    groundwire.feedback(call.ref, score=0.5, comment="half right", tracer_provider=PROVIDER)
    trace = read_back(folder)
    joined = join_feedback(normalize_trace(trace), read_feedback(trace))
    (record,) = joined.records
    assert [(said.score, said.comment) for said in record.feedback] == [(0.5, "half right")]
    assert joined.unjoined == []


def test_nested_calls_are_two_records(folder: Path) -> None:
    """A decorated function that calls another one gives a record each."""
    EXPORTER.clear()
    with groundwire.call("outer", tracer_provider=PROVIDER, question="Whole?") as outer:
        with groundwire.call("inner", tracer_provider=PROVIDER, question="Part?") as inner:
            inner.set_answer("part")
        outer.set_answer("whole")
    answers = [record.answer for record in normalize_trace(read_back(folder))]
    assert answers == ["whole", "part"]
