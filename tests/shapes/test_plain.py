"""Results that applications make up themselves."""

from __future__ import annotations

from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import Any

import pytest
from pydantic import BaseModel, HttpUrl

from groundwire.shapes import read_answer, read_citations, read_contexts, read_result, read_usage

TEXT = "Ada wrote it."


class Hit(BaseModel):
    text: str
    url: HttpUrl | None = None


class Answer(BaseModel):
    answer: str
    contexts: list[Hit] = []
    cost_usd: float | None = None


@dataclass
class Reply:
    output: str
    docs: list[str] = field(default_factory=list)


@pytest.mark.parametrize(
    "value",
    [
        "Ada.",
        b"Ada.",
        {"answer": "Ada."},
        {"output": "Ada."},
        {"response": "Ada."},
        {"result": "Ada."},
        {"text": "Ada."},
        {"completion": "Ada."},
        {"data": {"answer": "Ada."}},
        {"status": "ok", "result": {"output": {"text": "Ada."}}},
        SimpleNamespace(answer="Ada."),
        Answer(answer="Ada."),
        Reply(output="Ada."),
        ("Ada.", ["x"]),
        ("Ada.", None),
        [{"generated_text": "Ada."}],
        [{"role": "user", "content": "Who?"}, {"role": "assistant", "content": "Ada."}],
        [{"type": "text", "text": "A"}, {"type": "text", "text": "da."}],
        {"messages": [{"role": "assistant", "content": "Ada."}, {"role": "tool", "content": "x"}]},
        {"statusCode": 200, "body": '{"answer": "Ada."}'},
        SimpleNamespace(status_code=200, body=b'{"result": {"answer": "Ada."}}', headers=[]),
        {"body": "Ada."},
        SimpleNamespace(role="assistant", items=[SimpleNamespace(text="Ada.", content_type="text")]),
    ],
)
def test_answer_is_found(value: Any) -> None:
    """The answer is read under the usual names, however deep it lies."""
    assert read_answer(value) == "Ada."


@pytest.mark.parametrize(
    "value", [None, 3, 1.5, True, {}, [], (), object(), {"answer": None}, print, Answer, iter([1])]
)
def test_no_answer_means_unknown(value: Any) -> None:
    """What holds no text has no answer; it is never guessed from a repr."""
    assert read_answer(value) is None


@pytest.mark.parametrize(
    "name",
    [
        "contexts",
        "context",
        "documents",
        "docs",
        "source_documents",
        "passages",
        "chunks",
        "hits",
        "sources",
        "retrieved_contexts",
        "retrieved_documents",
    ],
)
def test_contexts_are_found_under_the_usual_names(name: str) -> None:
    """Passages stand under many names; an empty list is kept as known to be none."""
    assert read_contexts({"answer": "Ada.", name: [TEXT]}) == [{"text": TEXT}]
    assert read_contexts({"answer": "Ada.", name: []}) == []
    assert read_contexts({"answer": "Ada.", name: None}) is None


def test_one_text_as_context() -> None:
    """A context that is one text is one passage."""
    assert read_contexts({"answer": "Ada.", "context": TEXT}) == [{"text": TEXT}]


def test_models_inside_tuples_and_lists() -> None:
    """Pydantic models are read wherever they lie, never as their repr."""
    read = read_result((Answer(answer="Ada."), [Hit(text=TEXT)]))
    assert read == {"answer": "Ada.", "contexts": [{"text": TEXT}]}


def test_explicit_contexts_win_over_those_of_an_inner_answer() -> None:
    """What the application itself returns beside a provider's answer wins."""
    inner = {"answer": "Ada.", "contexts": ["inner"]}
    assert read_contexts({"response": inner, "documents": ["outer"]}) == [{"text": "outer"}]


def test_sources_by_id_name_the_contexts() -> None:
    """A mapping of source id to text gives the texts their ids."""
    read = read_result({"answer": "Ada.", "contexts": [TEXT], "sources": {"s1": TEXT, "s2": "B"}})
    assert read["contexts"] == [{"id": "s1", "text": TEXT}, {"id": "s2", "text": "B"}]


