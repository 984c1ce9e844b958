"""Ids, times, enumerations and attribute values in all their spellings."""

from __future__ import annotations

from base64 import b64encode
from typing import Any

import pytest
from hypothesis import given, strategies as st

from groundwire.envelopes.ids import parse_span_id, parse_trace_id
from groundwire.envelopes.stats import ReadStats
from groundwire.envelopes.times import parse_moment_ns, parse_time_ns
from groundwire.envelopes.values import parse_any_value, parse_attributes, parse_kind, parse_status

TRACE = "5b8efff798038103d269b633813fc60c"
ids = st.binary(min_size=16, max_size=16).filter(any)


@given(ids)
def test_every_spelling_of_a_trace_id_is_the_same_id(raw: bytes) -> None:
    """Hex of either case, with 0x, dashes or a prefix, and base64 with or without padding agree."""
    hexed, encoded = raw.hex(), b64encode(raw).decode()
    dashed = "-".join((hexed[:8], hexed[8:12], hexed[12:16], hexed[16:20], hexed[20:]))
    spellings = (hexed, hexed.upper(), f"0x{hexed}", dashed, f"tr-{hexed}", f"trace:/here/{hexed}", raw)
    stats = ReadStats()
    assert {parse_trace_id(each, stats) for each in (*spellings, encoded, encoded.rstrip("="))} == {hexed}
    assert stats.derived_ids == 0


@pytest.mark.parametrize(
    "value", ["", "0" * 32, "0x" + "0" * 32, "A" * 22 + "==", b"\0" * 16, b"", None, [], 0]
)
def test_an_id_of_zeros_is_no_id(value: Any) -> None:
    """Absent, empty and all-zero ids are None in every spelling."""
    assert parse_trace_id(value, ReadStats()) is None


def test_short_ids_are_padded_on_the_left() -> None:
    """64-bit trace ids and ids without leading zeros get the zeros back."""
    assert parse_trace_id("d269b633813fc60c", ReadStats()) == "0" * 16 + "d269b633813fc60c"
    assert parse_span_id("2", ReadStats()) == "0" * 15 + "2"


def test_foreign_ids_stay_apart_and_are_counted() -> None:
    """Ids of no known spelling become digests: equal ones equal, different ones different."""
    stats = ReadStats()
    found = [parse_trace_id(text, stats) for text in ("zzz", "zzz", "zzy", "answer 1")]
    assert found[0] == found[1]
    assert len(set(found)) == 3
    assert stats.derived_ids == 4


TIMES = {
    "2023-11-14T22:13:20Z": 1_700_000_000_000_000_000,
    "2023-11-14 22:13:20.123456": 1_700_000_000_123_456_000,
    "2023-11-14T22:13:20.123456789Z": 1_700_000_000_123_456_789,
    "2023-11-14T23:13:20+01:00": 1_700_000_000_000_000_000,
    "1700000000123456789": 1_700_000_000_123_456_789,
    1700000000123456789: 1_700_000_000_123_456_789,
    "0": None,
    0: None,
    "": None,
    None: None,
}


@pytest.mark.parametrize(("given_time", "expected"), TIMES.items())
def test_times_are_nanoseconds_utc(given_time: Any, expected: int | None) -> None:
    """Numbers, their text and ISO 8601 agree; zero and absent are None."""
    stats = ReadStats()
    assert parse_time_ns(given_time, stats) == expected
    assert not stats.repaired


@pytest.mark.parametrize("given_time", ["yesterday", -5, "99999999999999999999", True, {"a": 1}])
def test_a_time_that_is_none_is_counted(given_time: Any) -> None:
    """What is no point in time becomes None, and is counted."""
    stats = ReadStats()
    assert parse_time_ns(given_time, stats) is None
    assert stats.repaired["bad_time"] == 1


@pytest.mark.parametrize("scale", [1, 10**3, 10**6, 10**9])
def test_moments_tell_their_unit_by_their_size(scale: int) -> None:
    """Seconds, milli-, micro- and nanoseconds of today can not be confused."""
    assert parse_moment_ns(1_700_000_000 * scale, ReadStats()) == 1_700_000_000_000_000_000


def test_enumerations_take_numbers_and_names() -> None:
    """Numbers, their text, OTLP names, SDK names and bare names agree."""
    stats = ReadStats()
    assert {
        parse_kind(each, stats) for each in (3, "3", "SPAN_KIND_CLIENT", "SpanKind.CLIENT", "Client")
    } == {3}
    assert {parse_status(each, stats) for each in (2, "2", "STATUS_CODE_ERROR", "ERROR", "Error")} == {
        "error"
    }
    assert not stats.repaired
    assert (parse_kind("SPAN_KIND_X", stats), parse_status("?", stats)) == (0, "unset")
    assert stats.repaired == {"unknown_kind": 1, "unknown_status": 1}


VALUES = [
    ({"stringValue": "x"}, "x"),
    ({"intValue": "-9223372036854775808"}, -(2**63)),
    ({"intValue": 7}, 7),
    ({"intValue": 7.0}, 7),
    ({"int_value": "7"}, 7),
    ({"intValue": "123456789012345678901"}, "123456789012345678901"),
    ({"doubleValue": 1}, 1.0),
    ({"doubleValue": "-Infinity"}, float("-inf")),
    ({"boolValue": False}, False),
    ({"bytesValue": "AAE="}, b"\x00\x01"),
    ({"bytesValue": ""}, b""),
    ({"arrayValue": {}}, []),
    ({"kvlistValue": {"values": [{"key": "a", "value": {"stringValue": ""}}]}}, {"a": ""}),
    ({}, None),
    (None, None),
    ("bare", "bare"),
]


@pytest.mark.parametrize(("value", "expected"), VALUES)
def test_attribute_values_keep_their_type_and_digits(value: Any, expected: Any) -> None:
    """Every AnyValue becomes the one Python value that it stands for."""
    found = parse_any_value(value, ReadStats())
    assert (found, type(found)) == (expected, type(expected))


def test_of_a_key_that_comes_twice_the_last_stays() -> None:
    """Duplicate attribute keys are counted; the last value wins."""
    stats = ReadStats()
    pairs = [{"key": "a", "value": {"stringValue": text}} for text in "xyz"]
    assert parse_attributes(pairs, stats) == {"a": "z"}
    assert stats.duplicate_keys == 2
