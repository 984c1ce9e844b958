"""Claims that repeat a sentence, and those that only seem to."""

from __future__ import annotations

import pytest

from groundwire.text.echo import echoes
from groundwire.text.reading import Reading

SENTENCE = "The ferry to Birch Island costs $40 and leaves at nine."


@pytest.mark.parametrize(
    ("claim", "is_echo"),
    [
        ("The ferry to Birch Island costs $40 and leaves at nine", True),
        ("Moreover, the ferry to Birch Island costs $40, and leaves at nine!", True),
        ("The ferry to the Birch Island costs $40 and leaves at nine.", True),
        ("The ferry to Birch Island costs £40 and leaves at nine.", False),
        ("The ferry to Birch Island costs 40% and leaves at nine.", False),
        ("The ferry to Birch Island costs about $40 and leaves at nine.", False),
        ("The ferry to Birch Island costs $40 and left at nine.", False),
        ("The ferry from Birch Island costs $40 and leaves at nine.", False),
        ("The ferry to Birch Island leaves at nine and costs $40.", False),
        ("Only the ferry to Birch Island costs $40 and leaves at nine.", False),
        ("The ferry to Birch Island costs $40 and leaves at nine here.", False),
    ],
)
def test_an_echo_has_the_same_words_in_the_same_order(claim: str, is_echo: bool) -> None:
    assert echoes(Reading(claim), Reading(SENTENCE)) is is_echo
