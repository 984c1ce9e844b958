"""Nothing that a value does gets out, is run, hangs, or is consumed."""

from __future__ import annotations

import copy
import threading
from collections import defaultdict
from typing import Any
from unittest.mock import MagicMock

import pytest
from hypothesis import given, settings, strategies as st

from groundwire.shapes import (
    join_chunks,
    read_answer,
    read_citations,
    read_contexts,
    read_documents,
    read_question,
    read_result,
    read_usage,
)

READERS = [
    read_result,
    read_answer,
    read_contexts,
    read_citations,
    read_usage,
    read_question,
    read_documents,
    lambda value: join_chunks([value, value]),
]
ran: list[str] = []


def trap(name: str) -> Any:
    """Build a method that says that it ran and raises what no ``except Exception`` stops."""

    def method(self: Any, *args: Any) -> Any:
        ran.append(name)
        raise SystemExit(name)

    return method


TRAPS = (
    "__getattr__",
    "__len__",
    "__bool__",
    "__iter__",
    "__repr__",
    "__str__",
    "__eq__",
    "__contains__",
    "__getitem__",
    "keys",
    "items",
    "get",
    "values",
    "copy",
    "model_dump",
    "dict",
    "to_dict",
    "__float__",
    "__int__",
    "__index__",
    "__format__",
    "__ne__",
)
METHODS = {name: trap(name) for name in TRAPS}


class Lazy:
    """Its answer would be computed on reading."""

    def __init__(self) -> None:
        self.contexts = ["x"]

    @property
    def answer(self) -> str:
        ran.append("answer")
        raise SystemExit("answer")


def hostile_class(kind: str) -> Any:
    """Make the class of a hostile value; not at module level, where the test runner would look at it."""
    own_class = property(trap("__class__"))
    if kind == "object":
        return type("Trapped", (), {**METHODS, "__hash__": object.__hash__, "__class__": own_class})
    if kind == "attributes":
        return type("Attributes", (), {"__getattribute__": trap("__getattribute__")})
    if kind == "metaclass":
        meta = type("Meta", (type,), {"__getattribute__": trap("meta"), "__instancecheck__": trap("check")})
        return meta("MetaTrapped", (), {})
    base: Any = {"dict": dict, "list": list, "text": str, "number": int}[kind]
    return type("Trapped", (base,), {**METHODS, "__hash__": base.__hash__})


def nested_dict(depth: int) -> Any:
    value: Any = "Ada."
    for _ in range(depth):
        value = {"answer": value, "documents": [value]}
    return value


def cycle() -> Any:
    value: dict[str, Any] = {"question": "Who?"}
    items: list[Any] = [value]
    items.append(items)
    value.update(answer=value, contexts=items, citations=items, usage=value, metadata=value, message=value)
    return value


HOSTILE: dict[str, Any] = {
    "object": hostile_class("object")(),
    "attributes": hostile_class("attributes")(),
    "lazy property": Lazy(),
    "dict": hostile_class("dict")(answer="Ada.", contexts=["x"]),
    "list": hostile_class("list")(["x"]),
    "text": hostile_class("text")("Ada."),
    "number": hostile_class("number")(3),
    "metaclass": hostile_class("metaclass")(),
    "class": hostile_class("object"),
    "mock": MagicMock(),
    "default dict": defaultdict(lambda: ran.append("missing")),
    "cycle": cycle(),
    "deep": nested_dict(12),
    "lock": threading.Lock(),
    "huge number": {
        "answer": "Ada.",
        "cost": 10**5_000,
        "latency_ms": 10**400,
        "usage": {"input_tokens": 10**400},
    },
    "not a number": {
        "answer": "Ada.",
        "cost": float("inf"),
        "latency_ms": float("nan"),
        "score": float("nan"),
    },
    "surrogate": {
        "answer": "ok \ud83e",
        "citations": [{"start": 0, "end": 4, "text": "ok \ud83e", "document_ids": [1]}],
    },
    "tuple keys": {(1, 2): 3, None: 4, 5: "a", "answer": "Ada."},
    "bytes": {"answer": b"\xff\xfe", "contexts": [b"\xff"]},
}


