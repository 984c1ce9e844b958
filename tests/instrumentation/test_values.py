"""Odd values: nothing raises, hangs or is consumed; what was changed is counted."""

from __future__ import annotations

import datetime
import decimal
import json
import math
import uuid
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Any

import pytest
from hypothesis import given, strategies as st

from groundwire.instrumentation import call, current_call, instrument
from groundwire.instrumentation.values import MAX_DEPTH, clean_value, encode_json
from groundwire.testing import CapturedSpans
from instrumentation.reading import answer_of, changes_of, documents_of, question_of

Check = Callable[[int], None]


class Hostile:
    """Raises from everything that a careless encoder would call."""

    def __getattr__(self, name: str) -> Any:
        raise RuntimeError("getattr")

    def __repr__(self) -> str:
        raise RuntimeError("repr")

    __str__ = __repr__

    def __eq__(self, other: object) -> bool:
        raise RuntimeError("eq")

    __hash__ = object.__hash__

    def __len__(self) -> int:
        raise RuntimeError("len")

    def __bool__(self) -> bool:
        raise RuntimeError("bool")

    def __iter__(self) -> Any:
        raise RuntimeError("iter")


def cycle() -> list[Any]:
    items: list[Any] = [1]
    items.append(items)
    return items


def deep(levels: int) -> Any:
    value: Any = "end"
    for _ in range(levels):
        value = [value]
    return value


@dataclass
class Point:
    x: int
    y: Any


ODD = {
    "surrogate": "ok \ud83e",
    "nan": math.nan,
    "infinite": -math.inf,
    "huge": 2**70,
    "enormous": 10**5000,
    "bytes": b"\xff\x00",
    "set": {3, 1, 2},
    "cycle": cycle(),
    "tuple keys": {(1, 2): 3, None: 4, 2**70: 5},
    "deep": deep(2000),
    "hostile": Hostile(),
    "hostile inside": [Hostile(), {"a": Hostile()}],
    "generator": (i for i in range(3)),
    "dataclass": Point(1, Hostile()),
    "dates": [datetime.datetime(2026, 1, 1), datetime.date(2026, 1, 1), uuid.UUID(int=1)],
    "decimal": decimal.Decimal("0.10"),
    "path": PurePosixPath("/a"),
    "exception": ValueError("no"),
    "class": Hostile,
    "function": print,
}


@pytest.mark.parametrize("name", ODD)
def test_any_value_becomes_json(name: str) -> None:
    """Every odd value is written as JSON that any reader takes, without being asked anything."""
    json.loads(encode_json(ODD[name], "metadata", Counter()))


@pytest.mark.parametrize("name", ODD)
def test_any_value_passes_through_a_call(spans: CapturedSpans, harmless: Check, name: str) -> None:
    """As argument, as result, and told to the call: the call is unharmed and recorded once."""
    value = ODD[name]

    @instrument(tracer_provider=spans.provider)
    def answer(question: Any, docs: Any) -> Any:
        return {"answer": "yes", "contexts": [{"text": "t", "metadata": {"odd": value}}]}

    answer(value, [value])
    answer("q", docs=value)
    with call(metadata={"odd": value}, tracer_provider=spans.provider) as told:
        told.update(contexts=value, citations=value, usage=value, tags=value, model=value, answer=value)
    assert [d["content"] for d in documents_of(spans.spans[0]) or []] == ["t"]
    harmless(3)


def test_a_generator_argument_is_not_consumed(spans: CapturedSpans) -> None:
    """A generator among the arguments is the function's to read, and whole."""

    @instrument(tracer_provider=spans.provider)
    def answer(question: str, docs: Any) -> str:
        return ",".join(docs)

    assert answer("q", (str(i) for i in range(3))) == "0,1,2"


def test_a_lone_surrogate_keeps_offsets_and_is_counted(spans: CapturedSpans) -> None:
    """Each becomes one U+FFFD, in question, answer and documents alike."""

    @instrument(tracer_provider=spans.provider)
    def answer(question: str) -> Any:
        return {"answer": "a\udc00b", "contexts": ["c\ud800\ud800"]}

    answer("q\ud83e")
    span = spans.spans[0]
    assert (question_of(span), answer_of(span)) == ("q\ufffd", "a\ufffdb")
    assert documents_of(span) == [{"content": "c\ufffd\ufffd"}]
    assert changes_of(span) == {
        ("answer", "surrogates"): 1,
        ("contexts", "surrogates"): 2,
        ("question", "surrogates"): 1,
    }


