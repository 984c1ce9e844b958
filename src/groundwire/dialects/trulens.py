"""TruLens: ``ai.observability.*``. Contexts are plain strings, without ids and scores."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from msgspec import structs

from groundwire.dialects.documents import read_contexts, read_evident_contexts
from groundwire.dialects.form import Reading, Role, Surroundings
from groundwire.dialects.messages import read_answer, read_question
from groundwire.dialects.toolresult import put_tool_documents
from groundwire.dialects.usage import pick_usage, read_cost, read_currency
from groundwire.dialects.values import as_float, as_label, as_text, parse_json
from groundwire.record import Expected
from groundwire.span import SpanData

_BASE = "ai.observability."
_TYPE = f"{_BASE}span_type"
_ROLES = {
    "record_root": Role.CHAIN, "retrieval": Role.RETRIEVAL, "generation": Role.LLM, "reranking": Role.RERANK,
    "tool": Role.TOOL, "agent": Role.CHAIN, "eval_root": Role.EVALUATION, "eval": Role.EVALUATION,
    "workflow_step": Role.CHAIN, "graph_node": Role.CHAIN, "graph_task": Role.CHAIN, "mcp": Role.TOOL,
}  # fmt: skip
_USAGE = {
    "input_tokens": (f"{_BASE}cost.num_prompt_tokens",),
    "output_tokens": (f"{_BASE}cost.num_completion_tokens",),
    "cache_read_input_tokens": (f"{_BASE}cost.num_cached_tokens",),
    "reasoning_output_tokens": (f"{_BASE}cost.num_reasoning_tokens",),
}
_RETURN = f"{_BASE}call.return"
_ARGUMENTS = f"{_BASE}call.kwargs."


class TruLens:
    """Spans with ``ai.observability.span_type``."""

    name = "trulens"

    def detect(self, span: SpanData) -> str | None:
        """Return the type attribute."""
        kind = as_label(span.attributes.get(_TYPE))
        return f"{_TYPE}={kind}" if kind is not None else None

    def read(self, span: SpanData, why: str, around: Surroundings) -> Reading:
        """Return what the span says; evaluation spans and all below them are no answers."""
        kind = (as_label(span.attributes.get(_TYPE)) or "").lower()
        reading = Reading(span=span, role=_role_of(span, kind), dialect=self.name, why=why)
        reading.rank = {"record_root": 2, "agent": 2}.get(kind, 0)
        attributes = span.attributes
        reading.put(
            "conversation_id", as_label(attributes.get(f"{_BASE}conversation_id")), f"{_BASE}conversation_id"
        )
        if kind == "record_root":
            _read_root(reading)
        elif reading.role is Role.RETRIEVAL:
            _read_retrieval(reading)
        elif reading.role is Role.RERANK:
            _read_reranking(reading)
        elif reading.role is Role.TOOL:
            put_tool_documents(reading, attributes.get(_RETURN), _RETURN, name=span.name)
        elif reading.role in (Role.LLM, Role.CHAIN):
            _read_call(reading)
        if reading.role in (Role.LLM, Role.CHAIN):
            _read_costs(reading)
        return reading


def _role_of(span: SpanData, kind: str) -> Role:
    """What a provider's client cost stands on a span of no type: it is the model call."""
    role = _ROLES.get(kind, Role.OTHER)
    counted = any(key in span.attributes for keys in _USAGE.values() for key in keys)
    return Role.LLM if role is Role.OTHER and counted else role


def _read_root(reading: Reading) -> None:
    attributes, base = reading.span.attributes, f"{_BASE}record_root."
    reading.put("question", _text(attributes.get(f"{base}input"), read_question), f"{base}input")
    reading.put(
        "answer", _text(attributes.get(f"{base}output"), lambda v: read_answer(v).text), f"{base}output"
    )
    reading.error = as_label(attributes.get(f"{base}error"))
    for name in ("ground_truth_output", "ground_truth"):
        reference = as_text(attributes.get(f"{base}{name}"))
        if reference:
            reading.put("expected", Expected(answer=reference), f"{base}{name}")
    for name in ("app_name", "app_version", "record_id", "input_id", "run.name"):
        label = as_label(attributes.get(f"{_BASE}{name}"))
        if label is not None:
            reading.tags[name] = label
    _read_call(reading)