@pytest.mark.parametrize("reader", READERS)
@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_value_is_read_without_running_its_code(name: str, reader: Any) -> None:
    """No method of the value runs, wherever the value stands; nothing raises."""
    value = HOSTILE[name]
    ran.clear()
    for around in (
        value,
        [value],
        {"answer": value},
        {"contexts": [value]},
        {"citations": [value], "usage": value},
    ):
        reader(around)
    for inner in (
        {"choices": [value]},
        {"candidates": [value]},
        {"output": value},
        {"content": [value], "role": "assistant"},
    ):
        reader(inner)
    assert ran == []


def test_hostile_neighbor_loses_nothing_else() -> None:
    """What can be read beside a hostile value is read."""
    trapped, attributes = HOSTILE["object"], HOSTILE["attributes"]
    value = {
        "answer": "Ada.",
        "contexts": ["x", trapped, attributes],
        "usage": attributes,
        "metadata": trapped,
    }
    assert read_result(value) == {"answer": "Ada.", "contexts": [{"text": "x"}]}


def test_subclass_of_a_built_in_is_read_by_what_it_stores() -> None:
    """Overridden methods do not hide the stored items, and plain values come out."""
    text, items = hostile_class("text")("Ada."), hostile_class("list")(["x"])
    read = read_result(hostile_class("dict")(answer=text, contexts=items))
    assert read == {"answer": "Ada.", "contexts": [{"text": "x"}]}
    assert type(read["answer"]) is str


def test_key_with_a_hostile_equality_is_survived() -> None:
    """A key that raises when compared costs at most the reading, never the caller."""

    class Key:
        def __hash__(self) -> int:
            return hash("answer")

        def __eq__(self, other: object) -> bool:
            raise RuntimeError

    for reader in READERS:
        reader({Key(): 1})


def test_value_is_not_changed() -> None:
    """Reading leaves the value as it was, and what came out is no part of it."""
    value = {
        "answer": "Ada.",
        "contexts": [{"text": "x", "metadata": {"k": [1]}}],
        "citations": [{"quote": "x"}],
        "usage": {"prompt_tokens": 3},
        "metadata": {"m": 1},
    }
    before = copy.deepcopy(value)
    read = read_result(value)
    read["contexts"][0]["metadata"]["new"] = read["metadata"]["new"] = 1
    read["usage"]["input_tokens"] = 0
    assert value == before


def test_depth_has_an_end() -> None:
    """Values nested a hundred thousand deep are given up on."""
    value: Any = "Ada."
    for _ in range(100_000):
        value = {"answer": value}
    items: Any = "x"
    for _ in range(100_000):
        items = [items]
    for reader in READERS:
        reader(value)
        reader(items)
        reader({"contexts": items})


def test_number_of_items_has_an_end() -> None:
    """Of a list of a million passages the first ten thousand are read."""
    assert len(read_documents(["x"] * 1_000_000) or []) == 10_000


WOVEN_NAMES = (
    "answer output response result text completion message content data metadata meta raw usage contexts "
    "documents node document payload question query input prompt messages choices items parts args "
    "kwargs".split(" ")
)


def woven(levels: int) -> Any:
    """Make a mapping whose every name leads to the same next mapping: 30 ** levels ways lead to its end."""
    value: Any = {"nothing": 1}
    for _ in range(levels):
        value = dict.fromkeys(WOVEN_NAMES, value)
    return value


def wide() -> dict[str, Any]:
    """Make lists of ten thousand items that each hold the same ten thousand items."""
    many: list[Any] = [None] * 10_000
    cited = {
        "type": "text",
        "text": "x",
        "citations": [{"type": "char_location", "cited_text": "x"}] * 10_000,
    }
    return {
        "lists": [[many] * 10_000] * 10_000,
        "columns": {"ids": [["a"] * 10_000] * 10_000, "documents": [["a"] * 10_000] * 10_000},
        "citations": {"answer": "x", "citations": [{"text": "x", "document_ids": ["a"] * 10_000}] * 10_000},
        "blocks": {"role": "assistant", "content": [cited] * 10_000},
    }


@pytest.mark.parametrize("reader", READERS)
def test_values_that_share_their_parts_come_to_an_end(reader: Any) -> None:
    """Ways through a value are not walked one by one: without a bound in steps this would take years."""
    itself: dict[str, Any] = {}
    itself.update(dict.fromkeys(WOVEN_NAMES, itself))
    for value in (woven(9), itself, *wide().values()):
        reader(value)


