"""The protobuf reader against the JSON reader."""

from __future__ import annotations

from typing import Any

from google.protobuf import json_format
from hypothesis import given, settings, strategies as st
from opentelemetry.proto.logs.v1 import logs_pb2
from opentelemetry.proto.trace.v1 import trace_pb2

from envelopes.otlp_lines import otlp_request
from groundwire.envelopes.otlp import read_otlp
from groundwire.envelopes.protobuf import read_message
from groundwire.envelopes.stats import Tally
from groundwire.span import Origin

HERE = Origin("x", byte=0)
text = st.text(max_size=20)
scalars = st.one_of(
    text.map(lambda value: {"stringValue": value}),
    st.integers(-(2**63), 2**63 - 1).map(lambda value: {"intValue": str(value)}),
    st.floats(allow_nan=False, allow_infinity=False).map(lambda value: {"doubleValue": value}),
    st.booleans().map(lambda value: {"boolValue": value}),
    st.sampled_from(["", "AAE="]).map(lambda value: {"bytesValue": value}),
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
times = st.integers(0, 2**63 - 1).map(str)
trace_ids = st.sampled_from(["W47/95gDgQPSabYzgT/GDA==", "aYQql5kRA2zz6CIIbsqgBw=="])
span_ids = st.sampled_from(["7uGbfsPBsXQ=", "Wmn8F4uo+Dc="])
events = st.fixed_dictionaries({"name": text, "timeUnixNano": times, "attributes": pairs})
links = st.fixed_dictionaries({"traceId": trace_ids, "spanId": span_ids, "attributes": pairs})
spans = st.fixed_dictionaries(
    {"traceId": trace_ids, "spanId": span_ids, "name": text, "attributes": pairs},
    optional={
        "parentSpanId": span_ids,
        "kind": st.integers(0, 5),
        "startTimeUnixNano": times,
        "endTimeUnixNano": times,
        "events": st.lists(events, max_size=2),
        "links": st.lists(links, max_size=2),
        "status": st.fixed_dictionaries({"code": st.integers(0, 2), "message": text}),
        "traceState": text,
        "flags": st.integers(0, 2**32 - 1),
        "droppedAttributesCount": st.integers(0, 99),
    },
)
logs = st.fixed_dictionaries(
    {"timeUnixNano": st.integers(1, 2**63 - 1).map(str), "attributes": pairs},
    optional={"traceId": trace_ids, "spanId": span_ids, "body": values, "eventName": text},
)


def both(request: dict[str, Any], message: Any) -> tuple[tuple[Any, ...], tuple[Any, ...]]:
    """What the two readers say of one request, and count."""
    packed = json_format.ParseDict(request, message).SerializeToString()
    json_tally, proto_tally = Tally(), Tally()
    read = list(read_otlp(request, HERE, json_tally)), list(read_message(packed, HERE, proto_tally))
    counts = json_tally.stats.duplicate_keys, proto_tally.stats.duplicate_keys
    return (read[0], counts[0]), (read[1], counts[1])


@given(st.lists(spans, min_size=1, max_size=3))
@settings(max_examples=60)
def test_spans_are_the_same_in_protobuf_and_json(given_spans: list[dict[str, Any]]) -> None:
    """The two encodings of one request give equal spans."""
    from_json, from_protobuf = both(otlp_request(*given_spans), trace_pb2.TracesData())
    assert from_json == from_protobuf


@given(st.lists(logs, min_size=1, max_size=3))
@settings(max_examples=60)
def test_logs_are_the_same_in_protobuf_and_json(given_logs: list[dict[str, Any]]) -> None:
    """The two encodings of one request give equal log records."""
    request = {"resourceLogs": [{"scopeLogs": [{"logRecords": given_logs}]}]}
    from_json, from_protobuf = both(request, logs_pb2.LogsData())
    assert from_json == from_protobuf
