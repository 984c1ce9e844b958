# ruff: noqa: E501
"""Numbers as typed values: what is equal in other words, and what is not."""

from __future__ import annotations

import pytest
from hypothesis import given, strategies as st

from groundwire.text.amounts import DIFFERENT, EQUAL, compare_quantities
from groundwire.text.quantities import read_quantities
from groundwire.text.quantity import Quantity
from groundwire.text.words import tokenize


def read(text: str) -> list[Quantity]:
    return read_quantities(text, tokenize(text))


SAME = [
    ("90 minutes", "1.5 hours"), ("two weeks", "14 days"), ("half an hour", "30 minutes"), ("2.5 kg", "2500 g"),
    ("6 pm", "18:00"), ("6 pm", "six in the evening"), ("noon", "12 pm"), ("June 3, 2031", "3 June 2031"),
    ("2031-06-03", "June 3, 2031"), ("03/06/2031", "3 June 2031"), ("15%", "15 percent"), ("€25", "25 euros"),
    ("3 million", "3,000,000"), ("$1.5m", "1.5 million dollars"), ("one hundred and twenty", "120"),
    ("40 °C", "104 °F"), ("two hundred and twenty one", "221"), ("about 12,500", "12,487"), ("lunes", "Monday"), ("月曜日", "Mondays"), ("drei Tage", "3 days"),
    ("at least 16 years", "16 years or more"), ("more than 100", "120"),
]  # fmt: skip
OTHER = [
    ("30 days", "60 days"), ("$40", "£40"), ("6 pm", "6 am"), ("June 3, 2031", "June 4, 2031"), ("5%", "50%"),
    ("2 million", "2 billion"), ("-18 degrees", "18 degrees"), ("at most 16 years", "at least 16 years"),
    ("below 62%", "62%"), ("Monday", "Tuesday"), ("1.5 mg", "15 mg"), ("12:30", "13:30"),
]  # fmt: skip


@pytest.mark.parametrize(("a", "b"), SAME)
def test_the_same_value_in_other_words_is_equal(a: str, b: str) -> None:
    """Units are converted, dates reordered, words read as numbers."""
    assert compare_quantities(read(a)[0], read(b)[0]) == EQUAL


@pytest.mark.parametrize(("a", "b"), OTHER)
def test_another_value_of_the_same_kind_differs(a: str, b: str) -> None:
    """A changed digit, sign, unit, magnitude or bound is another value."""
    assert compare_quantities(read(a)[0], read(b)[0]) == DIFFERENT


def test_a_value_of_another_kind_is_neither() -> None:
    """Minutes and degrees can not be equal."""
    assert compare_quantities(read("45 minutes")[0], read("45 degrees")[0]) not in (EQUAL, DIFFERENT)


@given(st.text("0123456789 .,:/-%$€abkmgoclockpMay上月年日\n", max_size=40))
def test_ranges_point_into_the_text(text: str) -> None:
    """Every value's range lies in the text, and its words are in order."""
    tokens = tokenize(text)
    for quantity in read_quantities(text, tokens):
        assert 0 <= quantity.start < quantity.end <= len(text)
        assert 0 <= quantity.first <= quantity.last < len(tokens)


def test_numbers_in_words_one_after_another_are_as_many_values() -> None:
    """A hundred ends a number, however many follow it."""
    assert {q.value for q in read("three hundred " * 5_000)} == {300.0}
    assert [q.value for q in read("three hundred, five")] == [300.0, 5.0]


@pytest.mark.parametrize(
    "shape", ["{}", "{} May 2020", "3 May {}", "{}:30", "1 of {}", "${}", "{}. a", "[{}]", "{}s"]
)
def test_a_number_too_long_for_a_number_is_read_as_none(shape: str) -> None:
    """Thousands of digits raise nowhere and have no value."""
    assert all(abs(q.value) < 10**300 for q in read(shape.format("1" * 5_000)))


def test_a_row_of_numbers_that_could_all_begin_a_span_of_days_is_no_deep_search() -> None:
    """Only the next number is asked for its month."""
    assert read("1 to " * 5_000 + "May")
