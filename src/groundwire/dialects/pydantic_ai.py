"""Pydantic AI and Logfire: the agent's own messages, its tools, and Logfire's pending duplicates."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from groundwire import semconv
from groundwire.dialects.documents import read_evident_contexts
from groundwire.dialects.form import Reading, Role, Surroundings
from groundwire.dialects.genai import role_of
from groundwire.dialects.genai_fields import found, from_events, put_input, put_output
from groundwire.dialects.messages import read_answer, read_conversation, read_question
from groundwire.dialects.toolresult import put_tool_documents, read_tool_documents
from groundwire.dialects.usage import parse_inclusive_usage, pick_usage, read_cost
from groundwire.dialects.values import as_label, as_text, parse_json
from groundwire.record import RetrievedContext
from groundwire.span import SpanData

_SCOPES = frozenset({"pydantic-ai", "pydantic_ai", "logfire"})
_MESSAGES = ("pydantic_ai.all_messages", "all_messages")
_EVENTS = ("all_messages_events", "events")
_RETURN = "return"
_QUESTIONS = frozenset({"question", "query", "prompt", "user_input", "user_query"})
_AGGREGATED = {
    "input_tokens": ("gen_ai.aggregated_usage.input_tokens",),
    "output_tokens": ("gen_ai.aggregated_usage.output_tokens",),
    "cache_read_input_tokens": (
        "gen_ai.aggregated_usage.cache_read.input_tokens",
        "gen_ai.aggregated_usage.details.cache_read_tokens",
    ),
    "cache_write_input_tokens": ("gen_ai.aggregated_usage.cache_write.input_tokens",),
    "reasoning_output_tokens": ("gen_ai.aggregated_usage.details.reasoning_tokens",),
}  # fmt: skip


class PydanticAI:
    """Spans of the scopes ``pydantic-ai`` and ``logfire``, or with their keys."""

    name = "pydantic-ai"

    def detect(self, span: SpanData) -> str | None:
        """Return the scope, or a telling key."""
        if span.scope.name in _SCOPES or span.scope.name.startswith("logfire."):
            return f"scope {span.scope.name}"
        keys = (*_MESSAGES, "all_messages_events", "logfire.span_type", "logfire.msg")
        return next((key for key in keys if key in span.attributes), None)

    def read(self, span: SpanData, why: str, around: Surroundings) -> Reading:
        """Return what the span says; a pending span is the early copy of one that follows."""
        attributes = span.attributes
        if as_label(attributes.get("logfire.span_type")) == "pending_span":
            return Reading(
                span=span, role=Role.DUPLICATE, dialect=self.name, why="logfire.span_type=pending_span"
            )
        reading = Reading(span=span, role=_role_of(span), dialect=self.name, why=why)
        if reading.role in (Role.CHAIN, Role.TOOL) and _is_function(span):
            _read_function(reading)
        elif reading.role is Role.CHAIN:
            _read_agent(reading)
        elif reading.role is Role.LLM:
            _read_model(reading)
        elif reading.role is Role.TOOL:
            _read_tool(reading)
        cost = read_cost(attributes.get("operation.cost"), source="operation.cost")
        if reading.role in (Role.LLM, Role.CHAIN):
            reading.put("cost", cost, "operation.cost")
        return reading


def _role_of(span: SpanData) -> Role:
    attributes = span.attributes
    if semconv.OPERATION_NAME in attributes:
        return role_of(span)
    if "final_result" in attributes or any(key in attributes for key in (*_MESSAGES, "all_messages_events")):
        return Role.CHAIN
    if "tool_response" in attributes or "gen_ai.tool.name" in attributes:
        return Role.TOOL
    if "request_data" in attributes or "gen_ai.request.model" in attributes:
        return Role.LLM
    if not _is_function(span):
        return Role.OTHER
    said = parse_json(attributes.get(_RETURN)).value
    answers = isinstance(said, str) or read_answer(said).text is not None
    return Role.CHAIN if answers or _documents_of(span, said) is None else Role.TOOL


def _is_function(span: SpanData) -> bool:
    """A function under Logfire's decorator, or a span that was given the question."""
    attributes = span.attributes
    return span.scope.name == "logfire" and (_RETURN in attributes or not _QUESTIONS.isdisjoint(attributes))