def test_what_the_system_reports_itself() -> None:
    """Latency, cost, model, abstention and conversation are read, in their units."""
    value = {"answer": "Ada.", "latency_ms": 12.5, "cost_usd": 1e-7, "model": "m", "abstained": False,
             "session_id": "s", "metadata": {"k": 1}, "finish_reason": "stop"}  # fmt: skip
    assert read_result(value) == {
        "answer": "Ada.",
        "latency_ns": 12_500_000,
        "recorded_cost": {"amount": "0.0000001", "currency": "USD", "source": "cost_usd"},
        "model": "m",
        "abstained": False,
        "conversation_id": "s",
        "metadata": {"k": 1},
        "finish_reason": "stop",
    }


@pytest.mark.parametrize(
    ("cost", "amount"),
    [
        (0.25, "0.25"),
        (0, "0"),
        ("0.10", "0.10"),
        ({"total": 1}, "1"),
        (float("nan"), None),
        (-1, None),
        (True, None),
    ],
)
def test_cost_is_a_decimal_or_unknown(cost: Any, amount: str | None) -> None:
    """A cost is written without exponent or rounding; zero is a cost, nonsense is none."""
    read = read_result({"answer": "Ada.", "cost": cost}).get("recorded_cost", {})
    assert read.get("amount") == amount


@pytest.mark.parametrize(
    ("citations", "expected"),
    [
        ([], []),
        (["Ada wrote"], [{"quote": "Ada wrote"}]),
        (["s1"], [{"source_id": "s1"}]),
        ([1], [{"source_id": "1"}]),
        (["https://a.example"], [{"source_id": "https://a.example"}]),
        ([{"quote": "Ada wrote", "source_id": "s1"}], [{"quote": "Ada wrote", "source_id": "s1"}]),
        ([{"span": "Ada", "doc_id": 1, "claim": "A."}], [{"quote": "Ada", "source_id": "1", "claim": "A."}]),
        ([{"title": "Book"}], [{"source_id": "Book"}]),
        ({"quote": "Ada"}, [{"quote": "Ada"}]),
        (
            [{"text": "Ada", "document_ids": ["s1", "s2"]}],
            [
                {"claim": "Ada", "resolved": "quote", "answer_start": 0, "answer_end": 3, "source_id": "s1"},
                {"claim": "Ada", "resolved": "quote", "answer_start": 0, "answer_end": 3, "source_id": "s2"},
            ],
        ),
        (
            [{"quote": "wrote", "source": "s1", "start": 4, "end": 9}],
            [
                {
                    "quote": "wrote",
                    "source_id": "s1",
                    "source_start": 4,
                    "source_end": 9,
                    "resolved": "code_points",
                }
            ],
        ),
        (
            [{"quote": "Ada", "start": 0, "end": 3}],
            [{"quote": "Ada", "answer_start": 0, "answer_end": 3, "resolved": "code_points"}],
        ),
        ([{"url": "u", "start": 1, "end": 2}], [{"source_id": "u", "resolved": "unresolved"}]),
        ([None, 1.5, {}, object()], []),
        (
            [{"source_id": "s1", "answer_start": 0, "answer_end": 3}],
            [{"source_id": "s1", "answer_start": 0, "answer_end": 3}],
        ),
        (
            [{"source_id": "s1", "answer_start": 0, "answer_end": 30}],
            [{"source_id": "s1", "resolved": "unresolved"}],
        ),
        (
            [{"claim": "da.", "answer_start": 0, "answer_end": 3}],
            [{"claim": "da.", "answer_start": 1, "answer_end": 4, "resolved": "quote"}],
        ),
        (
            [{"source_id": "s1", "source_start": 0, "source_end": 3}],
            [{"source_id": "s1", "source_start": 0, "source_end": 3}],
        ),
        (
            [{"quote": "Ada", "source_id": "s1", "source_start": 1, "source_end": 4}],
            [{"quote": "Ada", "source_id": "s1", "source_start": 0, "source_end": 3, "resolved": "quote"}],
        ),
        (
            [{"quote": "Bob", "source_id": "s1", "source_start": 1, "source_end": 4}],
            [{"quote": "Bob", "source_id": "s1", "resolved": "unresolved"}],
        ),
    ],
)
def test_citations_of_applications(citations: Any, expected: list[dict[str, Any]]) -> None:
    """Quotes, names of sources and offsets are read; bare offsets belong to the text that proves them."""
    result = {"answer": "Ada.", "contexts": [{"id": "s1", "text": TEXT}], "citations": citations}
    assert read_citations(result) == expected


