"""Small OTLP/JSON documents for the tests of this folder; each argument overrides one field."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

SHARED = Path(__file__).parents[3] / "shared" / "traces"
TRACE = "5b8efff798038103d269b633813fc60c"
SPAN = "eee19b7ec3c1b174"


def otlp_value(value: Any) -> dict[str, Any]:
    if isinstance(value, bool):
        return {"boolValue": value}
    if isinstance(value, int):
        return {"intValue": str(value)}
    if isinstance(value, float):
        return {"doubleValue": value}
    if isinstance(value, list):
        return {"arrayValue": {"values": [otlp_value(item) for item in value]}}
    return {"stringValue": value}


def otlp_attributes(**values: Any) -> list[dict[str, Any]]:
    return [{"key": key, "value": otlp_value(value)} for key, value in values.items()]


def otlp_span(trace_id: str = TRACE, span_id: str = SPAN, **fields: Any) -> dict[str, Any]:
    span = {
        "traceId": trace_id,
        "spanId": span_id,
        "name": "answer",
        "kind": 1,
        "startTimeUnixNano": "1700000000000000000",
        "endTimeUnixNano": "1700000001000000000",
        "attributes": otlp_attributes(question="Who?"),
    }
    return {**span, **fields}


def otlp_request(*spans: dict[str, Any], scope: str = "tests") -> dict[str, Any]:
    scoped = [{"scope": {"name": scope}, "spans": list(spans)}]
    resource = {"attributes": otlp_attributes(service="rag")}
    return {"resourceSpans": [{"resource": resource, "scopeSpans": scoped}]}


def otlp_line(*spans: dict[str, Any]) -> bytes:
    return json.dumps(otlp_request(*(spans or (otlp_span(),))), separators=(",", ":")).encode()
