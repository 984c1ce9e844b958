"""However large or woven a value is, a span stays within its bounds, and the call goes on."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from groundwire.instrumentation import current_call, instrument, retriever
from groundwire.instrumentation.emission import RECORD_FIELDS
from groundwire.testing import CapturedSpans
from instrumentation.reading import answer_of, changes_of, documents_of


def _woven(make: Callable[[Any], Any]) -> Any:
    """Return a value of sixty parts that has no end where each is written as often as it is held."""
    value: Any = "leaf"
    for _ in range(60):
        value = make(value)
    return value


WOVEN_DICT = _woven(lambda inner: {"a": inner, "b": inner})
WOVEN_LIST = _woven(lambda inner: [inner, inner])


@pytest.mark.parametrize("woven", [WOVEN_DICT, WOVEN_LIST], ids=["dict", "list"])
@pytest.mark.parametrize("name", sorted(RECORD_FIELDS | {"mine"}))
def test_a_value_that_shares_its_parts_is_written_within_bounds(
    spans: CapturedSpans, name: str, woven: Any
) -> None:
    """In whatever field it is told: the encoder would else take all memory."""

    @instrument(tracer_provider=spans.provider)
    def answer(question: str) -> str:
        current_call().update(**{name: woven})
        return "Ada"

    assert answer("Who?") == "Ada"
    assert spans.attributes(0)["groundwire.call"]
    assert sum(len(str(value)) for value in spans.attributes(0).values()) < 1_100_000


def test_metadata_that_shares_its_parts_is_written_within_bounds(spans: CapturedSpans) -> None:
    """In passages that are returned, retrieved or told."""
    passage = {"id": "1", "text": "Ada wrote it.", "metadata": {"a": WOVEN_LIST, "b": WOVEN_DICT}}
    search = retriever(tracer_provider=spans.provider)(lambda query: [passage])

    @instrument(tracer_provider=spans.provider)
    def answer(question: str) -> Any:
        if question == "returned":
            return {"answer": "Ada", "contexts": [passage]}
        if question == "told":
            current_call().add_contexts([passage])
            current_call().set_cost(WOVEN_LIST)
        else:
            search(question)
        return "Ada"

    for question in ("returned", "told", "retrieved"):
        answer(question)
        assert (documents_of(spans.spans[-1]) or [])[0]["content"] == "Ada wrote it."


@pytest.mark.parametrize("name", ["model", "tenant", "conversation_id", "finish_reason", "provider"])
def test_a_label_is_no_way_around_the_size_budget(spans: CapturedSpans, name: str) -> None:
    """What is far too long for a label is cut, and says so; the answer stays whole."""

    @instrument(tracer_provider=spans.provider)
    def answer(question: str) -> str:
        current_call().update(**{name: "x" * 2_000_000})
        return "Ada"

    answer("Who?")
    assert answer_of(spans.spans[0]) == "Ada"
    assert sum(len(str(value)) for value in spans.attributes(0).values()) < 10_000
    assert changes_of(spans.spans[0]) == {(name, "truncated"): 1}


@pytest.mark.parametrize("count", [2**63, 2**70, 10**5000], ids=["64", "71", "many"])
def test_a_number_that_no_wire_can_carry_is_left_out(spans: CapturedSpans, count: int) -> None:
    """It would cost its key, or with some exporters the whole batch."""

    @instrument(tracer_provider=spans.provider)
    def answer(question: str) -> Any:
        current_call().update(latency_ns=count)
        if question == "told":
            current_call().set_usage(input_tokens=count, output_tokens=3)
        return {"answer": "Ada", "usage": {"input_tokens": count, "output_tokens": 3}, "page": [1]}

    for question in ("told", "returned"):
        answer(question)
        found = spans.attributes()
        assert found["gen_ai.usage.output_tokens"] == 3
        assert not any(type(value) is int and value >= 2**63 for value in found.values())
