"""Whether an answer abstains, and whether it should have."""

from __future__ import annotations

import pytest

from groundwire.grade import Grade, Outcome, Shared
from groundwire.graders import grade_record
from groundwire.graders.abstention import Abstention
from groundwire.record import RagRecord

SILENT = "The documents do not say."
STATED = "A stall permit lasts one year."


def grade(options: dict | None = None, **fields) -> Grade:
    return Abstention(**(options or {})).grade(Shared(RagRecord(**fields)))


@pytest.mark.parametrize(
    ("answer", "answerable", "outcome", "said"),
    [
        (SILENT, False, Outcome.PASS, "not answered"),
        (SILENT, True, Outcome.FAIL, "Over-abstention"),
        (STATED, True, Outcome.PASS, "is answered"),
        (STATED, False, Outcome.FAIL, "Under-abstention"),
        ("I don't know the fee, but a permit lasts ten years.", False, Outcome.FAIL, "Under-abstention"),
        ("I don't know the fee, but a permit lasts one year.", True, Outcome.PASS, "is answered"),
        ("Which market do you mean?", True, Outcome.FAIL, "Over-abstention"),
        ("Which market do you mean?", False, Outcome.PASS, "not answered"),
        (SILENT, None, Outcome.NOT_APPLICABLE, "not known"),
        (STATED, None, Outcome.NOT_APPLICABLE, "not known"),
    ],
)
def test_correctness_is_judged_against_the_label_and_both_errors_are_told_apart(
    answer, answerable, outcome, said
):
    """Refusing what could be answered and answering what could not are two faults."""
    graded = grade(answer=answer, question="What is the fee?", expected={"answerable": answerable})
    assert graded.outcome is outcome
    assert said in graded.explanation


def test_a_system_that_refuses_everything_fails_on_every_answerable_question():
    """Silence is not safety."""
    outcomes = {grade(answer=SILENT, expected={"answerable": True}).outcome for _ in range(3)}
    assert outcomes == {Outcome.FAIL}


@pytest.mark.parametrize(
    ("answer", "contexts", "outcome"),
    [
        (SILENT, [], Outcome.PASS),
        (STATED, [], Outcome.FAIL),
        (SILENT, ["A stall permit lasts one year in the market."], Outcome.FAIL),
        (SILENT, ["The annex holds maps and coins."], Outcome.NOT_APPLICABLE),
        (SILENT, None, Outcome.NOT_APPLICABLE),
        (STATED, ["The annex holds maps and coins."], Outcome.NOT_APPLICABLE),
        ("I won't discuss this.", [], Outcome.NOT_APPLICABLE),
    ],
)
def test_without_a_label_only_clear_retrieval_evidence_speaks(answer, contexts, outcome):
    """Nothing retrieved, or a passage with every word of the question; else nothing is said."""
    graded = grade(answer=answer, question="How long lasts a stall permit in the market?", contexts=contexts)
    assert graded.outcome is outcome
    assert outcome is Outcome.NOT_APPLICABLE or "retrieval evidence" in graded.explanation


@pytest.mark.parametrize(
    ("fields", "label"),
    [
        ({"answer": "Please call us.", "abstained": True}, "full_abstention"),
        (
            {
                "answer": STATED + " It costs nothing.",
                "abstained": True,
                "citations": [{"quote": "one year"}],
            },
            "partial",
        ),
        ({"answer": STATED, "finish_reason": "content_filter"}, "policy_refusal"),
        ({"answer": None, "error": "TimeoutError"}, "empty_or_error"),
        ({"answer": "  "}, "empty_or_error"),
        ({"answer": STATED, "abstained": False}, "answer"),
    ],
)
def test_what_the_application_said_comes_before_the_text(fields, label):
    """An application's own sign decides, unless the text states things."""
    assert grade(**fields).label == label


def test_a_configured_fallback_is_an_abstention_even_with_a_typing_error():
    """Texts that the application gives instead of an answer are recognized."""
    options = {"fallbacks": ["Our team will get back to you within two days."]}
    answer = "Our team will get back  to you within two day."
    assert grade(answer=answer).label == "answer"
    assert grade(options, answer=answer).label == "full_abstention"


def test_an_answer_in_a_language_without_a_grammar_is_unknown_and_so_is_one_not_captured():
    """What can not be read is not judged."""
    assert grade(answer="Парковка не згадується в цій статті.").outcome is Outcome.UNKNOWN
    assert grade(answer=None).outcome is Outcome.UNKNOWN


def test_the_part_that_is_stated_beside_an_abstention_is_still_graded():
    """An invention after "I don't know" does not slip through."""
    record = RagRecord(
        question="What are fee and length of a permit?",
        answer="I don't know the fee, but a stall permit lasts ten years and is issued by the harbor king.",
        contexts=["A stall permit lasts one year and is issued by the market office."],
    )
    outcomes = {graded.name: graded.outcome for graded in grade_record(record)}
    assert outcomes["groundedness"] is Outcome.FAIL
    assert outcomes["verdict"] is Outcome.FAIL


def test_an_application_that_says_it_abstained_does_not_hide_a_false_answer():
    """What the text states is graded whatever the application says of it."""
    record = RagRecord(
        question="How long does a permit last?", answer="A stall permit lasts ten years.", abstained=True,
        contexts=["A stall permit lasts one year."],
    )  # fmt: skip
    assert {graded.name: graded.outcome for graded in grade_record(record)}["groundedness"] is Outcome.FAIL


def test_evidence_names_the_rule_and_the_range():
    """A reader can see which words made it an abstention."""
    (row,) = grade(answer=f"{STATED} But the fee is not mentioned in the text.").evidence
    assert (row.label, row.answer_start) == ("en.not_said_in_source", 31)
