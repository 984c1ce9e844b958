"""How much of a text is copied."""

from __future__ import annotations

import pytest
from hypothesis import given, strategies as st

import groundwire as gw
from groundwire.errors import ConfigError
from groundwire.text.reuse import TooLargeError, measure_reuse
from groundwire.text.reuse_check import check
from groundwire.text.reuse_runs import find_runs_by_automaton, find_runs_by_search
from groundwire.text.reuse_words import (
    find_word_chunks,
    fold_word,
    is_unspaced,
    locate_chunks,
    read_chunks,
    read_word_ranges,
    read_words,
)


def find_runs_obviously(text: str, source: str, least: int) -> list[tuple[int, int]]:
    runs, reach = [], 0
    for start in range(len(text)):
        length = 0
        while start + length < len(text) and text[start : start + length + 1] in source:
            length += 1
        if length and start + length > reach:
            reach = start + length
            if length >= least:
                runs.append((start, length))
    return runs


CODES = st.text(alphabet="abc", max_size=14)


@given(CODES, st.text(alphabet="abc\x00", max_size=24), st.integers(1, 4))
def test_both_fast_matchers_equal_the_obvious_one(text, source, least):
    """Search and automaton give the runs that a slow reader finds, at places that hold them."""
    expected = find_runs_obviously(text, source, least)
    for runs in (find_runs_by_search(text, source, least), find_runs_by_automaton(text, source, least)):
        found = list(runs)
        assert [(start, length) for start, length, _ in found] == expected
        assert all(source[at : at + length] == text[start : start + length] for start, length, at in found)


@pytest.mark.parametrize(
    ("text", "source", "ratio"),
    [
        ("Take 15 mg of it", "Take 1.5 mg of it", 0.6),
        ("It was -20 there all day", "It was 20 there all day", 0.5),
        ("He wrote C++ in a week", "He wrote C in a week", 0.5),
        ("The $40 fee is due now", "The £40 fee is due now", 4 / 6),
        ("THE GATE “opens” at nine!", "The gate opens at nine.", 1.0),
        ("café is open today", "cafe\u0301 is open today", 1.0),
        ("The gate opens", "Tea is hot", 0.0),
    ],
)
def test_numbers_and_codes_are_whole_words_and_typography_does_not_count(text, source, ratio):
    """What changes the meaning differs, what does not is equal."""
    assert measure_reuse(text, source).matched_ratio == pytest.approx(ratio, abs=1e-6)


def test_a_run_shorter_than_the_floor_does_not_count():
    """Two equal words are no copy unless asked for."""
    assert measure_reuse("the gate sings", "the gate opens").matched_ratio == 0
    assert measure_reuse("the gate sings", "the gate opens", floor=2).flags == (True, True, False)


def test_a_run_never_crosses_from_one_source_into_another():
    """Words at a seam are not next to each other."""
    assert measure_reuse("the gate opens", ["It is the gate", "opens at nine"]).matched_ratio == 0


def test_a_script_without_spaces_is_measured_by_characters_of_half_weight():
    """Six equal characters weigh three words."""
    assert measure_reuse("博物馆九点开门。", "今天博物馆九点开门。").matched_ratio == 1.0
    assert measure_reuse("博物馆很大", "博物馆很小").matched_ratio == 0


def test_fragments_point_at_equal_words_on_both_sides():
    """A fragment's two ranges hold the same words."""
    text, source = "So the gate opens at nine, they say.", "Note: the  gate\nopens at nine."
    (fragment,) = measure_reuse(text, source).fragments
    copied = source[fragment.source_start : fragment.source_end]
    assert read_words(text[fragment.start : fragment.end]) == read_words(copied)
    assert fragment.words == 5


def test_differing_and_total_tokens_are_counted_on_one_scale_by_the_given_counter():
    """A counter of characters counts both numbers."""
    reuse = measure_reuse("aa bb cc dd ee", "aa bb cc", count_tokens=len)
    assert (reuse.differing_tokens, reuse.total_tokens) == (5, 14)


