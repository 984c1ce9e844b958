"""The size budget: content is cut inside its structure, with full lengths and digests, and counted."""

from __future__ import annotations

import hashlib
from typing import Any

import pytest
from hypothesis import given, strategies as st

from groundwire.instrumentation import instrument
from groundwire.instrumentation.budget import common_limit, cut_text
from groundwire.testing import CapturedSpans
from instrumentation.reading import answer_of, changes_of, documents_of, question_of

LIMIT = 20_000


@pytest.fixture(autouse=True)
def small_budget(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GROUNDWIRE_MAX_SPAN_BYTES", str(LIMIT))


def ask(spans: CapturedSpans, result: Any, question: str = "q") -> int:
    @instrument(tracer_provider=spans.provider)
    def answer(question: str) -> Any:
        return result

    answer(question)
    return sum(len(value.encode()) for value in spans.attributes().values() if isinstance(value, str))


def test_a_context_of_five_megabytes_is_cut_and_proves_it(spans: CapturedSpans) -> None:
    """The huge text keeps its start, its length and its digest; its small neighbor stays whole."""
    huge = "ab" * 2_500_000
    assert (
        ask(spans, {"answer": "yes", "contexts": [{"id": "a", "text": huge}, {"id": "b", "text": "small"}]})
        < LIMIT
    )
    cut, whole = documents_of(spans.spans[0]) or []
    assert huge.startswith(cut["content"]) and len(cut["content"]) > 5_000
    assert (cut["truncated"], cut["length"]) == (True, 5_000_000)
    assert cut["digest"] == "sha256:" + hashlib.sha256(huge.encode()).hexdigest()
    assert whole == {"id": "b", "content": "small"}
    assert changes_of(spans.spans[0]) == {("contexts", "truncated"): 1}


def test_contexts_give_before_answer_and_question(spans: CapturedSpans) -> None:
    """As long as the passages can give, answer and question stay whole."""
    contexts = [{"id": str(i), "text": "x" * 4000} for i in range(9)]
    assert ask(spans, {"answer": "a" * 3000, "contexts": contexts}, "q" * 500) < LIMIT
    span = spans.spans[0]
    assert (len(answer_of(span) or ""), len(question_of(span) or "")) == (3000, 500)
    lengths = {len(document["content"]) for document in documents_of(span) or []}
    assert len(lengths) == 1 and 500 < lengths.pop() < 4000


def test_metadata_goes_first(spans: CapturedSpans) -> None:
    """Big metadata is dropped before any text is cut."""
    contexts = [{"id": "a", "text": "x" * 5000, "metadata": {"blob": "y" * 50_000}}]
    assert ask(spans, {"answer": "yes", "contexts": contexts}) < LIMIT
    assert documents_of(spans.spans[0]) == [{"id": "a", "content": "x" * 5000}]
    assert changes_of(spans.spans[0]) == {("contexts.metadata", "dropped"): 1}


def test_a_huge_answer_keeps_its_length_and_digest(spans: CapturedSpans) -> None:
    """The answer is cut last; both copies of it, and its digest lies beside."""
    answer = "é" * 100_000
    assert ask(spans, answer) < LIMIT
    found = spans.attributes()
    assert found["output.value"] == answer_of(spans.spans[0])
    assert answer.startswith(found["output.value"]) and len(found["output.value"]) > 2_000
    digest = hashlib.sha256(answer.encode()).hexdigest()
    assert f'"answer":{{"length":100000,"digest":"sha256:{digest}","truncated":true}}' in str(
        found["groundwire.content.digests"]
    )


def test_a_long_stream_is_cut_as_it_runs(spans: CapturedSpans) -> None:
    """Text beyond the budget is counted, not kept; the full length is known at the end."""

    @instrument(tracer_provider=spans.provider)
    def stream(question: str) -> Any:
        for _ in range(1000):
            yield "x" * 1000

    assert sum(map(len, stream("q"))) == 1_000_000
    found = spans.attributes()
    assert '"length":1000000' in found["groundwire.content.digests"]
    assert len(found["output.value"]) < LIMIT


def test_too_many_documents_are_dropped_from_the_end(spans: CapturedSpans) -> None:
    """When even short texts do not fit, the last documents go, counted."""
    contexts = [{"id": f"document-{i}", "text": "x" * 50} for i in range(2000)]
    assert ask(spans, {"answer": "yes", "contexts": contexts}) < LIMIT
    kept = documents_of(spans.spans[0]) or []
    assert [document["id"] for document in kept] == [f"document-{i}" for i in range(len(kept))]
    assert changes_of(spans.spans[0])["contexts", "dropped"] == 2000 - len(kept)


@given(sizes=st.lists(st.integers(0, 500), max_size=8), room=st.integers(0, 2000))
def test_the_common_limit_is_the_largest_that_fits(sizes: list[int], room: int) -> None:
    """Cut to the limit all sizes fit into the room, and with one more they would not (or none is cut)."""
    limit = common_limit(sizes, room)
    assert sum(min(size, limit) for size in sizes) <= max(room, 0)
    if any(size > limit for size in sizes):
        assert sum(min(size, limit + 1) for size in sizes) > room


@given(text=st.text(st.characters(exclude_categories=["Cs"])), limit=st.integers(0, 60))
def test_cut_text_is_the_longest_start_that_fits(text: str, limit: int) -> None:
    """The cut never splits a character and uses the room that JSON leaves it."""
    import orjson

    cut = cut_text(text, limit)
    assert text.startswith(cut)
    assert len(orjson.dumps(cut)) <= max(limit, 2)


def test_usage_and_ids_survive_any_cut(spans: CapturedSpans) -> None:
    """However much content there is: ids, usage and model are all there."""
    contexts = [{"id": str(i), "text": "x" * 4000} for i in range(100)]
    ask(
        spans,
        {"answer": "a" * 50_000, "contexts": contexts, "usage": {"input_tokens": 7}, "model": "m"},
        "q" * 50_000,
    )
    found = spans.attributes()
    assert (found["gen_ai.usage.input_tokens"], found["gen_ai.response.model"]) == (7, "m")
    assert [document["id"] for document in documents_of(spans.spans[0]) or []] == [str(i) for i in range(100)]
    assert found["groundwire.call"].startswith("1:")
