"""Haystack: all spans share two names; the component's type says what each one is."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from groundwire.dialects.documents import read_contexts, read_evident_contexts
from groundwire.dialects.form import Reading, Role, Surroundings
from groundwire.dialects.genai_fields import found, put_input
from groundwire.dialects.messages import read_answer, read_question, read_turns
from groundwire.dialects.toolresult import put_tool_documents, read_tool_documents
from groundwire.dialects.usage import usage_in
from groundwire.dialects.values import as_label, as_text, parse_json, parse_structure
from groundwire.span import SpanData

_TYPE, _NAME = "haystack.component.type", "haystack.component.name"
_INPUT, _OUTPUT = "haystack.component.input", "haystack.component.output"
_PIPELINE_INPUT, _PIPELINE_OUTPUT = "haystack.pipeline.input_data", "haystack.pipeline.output_data"
_AGENT_INPUT, _AGENT_OUTPUT = "haystack.agent.input", "haystack.agent.output"
_ROLES = (
    (re.compile(r"Evaluator"), Role.EVALUATION),
    (re.compile(r"Retriever|WebSearch|DocumentSearch|SerperDev|SearchApi"), Role.RETRIEVAL),
    (re.compile(r"Ranker|Joiner"), Role.RERANK),
    (re.compile(r"Embedder"), Role.EMBEDDING),
    (re.compile(r"Generator"), Role.LLM),
    (re.compile(r"ToolInvoker"), Role.TOOL),
    (re.compile(r"\bAgent\b|AnswerBuilder|Reader"), Role.CHAIN),
)


class Haystack:
    """Spans named ``haystack.*`` or with ``haystack.*`` attributes."""

    name = "haystack"

    def detect(self, span: SpanData) -> str | None:
        """Return the component's type, or the span's name."""
        kind = as_label(span.attributes.get(_TYPE))
        if kind is not None:
            return f"{_TYPE}={kind}"
        if span.name.startswith("haystack."):
            return f"span name {span.name}"
        return next((key for key in span.attributes if key.startswith("haystack.")), None)

    def read(self, span: SpanData, why: str, around: Surroundings) -> Reading:
        """Return what the component says; without content tracing that is its role only."""
        reading = Reading(span=span, role=_role_of(span), dialect=self.name, why=why)
        inputs = parse_structure(span.attributes.get(_INPUT)).value
        output = parse_structure(span.attributes.get(_OUTPUT))
        if reading.role in (Role.RETRIEVAL, Role.RERANK):
            _read_retrieval(reading, inputs, output.value, output.complete)
        elif reading.role is Role.LLM:
            _read_generator(reading, inputs, output.value)
        elif reading.role is Role.TOOL:
            _read_invoker(reading, output.value)
        elif reading.role is Role.CHAIN:
            _read_component(reading, inputs, output.value)
            _read_pipeline(reading)
            _read_agent(reading)
        if not output.complete and reading.answer is not None:
            reading.damage["answer"] = "truncated"
        return reading


def _role_of(span: SpanData) -> Role:
    if (
        "pipeline.run" in span.name
        or _PIPELINE_INPUT in span.attributes
        or _PIPELINE_OUTPUT in span.attributes
        or _AGENT_INPUT in span.attributes
        or _AGENT_OUTPUT in span.attributes
    ):
        return Role.CHAIN
    kind = as_label(span.attributes.get(_TYPE)) or ""
    return next((role for pattern, role in _ROLES if pattern.search(kind)), Role.OTHER)


def _read_retrieval(reading: Reading, inputs: Any, output: Any, complete: bool) -> None:
    if isinstance(inputs, Mapping):
        reading.put("query", as_text(inputs.get("query")), _INPUT)
        reading.carried = read_evident_contexts(inputs.get("documents")).contexts
    if isinstance(output, Mapping) and output.get("documents") is not None:
        documents = read_contexts(output["documents"])
        if documents.contexts is not None:
            reading.documents, reading.sources["documents"] = documents.contexts, _OUTPUT
        if not complete or documents.damage is not None:
            reading.damage["documents"] = documents.damage or "truncated"


def _read_generator(reading: Reading, inputs: Any, output: Any) -> None:
    if isinstance(inputs, Mapping):
        given = inputs.get("messages", inputs.get("prompt"))
        put_input(reading, found(given, _INPUT))
    if isinstance(output, Mapping):
        _put_answer(reading, output, _OUTPUT)
        reading.put("usage", usage_in(dict(output)), _OUTPUT)
        meta = _first_meta(output)
        reading.put("model", as_label(meta.get("model")), _OUTPUT)
        reading.put("finish_reason", as_label(meta.get("finish_reason")), _OUTPUT)
        reading.output, reading.sources["output"] = dict(output), _OUTPUT


def _first_meta(output: Mapping[str, Any]) -> Mapping[str, Any]:
    """A chat reply holds its metadata; those of text replies stand beside them."""
    for name in ("meta", "replies"):
        items = output.get(name)
        first = items[0] if isinstance(items, list) and items else None
        if isinstance(first, Mapping):
            meta = first.get("meta", first.get("_meta", first))
            if isinstance(meta, Mapping):
                return meta
    return {}


def _put_answer(reading: Reading, output: Mapping[str, Any], key: str) -> None:
    """``{"answers": [{data, query, documents}]}``, ``{"replies": …}`` or an agent's ``{"messages": …}``."""
    answers = output.get("answers")
    first = answers[0] if isinstance(answers, list) and answers else None
    if isinstance(first, Mapping):
        inner = first.get("init_parameters", first)
        if isinstance(inner, Mapping):
            reading.put("answer", as_text(inner.get("data")), key)
            reading.put("question", as_text(inner.get("query")), key)
            reading.put("carried", read_evident_contexts(inner.get("documents")).contexts, key)
        return
    for name in ("replies", "messages", "last_message"):
        if output.get(name):
            value = output[name]
            value = value[:1] if name == "replies" and isinstance(value, list) else value
            answer = read_answer(value)
            reading.put("answer", answer.text, key)
            reading.put("finish_reason", answer.finish_reason, key)