def test_reading_that_was_cut_short_says_so_and_keeps_what_it_has() -> None:
    """The answer that was found stays, and the metadata says that more was there."""
    passage = {"text": "x", "metadata": dict.fromkeys("abcdefghijkl", 1)}
    read = read_result({"answer": "Ada.", "contexts": [passage] * 10_000})
    assert read["answer"] == "Ada." and read["metadata"] == {"reading": "cut short"}
    assert 1_000 < len(read["contexts"]) < 10_000
    plain = read_result({"answer": "Ada.", "contexts": ["x"] * 10_000})
    assert plain == {"answer": "Ada.", "contexts": [{"text": "x"}] * 10_000}


NAMES = st.sampled_from(
    "answer output result response text content message messages choices candidates usage usage_metadata "
    "contexts documents context source_documents citations annotations type role delta data parts metadata "
    "meta id score start end index input_tokens prompt_tokens lc kwargs replies answers generations "
    "grounding_metadata groundingChunks groundingSupports segment sources document_ids hits ids event_type "
    "retrievalResults contentBlockDelta location cost latency_ms model finish_reason".split(" ")
)
LEAVES = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text(max_size=8)
    | st.binary(max_size=4)
    | st.sampled_from(
        [
            "text",
            "assistant",
            "ai",
            "message",
            "output_text",
            "citation",
            "char_location",
            "user",
            "content_block_delta",
            "response.output_text.delta",
            "citation-start",
            "thread.message",
        ]
    )
)


def _thing(fields: dict[str, Any]) -> Any:
    thing = type("Thing", (), {})()
    thing.__dict__.update(fields)
    return thing


VALUES = st.recursive(
    LEAVES,
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(NAMES, inner, max_size=4)
        | st.tuples(inner, inner)
        | st.dictionaries(NAMES, inner, max_size=3).map(
            lambda fields: type("Thing", (), {})() if not fields else _thing(fields)
        )
    ),
    max_leaves=24,
)


FIELDS = {
    "answer": str,
    "contexts": list,
    "citations": list,
    "usage": dict,
    "model": str,
    "provider": str,
    "finish_reason": str,
    "abstained": bool,
    "recorded_cost": dict,
    "latency_ns": int,
    "conversation_id": str,
    "metadata": dict,
}
RANGES = (("answer_start", "answer_end"), ("source_start", "source_end"))


@given(VALUES)
@settings(max_examples=300)
def test_any_value_gives_fields_of_the_documented_types(value: Any) -> None:
    """Whatever is read has the names and types of a record; ranges lie in the answer."""
    read = read_result(value)
    assert all(type(stored) is FIELDS[name] for name, stored in read.items())
    answer = read.get("answer", "")
    for citation in read.get("citations", ()):
        start, end = citation.get("answer_start"), citation.get("answer_end")
        assert (start is None) == (end is None)
        if start is not None and "answer_start" not in str(value):
            assert 0 <= start <= end <= len(answer)
    for context in read.get("contexts", ()):
        assert context and set(context) <= {"id", "text", "score", "uri", "title", "metadata"}


@given(st.lists(VALUES, max_size=5))
@settings(max_examples=200)
def test_any_chunks_and_any_lists_are_survived(values: list[Any]) -> None:
    """No reader raises on any nesting of the names it looks for."""
    for reader in READERS:
        reader(values)
    read = join_chunks(values)
    assert all(type(stored) is FIELDS[name] for name, stored in read.items())


def test_numbers_of_known_classes_are_read() -> None:
    """Decimal and numpy numbers are numbers; a class derived from them is not trusted."""
    from decimal import Decimal

    class Loud(Decimal):
        def __float__(self) -> float:
            raise SystemExit

    numpy = pytest.importorskip("numpy", reason="numpy is not installed. Run: pip install numpy")
    scores = [Decimal("0.5"), numpy.float32(0.5), numpy.float64(0.5), numpy.int64(1), Loud("0.5")]
    read = read_documents([{"text": "x", "score": score} for score in scores]) or []
    assert [context.get("score") for context in read] == [0.5, 0.5, 0.5, 1.0, None]
