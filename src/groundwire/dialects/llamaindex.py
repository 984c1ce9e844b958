"""LlamaIndex's own OpenTelemetry integration: each of its events is a span event, its fields flattened.

A field's path is the key (``response.raw.usage.prompt_tokens``), ``"null"`` stands for None and a list is
JSON. One event tells what began, another what came of it (``RetrievalStartEvent``, ``RetrievalEndEvent``).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from groundwire.dialects.documents import read_contexts
from groundwire.dialects.form import Reading, Role, Surroundings
from groundwire.dialects.genai_fields import found, put_input, put_output
from groundwire.dialects.messages import read_answer, read_question
from groundwire.dialects.usage import usage_in
from groundwire.dialects.values import as_label, as_text, parse_json
from groundwire.span import SpanData

_SCOPE = "llamaindex"
_ROLES = {
    "Query": Role.CHAIN, "Synthesize": Role.CHAIN, "StreamChat": Role.CHAIN, "AgentRunStep": Role.CHAIN,
    "AgentChatWithStep": Role.CHAIN, "Retrieval": Role.RETRIEVAL, "ReRank": Role.RERANK,
    "LLMChat": Role.LLM, "LLMCompletion": Role.LLM, "Embedding": Role.EMBEDDING,
}  # fmt: skip
_MAX_DEPTH = 12
_SUFFIXES = ("StartEvent", "EndEvent")


class LlamaIndex:
    """Spans of the scope ``llamaindex…``, or with one of its events."""

    name = "llamaindex"

    def detect(self, span: SpanData) -> str | None:
        """Return the event that says what the span did, or the scope."""
        for event in span.events:
            if _step_of(event.name) in _ROLES and event.attributes.get("class_name") == event.name:
                return f"event {event.name}"
        return f"scope {span.scope.name}" if span.scope.name.startswith(_SCOPE) else None

    def read(self, span: SpanData, why: str, around: Surroundings) -> Reading:
        """Return what the span's events say; a span without events has no part of its own."""
        fields: dict[str, Any] = {}
        step = None
        for event in span.events:
            named = _step_of(event.name)
            if named in _ROLES:
                step = step or named
                _unflatten(event.attributes, fields)
        reading = Reading(span=span, role=_ROLES.get(step or "", Role.OTHER), dialect=self.name, why=why)
        if reading.role in (Role.RETRIEVAL, Role.RERANK):
            _read_retrieval(reading, fields, f"event {step}EndEvent")
        elif reading.role is Role.LLM:
            _read_model(reading, fields, f"event {step}EndEvent")
        elif reading.role is Role.CHAIN:
            reading.rank = 2 if step == "Query" else 1
            _read_engine(reading, fields, f"event {step}EndEvent")
        return reading


def _step_of(name: str) -> str:
    return next((name.removesuffix(suffix) for suffix in _SUFFIXES if name.endswith(suffix)), "")


def _unflatten(attributes: Mapping[str, Any], into: dict[str, Any]) -> None:
    """Put flattened fields back into the mappings that they came from; what is null stays unset."""
    for key, value in attributes.items():
        *path, last = key.split(".", _MAX_DEPTH)
        inner = into
        for name in path:
            held = inner.setdefault(name, {})
            inner = held if isinstance(held, dict) else {}
        if value != "null":
            inner[last] = parse_json(value).value


def _read_retrieval(reading: Reading, fields: Mapping[str, Any], source: str) -> None:
    query = fields.get("str_or_query_bundle", fields.get("query"))
    reading.put("query", read_question(query) if query is not None else None, f"{source}.query")
    if fields.get("nodes") is None:
        return
    documents = read_contexts(fields["nodes"])
    if documents.contexts is not None:
        reading.documents, reading.sources["documents"] = documents.contexts, f"{source}.nodes"
    if documents.damage is not None:
        reading.damage["documents"] = documents.damage


def _read_model(reading: Reading, fields: Mapping[str, Any], source: str) -> None:
    put_input(reading, found(fields.get("messages", fields.get("prompt")), f"{source}.messages"))
    model = _mapping(fields.get("model_dict"))
    response = _mapping(fields.get("response"))
    raw = _mapping(response.get("raw"))
    if raw:
        put_output(reading, found(raw, f"{source}.response.raw"))
        reading.put("usage", usage_in(raw), f"{source}.response.raw.usage")
        reading.put("response_id", as_label(raw.get("id")), f"{source}.response.raw.id")
        reading.put("model", as_label(raw.get("model")), f"{source}.response.raw.model")
    said = response.get("message", response.get("text"))
    reading.put("answer", read_answer(said).text if said is not None else None, f"{source}.response")
    reading.put("model", as_label(model.get("model_name", model.get("model"))), f"{source}.model_dict")
    kind = (as_label(model.get("class_name")) or "").lower()
    reading.put("provider", kind.removesuffix("_llm") or None, f"{source}.model_dict.class_name")


def _read_engine(reading: Reading, fields: Mapping[str, Any], source: str) -> None:
    asked = fields.get("query", fields.get("user_msg"))
    reading.put("question", read_question(asked) if asked is not None else None, f"{source}.query")
    response = fields.get("response")
    text = as_text(response) or as_text(_mapping(response).get("response"))
    reading.put("answer", text, f"{source}.response")
    nodes = _mapping(response).get("source_nodes")
    reading.put("carried", read_contexts(nodes).contexts if nodes else None, f"{source}.source_nodes")


def _mapping(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, Mapping) else {}
