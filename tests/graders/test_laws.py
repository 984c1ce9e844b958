"""Laws that the graders of abstention, privacy, reuse, retrieval and budgets keep for any record."""

from __future__ import annotations

import json

import msgspec
from hypothesis import given, strategies as st

from groundwire.grade import Evidence, Grade
from groundwire.graders import grade_record, resolve_graders
from groundwire.record import RagRecord

NAMES = [
    "abstention",
    "verbatim_reuse",
    "pii_leak",
    "retrieval_use",
    "completed",
    "latency",
    "cost",
    "verdict",
]
GRADERS = resolve_graders(NAMES)
PIECES = st.sampled_from(
    [
        "The gate opens at nine. ", "I do not know the fee, but ", "write to ada@lovelace.net ",
        "call +44 20 7946 1234\n", "“the gate opens” ", "card 4454794511390933 ", "* 1.5 mg\n",
        "没有提到停车。", "\u200b", "N/A", "[1] ",
    ]
)  # fmt: skip
TEXTS = st.lists(PIECES | st.text(max_size=15), max_size=6).map("".join)
RECORDS = st.builds(
    RagRecord,
    question=st.none() | TEXTS,
    answer=st.none() | TEXTS,
    contexts=st.none() | st.lists(TEXTS, max_size=4),
    finish_reason=st.sampled_from([None, "stop", "length", "refusal"]),
    error=st.sampled_from([None, "TimeoutError"]),
    latency_ns=st.none() | st.integers(0, 10**12).filter(lambda ns: "7946" not in str(ns)),
)


def is_inside(row: Evidence, record: RagRecord) -> bool:
    """Tell whether a row's ranges lie inside the texts they point at."""
    answer = record.answer or ""
    ok = row.answer_start is None or 0 <= row.answer_start < row.answer_end <= len(answer)
    if row.context_start is not None:
        text = record.contexts[row.context_index].text
        ok = ok and 0 <= row.context_start < row.context_end <= len(text)
    return ok


@given(RECORDS)
def test_every_grade_is_there_once_points_inside_its_texts_and_comes_out_the_same_again(record):
    """One grade a name, no error, valid ranges, and grading is deterministic."""
    grades = grade_record(record, GRADERS)
    assert [grade.name for grade in grades] == NAMES
    assert not [grade.explanation for grade in grades if grade.outcome == "error"]
    assert all(is_inside(row, record) for grade in grades for row in grade.evidence)
    assert grades == grade_record(record, GRADERS)


def judged(grades: list[Grade]) -> list[tuple[str, str, float | None]]:
    """Return outcomes and scores; of two contexts that hold the same, retrieval use names the first."""
    return [(g.name, g.outcome, None if g.name == "retrieval_use" else g.score) for g in grades]


@given(RECORDS)
def test_the_order_of_the_contexts_changes_no_verdict(record):
    """Outcomes, and scores of what does not look at ranks, are the same for the contexts in reverse."""
    turned = msgspec.structs.replace(record, contexts=record.contexts and record.contexts[::-1])
    assert judged(grade_record(turned, GRADERS)) == judged(grade_record(record, GRADERS))


@given(RECORDS)
def test_no_grade_holds_a_value_of_the_record(record):
    """What the graders say can leave the house: no planted value is in it."""
    said = json.dumps([msgspec.to_builtins(grade) for grade in grade_record(record, GRADERS)])
    assert not [value for value in ("lovelace", "7946", "4454794511390933", "gate opens") if value in said]