def _documents_of(span: SpanData, said: Any) -> tuple[RetrievedContext, ...] | None:
    return read_tool_documents(said, name=span.name).contexts if said is not None else None


def _read_agent(reading: Reading) -> None:
    attributes = reading.span.attributes
    reading.rank = 2
    reading.put("answer", as_text(attributes.get("final_result")), "final_result")
    for key in _MESSAGES:
        if attributes.get(key) is not None:
            _put_conversation(reading, attributes[key], key)
    for key in _EVENTS:
        if attributes.get(key) is not None:
            _read_events(reading, attributes[key], key)
    reading.put("usage", pick_usage(attributes, _AGGREGATED), "gen_ai.aggregated_usage.input_tokens")
    reading.usage_is_total = True


def _put_conversation(reading: Reading, value: Any, key: str) -> None:
    """All messages of a run: the last user text is the question, what the assistant said last the answer."""
    conversation = read_conversation(value)
    reading.put("question", conversation.question, key)
    reading.put("history", conversation.history, key)
    reading.put("turns", conversation.turns, key)
    said = [turn.content for turn in conversation.turns if turn.role == "assistant" and turn.content]
    if said and conversation.turns[-1].role == "assistant":
        reading.put("answer", said[-1], key)
    if not conversation.complete:
        reading.damage["question"] = "truncated"


def _read_events(reading: Reading, value: Any, key: str) -> None:
    events = parse_json(value).value
    if not isinstance(events, list):
        return
    entries = [
        (as_label(event.get("event.name")) or _event_name(event), event)
        for event in events
        if isinstance(event, Mapping)
    ]
    given, said = from_events(entries)
    if reading.role is Role.CHAIN and said is None and given is not None:
        _put_conversation(reading, given.value, key)
        return
    put_input(reading, found(given.value, key) if given is not None else None)
    put_output(reading, found(said.value, key) if said is not None else None)


def _event_name(event: Mapping[str, Any]) -> str:
    return f"gen_ai.{as_label(event.get('role')) or 'user'}.message"


def _read_function(reading: Reading) -> None:
    """A function under Logfire's decorator: its arguments are attributes of their own names."""
    attributes = reading.span.attributes
    known = parse_json(attributes.get("logfire.json_schema")).value
    names = _mapping(_mapping(known).get("properties")) or _QUESTIONS
    arguments = {name: attributes[name] for name in names if name != _RETURN and name in attributes}
    field = "query" if reading.role is Role.TOOL else "question"
    reading.put(field, read_question(arguments) if arguments else None, "logfire.json_schema")
    said = attributes.get(_RETURN)
    if reading.role is Role.TOOL:
        put_tool_documents(reading, said, _RETURN, name=reading.span.name)
    elif said is not None:
        reading.put("answer", read_answer(said).text, _RETURN)
        reading.put("carried", read_evident_contexts(said).contexts, _RETURN)
        reading.output, reading.sources["output"] = parse_json(said).value, _RETURN


def _mapping(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, Mapping) else {}


def _read_model(reading: Reading) -> None:
    attributes = reading.span.attributes
    if attributes.get("events") is not None:
        _read_events(reading, attributes["events"], "events")
    reading.put("model", as_label(attributes.get(semconv.RESPONSE_MODEL)), semconv.RESPONSE_MODEL)
    request = parse_json(attributes.get("request_data")).value
    response = parse_json(attributes.get("response_data")).value
    if isinstance(request, Mapping):
        put_input(reading, found(request, "request_data"))
        reading.put("model", as_label(request.get("model")), "request_data")
    if isinstance(response, Mapping):
        streamed = as_text(response.get("combined_chunk_content"))
        reading.put("answer", streamed, "response_data")
        put_output(reading, found(response, "response_data") if streamed is None else None)
        reading.put("usage", parse_inclusive_usage(response.get("usage")), "response_data")


def _read_tool(reading: Reading) -> None:
    attributes = reading.span.attributes
    name = as_label(attributes.get("gen_ai.tool.name")) or reading.span.name
    for key in ("tool_response", "gen_ai.tool.call.result"):
        if attributes.get(key) is not None:
            put_tool_documents(reading, attributes[key], key, name=name)
