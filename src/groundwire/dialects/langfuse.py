"""Langfuse: the SDK's spans (v3 to v5) and, with the same keys, the observations of its exports.

Values are JSON strings, but a plain string is stored without quotes, so ``42`` may be either: it stays text.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from groundwire.dialects.documents import read_contexts, read_evident_contexts
from groundwire.dialects.form import Reading, Role, Surroundings
from groundwire.dialects.genai_fields import found, put_input, put_output
from groundwire.dialects.messages import read_answer, read_question, read_turns
from groundwire.dialects.toolresult import is_lookup, put_tool_documents
from groundwire.dialects.usage import parse_inclusive_usage, read_cost, usage_in
from groundwire.dialects.values import (
    as_bool,
    as_count,
    as_label,
    as_text,
    as_texts,
    decode_text,
    parse_json,
    parse_structure,
)
from groundwire.record import Expected, Usage
from groundwire.span import SpanData

_PREFIX = "langfuse.observation."
_TYPE, _INPUT, _OUTPUT = f"{_PREFIX}type", f"{_PREFIX}input", f"{_PREFIX}output"
_TRACE_INPUT, _TRACE_OUTPUT = "langfuse.trace.input", "langfuse.trace.output"
_EXPECTED = "langfuse.experiment.item.expected_output"
_ROLES = {
    "generation": Role.LLM, "embedding": Role.EMBEDDING, "retriever": Role.RETRIEVAL, "tool": Role.TOOL,
    "span": Role.CHAIN, "agent": Role.CHAIN, "chain": Role.CHAIN, "evaluator": Role.EVALUATION,
    "llm": Role.LLM, "general": Role.CHAIN,  # Opik's words for a row of the same form
    "guardrail": Role.OTHER, "event": Role.OTHER,
}  # fmt: skip
_TELLING = frozenset({
    "gen_ai.operation.name", "gen_ai.tool.name", "final_result", "pydantic_ai.all_messages", "ai.operationId",
    "all_messages_events", "traceloop.span.kind", "langsmith.span.kind", "haystack.component.type",
    "mlflow.spanType", "ai.observability.span_type",
})  # fmt: skip
_LABELS = (
    ("model", (f"{_PREFIX}model.name", f"{_PREFIX}model")),
    ("conversation_id", ("session.id", "langfuse.session.id")),
    ("subject_id", ("user.id", "langfuse.user.id")),
    ("prompt_id", (f"{_PREFIX}prompt.name",)),
    ("prompt_version", (f"{_PREFIX}prompt.version",)),
    ("environment", ("langfuse.environment",)),
    ("version", ("langfuse.release", "langfuse.version")),
)


class Langfuse:
    """Spans with ``langfuse.observation.*`` or of the scope ``langfuse-sdk``."""

    name = "langfuse"

    def detect(self, span: SpanData) -> str | None:
        """Return the type attribute, any other observation key, or the scope.

        A plain ``span`` that says more in another vocabulary is left to that one.
        """
        kind = as_label(span.attributes.get(_TYPE))
        if kind is not None and kind.lower() == "span" and _TELLING.intersection(span.attributes):
            return None
        if kind is not None:
            return f"{_TYPE}={kind}"
        if any(key.startswith("langfuse.") for key in span.attributes):
            return "langfuse.*"
        return "scope langfuse-sdk" if span.scope.name == "langfuse-sdk" else None

    def read(self, span: SpanData, why: str, around: Surroundings) -> Reading:
        """Return what the observation says."""
        attributes = span.attributes
        kind = (as_label(attributes.get(_TYPE)) or "span").lower()
        reading = Reading(span=span, role=_role_of(span, kind), dialect=self.name, why=why)
        reading.rank = {"agent": 2, "chain": 1}.get(kind, 0)
        if as_bool(attributes.get("langfuse.internal.is_app_root")) or _TRACE_OUTPUT in attributes:
            reading.rank = max(reading.rank, 1)
        _read_labels(reading)
        if reading.role is Role.RETRIEVAL:
            _read_retrieval(reading)
        elif reading.role is Role.TOOL:
            _read_tool(reading)
        elif reading.role is Role.LLM:
            _read_generation(reading)
        elif reading.role is Role.CHAIN:
            _read_function(reading)
        _read_expected(reading)
        return reading


def _role_of(span: SpanData, kind: str) -> Role:
    """A framework's callback may type a tool or a retriever as plain ``span``: its output tells."""
    role = _ROLES.get(kind, Role.CHAIN)
    if role is not Role.CHAIN or kind != "span":
        return role
    output = parse_json(span.attributes.get(_OUTPUT)).value
    if isinstance(output, Mapping) and output.get("type") == "tool":
        return Role.TOOL
    if is_lookup(span.name) and read_evident_contexts(span.attributes.get(_OUTPUT)).contexts:
        return Role.RETRIEVAL if isinstance(output, list) else Role.CHAIN
    return role