def test_a_subsequence_has_no_floor_and_keeps_the_order():
    """Words count in their order only."""
    reuse = measure_reuse("nine the gate", "the old gate opens at nine", mode="subsequence")
    assert reuse.flags == (False, True, True)


def test_rouge_l_is_the_f1_of_the_common_subsequence_with_the_segment():
    """Four of five and four of four words in common: 8/9."""
    reuse = measure_reuse("the gate opens at ten", "the gate opens at nine")
    assert reuse.rouge_l == pytest.approx(8 / 9, abs=1e-6)


def test_a_subsequence_too_large_is_refused_and_the_contiguous_measure_is_not():
    """Only the linear measure takes any size."""
    text, source = "a b " * 12_000, "b a c " * 12_000
    with pytest.raises(TooLargeError):
        measure_reuse(text, source, mode="subsequence")
    assert measure_reuse(text, source, with_rouge=False).matched_ratio == 0
    with pytest.raises(ConfigError, match="contiguous"):
        check(text, source, mode="subsequence")


@given(st.text(max_size=40), st.text(max_size=40))
def test_words_ranges_and_flags_agree_for_any_text(text, source):
    """There is one range and one flag a word, and ranges lie in order inside the text."""
    reuse = measure_reuse(text, source, floor=1)
    assert len(read_words(text)) == len(read_word_ranges(text)) == len(reuse.words) == len(reuse.flags)
    ends = [0] + [end for _, end in reuse.words]
    assert all(
        before <= start < end <= len(text) for before, (start, end) in zip(ends, reuse.words, strict=False)
    )


@given(
    st.text(alphabet="a1-.\u2014\u00a0\n\x1c \t\u00e9", max_size=40), st.integers(0, 20), st.integers(0, 20)
)
def test_two_chunks_are_located_where_reading_all_of_them_puts_them(text, first, more):
    """Located alone or read with all others, a word's chunk has one range."""
    numbers, spans = find_word_chunks(text), read_chunks(text, -1)
    assert len(numbers) == len(spans)
    assert not is_unspaced(text)
    if first < len(numbers):
        last = min(first + more, len(numbers) - 1)
        assert locate_chunks(text, numbers[first], numbers[last]) == (spans[first], spans[last])


@given(st.text(max_size=60))
def test_a_text_is_wholly_copied_from_itself(text):
    """Every word of a text stands in the text."""
    assert measure_reuse(text, text, floor=1).matched_ratio in (None, 1.0)


def test_folding_a_word_leaves_what_is_inside_it():
    """Only the edges go."""
    words = ("1.5", "(-20)", ".5", "K-240,", "“C++”", "a/b", "--", "don’t")
    assert [fold_word(word) for word in words] == ["1.5", "-20", ".5", "k-240", "c++", "a/b", "", "don't"]


QUOTES = [
    ('He said "the gate opens at nine".', True),
    ("He said “the gate opens at ten”.", False),
    ("「門は十時に開く」と書いた。", False),
    ("He said nothing.", False),
]


@pytest.mark.parametrize(("answer", "is_verbatim"), QUOTES)
def test_every_quotation_must_stand_in_the_source_as_one_run(answer, is_verbatim):
    """One false quotation, or none at all, is not verbatim."""
    assert gw.check(answer, "Note: the gate opens at nine.", quotes=True).is_verbatim is is_verbatim


def test_a_check_without_text_in_its_dictionary():
    """The dictionary holds numbers and ranges only."""
    assert "gate" not in str(gw.check("the gate opens", "the gate opens").to_dict())


def test_wrong_arguments_are_configuration_errors():
    """A source that is no text, or an unknown mode, is refused with a sentence."""
    with pytest.raises(ConfigError, match="is no text"):
        check("a", [None])
    with pytest.raises(ConfigError, match="contiguous or subsequence"):
        check("a", "b", mode="fuzzy")
