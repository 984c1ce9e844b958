"""JSON as it is found: exact where it is valid, mended and counted where it is nearly so."""

from __future__ import annotations

import json
import math
from collections import Counter
from typing import Any

import pytest
from hypothesis import given, strategies as st

from envelopes.otlp_lines import SPAN, otlp_line, otlp_span
from groundwire.envelopes.documents import read_text
from groundwire.envelopes.jsontext import NotJsonError, parse_json
from groundwire.envelopes.stats import Tally
from groundwire.span import Origin

json_values = st.recursive(
    st.one_of(
        st.none(), st.booleans(), st.integers(-(2**63), 2**64 - 1), st.floats(allow_nan=False), st.text()
    ),
    lambda inner: st.one_of(st.lists(inner, max_size=4), st.dictionaries(st.text(), inner, max_size=4)),
    max_leaves=12,
)


@given(json_values, st.booleans())
def test_valid_json_is_exact(value: Any, ascii_only: bool) -> None:
    """Whatever the standard library writes comes back the same, and nothing is mended."""
    repaired: Counter[str] = Counter()
    text = json.dumps(value, ensure_ascii=ascii_only).encode()
    assert parse_json(text, repaired) == json.loads(text)
    assert set(repaired) <= {"int_over_64_bits"} and not repaired["int_over_64_bits"]


MENDED = [
    (rb'{"a":"x\ud800"}', {"a": "x\ufffd"}, "lone_surrogate"),
    (rb'{"\udc00":"\ud83c\udf0a"}', {"\ufffd": "🌊"}, "lone_surrogate"),
    (b'{"a":"Gr\xc3"}', {"a": "Gr\ufffd"}, "invalid_utf8"),
    (b'{"a":"\xff\xfe"}', {"a": "\ufffd\ufffd"}, "invalid_utf8"),
    (b'{"a":123456789012345678901234}', {"a": "123456789012345678901234"}, "int_over_64_bits"),
    (b'{"a":[-9223372036854775809]}', {"a": ["-9223372036854775809"]}, "int_over_64_bits"),
]


@pytest.mark.parametrize(("text", "expected", "kind"), MENDED)
def test_what_no_reader_could_keep_is_mended_and_counted(text: bytes, expected: Any, kind: str) -> None:
    """Damaged characters become U+FFFD, integers beyond 64 bits keep their digits as text."""
    repaired: Counter[str] = Counter()
    assert parse_json(text, repaired) == expected
    assert repaired == {kind: 1}


def test_numbers_that_json_does_not_have_are_kept() -> None:
    """Bare NaN and infinities, and numbers too large for a float, are what they say."""
    found = parse_json(b'{"a":NaN,"b":-Infinity,"c":1e400,"d":"\t"}', Counter())
    assert math.isnan(found["a"])
    assert (found["b"], found["c"], found["d"]) == (-math.inf, math.inf, "\t")


@pytest.mark.parametrize("text", [b"", b"{", b"}{", b'{"a":1,}', b"{}\0\0", b"nonsense", b'{"a":01}'])
def test_what_is_not_json_is_refused(text: bytes) -> None:
    """Damage of the structure is no matter of mending."""
    with pytest.raises(NotJsonError):
        parse_json(text, Counter())


@pytest.mark.parametrize("levels", [1_100, 100_000])
def test_one_deep_value_does_not_cost_its_batch(levels: int) -> None:
    """Beyond a depth that no telemetry has a value is null; the spans of its line are read."""
    deep = b'{"arrayValue":{"values":' + b"[" * levels + b"]" * levels + b"}}"
    line = otlp_line(otlp_span(attributes=[{"key": "deep", "value": "@"}]), otlp_span(span_id="1" * 16))
    tally = Tally()
    first, second = read_text(
        line.replace(b'"@"', b'{"arrayValue":{"values":' + deep + b"}}"), Origin("x"), tally
    )
    assert (first.span_id, second.attributes) == (SPAN, {"question": "Who?"})
    assert list(first.attributes) == ["deep"]
    assert tally.stats.repaired["too_deep"] >= 1