def _read_labels(reading: Reading) -> None:
    attributes = reading.span.attributes
    for name, keys in _LABELS:
        for key in keys:
            reading.put(name, decode_text(as_label(attributes.get(key))), key)
    reading.tags.update(dict.fromkeys(as_texts(attributes.get("langfuse.trace.tags")), "true"))
    for key, value in attributes.items():
        for prefix in ("langfuse.trace.metadata.", f"{_PREFIX}metadata."):
            text = decode_text(as_text(value)) if key.startswith(prefix) else None
            if text is not None and len(text) <= 1_000:
                reading.metadata.setdefault(key.removeprefix(prefix), text)
    reading.put(
        "conversation_id", as_label(reading.metadata.get("thread_id")), f"{_PREFIX}metadata.thread_id"
    )
    if reading.role is Role.LLM:
        _read_counts(reading)
    level = as_label(attributes.get(f"{_PREFIX}level"))
    if level == "ERROR":
        message = as_label(attributes.get(f"{_PREFIX}status_message"))
        reading.error = f"error: {message}" if message else "error"


def _read_counts(reading: Reading) -> None:
    attributes = reading.span.attributes
    usage_key, cost_key = f"{_PREFIX}usage_details", f"{_PREFIX}cost_details"
    reading.put("usage", parse_usage_details(attributes.get(usage_key)), usage_key)
    costs = parse_structure(attributes.get(cost_key)).value
    total = read_cost(costs.get("total"), source=cost_key) if isinstance(costs, Mapping) else None
    if total is not None and total.amount != "0":  # 0 is written for models without a price
        reading.put("cost", total, cost_key)
    begun = _read_time_ns(attributes.get(f"{_PREFIX}completion_start_time"))
    start = reading.span.start_ns
    if begun is not None and start and begun >= start:
        reading.put("time_to_first_chunk_ns", begun - start, f"{_PREFIX}completion_start_time")


def _read_time_ns(value: Any) -> int | None:
    text = decode_text(as_text(value))
    try:
        moment = datetime.fromisoformat(text) if text else None
    except ValueError:
        return None
    if moment is None or moment.tzinfo is None:
        return None
    return int(moment.timestamp() * 1_000_000) * 1_000


def parse_usage_details(value: Any) -> Usage | None:
    """Read Langfuse's free-form counts: its own ``input``/``output`` with parts, or a provider's object.

    >>> parse_usage_details({"input": 9, "output": 2, "input_cached_tokens": 4}).cache_read_input_tokens
    4
    """
    fields = parse_structure(value).value
    if not isinstance(fields, Mapping):
        return None
    usage = parse_inclusive_usage(fields)
    if usage is None or "input" not in fields:
        return usage
    parts = {name: _first_count(fields, keys) for name, keys in _PARTS.items()}
    sums = (_sum_parts(fields, "input"), _sum_parts(fields, "output"))
    apart = as_count(fields.get("total")) == sum(sums)  # the parts were taken out of input and output
    return Usage(
        input_tokens=sums[0] if apart else usage.input_tokens,
        output_tokens=sums[1] if apart and "output" in fields else usage.output_tokens,
        cache_read_input_tokens=_either(usage.cache_read_input_tokens, parts["cache_read"]),
        cache_write_input_tokens=_either(usage.cache_write_input_tokens, parts["cache_write"]),
        reasoning_output_tokens=_either(usage.reasoning_output_tokens, parts["reasoning"]),
    )


