import hashlib

import orjson
import pytest
import rfc8785
from hypothesis import given, strategies as st

from groundwire.audit.canonical import canonical_bytes, is_plain, kept_bytes, plain_bytes, to_json_value
from groundwire.errors import AuditError

SAFE = 2**53 - 1
TEXT = st.text(st.characters(exclude_categories=["Cs"]))
PLAIN = st.recursive(
    st.none() | st.booleans() | st.integers(-SAFE, SAFE) | TEXT,
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(st.text(st.characters(max_codepoint=127)), inner, max_size=4)
    ),
    max_leaves=12,
)
ANY = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text(st.characters())
    | st.binary(max_size=5),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=12,
)


@given(
    st.floats(allow_nan=False, allow_infinity=False)
    | st.floats(-2, 2)
    | st.decimals(-999, 999, places=3).map(float)
)
def test_fast_reals_equal_those_of_rfc8785(value):
    """A real that takes the fast path is printed as ECMAScript prints it."""
    if is_plain(value):
        assert plain_bytes(value) == rfc8785.dumps(value)
    assert canonical_bytes(value) == rfc8785.dumps(value)


@given(st.dictionaries(st.text(st.characters(exclude_categories=["Cs"])), st.integers(0, 9)))
def test_fast_keys_sort_like_those_of_rfc8785(value):
    """Keys that take the fast path sort by UTF-16 units, whatever the script."""
    assert canonical_bytes(value) == rfc8785.dumps(value)


@given(PLAIN)
def test_fast_bytes_equal_those_of_rfc8785(value):
    """For values such as our records hold, the fast path writes the bytes of RFC 8785."""
    assert is_plain(value)
    assert plain_bytes(value) == rfc8785.dumps(value)


@given(ANY)
def test_any_value_has_a_nearest_one_that_is_canonical(value):
    """Whatever stands in foreign metadata can be written, and reading it back gives the same bytes."""
    written = kept_bytes(value)
    assert canonical_bytes(orjson.loads(written)) == written


@given(st.text(st.characters()))
def test_repairing_a_text_keeps_its_offsets(text):
    """Lone surrogates are replaced one for one."""
    assert len(to_json_value(text)) == len(text)


def test_the_sample_of_the_rfc():
    """RFC 8785 §3.2.3: numbers, strings and literals come out as printed there."""
    sample = {
        "numbers": [333333333.33333329, 1e30, 4.50, 2e-3, 0.000000000000000000000000001],
        "string": '€$\u000f\nA\'B"\\\\"/',
        "literals": [None, True, False],
    }
    digest = hashlib.sha256(canonical_bytes(sample)).hexdigest()
    assert digest == "2d5e01a318d0f0879ab568c4be289c8b1f64ef8921a53c6277d5e069978baacb"


def test_keys_are_sorted_by_utf16_units():
    """RFC 8785 §3.2.3: keys beyond the basic plane sort by their surrogates."""
    sample = {
        "\u20ac": "Euro Sign",
        "\r": "Carriage Return",
        "\ufb33": "Hebrew Letter Dalet With Dagesh",
        "1": "One",
        "😀": "Emoji: Grinning Face",
        "\x80": "Control",
        "\xf6": "Latin Small Letter O With Diaeresis",
    }
    digest = hashlib.sha256(canonical_bytes(sample)).hexdigest()
    assert digest == "5e321556d22018a9656991a9e94f77ec175fa193e52a2429d312f8419ec8b08c"


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (-0.0, "0"),
        (1.0, "1"),
        (1e16, "10000000000000000"),
        (1e21, "1e+21"),
        (1e-7, "1e-7"),
        (5e-324, "5e-324"),
    ],
)
def test_numbers_are_written_as_in_ecmascript(value, text):
    """Reals of foreign metadata follow ECMAScript, not Python."""
    assert canonical_bytes(value).decode() == text


@pytest.mark.parametrize("value", [float("nan"), float("inf"), 2**53, "\ud800", {1: 2}, b"x"])
def test_what_json_can_not_say_is_refused(value):
    """No value is silently rounded or replaced."""
    with pytest.raises(AuditError):
        canonical_bytes(value)
