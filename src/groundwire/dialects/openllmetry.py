"""OpenLLMetry (Traceloop): ``traceloop.entity.*``, vector database events, GenAI attributes old and new."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from groundwire import semconv
from groundwire.dialects.documents import read_contexts, read_evident_contexts
from groundwire.dialects.form import Reading, Role, Surroundings
from groundwire.dialects.genai import role_of
from groundwire.dialects.messages import read_answer, read_question
from groundwire.dialects.toolresult import put_tool_documents
from groundwire.dialects.values import as_label, as_text, parse_json
from groundwire.record import RetrievedContext
from groundwire.span import SpanData

_KIND = "traceloop.span.kind"
_INPUTS = ("traceloop.entity.input", "gen_ai.task.input")
_OUTPUTS = ("traceloop.entity.output", "gen_ai.task.output")
_RESULT_EVENTS = {"db.query.result": "db.query.result.", "db.search.result": "db.search.result."}
_READS = ("query", "search", "get", "peek", "find", "retrieve", "similarity", "recall", "select")
_MODEL_CALLS = ("chat", "text_completion", "generate_content")
_ASSOCIATION = "traceloop.association.properties."


class OpenLLMetry:
    """Spans with ``traceloop.*``, or of a vector database client."""

    name = "openllmetry"

    def detect(self, span: SpanData) -> str | None:
        """Return the kind attribute, a result event, or the scope."""
        attributes = span.attributes
        kind = as_label(attributes.get(_KIND))
        if kind is not None:
            return f"{_KIND}={kind}"
        for event in span.events:
            if event.name in _RESULT_EVENTS:
                return f"event {event.name}"
        if any(key.startswith("traceloop.") for key in attributes):
            return "traceloop.*"
        return "db.system" if "db.system" in attributes and _is_vector_span(span) else None

    def read(self, span: SpanData, why: str, around: Surroundings) -> Reading:
        """Return what the span says; distances are no scores (lower is better) and become metadata."""
        reading = Reading(span=span, role=_role_of(span), dialect=self.name, why=why)
        if reading.role in (Role.RETRIEVAL, Role.RERANK):
            _read_retrieval(reading)
        elif reading.role is Role.TOOL:
            _read_tool(reading)
        elif reading.role is Role.CHAIN:
            _read_entity(reading)
        _read_association(reading)
        return reading


def _is_vector_span(span: SpanData) -> bool:
    keys = ("db.vector.query.top_k", "db.chroma.query.n_results", "db.operation", "db.operation.name")
    return any(key in span.attributes for key in keys)


def _role_of(span: SpanData) -> Role:
    attributes = span.attributes
    if any(event.name in _RESULT_EVENTS for event in span.events):
        return Role.RETRIEVAL
    if "db.system" in attributes or "db.system.name" in attributes:
        return Role.RETRIEVAL if _is_read(span) else Role.OTHER
    operation = as_label(attributes.get(semconv.OPERATION_NAME)) or ""
    kind = as_label(attributes.get(_KIND))
    if operation in ("vector_db_retrieve", "retrieve", "retrieval"):
        return Role.RETRIEVAL
    if kind == "tool":
        return Role.TOOL
    if operation in _MODEL_CALLS and semconv.REQUEST_MODEL in attributes:
        return Role.LLM
    if kind == "task":
        return _role_of_task(attributes)
    if kind in ("workflow", "agent", "unknown"):
        return Role.CHAIN
    return role_of(span) if any(key.startswith(("gen_ai.", "llm.")) for key in attributes) else Role.OTHER


def _role_of_task(attributes: Mapping[str, Any]) -> Role:
    """A task that returned a list of documents retrieved them, or reranked those that it was given."""
    said = _unwrap_outputs(_first(attributes, _OUTPUTS)[0])
    if not isinstance(said, list) or read_evident_contexts(said).contexts is None:
        return Role.CHAIN
    given = _given_documents(_first(attributes, _INPUTS)[0])
    return Role.RETRIEVAL if given is None else Role.RERANK


def _given_documents(value: Any) -> tuple[RetrievedContext, ...] | None:
    """Documents among a function's input, also as one of its positional arguments."""
    given = parse_json(value).value
    places = given.get("args") if isinstance(given, Mapping) else None
    for item in (given, *(places if isinstance(places, list) else ())):
        contexts = read_evident_contexts(item).contexts if item is not None else None
        if contexts:
            return contexts
    return None