def _read_component(reading: Reading, inputs: Any, output: Any) -> None:
    if isinstance(inputs, Mapping):
        reading.put("question", read_question(inputs), _INPUT)
        reading.put("carried", read_evident_contexts(inputs).contexts, _INPUT)
    if isinstance(output, Mapping):
        _put_answer(reading, output, _OUTPUT)


def _read_pipeline(reading: Reading) -> None:
    attributes = reading.span.attributes
    given = parse_structure(attributes.get(_PIPELINE_INPUT)).value
    said = parse_structure(attributes.get(_PIPELINE_OUTPUT)).value
    reading.rank = 1 if "pipeline" in reading.span.name else 0
    if isinstance(given, Mapping):
        reading.put("question", _pipeline_question(given), _PIPELINE_INPUT)
    if isinstance(said, Mapping):
        ordered = sorted(
            said.values(), key=lambda inner: not (isinstance(inner, Mapping) and "answers" in inner)
        )
        for inner in (*ordered, said):
            if isinstance(inner, Mapping):
                _put_answer(reading, inner, _PIPELINE_OUTPUT)


def _read_agent(reading: Reading) -> None:
    given = parse_structure(reading.span.attributes.get(_AGENT_INPUT)).value
    said = parse_structure(reading.span.attributes.get(_AGENT_OUTPUT)).value
    if given is not None or said is not None:
        reading.rank = 2
    if isinstance(given, Mapping):
        reading.put("question", _pipeline_question(given), _AGENT_INPUT)
    if isinstance(said, Mapping):
        _put_answer(reading, said, _AGENT_OUTPUT)


def _read_invoker(reading: Reading, output: Any) -> None:
    """What each called tool returned lies deep in a message, beside the name that it was called by."""
    results = list(_tool_results(output))
    if not results:
        put_tool_documents(reading, output, _OUTPUT, name="ToolInvoker search")
        return
    found = [read_tool_documents(result, name=name).contexts for name, result in results]
    reading.put("documents", tuple(context for contexts in found for context in contexts or ()), _OUTPUT)


def _tool_results(output: Any) -> Iterator[tuple[str, Any]]:
    messages = output.get("tool_messages") if isinstance(output, Mapping) else None
    for message in messages if isinstance(messages, list) else ():
        content = message.get("content", message.get("_content")) if isinstance(message, Mapping) else None
        for part in content if isinstance(content, list) else ():
            called = part.get("tool_call_result") if isinstance(part, Mapping) else None
            if isinstance(called, Mapping):
                origin = called.get("origin")
                name = as_label(origin.get("tool_name")) if isinstance(origin, Mapping) else None
                yield name or "", None if called.get("error") else called.get("result")


def _pipeline_question(given: Mapping[str, Any]) -> str | None:
    """The pipeline's input is one mapping a component; several of them are given the question."""
    inner = [parse_json(value).value for value in given.values()]
    for name in ("query", "question", "user_input", "text", "prompt"):
        for value in (given, *inner):
            text = as_text(value.get(name)) if isinstance(value, Mapping) else None
            if text:
                return text
    for value in (given, *inner):
        asked = [turn.content for turn in read_turns(value, 1) if turn.role == "user"]
        if asked:
            return asked[-1]
    return None
