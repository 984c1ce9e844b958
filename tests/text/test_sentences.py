"""Sentences and claims: where they begin and end, in every script."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import given, strategies as st

from groundwire.text.claims import split_claims
from groundwire.text.sentences import MAX_SENTENCE_CHARACTERS, split_sentences

SPLIT = [
    ("It opens at 9.30. It shuts at ten.", ["It opens at 9.30.", "It shuts at ten."]),
    ("Dr. Lund of the U.S. came. She left.", ["Dr. Lund of the U.S. came.", "She left."]),
    ("最初は1967年です。次は来年です！", ["最初は1967年です。", "次は来年です！"]),
    ("One line\nAnother line", ["One line", "Another line"]),
    ("a wrapped\nline of prose", ["a wrapped\nline of prose"]),
    ("No. It is shut.", ["No.", "It is shut."]),
    ("See No. 5 first. Then go.", ["See No. 5 first.", "Then go."]),
    ("It was so . Then it ended .", ["It was so .", "Then it ended ."]),
    ("¿Cuándo abre? Abre a las ocho.", ["¿Cuándo abre?", "Abre a las ocho."]),
    ("यह बंद है। वह खुला है।", ["यह बंद है।", "वह खुला है।"]),
]


@pytest.mark.parametrize(("text", "sentences"), SPLIT)
def test_a_text_is_split_where_a_reader_would(text: str, sentences: list[str]) -> None:
    """Abbreviations, decimals and wrapped lines do not end a sentence; full-width marks and lines do."""
    assert [text[s:e] for s, e in split_sentences(text)] == sentences


def test_an_inline_list_gives_one_claim_an_item() -> None:
    """The numbers of a list written inside a line are neither claims nor values."""
    claims = split_claims("Causes: 1. Low yield 2. Late frost 3. Wet soil")
    assert [c.text.strip() for c in claims] == ["Causes:", "Low yield", "Late frost", "Wet soil"]


@given(st.text(max_size=300))
def test_spans_are_in_order_and_lose_nothing_but_space(text: str) -> None:
    """Every character that is not white space stands in exactly one sentence."""
    spans = split_sentences(text)
    assert all(s < e for s, e in spans)
    assert all(a[1] <= b[0] for a, b in itertools.pairwise(spans))
    kept = "".join(text[s:e] for s, e in spans)
    assert [c for c in kept if not c.isspace()] == [c for c in text if not c.isspace()]


@given(st.text(max_size=300))
def test_claims_point_into_the_answer(text: str) -> None:
    """A claim's range lies in the answer, its words lie in the claim."""
    for claim in split_claims(text):
        assert 0 <= claim.start < claim.end <= len(text)
        assert len(claim.text) == claim.end - claim.start
        assert all(claim.text[t.start : t.end] == t.text for t in claim.tokens)
        assert len(claim.codes) == len(claim.tokens) == len(claim.kinds) == len(claim.weights)


def test_a_stretch_without_an_end_is_cut() -> None:
    """No sentence is longer than the stated limit."""
    spans = split_sentences("word " * 5_000)
    assert max(e - s for s, e in spans) <= MAX_SENTENCE_CHARACTERS
