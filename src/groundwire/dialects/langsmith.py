"""LangSmith's OpenTelemetry export: ``langsmith.span.kind``, prompt and completion as JSON."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from groundwire.dialects.documents import read_contexts, read_evident_contexts
from groundwire.dialects.form import Reading, Role, Surroundings
from groundwire.dialects.genai_fields import USAGE_NAMES, found, put_input, put_output
from groundwire.dialects.messages import read_answer, read_question, read_turns
from groundwire.dialects.toolresult import put_tool_documents
from groundwire.dialects.usage import parse_inclusive_usage, pick_usage
from groundwire.dialects.values import as_count, as_label, as_texts, parse_json, parse_structure
from groundwire.record import Expected, Usage
from groundwire.span import SpanData

_KIND, _PROMPT, _COMPLETION = "langsmith.span.kind", "gen_ai.prompt", "gen_ai.completion"
_METADATA = "langsmith.metadata."
_ROLES = {
    "llm": Role.LLM, "chain": Role.CHAIN, "retriever": Role.RETRIEVAL, "tool": Role.TOOL,
    "embedding": Role.EMBEDDING, "prompt": Role.OTHER, "parser": Role.OTHER,
}  # fmt: skip


class LangSmith:
    """Spans with ``langsmith.span.kind``; their ``gen_ai.operation.name`` is not believed."""

    name = "langsmith"

    def detect(self, span: SpanData) -> str | None:
        """Return the kind attribute, or the scope."""
        kind = as_label(span.attributes.get(_KIND))
        if kind is not None:
            return f"{_KIND}={kind}"
        return "scope langsmith" if span.scope.name == "langsmith" else None

    def read(self, span: SpanData, why: str, around: Surroundings) -> Reading:
        """Return what the run says."""
        attributes = span.attributes
        kind = (as_label(attributes.get(_KIND)) or "chain").lower()
        reading = Reading(span=span, role=_ROLES.get(kind, Role.CHAIN), dialect=self.name, why=why)
        reading.rank = 1 if kind == "chain" else 0
        _read_labels(reading)
        given, said = attributes.get(_PROMPT), attributes.get(_COMPLETION)
        if reading.role is Role.LLM:
            _read_model(reading, given, said)
        elif reading.role is Role.RETRIEVAL:
            _read_retrieval(reading, given, said)
        elif reading.role is Role.TOOL:
            reading.put("query", read_question(given) if given is not None else None, _PROMPT)
            put_tool_documents(reading, said, _COMPLETION, name=span.name)
        elif reading.role is Role.CHAIN:
            _read_function(reading, given, said)
        return reading


def _read_labels(reading: Reading) -> None:
    attributes = reading.span.attributes
    for name, key in (
        ("conversation_id", "session_id"),
        ("conversation_id", "thread_id"),
        ("subject_id", "user_id"),
    ):
        reading.put(name, as_label(attributes.get(_METADATA + key)), _METADATA + key)
    reading.tags.update(dict.fromkeys(as_texts(attributes.get("langsmith.span.tags")), "true"))
    for name in ("reference_output", "reference_outputs", "expected_output"):
        value = attributes.get(f"langsmith.{name}", attributes.get(_METADATA + name))
        text = read_answer(value).text if value is not None else None
        if text:
            reading.put("expected", Expected(answer=text), name)
    if reading.role is Role.LLM:
        reading.put("usage", _read_counts(attributes), f"{_METADATA}usage_metadata")


def _read_counts(attributes: Mapping[str, Any]) -> Usage | None:
    """The JSON copy first, then the counts, whose details are a Python repr."""
    usage = parse_inclusive_usage(attributes.get(f"{_METADATA}usage_metadata"))
    if usage is not None:
        return usage
    usage = pick_usage(attributes, USAGE_NAMES)
    inner = _details(attributes.get("gen_ai.usage.input_token_details"))
    outer = _details(attributes.get("gen_ai.usage.output_token_details"))
    if usage is None:
        return None
    return Usage(
        input_tokens=usage.input_tokens,
        output_tokens=usage.output_tokens,
        cache_read_input_tokens=as_count(inner.get("cache_read")),
        cache_write_input_tokens=as_count(inner.get("cache_creation")),
        reasoning_output_tokens=as_count(outer.get("reasoning")),
    )


def _details(value: Any) -> Mapping[str, Any]:
    parsed = parse_structure(value).value
    return parsed if isinstance(parsed, Mapping) else {}


def _read_model(reading: Reading, given: Any, said: Any) -> None:
    if given is not None:
        if read_turns(given):
            put_input(reading, found(given, _PROMPT))
        else:
            reading.put("question", read_question(given), _PROMPT)
    if said is not None:
        put_output(reading, found(said, _COMPLETION))


def _read_retrieval(reading: Reading, given: Any, said: Any) -> None:
    reading.put("query", read_question(given) if given is not None else None, _PROMPT)
    if said is None:
        return
    parsed = parse_json(said)
    inner = parsed.value.get("output", parsed.value) if isinstance(parsed.value, Mapping) else parsed.value
    documents = read_contexts(inner, complete=parsed.complete)
    if documents.contexts is not None:
        reading.documents, reading.sources["documents"] = documents.contexts, _COMPLETION
    if documents.damage is not None:
        reading.damage["documents"] = documents.damage


def _read_function(reading: Reading, given: Any, said: Any) -> None:
    if given is not None:
        reading.put("question", read_question(given), _PROMPT)
    if said is not None:
        parsed = parse_json(said)
        reading.put("answer", read_answer(parsed.value).text, _COMPLETION)
        reading.output, reading.sources["output"] = parsed.value, _COMPLETION
        if not parsed.complete:
            reading.damage["answer"] = "truncated"
    for value, key in ((said, _COMPLETION), (given, _PROMPT)):
        reading.put("carried", read_evident_contexts(value).contexts if value is not None else None, key)
