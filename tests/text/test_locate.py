"""Where a quotation stands in a source, and how literally."""

from __future__ import annotations

import pytest

from groundwire.text.locate import locate_quote

FOUND = [
    ("the tide", "See the tide rise.", "exact"),
    ('"keep off"', "A sign: “keep off” in red", "folded"),
    ("office", "The oﬃce", "folded"),
    ("effective", "e\ufb00ec-\ntive", "layout"),
    ("a well-known bakery", "A well known bakery", "layout"),
    ("opens at nine", "opens at **nine**", "layout"),
    ("air-to-air view", "an air - to - air view", "layout"),
    ("The fee is forty crowns", "The fee is\n12\nforty crowns", "layout"),
    ("[The keeper] opens the gate", "The keeper, on site, opens the gate", "elided"),
    ("The keeper ... opens the gate", "The keeper, on site, opens the gate", "elided"),
    ("café", "cafe\u0301", "folded"),
]


@pytest.mark.parametrize(("quote", "source", "level"), FOUND)
def test_a_faithful_quotation_is_found_at_its_level(quote: str, source: str, level: str) -> None:
    """Typography, layout and honest omissions never hide a quotation, and the level says what was needed."""
    assert locate_quote(quote, source).level == level


REFUSED = [
    ("able to enter the hall", "They are unable to enter the hall."),
    ("15 mg", "Take 1.5 mg daily."),
    ("5 mg", "Take 1.5 mg daily."),
    ("20 degrees", "Keep at -20 degrees."),
    ("5", "Rates rise by 5%."),
    ("written in C", "written in C++ by one"),
    ("12", "1 2"),
    ("a cat sat", "a cat. On the mat sat"),
    (
        "Members pay ... and may cancel",
        "Members pay and may not leave. From May they may cancel and may cancel.",
    ),
    ("[The mayor] opens the gate", "The keeper, on site, opens the gate"),
]


@pytest.mark.parametrize(("quote", "source"), REFUSED)
def test_a_changed_quotation_is_refused(quote: str, source: str) -> None:
    """Cut words, cut numbers, lost signs and misleading omissions are no quotations."""
    assert not locate_quote(quote, source).is_found


def test_spans_point_at_the_raw_text() -> None:
    """The span of a match is a range of the raw source."""
    source = "Go — the of\u00adfice,  now"
    located = locate_quote("office, now", source)
    assert source[slice(*located.spans[0])] == "of\u00adfice,  now"