def test_bare_list_of_citations_is_read_against_the_answer() -> None:
    """A list that is handed over alone is read with the answer it belongs to."""
    (found,) = read_citations([{"start": 0, "end": 3, "text": "Ada", "document_ids": ["s1"]}], "Ada.") or ()
    assert (found["answer_start"], found["answer_end"], found["source_id"]) == (0, 3, "s1")
    assert read_citations("Ada.") is None and read_citations(None) is None


def test_tuple_of_answer_contexts_citations_and_usage() -> None:
    """The parts of a tuple are told apart by what they are."""
    read = read_result(("Ada.", [TEXT], [{"quote": "Ada"}], {"usage": {"prompt_tokens": 3}}))
    assert read == {
        "answer": "Ada.",
        "contexts": [{"text": TEXT}],
        "citations": [{"quote": "Ada"}],
        "usage": {"input_tokens": 3},
    }
    assert read_usage({"usage": None}) is None


def test_list_of_passages_is_no_answer() -> None:
    """A result that is passages only, bare or under a name for answers, gives passages and no answer."""
    passage = {"page_content": TEXT, "type": "Document"}
    for value in ([passage], {"output": [passage]}, {"result": [passage]}):
        assert read_result(value) == {"contexts": [{"text": TEXT}]}


def test_messages_are_no_passages() -> None:
    """Turns that nobody answered, and messages of other roles, are neither an answer nor passages."""
    asked = {"role": "user", "content": "Who?"}
    for value in (
        [asked],
        asked,
        {"type": "tool", "content": TEXT},
        [{"role": "assistant", "parts": [{"type": "x"}]}],
    ):
        assert read_result(value) == {}


def test_otel_output_messages() -> None:
    """The conventions' own message form is read, text parts only."""
    parts = [{"type": "reasoning", "content": "hm"}, {"type": "text", "content": "Ada."}]
    read = read_result([{"role": "assistant", "parts": parts, "finish_reason": "stop"}])
    assert read == {"answer": "Ada.", "finish_reason": "stop"}


def test_serialized_langchain_generation() -> None:
    """A dumped LLMResult keeps its messages in constructor form."""
    kwargs = {"content": "Ada.", "usage_metadata": {"input_tokens": 3, "output_tokens": 1}}
    message = {"lc": 1, "type": "constructor", "id": ["langchain", "schema", "AIMessage"], "kwargs": kwargs}
    for value in (
        message,
        {"generations": [[{"text": "Ada.", "message": message}]]},
        {"outputs": message},
        [message],
    ):
        assert read_result(value) == {"answer": "Ada.", "usage": {"input_tokens": 3, "output_tokens": 1}}


def test_structured_answer_stays_as_it_was_written() -> None:
    """An answer that is JSON is the answer, not a mapping to look into."""
    assert read_answer({"answer": '{"answer": "Ada."}'}) == '{"answer": "Ada."}'
    assert read_answer({"body": '{"name": "Ada"}'}) == '{"name": "Ada"}'
    assert read_answer('{"answer": "Ada."}') == '{"answer": "Ada."}'


@pytest.mark.parametrize(
    ("model", "provider"),
    [
        ("gpt-4.1", "openai"),
        ("o3-mini", "openai"),
        ("grok-4", "x_ai"),
        ("openai/gpt-4.1", None),
        ("my-model", None),
    ],
)
def test_provider_is_named_only_where_the_model_tells(model: str, provider: str | None) -> None:
    """Many servers speak OpenAI's form: the provider is unknown unless the model's name says it."""
    value = {
        "model": model,
        "choices": [{"message": {"role": "assistant", "content": "Ada."}}],
        "citations": ["u"],
    }
    assert read_result(value).get("provider") == provider
