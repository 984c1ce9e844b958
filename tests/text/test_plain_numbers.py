"""The short way to read a number gives what the long way gives."""

from __future__ import annotations

from hypothesis import given, strategies as st

from groundwire.text.plain_numbers import read_plain_number
from groundwire.text.quantities import _read_at
from groundwire.text.words import tokenize

pieces = st.sampled_from(
    "12 3 1900 45 007 20 1,000 $ € . , - ( ) % x and of to in at am pm past minutes people dogs May may"
    " percent half a or more over under at least about ages USD EUR kg m s days square cubic feet"
    " hundred million six o'clock century and a half not more than exceed"
    " uhr heures points 1/2 3.5 ´ é people's".split()
)
gaps = st.sampled_from([" ", " ", " ", "", "-", ", ", "\n"])


@given(st.lists(st.tuples(pieces, gaps), min_size=1, max_size=8))
def test_a_plain_number_is_what_the_full_reading_finds(parts: list[tuple[str, str]]) -> None:
    text = "".join(piece + gap for piece, gap in parts)
    tokens = tuple(tokenize(text))
    for i in range(len(tokens)):
        found = read_plain_number(text, tokens, i)
        assert found is None or found == _read_at(text, tokens, i)


def test_the_short_way_is_taken() -> None:
    text = "Section 12 opens for 40 people in the year 2031."
    tokens = tuple(tokenize(text))
    found = [read_plain_number(text, tokens, i) for i in range(len(tokens))]
    assert [(q.value, q.noun) for q in found if q is not None] == [(12, "open"), (40, "person"), (2031, "")]
