"""The citation family: each question apart, and honest where it can not be answered."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from groundwire.errors import ConfigError
from groundwire.grade import Grade, Outcome, Shared, render_explanation
from groundwire.graders.citations import (
    CitationAccuracy,
    CitationCoverage,
    CitationProvenance,
    CitationScope,
    CitationSupport,
)
from groundwire.record import RagRecord, parse_record

CONTEXTS = [
    {
        "id": "a",
        "text": "The north gate opens at nine.",
        "title": "Gate hours",
        "uri": "https://example.org/a",
    },
    {"id": "b", "text": "The south gate opens at ten."},
]


def record(**fields: Any) -> RagRecord:
    return parse_record(
        {"question": "When?", "answer": "The north gate opens at nine.", "contexts": CONTEXTS, **fields}
    )


def graded(grader: Any, **fields: Any) -> Grade:
    return grader.grade(Shared(record(**fields)))


def cite(
    quote: str | None = "The north gate opens at nine.", source_id: str | None = "a"
) -> list[dict[str, Any]]:
    return [{"quote": quote, "source_id": source_id}]


@pytest.mark.parametrize("name", ["a", "A", "Gate hours", "https://example.org/a", "1", "[1]"])
def test_a_source_is_named_by_id_title_uri_or_number(name: str) -> None:
    """Whatever names the source, the quotation is looked for there."""
    assert graded(CitationScope(), citations=cite(source_id=name)).outcome == Outcome.PASS


def test_an_id_wins_over_a_number() -> None:
    """A context whose id is "2" is meant by "2", wherever it stands."""
    contexts = [{"id": "2", "text": "Tea is hot."}, {"id": "1", "text": "Ice is cold."}]
    assert (
        graded(CitationScope(), contexts=contexts, citations=cite("Tea is hot.", "2")).outcome == Outcome.PASS
    )


def test_a_quotation_of_another_source_is_misattributed() -> None:
    """It stands in a source, but not in the one that it names: provenance holds, scope does not."""
    citations = cite("The south gate opens at ten.", "a")
    assert graded(CitationProvenance(), citations=citations).outcome == Outcome.PASS
    scope = graded(CitationScope(), citations=citations)
    assert (scope.outcome, scope.label) == (Outcome.FAIL, "misattributed")


def test_a_source_that_does_not_exist_fails_scope() -> None:
    """An unknown name never falls back to all sources."""
    assert graded(CitationScope(), citations=cite(source_id="z")).label == "unknown_source"


def test_a_source_without_text_can_not_be_verified() -> None:
    """What was not captured is unknown, neither right nor wrong."""
    contexts = [{"id": "a"}, {"id": "b", "text": "Ice is cold."}]
    for grader in (CitationProvenance(), CitationScope(), CitationSupport()):
        assert graded(grader, contexts=contexts, citations=cite()).outcome == Outcome.UNKNOWN


def test_contexts_that_were_not_captured_make_it_unknown() -> None:
    """Without contexts nothing is said about a citation."""
    assert graded(CitationScope(), contexts=None, citations=cite()).outcome == Outcome.UNKNOWN


@pytest.mark.parametrize(
    "grader", [CitationProvenance(), CitationScope(), CitationSupport(), CitationAccuracy()]
)
def test_no_citations_is_not_applicable(grader: Any) -> None:
    """Nothing cited, nothing judged."""
    assert graded(grader, citations=[]).outcome == Outcome.NOT_APPLICABLE


@pytest.mark.parametrize(
    "cls", [CitationProvenance, CitationScope, CitationSupport, CitationAccuracy, CitationCoverage]
)
def test_required_citations_fail_when_absent(cls: Any) -> None:
    """With require_citations, absence is a failure, and the setting is digested."""
    grader = cls(require_citations=True)
    assert graded(grader, citations=[]).outcome == Outcome.FAIL
    assert grader.config_digest != cls().config_digest == ""


def test_required_quotes_fail_a_bare_reference() -> None:
    """With require_quotes, a citation that quotes nothing fails provenance."""
    assert graded(CitationProvenance(), citations=cite(quote=None)).outcome == Outcome.NOT_APPLICABLE
    assert graded(CitationProvenance(require_quotes=True), citations=cite(quote=None)).outcome == Outcome.FAIL


def test_an_altered_quotation_shows_what_it_resembles() -> None:
    """A near quotation fails, and the evidence points at the passage that it was made from."""
    grade = graded(CitationProvenance(), citations=cite("The north gate opens at seven.", "a"))
    assert (grade.outcome, grade.label) == (Outcome.FAIL, "near")
    assert "The north gate opens at nine" in render_explanation(grade, record(citations=cite("x")))


def test_two_citations_support_one_claim_together() -> None:
    """Each covers half of the claim, together they carry it."""
    answer = "The north gate opens at nine and the south gate opens at ten."
    citations = [*cite(), *cite("The south gate opens at ten.", "b")]
    assert graded(CitationSupport(), answer=answer, citations=citations).outcome == Outcome.PASS


def test_a_position_links_a_citation_to_its_claim() -> None:
    """The claim at the citation's range is judged, not the one that it resembles."""
    answer = "The south gate opens at ten. The north gate opens at nine."
    wrong = [
        {"quote": "The south gate opens at ten.", "source_id": "b", "answer_start": 29, "answer_end": 57}
    ]
    assert graded(CitationSupport(), answer=answer, citations=wrong).outcome == Outcome.FAIL


