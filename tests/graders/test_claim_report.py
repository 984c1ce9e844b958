"""Claim by claim and word by word: the changed claim is the worst, and its changed words are the spans."""

from __future__ import annotations

import pytest
from hypothesis import given, strategies as st

from groundwire import report_claims
from groundwire.errors import ConfigError
from groundwire.record import RagRecord

SOURCE = (
    "The old lighthouse was built by Carl Brandt in 1884. It stands on the northern cliff above the harbor. "
    "Visitors may climb the tower until sunset. The lamp is lit every evening in winter."
)


def spans_of(answer: str) -> list[str]:
    claims = report_claims(RagRecord(question="What is known?", answer=answer, contexts=[SOURCE]))
    return [answer[span.start : span.end] for claim in claims for span in claim.spans]


def test_a_copied_answer_has_no_new_words() -> None:
    """Every claim is supported, without risk and without spans."""
    claims = report_claims(RagRecord(answer=SOURCE, contexts=[SOURCE]))
    assert [(claim.label, claim.risk, claim.spans) for claim in claims] == [("supported", 0.0, ())] * 4


@pytest.mark.parametrize(
    ("old", "new", "spans"),
    [
        ("1884", "1894", ["1894"]),
        ("Carl Brandt", "Otto Fischer", ["Otto Fischer"]),
        ("may climb", "may not climb", ["not"]),
        ("harbor", "harbor with full government support", ["full government support"]),
    ],
)
def test_changed_words_are_the_spans_of_the_worst_claim(old: str, new: str, spans: list[str]) -> None:
    """One change in a copied answer: exactly the claim with it ranks last, and its words are marked."""
    answer = SOURCE.replace(old, new)
    claims = report_claims(RagRecord(question="What is known?", answer=answer, contexts=[SOURCE]))
    worst = max(claims, key=lambda claim: claim.risk)
    assert new in answer[worst.start : worst.end]
    assert spans_of(answer) == spans


def test_a_contradiction_without_a_new_word_is_marked_as_a_whole() -> None:
    """Exchanged roles leave no word out; the claim itself is the span."""
    answer = "Rovers beat Wanderers in the final."
    claims = report_claims(RagRecord(answer=answer, contexts=["Wanderers beat Rovers in the final."]))
    assert claims[0].label == "contradicted"
    assert [(span.start, span.end) for span in claims[0].spans] == [(0, len(answer))]


def test_nothing_to_judge_gives_no_claims() -> None:
    """An abstention and a missing answer have none."""
    for answer in (None, "", "The passages do not say."):
        assert report_claims(RagRecord(answer=answer, contexts=[SOURCE])) == []


def test_an_unknown_profile_is_a_configuration_error() -> None:
    """A mistyped profile names the nearest one."""
    with pytest.raises(ConfigError, match="edit"):
        report_claims(RagRecord(answer="It is.", contexts=[SOURCE]), "edits")


@given(st.text("aB1. ,é漢?!\n", max_size=60), st.text("aB1. ,é漢", max_size=60))
def test_spans_lie_inside_their_claims_in_order(answer: str, text: str) -> None:
    """Whatever the script: claims inside the answer, spans inside their claim, none overlapping."""
    for claim in report_claims(RagRecord(answer=answer, contexts=[text])):
        assert 0 <= claim.start < claim.end <= len(answer)
        edges = [edge for span in claim.spans for edge in (span.start, span.end)]
        assert edges == sorted(edges)
        assert all(claim.start <= edge <= claim.end for edge in edges)
