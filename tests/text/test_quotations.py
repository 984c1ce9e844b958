# ruff: noqa: E501
"""Quotations in every kind of quotation mark, and what is none."""

from __future__ import annotations

import pytest
from hypothesis import given, strategies as st

from groundwire.text.quotations import find_quotations

QUOTED = [
    ('He said "keep it shut" twice.', ["keep it shut"]),
    ("He said “keep it shut” twice.", ["keep it shut"]),
    ('He said “keep it shut" twice.', ["keep it shut"]),
    ("It says 'the gate is shut'.", ["the gate is shut"]),
    ("It says ‘the keeper’s gate’.", ["the keeper’s gate"]),
    ("Dort steht „Bitte leise“ und »Danke sehr«.", ["Bitte leise", "Danke sehr"]),
    ("Il dit « fermez la porte ».", ["fermez la porte"]),
    ("彼は「はい、そうです」と『本』で言った", ["はい、そうです", "本"]),
    ("Rule:\n> Carry two lamps.\n> Always.\n\nSo it is.", ["Carry two lamps.\nAlways."]),
    ("Hon sade ”håll dörren stängd” (och ”tack”).", ["håll dörren stängd", "tack"]),
    ("He said “keep it shut” and, later, ” no more.", ["keep it shut"]),
    ("He said ``never again'' twice.", ["never again"]),
]
UNQUOTED = ["the dogs' and cats' tails", "a 5\" pipe and a 6\" rod", "It's 6'2\" tall", "rock 'n' roll", "`x = 'a b'`",
            '```{"mode": "fast"}```']  # fmt: skip


@pytest.mark.parametrize(("text", "quotes"), QUOTED)
def test_quotations_are_found(text: str, quotes: list[str]) -> None:
    """Straight, curly, mixed, single, low, pointed and corner marks, and block quotes."""
    assert [quote.text.strip() for quote in find_quotations(text)] == quotes


@pytest.mark.parametrize("text", UNQUOTED)
def test_apostrophes_inches_and_code_are_no_quotations(text: str) -> None:
    """What only looks like a quotation mark opens nothing."""
    assert find_quotations(text) == []


@given(st.text("ab \n'\"“”‘’«»„`>「」.", max_size=60))
def test_ranges_hold_the_quoted_text(text: str) -> None:
    """A quotation's range lies in the text and holds its words."""
    for quote in find_quotations(text):
        assert 0 <= quote.start < quote.end <= len(text)
        assert quote.kind == ">" or text[quote.start : quote.end] == quote.text


def test_an_apostrophe_that_stands_apart_opens_no_quotation() -> None:
    """Tokenized text cuts ``'s`` off its word; it never pairs with a closing mark further on."""
    text = "The moon 's far side is dark . It was called `` the night '' by them ."
    assert [q.text.strip() for q in find_quotations(text)] == ["the night"]