def _text(value: Any, read: Any) -> str | None:
    if value is None:
        return None
    text = as_text(value)
    found = read(value) if text is None or text[:1] in ("{", "[") else text
    return found if isinstance(found, str) else text


def _arguments(attributes: Mapping[str, Any]) -> dict[str, Any]:
    start = len(_ARGUMENTS)
    return {key[start:]: value for key, value in attributes.items() if key.startswith(_ARGUMENTS)}


def _read_call(reading: Reading) -> None:
    """An instrumented function: its arguments, and what it returned."""
    attributes = reading.span.attributes
    arguments = _arguments(attributes)
    reading.put("question", read_question(arguments) if arguments else None, f"{_ARGUMENTS}*")
    said = attributes.get(_RETURN)
    if said is not None:
        parsed = parse_json(said)
        reading.put("answer", read_answer(parsed.value).text, _RETURN)
        if isinstance(parsed.value, (Mapping, list)):
            reading.output, reading.sources["output"] = parsed.value, _RETURN
    for value in (said, *arguments.values()):
        reading.put("carried", read_evident_contexts(value).contexts, _RETURN)
    reading.error = reading.error or as_label(attributes.get(f"{_BASE}call.error"))


def _read_retrieval(reading: Reading) -> None:
    attributes, base = reading.span.attributes, f"{_BASE}retrieval."
    reading.put("query", as_text(attributes.get(f"{base}query_text")), f"{base}query_text")
    key = f"{base}retrieved_contexts" if attributes.get(f"{base}retrieved_contexts") is not None else _RETURN
    if attributes.get(key) is None:
        return
    if attributes.get(_RETURN) is not None:  # the function may have returned more than its texts
        reading.put("carried", read_evident_contexts(attributes[_RETURN]).contexts, _RETURN)
    documents = read_contexts(attributes[key])
    if documents.contexts is not None:
        reading.documents, reading.sources["documents"] = documents.contexts, key
    if documents.damage is not None:
        reading.damage["documents"] = documents.damage


def _read_reranking(reading: Reading) -> None:
    attributes, base = reading.span.attributes, f"{_BASE}reranking."
    reading.put("query", as_text(attributes.get(f"{base}query_text")), f"{base}query_text")
    given = attributes.get(f"{base}input_context_texts")
    reading.carried = read_contexts(given).contexts if given is not None else None
    key = f"{base}output_context_texts"
    if attributes.get(key) is None:
        return
    contexts = read_contexts(attributes[key]).contexts or ()
    scores = parse_json(
        attributes.get(f"{base}output_context_scores", attributes.get(f"{base}output_scores"))
    ).value
    if isinstance(scores, Sequence) and not isinstance(scores, str) and len(scores) == len(contexts):
        pairs = zip(contexts, scores, strict=True)
        contexts = tuple(structs.replace(context, score=as_float(score)) for context, score in pairs)
    reading.documents, reading.sources["documents"] = contexts, key


def _read_costs(reading: Reading) -> None:
    attributes, base = reading.span.attributes, f"{_BASE}cost."
    reading.put("usage", pick_usage(attributes, _USAGE), f"{base}num_tokens")
    reading.usage_is_total = reading.role is Role.CHAIN
    reading.put("model", as_label(attributes.get(f"{base}model")), f"{base}model")
    currency = read_currency(attributes.get(f"{base}cost_currency"))
    cost = read_cost(attributes.get(f"{base}cost"), currency=currency, source=f"{base}cost")
    reading.put("cost", cost, f"{base}cost")
