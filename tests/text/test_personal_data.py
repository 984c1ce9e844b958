"""Personal data made comparable."""

from __future__ import annotations

import pytest
from hypothesis import given, strategies as st

from groundwire.errors import ConfigError
from groundwire.text.personal_data import find_personal_data, locate_value, read_canonical


@pytest.mark.parametrize(
    ("value", "written"),
    [
        ("ada@lovelace.net", "Mail ADA@Lovelace.net now"),
        ("+44 20 7946 1234", "Reception: 020 7946-1234."),
        ("+44 (0)20 7946 1234", "tel:+442079461234"),
        ("4454794511390933", "card 4454 7945 1139 0933"),
        ("GB82WEST12345698765432", "gb82 west 1234 5698 7654 32"),
        ("2001:db8:0:0::1", "at 2001:DB8::1 today"),
        ("219-46-1234", "219 46 1234"),
        ("ada@lovelace.net", "a\u200bda@love\u00adlace.net"),
    ],
)
def test_a_value_is_found_however_it_is_written_there(value, written):
    """Spacing, case, punctuation and invisible characters do not hide a value."""
    (datum,) = find_personal_data(f"phone or card or SSN {value}")
    assert locate_value(datum, written) is not None


@pytest.mark.parametrize(
    ("value", "other"),
    [
        ("ada@lovelace.net", "bada@lovelace.net"),
        ("card 4454794511390933", "44547945113909331"),
        ("phone 668 5702", "1668 5702"),
        ("10.1.2.3", "110.1.2.3"),
    ],
)
def test_a_value_inside_a_longer_one_is_not_it(value, other):
    """Neighboring characters make another value."""
    (datum,) = find_personal_data(value)
    assert locate_value(datum, other) is None


@pytest.mark.parametrize(
    "text",
    [
        "ada@example.com", "x@shop.test", "192.0.2.1", "127.0.0.1", "10.0.0.8", "2001:db8::7", "123-45-6789",
        "+1 202 555 0143", "GB82 WEST 1234 5698 7654 32", "078-05-1120", "4111111111111111",
        "AKIAIOSFODNN7EXAMPLE",
    ],
)  # fmt: skip
def test_published_samples_are_marked(text):
    """A documentation value belongs to nobody."""
    assert [datum.is_sample for datum in find_personal_data(text)] == [True]


def test_national_numbers_are_found_only_when_asked_for_and_by_their_check_digits():
    """Identity numbers of configured kinds, never repeated digits, never without a word for plain digits."""
    names = ["gb.nhs", "nl.bsn", "br.cpf", "es.dni", "pl.pesel"]
    text = (
        "NHS number 943 476 5919, BSN 111222333, CPF 390.533.447-05, DNI 54362315-K, PESEL 44051401359; "
        "order 111222333, CPF 11111111111, BSN 111222334"
    )
    found = [text[datum.start : datum.end] for datum in find_personal_data(text, national_ids=names)]
    assert found == ["943 476 5919", "111222333", "390.533.447-05", "54362315-K", "44051401359"]
    assert "national_id" not in {datum.kind for datum in find_personal_data(text)}


def test_a_region_adds_its_own_phone_numbers():
    """A national number without a word is one by the region's numbering plan."""
    text = "Montag 030/123456, Rechnung 030123456, am 12.10.2020"
    assert find_personal_data(text) == []
    assert [text[d.start : d.end] for d in find_personal_data(text, region="DE")] == ["030/123456"]


@pytest.mark.parametrize(
    "options", [{"region": "XX"}, {"national_ids": ["no.such"]}, {"national_ids": ["gb"]}]
)
def test_an_unknown_region_or_number_is_a_configuration_error(options):
    """Wrong options raise where numbers are looked for."""
    with pytest.raises(ConfigError):
        find_personal_data("call 030 12345678 or id 943 476 5919", **options)


def test_canonical_forms_drop_what_is_only_layout():
    """Extensions, prefixes and layout are not part of a number."""
    assert read_canonical("phone", "00 44 20 7946 0958 ext. 12") == "442079460958"
    assert read_canonical("iban", "gb82 west 1234") == "GB82WEST1234"


@given(
    st.text(alphabet=st.characters() | st.sampled_from("@.\u200b\u00ad＠１２-+ 0123456789ab"), max_size=80)
)
def test_ranges_lie_inside_the_raw_text(text):
    """Whatever the text, ranges are those of the raw text, and a value is found where it was found."""
    for datum in find_personal_data(text):
        assert 0 <= datum.start < datum.end <= len(text)
        assert locate_value(datum, text) is not None
