"""Vercel's AI SDK: ``ai.operationId``; an outer span, and one ``.doGenerate`` a step below it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from groundwire.dialects.documents import read_contexts
from groundwire.dialects.form import Reading, Role, Surroundings
from groundwire.dialects.genai_fields import found, put_input, put_output
from groundwire.dialects.toolresult import put_tool_documents
from groundwire.dialects.usage import pick_usage
from groundwire.dialects.values import as_count, as_float, as_label, as_text, decode_text, parse_json
from groundwire.record import RetrievedContext
from groundwire.span import SpanData

_OPERATION = "ai.operationId"
_USAGE = {
    "input_tokens": ("ai.usage.inputTokens", "ai.usage.promptTokens"),
    "output_tokens": ("ai.usage.outputTokens", "ai.usage.completionTokens"),
    "cache_read_input_tokens": ("ai.usage.inputTokenDetails.cacheReadTokens", "ai.usage.cachedInputTokens"),
    "cache_write_input_tokens": ("ai.usage.inputTokenDetails.cacheWriteTokens",),
    "reasoning_output_tokens": ("ai.usage.outputTokenDetails.reasoningTokens", "ai.usage.reasoningTokens"),
}
_LABELS = (
    ("model", ("ai.response.model", "ai.model.id")),
    ("provider", ("ai.model.provider",)),
    ("response_id", ("ai.response.id",)),
    ("finish_reason", ("ai.response.finishReason", "ai.finishReason")),
    ("conversation_id", ("ai.telemetry.metadata.sessionId", "ai.telemetry.metadata.conversationId")),
    ("subject_id", ("ai.telemetry.metadata.userId",)),
)
_ANSWERS = ("ai.response.text", "ai.result.text", "ai.response.object", "ai.result.object")
_FIRST_CHUNK_MS = ("ai.response.msToFirstChunk", "ai.stream.msToFirstChunk")
_TELEMETRY = "ai.telemetry.metadata."


class Vercel:
    """Spans with ``ai.operationId`` or other ``ai.*`` keys of the SDK."""

    name = "vercel-ai-sdk"

    def detect(self, span: SpanData) -> str | None:
        """Return the operation, or a telling key."""
        operation = as_label(span.attributes.get(_OPERATION))
        if operation is not None:
            return f"{_OPERATION}={operation}"
        keys = ("ai.toolCall.name", "ai.model.id", "ai.response.text")
        return next((key for key in keys if key in span.attributes), None)

    def read(self, span: SpanData, why: str, around: Surroundings) -> Reading:
        """Return what the span says; the outer span's counts repeat those of the steps."""
        reading = Reading(span=span, role=_role_of(span), dialect=self.name, why=why)
        _read_labels(reading)
        if reading.role is Role.TOOL:
            name = as_label(span.attributes.get("ai.toolCall.name")) or span.name
            reading.put("query", as_text(span.attributes.get("ai.toolCall.args")), "ai.toolCall.args")
            put_tool_documents(
                reading, span.attributes.get("ai.toolCall.result"), "ai.toolCall.result", name=name
            )
        elif reading.role is Role.RERANK:
            _read_rerank(reading)
        elif reading.role in (Role.LLM, Role.CHAIN):
            _read_texts(reading)
        return reading


def _role_of(span: SpanData) -> Role:
    operation = as_label(span.attributes.get(_OPERATION)) or span.name
    name = operation.split(" ")[0].lower()
    if "toolcall" in name or "ai.toolCall.name" in span.attributes:
        return Role.TOOL
    if "embed" in name:
        return Role.EMBEDDING
    if "rerank" in name:
        return Role.OTHER if ".do" in name else Role.RERANK
    return Role.LLM if ".do" in name else Role.CHAIN


def _read_labels(reading: Reading) -> None:
    attributes = reading.span.attributes
    for name, keys in _LABELS:
        for key in keys:
            reading.put(name, as_label(attributes.get(key)), key)
    if reading.role in (Role.LLM, Role.CHAIN):
        reading.put("usage", pick_usage(attributes, _USAGE), "ai.usage")
        reading.usage_is_total = reading.role is Role.CHAIN
        reading.rank = 2 if reading.role is Role.CHAIN else 0
    for key in _FIRST_CHUNK_MS:
        elapsed = as_float(attributes.get(key))
        if elapsed is not None and 0 <= elapsed < 1e9:
            reading.put("time_to_first_chunk_ns", int(elapsed * 1e6), key)
    for key, value in attributes.items():
        text = as_label(value) if key.startswith(_TELEMETRY) else None
        if text is not None and len(text) <= 200:
            reading.tags[key.removeprefix(_TELEMETRY)] = text


def _read_texts(reading: Reading) -> None:
    attributes = reading.span.attributes
    for key in ("ai.prompt.messages", "ai.prompt"):
        value = attributes.get(key)
        if value is not None:
            put_input(reading, found(_as_prompt(value), key))
    for key in _ANSWERS:
        reading.put("answer", as_text(attributes.get(key)), key)
    if attributes.get("ai.response.content") is not None:
        put_output(reading, found(attributes["ai.response.content"], "ai.response.content"))


def _as_prompt(value: Any) -> Any:
    """``ai.prompt`` holds ``system`` beside either ``prompt`` (a text or messages) or ``messages``."""
    prompt = parse_json(value).value
    if not isinstance(prompt, Mapping) or "messages" in prompt:
        return prompt
    given = prompt.get("prompt")
    system = as_text(prompt.get("system"))
    turns: list[Any] = [{"role": "system", "content": system}] if system else []
    if isinstance(given, list):
        return turns + given
    return [*turns, {"role": "user", "content": given}] if isinstance(given, str) else prompt


def _read_rerank(reading: Reading) -> None:
    attributes = reading.span.attributes
    reading.put("query", as_text(attributes.get("ai.rerank.query", attributes.get("ai.query"))), "ai.query")
    given = parse_json(attributes.get("ai.documents")).value
    items = [decode_item(item) for item in given] if isinstance(given, list) else None
    originals = read_contexts(items).contexts if items is not None else None
    reading.carried = originals
    ranking = parse_json(attributes.get("ai.ranking")).value
    if not isinstance(ranking, list):
        return
    ranked = []
    for entry in ranking:
        row = parse_json(entry).value
        context = _ranked(row, originals or ()) if isinstance(row, Mapping) else None
        if context is not None:
            ranked.append(context)
    reading.documents, reading.sources["documents"] = tuple(ranked), "ai.ranking"


def decode_item(value: Any) -> Any:
    """Each document is JSON of its own: a text in quotes, or an object.

    >>> decode_item('"Ada."'), decode_item('{"text": "Ada."}'), decode_item("Ada.")
    ('Ada.', {'text': 'Ada.'}, 'Ada.')
    """
    parsed = parse_json(value).value
    return decode_text(parsed) if isinstance(parsed, str) else parsed


def _ranked(row: Mapping[str, Any], originals: tuple[RetrievedContext, ...]) -> RetrievedContext | None:
    index = next((n for key in ("originalIndex", "index") if (n := as_count(row.get(key))) is not None), None)
    score = next(
        (s for key in ("score", "relevanceScore") if (s := as_float(row.get(key))) is not None), None
    )
    held = read_contexts([row["document"]]).contexts if row.get("document") is not None else None
    base = held[0] if held else originals[index] if index is not None and index < len(originals) else None
    if base is None:
        return None
    return RetrievedContext(
        id=base.id, text=base.text, score=score, uri=base.uri, title=base.title, metadata=base.metadata
    )
