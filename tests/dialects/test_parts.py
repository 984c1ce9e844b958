"""Sampling, arrivals, feedback, cut JSON, prompt passages: the small parts, each with its law."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, strategies as st

from dialects.making import TRACE_ID, Maker
from groundwire.dialects import count_arrivals, join_feedback, read_feedback
from groundwire.dialects.cutjson import recover_json
from groundwire.dialects.damage import text_damage
from groundwire.dialects.messages import Turn
from groundwire.dialects.prompted import find_prompted, split_passages
from groundwire.dialects.sampling import parse_threshold, read_sampling
from groundwire.dialects.values import as_float, as_int, parse_structure
from groundwire.record import RagRecord, Sampling
from groundwire.span import Scope, SpanData

KEPT = "0" * 18 + "f" * 14


THRESHOLDS = [("0", 1.0), ("8", 0.5), ("c", 0.25), ("e6666666666666", 0.1), ("ffbe76c8b43958", 0.001)]
MALFORMED = ["ot=th:0x8", "ot=th:+8", "ot=th:1_0", "ot=th:", "ot=th:C", "ot=th:" + "0" * 15, "ot=rv:8"]
PASSAGES = [
    "[1] One.\n[2] Two, see [1].",
    "Source 1:\nOne.\n\nSource 2:\nTwo, see [1].",
    "Document 1: One.\nDocument 2: Two, see [1].",
    '<docs><document index="1">One.</document><document index="2">Two, see [1].</document></docs>',
]


@pytest.mark.parametrize(("threshold", "probability"), THRESHOLDS)
def test_thresholds_give_probabilities(threshold: str, probability: float) -> None:
    """The written threshold is padded to 56 bits; the probability is what is left above it."""
    found = parse_threshold(f"vendor=x,ot=rv:{'f' * 14};th:{threshold}", KEPT)
    assert found is not None
    assert found.probability == pytest.approx(probability, rel=1e-6)


@pytest.mark.parametrize("state", MALFORMED)
def test_malformed_thresholds_are_unknown(state: str) -> None:
    """Nothing but 1 to 14 lower-case hex digits is a threshold."""
    assert parse_threshold(state, KEPT) is None


def test_a_span_below_its_threshold_is_inconsistent() -> None:
    """Its randomness says that it can not have been kept: no probability."""
    span = SpanData(TRACE_ID, "1" * 16, "x", trace_state="ot=th:c;rv:00000000000000")
    sampling = read_sampling(span)
    assert (sampling.source, sampling.probability) == ("inconsistent", None)


def test_the_local_root_and_the_tail_policy() -> None:
    """A child without a threshold takes its root's; the policy stands on the scope."""
    root = SpanData(KEPT, "1" * 16, "x", trace_state="ot=th:8")
    child = SpanData(KEPT, "2" * 16, "y", scope=Scope("s", "", {"tailsampling.policy": "errors"}))
    assert read_sampling(child, root) == Sampling(
        threshold="8", probability=0.5, source="root_th", policy="errors"
    )


def test_arrivals_count_gaps_per_process() -> None:
    """Sequence numbers start at one; what is missing below the highest did not arrive."""
    numbered = [("p", 1), ("p", 4), ("q", 2), ("q", 2)]
    records = [RagRecord(sampling=Sampling(process=process, sequence=n)) for process, n in numbered]
    counted = count_arrivals([*records, RagRecord()])
    assert counted == (3, 6, 2, 1, 1)


def test_feedback_without_its_answer_is_handed_back() -> None:
    """What was said of an answer that is not here is counted, not lost."""
    make = Maker()
    span = make.span("feedback", groundwire__feedback__span_id="9" * 16, groundwire__feedback__score=1)
    make.put(span, {"groundwire.feedback.trace_id": "8" * 32})
    joined = join_feedback([RagRecord(trace_id="7" * 32, span_id="9" * 16)], read_feedback(make.trace()))
    assert joined.records[0].feedback == ()
    assert [item.span_id for item in joined.unjoined] == ["9" * 16]


