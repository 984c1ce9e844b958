"""Groundedness: claims with labels and places, and no verdict without evidence."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, strategies as st

from groundwire.grade import Grade, Outcome, Shared
from groundwire.graders import grade_record
from groundwire.graders.groundedness import Groundedness
from groundwire.graders.material import MAX_ANSWER_CHARACTERS
from groundwire.graders.profiles import read_profiles
from groundwire.graders.quotation import Quotation
from groundwire.record import RagRecord

SOURCE = "The north gate opens at nine. Dogs are not allowed in the hall."


def grade(answer: str | None, contexts: Any = (SOURCE,), grader: Any = None, **fields: Any) -> Grade:
    record = RagRecord(question="When?", answer=answer, contexts=contexts, **fields)
    return (grader or Groundedness()).grade(Shared(record))


@pytest.mark.parametrize(
    ("answer", "label"),
    [
        ("The north gate opens at nine.", "supported"),
        ("The north gate opens at ten.", "contradicted"),
        ("Dogs are allowed in the hall.", "contradicted"),
        ("Marble statues decorate seventeen libraries.", "unsupported"),
        ("Great question!", "not_checkable"),
        ("Do you need more? The north gate opens at nine.", "not_checkable"),
    ],
)
def test_each_claim_gets_its_label(answer: str, label: str) -> None:
    """Contradiction, absence and talk are told apart."""
    assert grade(answer).evidence[0].label == label


def test_evidence_points_at_the_claim_and_its_best_window() -> None:
    """Offsets are those of the raw answer and the raw context."""
    answer = "Well. The north gate opens at ten."
    row = next(e for e in grade(answer).evidence if e.label == "contradicted")
    assert answer[row.answer_start : row.answer_end] == "The north gate opens at ten."
    assert SOURCE[row.context_start : row.context_end] == "The north gate opens at nine."


@pytest.mark.parametrize(
    "contexts", [None, [{"id": "a"}], [{"id": "a", "text": "The gate", "truncated": True}]]
)
def test_missing_evidence_never_accuses(contexts: Any) -> None:
    """Contexts that were not captured, or cut, make a doubtful answer unknown."""
    assert grade("Statues decorate seventeen libraries.", contexts).outcome == Outcome.UNKNOWN


def test_an_answer_without_any_context_fails() -> None:
    """Retrieval that returned nothing supports nothing."""
    assert grade("Statues decorate seventeen libraries.", ()).outcome == Outcome.FAIL


def test_a_missing_answer_is_unknown_and_a_failed_call_is_not_applicable() -> None:
    """No text, no verdict."""
    assert grade(None).outcome == Outcome.UNKNOWN
    assert grade(None, error="TimeoutError").outcome == Outcome.NOT_APPLICABLE
    assert grade("  ").outcome == Outcome.NOT_APPLICABLE


def test_what_is_too_large_is_unknown() -> None:
    """Beyond the stated limit there is no verdict."""
    result = grade("The gate opens. " * (MAX_ANSWER_CHARACTERS // 10))
    assert (result.outcome, result.label) == (Outcome.UNKNOWN, "too_large")


def test_a_redaction_token_matches_only_its_equal() -> None:
    """A masked value is the same only where the token is the same."""
    source = "Write to [email:3fa9c1] before noon."
    assert grade("Write to [email:3fa9c1] before noon.", (source,)).outcome == Outcome.PASS
    assert grade("Write to [email:77b0d2] before noon.", (source,)).outcome == Outcome.FAIL


@pytest.mark.parametrize("name", sorted(read_profiles()))
def test_every_profile_tells_a_copy_from_an_invention(name: str) -> None:
    """Whatever the task, a copied sentence passes and an invented one scores lower."""
    grader = Groundedness(name)
    copied = grade("The north gate opens at nine.", grader=grader)
    invented = grade("Marble statues decorate seventeen old libraries in Tarn.", grader=grader)
    assert copied.outcome == Outcome.PASS
    assert invented.outcome == Outcome.FAIL
    assert copied.score is not None and invented.score is not None and copied.score > invented.score


@given(st.text(max_size=80), st.lists(st.text(max_size=80), max_size=3))
def test_any_text_gets_one_grade_with_offsets_inside(answer: str, contexts: list[str]) -> None:
    """Hostile text never breaks grading, repeats alike, and evidence stays inside its text."""
    for grader in (Groundedness(), Quotation()):
        first = grade(answer, contexts, grader)
        assert first == grade(answer, contexts, grader)
        for row in first.evidence:
            assert 0 <= (row.answer_start or 0) <= (row.answer_end or 0) <= len(answer)
            if row.context_start is not None and row.context_index is not None:
                assert row.context_start <= (row.context_end or 0) <= len(contexts[row.context_index])


def test_a_fabricated_quotation_fails() -> None:
    """Words in quotation marks must stand in a context."""
    result = grade('It says "keep the gate open at night".', grader=Quotation())
    assert (result.outcome, result.label) == (Outcome.FAIL, "none")
    assert grade('It says "gate opens at nine".', grader=Quotation()).outcome == Outcome.PASS
    assert grade("It says nothing.", grader=Quotation()).outcome == Outcome.NOT_APPLICABLE
    assert grade("It says nothing.", grader=Quotation(require_quotes=True)).outcome == Outcome.FAIL


def test_an_abstention_claims_nothing_whichever_graders_ran() -> None:
    """Alone or after the abstention grader, an answer that abstains is not judged."""
    answer = "The documents do not say when the south gate opens."
    alone = grade(answer)
    record = RagRecord(question="When?", answer=answer, contexts=[SOURCE])
    after = {g.name: g for g in grade_record(record)}["groundedness"]
    assert alone == after
    assert (alone.outcome, alone.label, alone.score) == (Outcome.NOT_APPLICABLE, "abstained", None)


def test_a_question_that_no_source_speaks_of_lowers_the_score_alone() -> None:
    """An answer off the question ranks lower, but what it says is judged by itself."""
    record = {"answer": "Gates open at nine in the north.", "contexts": [SOURCE]}
    met = Groundedness().grade(Shared(RagRecord(question="When does the gate open?", **record)))
    unmet = Groundedness().grade(Shared(RagRecord(question="Which ferry sails?", **record)))
    assert unmet.score is not None and met.score is not None
    assert unmet.score < met.score
    assert unmet.outcome == met.outcome


@pytest.mark.parametrize(
    ("answer", "claim", "outcome"),
    [
        ("I'm not sure, but the north gate opens at nine.", "the north gate opens at nine.", Outcome.PASS),
        ("I'm not sure, but the north gate opens at ten.", "the north gate opens at ten.", Outcome.FAIL),
        ("I'm not sure, the north gate opens at ten.", "the north gate opens at ten.", Outcome.FAIL),
        ("The north gate opens at nine, but I'm not sure.", "The north gate opens at nine", Outcome.PASS),
    ],
)
def test_a_disclaimer_is_no_claim_and_hides_none(answer: str, claim: str, outcome: Outcome) -> None:
    """What an answer states beside its doubt is the whole claim, judged like any other."""
    found = grade(answer)
    assert [answer[row.answer_start : row.answer_end] for row in found.evidence] == [claim]
    assert found.outcome == outcome


def test_one_invented_sentence_fails_an_answer_that_is_else_copied() -> None:
    """However long the supported part is, a claim that is new as a whole is not averaged away."""
    true = "The north gate opens at nine. Dogs are not allowed in the hall. " * 4
    source = SOURCE + " Tickets are sold at the kiosk beside the fountain."
    assert grade(true, [source]).outcome == Outcome.PASS
    found = grade(true + "Marble statues decorate several provincial libraries.", [source])
    assert (found.outcome, found.label) == (Outcome.FAIL, "unsupported")


def test_the_edit_profile_counts_additions_and_no_paraphrase() -> None:
    """Of a near-copy, other words for the same cost nothing; a clause that is new as a whole does."""
    source = "The keeper opens the north gate at nine and checks the lock."
    paraphrase = "The keeper unlocks the north gate at nine and inspects the lock."
    addition = f"{source} Marble statues decorate provincial libraries."
    assert grade(paraphrase, [source], Groundedness("edit")).score == 1.0
    assert (grade(addition, [source], Groundedness("edit")).score or 0.0) < 1.0


def test_a_verbatim_sentence_is_supported_whatever_its_marks_pair_with() -> None:
    """A quotation mark that opens in one sentence and closes in another accuses no copied sentence."""
    source = "He spoke of the 'old mill. The pump is new. They called it the mill' for years."
    answer = "He spoke of the 'old mill. They called it the mill' for years."
    assert grade(answer, [source]).outcome == Outcome.PASS
