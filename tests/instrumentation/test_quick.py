"""The short way through plain answers finds what the shapes find, or stands back."""

from __future__ import annotations

import math
from typing import Any

import pytest
from hypothesis import given, strategies as st

from groundwire.instrumentation import quick as quick_module
from groundwire.instrumentation.emission import record_context
from groundwire.instrumentation.quick import read_quickly
from groundwire.shapes import read_result

words = st.text(max_size=5)
odd = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.binary(max_size=3)
    | st.just([])
    | st.just({"a": 1})
)
document_keys = (
    "text",
    "content",
    "page_content",
    "id",
    "doc_id",
    "chunk_id",
    "score",
    "uri",
    "url",
    "title",
    "source",
)
documents = st.dictionaries(st.sampled_from(document_keys), words | st.floats() | odd, max_size=4)
plain_documents = st.fixed_dictionaries({"id": words, "text": words, "score": st.floats()})
citations = st.dictionaries(
    st.sampled_from(("quote", "cited_text", "source_id", "source", "document_id", "claim", "start")),
    st.text(min_size=1, max_size=5) | odd,
    max_size=3,
)
usages = st.dictionaries(
    st.sampled_from(
        ("input_tokens", "prompt_tokens", "output_tokens", "completion_tokens", "total_tokens", "cached")
    ),
    st.integers(-2, 2**65) | odd,
    max_size=4,
)
results = st.fixed_dictionaries(
    {"answer": words | odd},
    optional={
        "contexts": st.lists(words | documents, max_size=4) | st.lists(plain_documents, max_size=4) | odd,
        "documents": st.lists(documents, max_size=2),
        "citations": st.lists(citations, max_size=3) | odd,
        "usage": usages | odd,
        "model": words | odd,
        "response": words,
        "other": odd,
    },
)
plain_results = st.fixed_dictionaries(
    {
        "answer": words,
        "contexts": st.lists(plain_documents, max_size=3),
        "citations": st.lists(st.fixed_dictionaries({"quote": words, "source_id": words}), max_size=2),
        "usage": st.fixed_dictionaries(
            {"input_tokens": st.integers(0, 9), "output_tokens": st.integers(0, 9)}
        ),
    }
)


def as_record(fields: dict[str, Any]) -> dict[str, Any]:
    """Give the quick reader's documents the names that the shapes use."""
    renamed = dict(fields)
    if "documents" in renamed:
        renamed["contexts"] = [record_context(document) for document in renamed.pop("documents")]
    for context in renamed.get("contexts", ()):
        if not math.isfinite(context.get("score", 0.0)):
            del context["score"]  # JSON has no such number: it is written as null
    return renamed


@given(result=results | plain_results)
def test_it_agrees_with_the_shapes_or_declines(result: dict[str, Any]) -> None:
    """For any answer of the usual names: the same fields as the shapes give, or None."""
    quick = read_quickly(result)
    if quick is not None:
        assert as_record(quick) == read_result(result)


@given(first=results, second=results)
def test_what_it_learned_from_one_answer_does_not_mislead_it_on_the_next(
    first: dict[str, Any], second: dict[str, Any]
) -> None:
    """Answers of the same names but other insides are read as they are."""
    for result in (first, second, first):
        quick = read_quickly(result)
        assert quick is None or as_record(quick) == read_result(result)


def test_the_common_answer_is_read_quickly(monkeypatch: pytest.MonkeyPatch) -> None:
    """The plain answer that the benchmark uses takes the short way."""
    monkeypatch.setattr(quick_module, "_readers", {})
    monkeypatch.setattr(quick_module, "_attempts", {})
    result = {
        "answer": "Ada.",
        "contexts": [{"id": "a", "text": "Ada wrote it.", "score": 0.5}],
        "citations": [{"quote": "Ada", "source_id": "a"}],
        "usage": {"input_tokens": 1, "output_tokens": 2},
    }
    assert as_record(read_quickly(result) or {}) == read_result(result)


@pytest.mark.parametrize("name", ["contexts", "citations"])
def test_items_of_other_names_are_left_to_the_shapes(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    """As many names as the first item's, but others: from the first answer on, nothing is raised or lost."""
    monkeypatch.setattr(quick_module, "_readers", {})
    monkeypatch.setattr(quick_module, "_attempts", {})
    items = [{"id": "a", "text": "One."}, {"title": "b", "text": "Two."}]
    if name == "citations":
        items = [{"source_id": "a", "quote": "One"}, {"source_id": "b", "claim": "Two."}]
    for _ in range(10):
        assert read_quickly({"answer": "Yes.", name: items}) is None