_PARTS = {
    "cache_read": (
        "input_cached_tokens",
        "input_cache_read",
        "cache_read_input_tokens",
        "prompt_details.cache_read",
    ),
    "cache_write": ("input_cache_creation", "input_cache_write", "cache_creation_input_tokens"),
    "reasoning": ("output_reasoning_tokens", "output_reasoning", "completion_details.reasoning"),
}


def _sum_parts(fields: Mapping[str, Any], name: str) -> int:
    """Add a direction's count and its parts: ``input``, ``input_cache_read``, …"""
    return sum(as_count(value) or 0 for key, value in fields.items() if key.partition("_")[0] == name)


def _first_count(fields: Mapping[str, Any], keys: tuple[str, ...]) -> int | None:
    return next((count for key in keys if (count := as_count(fields.get(key))) is not None), None)


def _either(first: int | None, second: int | None) -> int | None:
    return first if first is not None else second


def _read_retrieval(reading: Reading) -> None:
    attributes = reading.span.attributes
    if attributes.get(_INPUT) is not None:
        reading.put("query", read_question(attributes[_INPUT]), _INPUT)
    if attributes.get(_OUTPUT) is not None:
        documents = read_contexts(attributes[_OUTPUT])
        reading.put("documents", documents.contexts, _OUTPUT)
        if documents.contexts == ():
            reading.documents = ()
        if documents.damage is not None:
            reading.damage["documents"] = documents.damage


def _read_tool(reading: Reading) -> None:
    attributes = reading.span.attributes
    output = parse_json(attributes.get(_OUTPUT)).value
    named = as_label(output.get("name")) if isinstance(output, Mapping) else None
    if attributes.get(_INPUT) is not None:
        reading.put("query", read_question(attributes[_INPUT]), _INPUT)
    put_tool_documents(reading, output, _OUTPUT, name=named or reading.span.name)


def _read_generation(reading: Reading) -> None:
    attributes = reading.span.attributes
    given = attributes.get(_INPUT)
    if given is not None:
        parsed = parse_json(given).value
        if read_turns(parsed):
            put_input(reading, found(given, _INPUT))
        else:
            reading.put("question", read_question(given), _INPUT)
    if attributes.get(_OUTPUT) is not None:
        put_output(reading, found(attributes[_OUTPUT], _OUTPUT))
        if reading.usage is None and isinstance(reading.output, Mapping):
            reading.put("usage", usage_in(reading.output), _OUTPUT)


def _read_function(reading: Reading) -> None:
    attributes = reading.span.attributes
    for key in (_INPUT, _TRACE_INPUT):
        if attributes.get(key) is not None:
            reading.put("question", read_question(attributes[key]), key)
            _put_carried(reading, attributes[key], key)
    for key in (_OUTPUT, _TRACE_OUTPUT):
        if attributes.get(key) is None:
            continue
        parsed = parse_json(attributes[key])
        reading.put("answer", read_answer(decode_text(parsed.value) or parsed.value).text, key)
        if reading.output is None:
            reading.output, reading.sources["output"] = parsed.value, key
        _put_carried(reading, attributes[key], key)
        if not parsed.complete and reading.sources.get("answer") == key:
            reading.damage["answer"] = "truncated"


def _put_carried(reading: Reading, value: Any, key: str) -> None:
    reading.put("carried", read_evident_contexts(value).contexts, key)


def _read_expected(reading: Reading) -> None:
    value = reading.span.attributes.get(_EXPECTED)
    if value is None:
        return
    text = decode_text(value)
    parsed = parse_json(value).value
    answer = read_answer(parsed).text if isinstance(parsed, Mapping) else text
    if answer:
        reading.put("expected", Expected(answer=answer), _EXPECTED)
