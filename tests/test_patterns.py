"""The one table of patterns for personal data and secrets."""

from __future__ import annotations

import subprocess
import sys

import pytest
from hypothesis import given, strategies as st

from groundwire.errors import ConfigError
from groundwire.patterns import KINDS, find_matches, parse_kinds
from groundwire.patterns.numbers import is_luhn, is_mod_97


def found(text: str) -> list[tuple[str, str]]:
    return [(match.kind, text[match.start : match.end]) for match in find_matches(text)]


FOUND = [
    ("Write to ada@lovelace.net.", ("email", "ada@lovelace.net")),
    ("<mailto:a.b+c@sub.example.co.uk>", ("email", "a.b+c@sub.example.co.uk")),
    ("Schreib an jörg@müller.de!", ("email", "jörg@müller.de")),
    ("call +44 20 7946 0958 now", ("phone", "+44 20 7946 0958")),
    ("(579)888-3058 fax", ("phone", "(579)888-3058")),
    ("Phone: 0490 75 40 81", ("phone", "0490 75 40 81")),
    ("my mobile is 6502530000", ("phone", "6502530000")),
    ("ring 1-800-555-0199 ext. 12", ("phone", "1-800-555-0199 ext. 12")),
    ("電話は 03-1234-5678 です", ("phone", "03-1234-5678")),
    ("my card 4454794511390933 is lost", ("card", "4454794511390933")),
    ("4111 1111 1111 1111", ("card", "4111 1111 1111 1111")),
    ("3782 822463 10005", ("card", "3782 822463 10005")),
    ("card number 630427373398", ("card", "630427373398")),
    ("pay to GB82 WEST 1234 5698 7654 32 today", ("iban", "GB82 WEST 1234 5698 7654 32")),
    ("DE89370400440532013000", ("iban", "DE89370400440532013000")),
    ("his SSN is 219-46-1234.", ("ssn", "219-46-1234")),
    ("social security number 219461234", ("ssn", "219461234")),
    ("from 106.31.73.20|x", ("ip", "106.31.73.20")),
    ("host [2001:db8::1]:80", ("ip", "2001:db8::1")),
    ("use AKIAIOSFODNN7EXAMPLE now", ("secret", "AKIAIOSFODNN7EXAMPLE")),
    ("password: hunter2hunter2", ("secret", "hunter2hunter2")),
    ("Authorization: Bearer abcdef0123456789abcd", ("secret", "abcdef0123456789abcd")),
    ("postgres://user:s3cret-word@db/x", ("secret", "s3cret-word")),
]

NOT_FOUND = [
    "pi is 3.14159265358",
    "invoice 6502530000",
    "call about invoice 6502530000",
    "2003-08-28 12:30:45 and 28.08.2003",
    "from 1990-1995 and 2019 - 2020",
    "550e8400-e29b-41d4-a716-446655440000",
    "ISBN 978-3-16-148410-0",
    "version 1.2.3.4 and v10.20.30.40",
    "section 3.1.4.1",
    "card 0000000000000000",
    "order 4111111111111111",
    "4111111111111112",
    "GB82WEST12345698765433",
    "000-12-3456 666-12-3456 912-12-3456 123-00-4567 123-45-0000",
    "user@localhost and a@b.c",
    "std::vector<int> at 12:30:45",
    "1,234,567 people and 1 234 567 euros",
    "a fee of $555-123-4567",
    "the password is required",
    "driver's license number is 2270-66-1551",
    "3b0d65afec8dcd163b0d65afec8dcd16",
]


@pytest.mark.parametrize(("text", "expected"), FOUND)
def test_a_value_is_found_with_its_exact_range(text, expected):
    """The range covers the value alone."""
    assert expected in found(text)


@pytest.mark.parametrize("text", NOT_FOUND)
def test_a_look_alike_is_left_alone(text):
    """Numbers that only look like personal data are not reported."""
    assert found(text) == []


def test_several_values_are_found_in_order_and_neighbors_do_not_hide_each_other():
    """Values that stand one after the other are told apart."""
    text = "DE89370400440532013000 FR1420041010050500013M02606, 579-888-3058 780-999-2181"
    assert [kind for kind, _ in found(text)] == ["iban", "iban", "phone", "phone"]


def test_only_the_kinds_asked_for_are_found():
    """A caller's kinds are heeded."""
    text = "ada@lovelace.net 106.31.73.20"
    assert [match.kind for match in find_matches(text, {"ip"})] == ["ip"]


def test_a_settings_text_names_kinds_in_plural_or_singular():
    """The live setting's words are understood, and others refused."""
    assert parse_kinds("secrets,cards,email,phone") == {"secret", "card", "email", "phone"}
    assert parse_kinds(["all"]) == set(KINDS)
    with pytest.raises(ConfigError, match="names"):
        parse_kinds("names")


@given(st.text(alphabet=st.characters() | st.sampled_from("@.-+ ()0123456789:/=eyJ_sk"), max_size=200))
def test_matches_lie_inside_the_text_in_order_and_do_not_overlap(text):
    """Whatever the text, ranges are valid and finding them does not raise."""
    matches = find_matches(text)
    ends = [0] + [match.end for match in matches]
    assert all(end <= match.start < match.end <= len(text) for end, match in zip(ends, matches, strict=False))


@given(st.integers(0, 10**18))
def test_a_luhn_number_fails_with_any_other_last_digit(number):
    """Exactly one last digit is right."""
    assert sum(is_luhn(f"{number}{digit}") for digit in range(10)) == 1


def test_an_iban_with_two_neighbors_swapped_is_refused():
    """The mod 97 check sees a transposition."""
    good = "DE89370400440532013000"
    swapped = [
        good[:i] + good[i + 1] + good[i] + good[i + 2 :] for i in range(4, 20) if good[i] != good[i + 1]
    ]
    assert is_mod_97(good)
    assert not any(map(is_mod_97, swapped))


def test_the_table_needs_the_standard_library_only():
    """Live redaction loads nothing of the offline side."""
    offline = "'msgspec', 'pydantic', 'phonenumbers', 'stdnum'"
    code = (
        f"import sys, groundwire.patterns; print([m for m in sys.modules if m.split('.')[0] in ({offline})])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