def test_later_changes_of_the_result_do_not_reach_the_span(spans: CapturedSpans) -> None:
    """The span is written when the call ends; what the caller does to the object later is its own."""

    @instrument(tracer_provider=spans.provider)
    def answer(question: str) -> dict[str, Any]:
        return {"answer": "yes", "contexts": [{"id": "a", "text": "Ada", "score": 0.5}], "citations": []}

    result = answer("q")
    result["contexts"][0]["text"] = "changed"
    result["citations"].append({"source_id": "a"})
    assert documents_of(spans.spans[0]) == [{"id": "a", "content": "Ada", "score": 0.5}]
    assert spans.attributes()["groundwire.citations"] == "[]"


def test_depth_and_cycles_are_cut_and_counted() -> None:
    """Below the depth limit stands a marker, and the change is counted."""
    changes: Counter[tuple[str, str]] = Counter()
    assert json.dumps(clean_value(deep(MAX_DEPTH + 9), "metadata", changes)).count("[") == MAX_DEPTH + 1
    assert clean_value(cycle(), "metadata", changes) == [1, "<list>"]
    assert changes == {("metadata", "converted"): 2}


def test_many_documents_stay_few_attributes(spans: CapturedSpans) -> None:
    """Five hundred documents of 2 kB are one attribute, whole."""

    @instrument(tracer_provider=spans.provider)
    def answer(question: str) -> Any:
        return {"answer": "yes", "contexts": [{"id": str(i), "text": "x" * 2000} for i in range(500)]}

    answer("q")
    assert len(documents_of(spans.spans[0]) or []) == 500
    assert len(spans.attributes()) <= 32
    assert spans.spans[0].dropped_attributes == 0


texts = st.text(st.characters(exclude_categories=["Cs"]))
numbers = st.integers(-(2**63), 2**64 - 1) | st.floats(allow_nan=False, allow_infinity=False)
json_values = st.recursive(
    st.none() | st.booleans() | numbers | texts,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(texts, inner, max_size=4),
    max_leaves=12,
)


@given(value=json_values)
def test_what_json_can_hold_is_not_changed(value: Any) -> None:
    """Cleaning leaves every plain value as it is, and says so."""
    changes: Counter[tuple[str, str]] = Counter()
    assert clean_value(value, "metadata", changes) == value
    assert not changes


@given(text=st.text())
def test_cleaned_text_is_as_long_as_before(text: str) -> None:
    """Replacing lone surrogates never moves an offset, and the result is valid Unicode."""
    cleaned = clean_value(text, "answer", Counter())
    assert len(cleaned) == len(text)
    cleaned.encode()


def test_none_is_left_out(spans: CapturedSpans, harmless: Check) -> None:
    """A field that is None is not written, and no one is warned of it."""

    @instrument(tracer_provider=spans.provider)
    def answer(question: str) -> Any:
        current_call().update(model=None, tenant=None, abstained=None)
        return {"answer": None, "contexts": [{"id": "a", "text": "Ada", "score": None}], "usage": None}

    answer("q")
    assert documents_of(spans.spans[0]) == [{"id": "a", "content": "Ada"}]
    assert all(value is not None for value in spans.attributes().values())
    assert "output.value" not in spans.attributes()
    harmless(1)


def test_models_are_written_by_their_fields(spans: CapturedSpans) -> None:
    """Pydantic models inside lists and tuples are written as mappings, not as their repr."""
    pydantic = pytest.importorskip("pydantic")
    model = pydantic.create_model("Model", name=(str, "a"), url=(pydantic.HttpUrl, "https://example.org"))
    with call(metadata={"m": (model(), [model()])}, tracer_provider=spans.provider):
        pass
    written = json.loads(spans.attributes()["groundwire.metadata"])["m"]
    assert [written[0]["name"], written[1][0]["name"]] == ["a", "a"]


@pytest.mark.parametrize("name", ODD)
def test_any_value_can_be_told(spans: CapturedSpans, harmless: Check, name: str) -> None:
    """No method of a call raises, whatever it is given, also twice."""
    value = ODD[name]
    with call(tracer_provider=spans.provider) as told:
        for _ in range(2):
            told.set_usage(input_tokens=value)
            told.set_tags(value)
            told.set_tags(a=value)
            told.add_contexts(value)
            told.add_citations(value)
            told.set_answer(value)
            told.set_model(value, provider=value)
            told.set_prompt(value, version=value)
            told.set_conversation(value, subject_id=value)
            told.abstain(value)
            told.set_cost(0.0000001)
            told.update(tags=value, usage=value, contexts=value, citations=value)
    assert spans.attributes()["groundwire.cost"].startswith('{"amount":"0.0000001"')
    harmless(1)