def test_accuracy_fails_where_one_part_fails() -> None:
    """The conjunction names the part that decided and takes the smallest score."""
    grade = graded(CitationAccuracy(), citations=cite("The south gate opens at ten.", "a"))
    assert (grade.outcome, grade.label, grade.score) == (Outcome.FAIL, "misattributed", 0.0)


def test_markers_in_the_answer_are_citations_where_none_were_captured() -> None:
    """A marker names a source by number; one beyond the sources is out of scope."""
    fine = "The north gate opens at nine [1]. The south gate opens at ten [2]."
    assert graded(CitationAccuracy(), answer=fine).outcome == Outcome.PASS
    assert graded(CitationCoverage(), answer=fine).score == 1.0
    assert graded(CitationScope(), answer="The north gate opens at nine [7].").label == "unknown_source"
    swapped = "The north gate opens at nine [2]."
    assert graded(CitationSupport(), answer=swapped).outcome == Outcome.FAIL


def test_coverage_counts_claims_without_a_citation() -> None:
    """One of two claims is cited."""
    answer = "The north gate opens at nine. The south gate opens at ten."
    assert graded(CitationCoverage(), answer=answer, citations=cite()).score == 0.5


def test_an_unknown_profile_is_a_configuration_error() -> None:
    """A mistyped profile names the nearest one."""
    with pytest.raises(ConfigError, match="qa"):
        CitationSupport(profile="qaa")


@pytest.mark.parametrize("name", ["clapnq", "quotesum"])
def test_every_real_quotation_is_found_where_it_is_said_to_stand(shared: Path, name: str) -> None:
    """People copied these quotations: all are found, in the source that they name."""
    for line in (shared / "quality" / f"{name}.jsonl").read_text("utf-8").splitlines():
        row = json.loads(line)
        contexts = [{k: v for k, v in c.items() if k in ("id", "text", "title")} for c in row["contexts"]]
        quoted = [c for c in row.get("citations") or [] if c.get("quote")]
        fields = {"answer": row["answer"] or "x", "contexts": contexts, "citations": quoted}
        for grader in (CitationProvenance(), CitationScope()):
            assert graded(grader, **fields).outcome in (Outcome.PASS, Outcome.NOT_APPLICABLE), row["id"]


@pytest.mark.parametrize(("quote", "outcome"), [("opens at nine", Outcome.PASS), ("at six", Outcome.FAIL)])
def test_quotations_beside_an_abstention_are_checked(quote: str, outcome: Outcome) -> None:
    """An answer that abstains claims nothing, but what is quoted with it stands in a source or does not."""
    fields: dict[str, Any] = {"answer": "The passages do not say.", "citations": cite(quote)}
    assert graded(CitationProvenance(), **fields).outcome == outcome
    assert graded(CitationSupport(), **fields).outcome == Outcome.NOT_APPLICABLE
