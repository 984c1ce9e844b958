"""Content that other instrumentations put on log events reaches the record through the Collector."""

import json
import urllib.request
from collections.abc import Callable
from typing import Any

import pytest

from collector.running import Collector
from groundwire import read_records

pytestmark = pytest.mark.real
Make = Callable[..., Collector]
IDS = {"traceId": "0af7651916cd43dd8448eb211c80319c", "spanId": "b7ad6b7169203331"}


def value(plain: Any) -> dict[str, Any]:
    """A plain value as OTLP/JSON has it."""
    if isinstance(plain, str):
        return {"stringValue": plain}
    if isinstance(plain, list):
        return {"arrayValue": {"values": [value(one) for one in plain]}}
    return {"kvlistValue": {"values": attributes(plain)}}


def attributes(plain: dict[str, Any]) -> list[dict[str, Any]]:
    return [{"key": key, "value": value(one)} for key, one in plain.items()]


def message(role: str, text: str) -> dict[str, Any]:
    return {"role": role, "parts": [{"type": "text", "content": text}]}


def post(running: Collector, path: str, body: dict[str, Any]) -> None:
    request = urllib.request.Request(
        running.http + path, json.dumps(body).encode(), {"Content-Type": "application/json"}
    )
    with urllib.request.urlopen(request, timeout=5):
        pass


@pytest.mark.parametrize("configuration", ["laptop.yaml", "production.yaml"])
def test_messages_on_log_events_are_read(configuration: str, collector: Make) -> None:
    """Structured messages of an event are joined to their span, also where redaction made them JSON text."""
    running = collector(configuration).start()
    span = {
        **IDS,
        "name": "chat m1",
        "kind": 3,
        "startTimeUnixNano": "1796064463529639022",
        "endTimeUnixNano": "1796064463629639022",
        "attributes": attributes({"gen_ai.operation.name": "chat", "gen_ai.request.model": "m1"}),
    }
    details = {
        "gen_ai.input.messages": [message("user", "Who wrote it,\nand when?")],
        "gen_ai.output.messages": [message("assistant", "Ada, in 1843.")],
    }
    event = {
        **IDS,
        "timeUnixNano": "1796064463629639022",
        "eventName": "gen_ai.client.inference.operation.details",
        "attributes": attributes(details),
    }
    post(running, "/v1/traces", {"resourceSpans": [{"scopeSpans": [{"spans": [span]}]}]})
    post(running, "/v1/logs", {"resourceLogs": [{"scopeLogs": [{"logRecords": [event]}]}]})
    [record] = read_records(running.traces)
    assert (record.question, record.answer) == ("Who wrote it,\nand when?", "Ada, in 1843.")
    assert record.model == "m1"
