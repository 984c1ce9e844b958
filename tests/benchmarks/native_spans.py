"""Generates OTLP/JSON lines of native answer spans, as a Collector's file exporter writes them."""

from __future__ import annotations

import hashlib
import json
import random
from collections.abc import Iterator

PLAIN = (
    "the aare flows through bern and joins rhine near koblenz in canton of aargau carrying more water than "
    "where does it end which river loop old town stone bridge valley winter 288 km 1,240 m since 1857"
).split()
TYPOGRAPHIC = [*PLAIN, "“old”", "town’s", "—", "größe"]
"""Such characters double the memory of a text, and halve the speed of every decoder."""
SPANS_PER_BATCH = 512
"""What the SDKs' batch processors export at once, unless told otherwise."""


def native_lines(
    spans: int, *, per_line: int = SPANS_PER_BATCH, words: list[str] = PLAIN, seed: int = 7
) -> Iterator[bytes]:
    """Yield lines of ``per_line`` spans; each with 5 contexts of 1,000 characters and its own trace."""
    dice = random.Random(seed)
    for first in range(0, spans, per_line):
        batch = [_span(number, words, dice) for number in range(first, min(spans, first + per_line))]
        scoped = {"scope": {"name": "groundwire", "version": "0.1.0"}, "spans": batch}
        resource = {"attributes": [_pair("service.name", "rag"), _pair("telemetry.sdk.language", "python")]}
        request = {"resourceSpans": [{"resource": resource, "scopeSpans": [scoped]}]}
        yield _compact(request).encode() + b"\n"


def _span(number: int, words: list[str], dice: random.Random) -> dict[str, object]:
    documents = [
        {"content": _text(words, dice, 1_000), "id": f"doc-{dice.randrange(9_999)}", "score": 0.9 - i / 10}
        for i in range(5)
    ]
    question, answer = _text(words, dice, 60), _text(words, dice, 400)
    start = 1_700_000_000_000_000_000 + number * 1_000_000
    digest = hashlib.sha256(str(number).encode()).hexdigest()
    return {
        "traceId": digest[:32],
        "spanId": digest[32:48],
        "name": "invoke_workflow answer",
        "kind": 1,
        "startTimeUnixNano": str(start),
        "endTimeUnixNano": str(start + 1_500_000_000),
        "attributes": [
            _pair("gen_ai.operation.name", "invoke_workflow"),
            _pair("openinference.span.kind", "CHAIN"),
            _pair("groundwire.call", f"1:9f86d081884c7d65:{number + 1}"),
            _pair("gen_ai.input.messages", _messages("user", question)),
            _pair("input.value", question),
            _pair("gen_ai.output.messages", _messages("assistant", answer)),
            _pair("output.value", answer),
            _pair("gen_ai.retrieval.documents", _compact(documents)),
            _pair("groundwire.citations", _compact([{"quote": answer[:60], "source_id": "1"}])),
            _pair("gen_ai.usage.input_tokens", 812),
            _pair("gen_ai.usage.output_tokens", 90),
            _pair("gen_ai.response.model", "gpt-4o-mini"),
        ],
        "status": {},
        "flags": 256,
    }


def _messages(role: str, text: str) -> str:
    return _compact([{"role": role, "parts": [{"type": "text", "content": text}]}])


def _compact(value: object) -> str:
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False)


def _pair(key: str, value: str | int) -> dict[str, object]:
    return {
        "key": key,
        "value": {"intValue": str(value)} if isinstance(value, int) else {"stringValue": value},
    }


def _text(words: list[str], dice: random.Random, length: int) -> str:
    text = ""
    while len(text) < length:
        text += dice.choice(words) + " "
    return text[:length]