def _is_read(span: SpanData) -> bool:
    operation = span.attributes.get("db.operation", span.attributes.get("db.operation.name"))
    words = f"{as_label(operation) or ''} {span.name}".lower()
    return any(word in words for word in _READS)


def _first(attributes: Mapping[str, Any], names: tuple[str, ...]) -> tuple[Any, str]:
    return next(
        ((attributes[name], name) for name in names if attributes.get(name) is not None), (None, names[0])
    )


def _read_retrieval(reading: Reading) -> None:
    given, given_name = _first(reading.span.attributes, _INPUTS)
    said, said_name = _first(reading.span.attributes, _OUTPUTS)
    reading.put("query", read_question(given) if given is not None else None, given_name)
    hits = _read_events(reading.span)
    if hits is not None:
        reading.documents, reading.sources["documents"] = hits, "event db.query.result"
        return
    if reading.role is Role.RERANK:
        reading.carried = _given_documents(given)
    if said is not None:
        documents = read_contexts(_unwrap_outputs(said))
        reading.put("documents", documents.contexts, said_name)
        if documents.damage is not None:
            reading.damage["documents"] = documents.damage


def _read_events(span: SpanData) -> tuple[RetrievedContext, ...] | None:
    """One event a document; ``db.query.result.score`` is a score, ``.distance`` is not."""
    rows = []
    for event in span.events:
        prefix = _RESULT_EVENTS.get(event.name)
        if prefix is None:
            continue
        row = {key.removeprefix(prefix): value for key, value in event.attributes.items()}
        entity = parse_json(row.pop("entity", None)).value
        row = {**(entity if isinstance(entity, Mapping) else {}), **row}
        row.pop("vector", None)
        rows.append({**row, "metadata": parse_json(row.get("metadata")).value or {}})
    return read_contexts(rows).contexts if rows else None


def _read_tool(reading: Reading) -> None:
    given, given_name = _first(reading.span.attributes, _INPUTS)
    said, said_name = _first(reading.span.attributes, _OUTPUTS)
    reading.put("query", read_question(given) if given is not None else None, given_name)
    name = as_label(reading.span.attributes.get("traceloop.entity.name")) or reading.span.name
    put_tool_documents(reading, _unwrap_outputs(said), said_name, name=name)


def _unwrap_outputs(value: Any) -> Any:
    parsed = parse_json(value).value
    if isinstance(parsed, Mapping):
        for name in ("outputs", "output"):
            if name in parsed:
                return parsed[name]
    return parsed


def _read_entity(reading: Reading) -> None:
    """A decorator's or a chain's input and output; a plain chain may claim ``invoke_agent``."""
    attributes = reading.span.attributes
    given, given_name = _first(attributes, _INPUTS)
    said, said_name = _first(attributes, _OUTPUTS)
    kind = as_label(attributes.get(_KIND))
    reading.rank = {"agent": 2, "workflow": 1}.get(kind or "", 0)
    if given is not None:
        reading.put("question", read_question(given), given_name)
    if said is not None:
        parsed = parse_json(said)
        answer = read_answer(_unwrap_outputs(parsed.value))
        reading.put("answer", answer.text, said_name)
        reading.output, reading.sources["output"] = _unwrap_outputs(parsed.value), said_name
        if not parsed.complete:
            reading.damage["answer"] = "truncated"
    for value, name in ((said, said_name), (given, given_name)):
        carried = read_evident_contexts(value) if value is not None else None
        if carried is not None and carried.contexts:
            reading.put("carried", carried.contexts, name)


def _read_association(reading: Reading) -> None:
    for key, value in reading.span.attributes.items():
        if not key.startswith(_ASSOCIATION):
            continue
        name, text = key.removeprefix(_ASSOCIATION), as_label(value)
        if name in ("session_id", "chat_id", "conversation_id", "thread_id"):
            reading.put("conversation_id", text, key)
        elif name == "user_id":
            reading.put("subject_id", text, key)
        elif text is not None and len(text) <= 200:
            reading.tags[name] = as_text(text) or text
