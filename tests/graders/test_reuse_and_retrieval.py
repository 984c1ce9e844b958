"""Verbatim reuse as a grade, and what became of the contexts."""

from __future__ import annotations

import pytest

from groundwire.errors import ConfigError
from groundwire.grade import Basis, Grade, Outcome, Shared
from groundwire.graders import grade_record
from groundwire.graders.retrieval_use import RetrievalUse
from groundwire.graders.verbatim_reuse import VerbatimReuse
from groundwire.record import RagRecord

GATE = "The gate opens at nine on weekdays."


def reuse(options: dict | None = None, **fields) -> Grade:
    return VerbatimReuse(**(options or {})).grade(Shared(RagRecord(**fields)))


def use(options: dict | None = None, **fields) -> Grade:
    return RetrievalUse(**(options or {})).grade(Shared(RagRecord(**fields)))


def test_reuse_is_measured_with_the_runs_as_evidence():
    """The evidence points at the copied run on both sides."""
    graded = reuse(answer="Note: the gate opens at nine, they say.", contexts=["Tea.", GATE])
    assert (graded.outcome, graded.label, graded.score) == (Outcome.MEASURED, "some", 0.625)
    (row,) = graded.evidence
    assert (row.context_index, GATE[row.context_start : row.context_end]) == (1, "The gate opens at nine")


@pytest.mark.parametrize(
    ("options", "outcome"),
    [
        ({"max_ratio": 0.5}, Outcome.FAIL),
        ({"max_ratio": 1.0}, Outcome.PASS),
        ({"min_ratio": 0.9}, Outcome.PASS),
        ({"max_run_words": 6}, Outcome.FAIL),
        ({"max_run_words": 0}, Outcome.FAIL),
        ({"max_ratio": 1.0, "max_run_words": 7}, Outcome.PASS),
    ],
)
def test_a_limit_makes_reuse_pass_or_fail(options, outcome):
    """All limits that are set must hold."""
    assert reuse(options, answer=GATE, contexts=[GATE]).outcome is outcome


@pytest.mark.parametrize(
    ("fields", "outcome"),
    [
        ({"answer": None, "contexts": [GATE]}, Outcome.UNKNOWN),
        ({"answer": GATE, "contexts": None}, Outcome.UNKNOWN),
        ({"answer": GATE, "contexts": [{"text": None}]}, Outcome.UNKNOWN),
        ({"answer": GATE, "contexts": [GATE], "completeness": {"contexts": "truncated"}}, Outcome.UNKNOWN),
        ({"answer": GATE, "contexts": []}, Outcome.NOT_APPLICABLE),
        ({"answer": "—", "contexts": [GATE]}, Outcome.NOT_APPLICABLE),
        ({"answer": "x " * 4_100_000, "contexts": [GATE]}, Outcome.UNKNOWN),
    ],
)
def test_reuse_that_can_not_be_measured_has_no_score(fields, outcome):
    """Nothing captured, nothing to copy from, no words, or too large."""
    graded = reuse(**fields)
    assert (graded.outcome, graded.score) == (outcome, None)


@pytest.mark.parametrize("options", [{"floor": 0}, {"max_ratio": 2}, {"min_ratio": -1}])
def test_wrong_limits_of_reuse_are_configuration_errors(options):
    """A ratio lies between 0 and 1, a floor is a word at least."""
    with pytest.raises(ConfigError):
        VerbatimReuse(**options)


def test_every_context_is_cited_used_unused_or_a_duplicate():
    """One row a context, with its rank."""
    graded = use(
        answer="The gate opens at nine on weekdays. Tea costs two coins.",
        contexts=["Maps are old.", GATE, {"id": "tea", "text": "Tea costs two coins."}, GATE.upper()],
        citations=[{"source_id": "tea", "quote": "two coins"}],
    )
    assert [row.label for row in graded.evidence] == ["unused", "used", "cited", "duplicate"]
    assert graded.score == pytest.approx(2 / 3, abs=1e-6)
    assert "rank 2" in graded.explanation


def test_contexts_that_only_open_alike_are_no_duplicates():
    """All words must be equal; an empty context repeats nothing."""
    opening = "One two three four five six seven eight nine"
    contexts = [
        f"{opening} ten.",
        f"{opening} eleven.",
        f" {opening.upper()}  TEN.",
        {"id": "e"},
        {"id": "f"},
    ]
    graded = use(answer="The gate is closed on Sundays.", contexts=contexts)
    assert [row.label for row in graded.evidence] == ["unused", "unused", "duplicate", "unused", "unused"]


def test_recall_counts_the_expected_sources_that_were_retrieved():
    """Sources are named by id, URI or title; a bare number is a name, not a position."""
    contexts = [{"id": "a", "text": GATE}, {"uri": "https://x.test/b", "text": "Tea."}]
    graded = use(
        answer=GATE, contexts=contexts, expected={"context_ids": ["A", "https://x.test/b", "1", "c"]}
    )
    assert (graded.label, graded.score, graded.basis) == ("recall", 0.5, Basis.CHECKED)
    assert [row.label for row in graded.evidence].count("missing") == 2


def test_recall_passes_or_fails_with_a_limit_also_when_nothing_was_retrieved():
    """An empty retrieval has recall 0."""
    graded = use({"min_recall": 0.5}, answer=GATE, contexts=[], expected={"context_ids": ["a"]})
    assert (graded.outcome, graded.score) == (Outcome.FAIL, 0.0)


def test_an_expected_answer_that_was_retrieved_but_not_given_is_named():
    """The passage was there, and the answer abstains."""
    record = RagRecord(
        question="When does the gate open?", answer="The documents do not say.", contexts=[GATE],
        expected={"answer": "at nine on weekdays"},
    )  # fmt: skip
    grades = {graded.name: graded for graded in grade_record(record)}
    assert grades["retrieval_use"].label == "answer_not_used"


def test_retrieval_that_was_not_captured_is_unknown_and_none_at_all_not_applicable():
    """None is not empty."""
    assert use(answer=GATE, contexts=None).outcome is Outcome.UNKNOWN
    assert use(answer=GATE, contexts=[]).outcome is Outcome.NOT_APPLICABLE
