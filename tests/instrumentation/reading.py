"""Reads spans back the way WIRE.md says, without the offline side."""

from __future__ import annotations

import json
from typing import Any

from opentelemetry.sdk.trace import ReadableSpan

from groundwire import semconv


def question_of(span: ReadableSpan) -> str | None:
    messages = _json(span, semconv.INPUT_MESSAGES)
    if not messages or messages[-1]["role"] != "user" or messages[-1].get("question") is False:
        return None
    return str(messages[-1]["parts"][0]["content"])


def history_of(span: ReadableSpan) -> list[tuple[str, str]]:
    messages = _json(span, semconv.INPUT_MESSAGES) or []
    if question_of(span) is not None:
        messages = messages[:-1]
    return [(message["role"], message["parts"][0]["content"]) for message in messages]


def answer_of(span: ReadableSpan) -> str | None:
    messages = _json(span, semconv.OUTPUT_MESSAGES)
    return None if messages is None else messages[0]["parts"][0]["content"]


def documents_of(span: ReadableSpan) -> list[dict[str, Any]] | None:
    return _json(span, semconv.RETRIEVAL_DOCUMENTS)


def citations_of(span: ReadableSpan) -> list[dict[str, Any]] | None:
    return _json(span, semconv.CITATIONS)


def changes_of(span: ReadableSpan) -> dict[tuple[str, str], int]:
    rows = _json(span, semconv.CHANGES) or []
    return {(row["field"], row["change"]): row["count"] for row in rows}


def attribute_of(span: ReadableSpan, name: str) -> Any:
    return (span.attributes or {}).get(name)


def _json(span: ReadableSpan, name: str) -> Any:
    text = attribute_of(span, name)
    return None if text is None else json.loads(text)
