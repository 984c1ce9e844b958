"""The fast reader against the general one."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, strategies as st

from envelopes.otlp_lines import otlp_attributes, otlp_request, otlp_span
from groundwire.envelopes.otlp import read_otlp
from groundwire.envelopes.otlp_fast import read_exact_spans
from groundwire.envelopes.stats import Tally
from groundwire.span import Origin

HERE = Origin("x", 1, 0)
text = st.text(max_size=20)
scalars = st.one_of(
    text.map(lambda value: {"stringValue": value}),
    st.integers(-(2**70), 2**70).map(lambda value: {"intValue": str(value)}),
    st.integers(-(2**63), 2**63).map(lambda value: {"intValue": value}),
    st.floats(allow_nan=False, allow_infinity=False).map(lambda value: {"doubleValue": value}),
    st.sampled_from(["Infinity", "-Infinity", "1.5", "much"]).map(lambda value: {"doubleValue": value}),
    st.booleans().map(lambda value: {"boolValue": value}),
    st.sampled_from(["", "AAE=", "AAE", "?"]).map(lambda value: {"bytesValue": value}),
    st.just({}),
)
values = st.recursive(
    scalars,
    lambda inner: st.one_of(
        st.lists(inner, max_size=3).map(lambda items: {"arrayValue": {"values": items}}),
        st.lists(st.builds(lambda k, v: {"key": k, "value": v}, text, inner), max_size=3).map(
            lambda pairs: {"kvlistValue": {"values": pairs}}
        ),
    ),
    max_leaves=6,
)
pairs = st.lists(st.builds(lambda key, value: {"key": key, "value": value}, text, values), max_size=4)
ids = st.sampled_from(
    ["", "0" * 32, "5b8efff798038103d269b633813fc60c", "5B8EFFF798038103D269B633813FC60C", "zz"]
)
times = st.sampled_from([None, 0, "0", "1700000000000000000", 1700000000000000000, "soon", "9" * 19])
spans = st.fixed_dictionaries(
    {"traceId": ids, "spanId": ids},
    optional={
        "parentSpanId": ids,
        "name": text,
        "kind": st.sampled_from([0, 3, 9, "SPAN_KIND_CLIENT", "?"]),
        "startTimeUnixNano": times,
        "endTimeUnixNano": times,
        "attributes": pairs,
        "events": st.lists(st.fixed_dictionaries({"name": text}, optional={"attributes": pairs}), max_size=2),
        "links": st.lists(st.fixed_dictionaries({"traceId": ids, "spanId": ids}), max_size=2),
        "status": st.sampled_from([{}, {"code": 2, "message": "no"}, {"code": "STATUS_CODE_OK"}]),
        "traceState": text,
        "flags": st.integers(0, 2**32 - 1),
        "droppedAttributesCount": st.integers(0, 99),
    },
)


@given(st.lists(spans, max_size=3))
def test_fast_and_general_never_differ(given_spans: list[dict[str, Any]]) -> None:
    """Whatever the fast reader takes, the general one reads the same way, with the same counts."""
    line = json.dumps(otlp_request(*given_spans), separators=(",", ":")).encode()
    fast, general = Tally(), Tally()
    found = read_exact_spans(line, HERE, fast)
    assert found is not None
    assert found == list(read_otlp(json.loads(line), HERE, general))
    fast.stats.formats.clear()
    assert fast.stats == general.stats


ODD = {
    "a key in snake_case": {"parent_span_id": "eee19b7ec3c1b173"},
    "a field of a newer version": {"entropy": 7},
    "an int that is a float": {"attributes": [{"key": "a", "value": {"intValue": 1.5}}]},
    "a value in snake_case": {"attributes": [{"key": "a", "value": {"string_value": "x"}}]},
    "no value": {"attributes": [{"key": "a"}]},
    "a null": {"attributes": None},
}


@pytest.mark.parametrize("fields", ODD.values(), ids=ODD.keys())
def test_what_is_not_exactly_otlp_is_left_to_the_general_reader(fields: dict[str, Any]) -> None:
    """The fast reader refuses what it might misread."""
    line = json.dumps(otlp_request(otlp_span(**fields))).encode()
    assert read_exact_spans(line, HERE, Tally()) is None


def test_values_beyond_a_hundred_levels_are_left_out_alike() -> None:
    """Deep nesting is cut at the same level by both readers, and counted."""
    deep: Any = "x"
    for _ in range(120):
        deep = [deep]
    line = json.dumps(otlp_request(otlp_span(attributes=otlp_attributes(deep=deep)))).encode()
    fast, general = Tally(), Tally()
    assert read_exact_spans(line, HERE, fast) == list(read_otlp(json.loads(line), HERE, general))
    assert fast.stats.repaired == general.stats.repaired == {"too_deep": 1}
