"""Vocabularies of one input and one output a span: Opik, Genkit, Google's ADK, smolagents, and plain ones."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from groundwire.dialects.documents import read_contexts, read_evident_contexts
from groundwire.dialects.form import Reading, Role, Surroundings
from groundwire.dialects.genai_fields import found, put_input, put_output
from groundwire.dialects.messages import read_answer, read_question, read_turns
from groundwire.dialects.toolresult import put_tool_documents
from groundwire.dialects.usage import parse_inclusive_usage, read_cost
from groundwire.dialects.values import as_label, as_texts, parse_json, parse_structure, plain
from groundwire.span import SpanData


class _Vocabulary(NamedTuple):
    name: str
    given: str
    said: str
    kinds: tuple[str, ...]


_OWN = (
    _Vocabulary("genkit", "genkit:input", "genkit:output", ("genkit:metadata:subtype", "genkit:type")),
    # ADK writes an empty request on the spans of its tools, too
    _Vocabulary("google-adk", "gcp.vertex.agent.tool_call_args", "gcp.vertex.agent.tool_response", ()),
    _Vocabulary("google-adk", "gcp.vertex.agent.llm_request", "gcp.vertex.agent.llm_response", ()),
    _Vocabulary("opik", "opik.input", "opik.output", ("opik.span.type", "opik.type")),
)
_PLAIN = (
    _Vocabulary("opik", "input", "output", ("type", "opik.type")),
    _Vocabulary("values", "input.value", "output.value", ()),
)
_ROLES = {
    "llm": Role.LLM, "model": Role.LLM, "generation": Role.LLM, "retriever": Role.RETRIEVAL,
    "tool": Role.TOOL, "reranker": Role.RERANK, "embedder": Role.EMBEDDING, "indexer": Role.OTHER,
    "prompt": Role.OTHER, "evaluator": Role.EVALUATION, "guardrail": Role.OTHER,
}  # fmt: skip


class InputOutput:
    """Spans that keep one input and one output under a known pair of keys.

    ``is_plain``: under names that anyone might use, so that all other dialects are asked before.
    """

    def __init__(self, *, is_plain: bool = True) -> None:
        self.name = "input-output" if is_plain else "vendor-input-output"
        self._vocabularies = _PLAIN if is_plain else _OWN

    def detect(self, span: SpanData) -> str | None:
        """Return the vocabulary's output or input key."""
        for vocabulary in self._vocabularies:
            for key in (vocabulary.said, vocabulary.given):
                if key in span.attributes:
                    return f"{vocabulary.name}: {key}"
        return None

    def read(self, span: SpanData, why: str, around: Surroundings) -> Reading:
        """Return what the span says."""
        held = span.attributes
        vocabulary = next(v for v in self._vocabularies if v.said in held or v.given in held)
        reading = Reading(span=span, role=_role_of(span, vocabulary), dialect=vocabulary.name, why=why)
        given = parse_json(span.attributes.get(vocabulary.given)).value
        said = parse_json(span.attributes.get(vocabulary.said)).value
        _READERS.get(reading.role, _read_nothing)(reading, given, said, vocabulary)
        usage = parse_inclusive_usage(span.attributes.get("usage", _inner_usage(said)))
        if reading.role is Role.LLM:
            reading.put("usage", usage, vocabulary.said)
            for key in ("model", "genkit:name"):
                reading.put("model", as_label(span.attributes.get(key)), key)
        if vocabulary.name == "opik":
            _read_opik(reading)
        return reading


def _read_opik(reading: Reading) -> None:
    """What an exported row says beside input and output; a trace's usage and cost are its spans' sum."""
    attributes, base = reading.span.attributes, "opik."
    cost = read_cost(attributes.get(f"{base}total_estimated_cost"), source=f"{base}total_estimated_cost")
    if cost is not None and cost.amount != "0":
        reading.put("cost", cost, f"{base}total_estimated_cost")
    usage = parse_structure(attributes.get(f"{base}usage")).value
    reading.put("usage", parse_inclusive_usage(_original_usage(usage) or usage), f"{base}usage")
    reading.usage_is_total = reading.role is Role.CHAIN
    for name, key in (("model", "model"), ("provider", "provider"), ("conversation_id", "thread_id")):
        reading.put(name, as_label(attributes.get(base + key)), base + key)
    reading.tags.update(dict.fromkeys(as_texts(attributes.get(f"{base}tags")), "true"))
    kept = parse_json(attributes.get(f"{base}metadata")).value
    if isinstance(kept, Mapping):
        reading.metadata = plain(kept)
    if attributes.get("opik.span.type") == "trace":
        reading.rank = 2


def _original_usage(usage: Any) -> dict[str, Any]:
    """The provider's own counts, which Opik flattens beside its sums: cached and reasoning tokens too."""
    nested: dict[str, Any] = {}
    for key, value in usage.items() if isinstance(usage, Mapping) else ():
        first, _, rest = str(key).removeprefix("original_usage.").partition(".")
        if str(key).startswith("original_usage."):
            inner = nested.setdefault(first, {}) if rest else nested
            if isinstance(inner, dict):
                inner[rest or first] = value
    return nested


def _inner_usage(said: Any) -> Any:
    if not isinstance(said, Mapping):
        return None
    return next((said[key] for key in ("usage", "usage_metadata", "usageMetadata") if key in said), None)


def _role_of(span: SpanData, vocabulary: _Vocabulary) -> Role:
    if "llm_re" in vocabulary.given:
        return Role.LLM
    if "tool_call" in vocabulary.given:
        return Role.TOOL
    for key in vocabulary.kinds:
        kind = (as_label(span.attributes.get(key)) or "").lower()
        role = _ROLES.get(kind.partition(".")[0])  # Genkit's ``tool.v2`` is a tool
        if role is not None:
            return role
    return Role.CHAIN


def _read_model(reading: Reading, given: Any, said: Any, vocabulary: _Vocabulary) -> None:
    if read_turns(given):
        put_input(reading, found(given, vocabulary.given))
    elif given is not None:
        reading.put("question", read_question(given), vocabulary.given)
    put_output(reading, found(said, vocabulary.said))


def _read_retrieval(reading: Reading, given: Any, said: Any, vocabulary: _Vocabulary) -> None:
    reading.put("query", read_question(given) if given is not None else None, vocabulary.given)
    documents = read_contexts(said)
    if documents.contexts is not None:
        reading.documents, reading.sources["documents"] = documents.contexts, vocabulary.said


def _read_tool(reading: Reading, given: Any, said: Any, vocabulary: _Vocabulary) -> None:
    reading.put("query", read_question(given) if given is not None else None, vocabulary.given)
    put_tool_documents(reading, said, vocabulary.said, name=reading.span.name)


def _read_function(reading: Reading, given: Any, said: Any, vocabulary: _Vocabulary) -> None:
    if given is not None:
        reading.put("question", read_question(given), vocabulary.given)
    if said is not None:
        reading.put("answer", read_answer(said).text, vocabulary.said)
        reading.put("carried", read_evident_contexts(said).contexts, vocabulary.said)
        reading.output, reading.sources["output"] = said, vocabulary.said


def _read_nothing(reading: Reading, given: Any, said: Any, vocabulary: _Vocabulary) -> None:
    return None


_READERS = {
    Role.LLM: _read_model,
    Role.RETRIEVAL: _read_retrieval,
    Role.RERANK: _read_retrieval,
    Role.TOOL: _read_tool,
    Role.CHAIN: _read_function,
}
