"""Folding: what looks alike becomes equal, and every folded place leads back to the raw text."""

from __future__ import annotations

from hypothesis import given, strategies as st

from groundwire.text.characters import blank_markup, fold_characters
from groundwire.text.folding import Folded, fold_with_offsets

HOSTILE = st.text(
    alphabet=st.one_of(
        st.sampled_from(
            list("aB1 .,-+%$\n\t'\"“”’‘«»—–…ﬁﬃßİ\u0301\u200b\u00ad\u00a0Ａ９é한九ไม่<>&;*_`[]()|#/:")
        ),
        st.characters(codec="utf-8"),
    ),
    max_size=60,
)


@given(HOSTILE)
def test_offsets_are_in_order_and_inside_the_text(text: str) -> None:
    """Every canonical character has a raw offset, and the offsets never run backwards."""
    canonical, offsets = fold_with_offsets(text)
    if offsets is None:
        assert len(canonical) == len(text)
        return
    assert len(offsets) == len(canonical)
    assert offsets == sorted(offsets)
    assert all(0 <= offset < len(text) for offset in offsets)


@given(HOSTILE, st.data())
def test_a_compact_range_leads_back_to_raw_text_that_folds_to_it(text: str, data: st.DataObject) -> None:
    """The raw range of a compact range holds at least what the compact range says."""
    folded = Folded(text)
    if not folded.compact:
        return
    start = data.draw(st.integers(0, len(folded.compact) - 1))
    end = data.draw(st.integers(start + 1, len(folded.compact)))
    first, last = folded.raw_span(start, end)
    assert 0 <= first < last <= len(text)
    letters = [c for c in folded.compact[start:end] if c.isalpha() and c.isascii()]
    raw = [c for c in fold_characters(text[first:last]) if c.isalpha() and c.isascii()]
    assert len(raw) >= len(letters) or "&" in text[first : last + 8]


@given(HOSTILE)
def test_blanking_markup_keeps_the_length(text: str) -> None:
    """Tags, links, entities and line hyphens go, the offsets stay."""
    assert len(blank_markup(text)) == len(text)


@given(HOSTILE)
def test_folding_twice_changes_nothing(text: str) -> None:
    """What is folded is already folded."""
    once = fold_characters(text)
    assert fold_characters(once) == once


def test_numbers_keep_their_points_and_signs() -> None:
    """Punctuation inside and before numbers is meaning, elsewhere it is layout."""
    assert Folded("Take 1.5 mg at -20 or 9:30, C++ and 1,200.").compact == "take1.5mgat-20or9:30c++and1200"
