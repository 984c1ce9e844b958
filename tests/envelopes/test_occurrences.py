"""Counting keys, in memory and beyond it."""

from __future__ import annotations

from collections import Counter

from hypothesis import given, settings, strategies as st

from groundwire.envelopes.occurrences import Occurrences


@given(st.lists(st.sampled_from([b"a", b"b", b"c", b"d", b"e"]), max_size=30), st.integers(0, 6))
@settings(max_examples=50)
def test_counts_are_those_of_a_counter(keys: list[bytes], held: int) -> None:
    """Wherever the counts are kept, the numbers are the same."""
    counter: Counter[bytes] = Counter()
    seen = Occurrences(held=held)
    for key in keys:
        counter[key] += 1
        assert seen.count(key) == counter[key]
