"""Text that is shown can not steer the terminal it is shown on."""

import json

import pytest
from hypothesis import given, strategies as st

from groundwire.text.printable import escape_json, printable


@pytest.mark.parametrize(
    ("raw", "shown"),
    [
        ("\x1b]0;title\x07", "\\x1b]0;title\\x07"),
        ("over\rwritten", "over\\x0dwritten"),
        ("\x9b31m\x7f", "\\x9b31m\\x7f"),
        ("\u202egnp.exe\u2069", "\\u202egnp.exe\\u2069"),
        ("\ud800", "\\ud800"),
    ],
)
def test_what_steers_a_terminal_is_escaped(raw, shown):
    """Controls, C1 codes, bidirectional overrides and lone surrogates become visible."""
    assert printable(raw) == shown


def test_ordinary_text_stays():
    """Lines, tabs, every script, emoji and joiners are left alone."""
    text = "a\tb\nnaïve — 你好, שלום, مرحبا 👩\u200d🔬\u200f\u00a0\\x1b"
    assert printable(text) == text


@given(st.text(st.characters(codec=None)))
def test_it_can_always_be_written_and_is_stable(text):
    """Whatever the text: it encodes, and escaping it once is enough."""
    shown = printable(text)
    shown.encode()
    assert printable(shown) == shown


@given(st.text(st.characters(codec=None)))
def test_json_stays_the_same_value(text):
    """Programs get what was there, terminals nothing that steers them."""
    shown = escape_json(json.dumps({text: [text]}, ensure_ascii=False))
    assert json.loads(shown) == {text: [text]}
    assert printable(shown) == shown