values = st.recursive(
    st.none() | st.booleans() | st.integers(-99, 99) | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=4), inner, max_size=4),
    max_leaves=12,
)


def is_head(part: Any, whole: Any) -> bool:
    """Tell whether ``part`` is what a cut left of ``whole``: never a value that was not there."""
    if isinstance(whole, list):
        return isinstance(part, list) and len(part) <= len(whole) and all(map(is_head, part, whole))
    if isinstance(whole, dict):
        return isinstance(part, dict) and all(key in whole and is_head(part[key], whole[key]) for key in part)
    if isinstance(whole, str):
        return isinstance(part, str) and whole.startswith(part.rstrip(".…"))
    return bool(part == whole)


@given(
    value=st.lists(values, max_size=4) | st.dictionaries(st.text(max_size=4), values, max_size=4),
    data=st.data(),
)
def test_recovered_json_holds_nothing_that_was_not_there(value: Any, data: st.DataObject) -> None:
    """Whatever the cut, what is recovered is a head of the original; half a number is no number."""
    text = json.dumps(value)
    cut = data.draw(st.integers(0, len(text) - 1))
    found = recover_json(text[:cut])
    assert found is None or is_head(found, value)


@given(number=st.integers(-(2**80), 2**80) | st.floats() | st.text(max_size=8))
def test_numbers_are_finite_and_fit(number: Any) -> None:
    """A count fits 64 bits, a score is finite, or there is none."""
    whole, score = as_int(number), as_float(number)
    assert whole is None or abs(whole) < 2**63
    assert score is None or score - score == 0


def test_python_reprs_are_literals_only() -> None:
    """A repr is read as data, never as code."""
    assert parse_structure("{'a': (1, None)}").value == {"a": (1, None)}
    assert parse_structure("{'a': __import__('os')}").value == "{'a': __import__('os')}"


@pytest.mark.parametrize(
    ("text", "damage"),
    [("x" * 2048, "truncated"), ("é" * 1024, "truncated"), ("x" * 25_000 + "...", "truncated"),
     ("cut \ufffd", "truncated"), ("x" * 2047, None), ("call ****", "redacted"), ("**bold**", None)],
)  # fmt: skip
def test_signs_of_damage(text: str, damage: str | None) -> None:
    """Backend limits, broken characters and masks."""
    assert text_damage(text) == damage


@pytest.mark.parametrize("text", PASSAGES)
def test_passages_in_a_prompt(text: str) -> None:
    """Numbered, labeled or tagged passages are split; a marker inside one splits nothing."""
    assert [context.text for context in split_passages(text)] == ["One.", "Two, see [1]."]


def test_prose_with_markers_holds_no_passages() -> None:
    """A question that mentions ``[1]`` is no list of passages."""
    assert find_prompted([Turn("user", "What does footnote [1] say, and is [2] right?")]).contexts == ()


def test_json_within_a_cut_json_string_is_recovered() -> None:
    """Double encoding, cut before the outer quote: the inner structure's head is still read."""
    text = json.dumps(json.dumps({"messages": [{"content": "Grüße"}], "output": "cut here"}))[:-9]
    parsed = parse_structure(text)
    assert parsed.value["messages"] == [{"content": "Grüße"}]
    assert not parsed.complete


def test_instructions_under_a_heading_are_no_passage() -> None:
    """``Context: you are…`` in a prompt that has no question slot is no retrieved text."""
    turn = Turn("system", "Context: you are the helpful assistant of a town's water works.")
    assert find_prompted([turn]).contexts == ()


def test_passages_after_the_question() -> None:
    """A template may put its question first."""
    turn = Turn("user", "Question: How high?\n\nContext:\n[1] Eight metres.\n[2] It is green.")
    found = find_prompted([turn])
    assert [context.text for context in found.contexts] == ["Eight metres.", "It is green."]
    assert found.question == "How high?"
