"""ALCE's citation recall and precision: hand-made answers whose figures can be counted."""

from __future__ import annotations

from typing import Any

import pytest

from groundwire.grade import Grade, Shared
from groundwire.graders.citation_figures import MAX_JUDGED
from groundwire.graders.coverage import CitationCoverage
from groundwire.record import parse_record

CONTEXTS: list[dict[str, Any]] = [
    {"id": "north", "text": "The north gate opens at nine."},
    {"id": "south", "text": "The south gate opens at ten."},
    {"id": "statues", "text": "Marble statues decorate the library."},
    {"id": "again", "text": "The north gate opens at nine in the morning."},
    {"id": "gone"},
]
NORTH, SOUTH = "The north gate opens at nine.", "The south gate opens at ten."
BOTH = "The north gate opens at nine and the south gate opens at ten."


def cover(answer: str, cited: dict[str, str]) -> Grade:
    """Grade an answer in which each sentence of ``cited`` names the sources of its value."""
    citations = [
        {
            "source_id": name,
            "answer_start": answer.index(claim),
            "answer_end": answer.index(claim) + len(claim),
        }
        for claim, names in cited.items()
        for name in names.split()
    ]
    fields = {"question": "When?", "answer": answer, "contexts": CONTEXTS, "citations": citations}
    return CitationCoverage().grade(Shared(parse_record(fields)))


def figures(answer: str, cited: dict[str, str]) -> dict[str | None, float]:
    return {row.label: row.score for row in cover(answer, cited).evidence if row.score is not None}


@pytest.mark.parametrize(
    ("sources", "recall", "alone", "precision", "precision_alone"),
    [
        ("north", 0.0, 0.0, 0.0, 0.0),
        ("north south", 1.0, 0.0, 1.0, 0.0),
        ("north south statues", 1.0, 0.0, 0.666667, 0.0),
    ],
)
def test_several_citations_support_a_claim_together(
    sources: str, recall: float, alone: float, precision: float, precision_alone: float
) -> None:
    """Two halves make a whole, each is needed, and a third that adds nothing is not."""
    found = figures(BOTH, {BOTH: sources})
    assert (found["recall"], found["recall_alone"]) == (recall, alone)
    assert (found["precision"], found["precision_alone"]) == (precision, precision_alone)


def test_citations_that_each_suffice_are_all_precise() -> None:
    """Two sources that say the same are no fault."""
    found = figures(NORTH, {NORTH: "north again"})
    assert (found["precision"], found["precision_alone"], found["recall_alone"]) == (1.0, 1.0, 1.0)


def test_a_superfluous_citation_is_pointed_at() -> None:
    """The second citation of the claim says something else; the first carries the claim."""
    grade = cover(NORTH, {NORTH: "north statues"})
    rows = [(r.citation_index, r.context_index) for r in grade.evidence if r.label == "superfluous"]
    assert rows == [(1, 2)]


def test_a_claim_without_citation_lowers_recall_and_not_precision() -> None:
    """Recall is over claims, precision over citations."""
    found = figures(f"{NORTH} {SOUTH}", {NORTH: "north"})
    assert (found["recall"], found["precision"]) == (0.5, 1.0)


def test_an_unsupported_claim_makes_its_citations_imprecise() -> None:
    """Where all citations together do not support the claim, none of them counts."""
    found = figures("Ferries sail at noon.", {"Ferries sail at noon.": "north statues"})
    assert (found["recall"], found["precision"], found["precision_partial"]) == (0.0, 0.0, 0.0)


def test_support_in_part_counts_half_in_the_partial_figures() -> None:
    """A claim that is partly supported is in neither plain figure."""
    claim = "The north gate, repainted lately, opens at nine for all visitors."
    found = figures(claim, {claim: "north"})
    assert (found["recall"], found["recall_partial"]) == (0.0, 0.5)
    assert (found["precision"], found["precision_partial"]) == (0.0, 1.0)


def test_what_could_not_be_told_has_no_figure() -> None:
    """A source whose text was not captured is left out, never counted as 0."""
    assert figures(NORTH, {NORTH: "gone"}) == {}
    both = figures(f"{NORTH} {SOUTH}", {NORTH: "gone", SOUTH: "south"})
    assert (both["recall"], both["precision"]) == (1.0, 1.0)


def test_very_many_citations_are_not_judged_apart() -> None:
    """Recall is still told; what needs a judgment of each citation is not."""
    found = figures(NORTH, {NORTH: "north " * (MAX_JUDGED + 1)})
    assert set(found) == {"recall", "recall_partial"}
