"""OpenInference (Arize): ``openinference.span.kind``, flattened documents and messages, ``input.value``.

Also Phoenix dataframes, whose columns are the same keys un-flattened (``retrieval.documents`` as a list of
mappings) or, from Arize AX, as arrays (``retrieval.documents.contents``).
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from msgspec import structs

from groundwire import semconv
from groundwire.dialects.damage import is_masked, text_damage, worst_damage
from groundwire.dialects.documents import Documents, read_contexts, read_evident_contexts
from groundwire.dialects.form import Reading, Role, Surroundings
from groundwire.dialects.genai_fields import found, put_input, put_output
from groundwire.dialects.indexed import read_indexed, strip_prefix
from groundwire.dialects.messages import read_answer, read_question
from groundwire.dialects.supplied import read_supplied
from groundwire.dialects.toolresult import put_tool_documents
from groundwire.dialects.usage import pick_usage, read_cost, usage_in
from groundwire.dialects.values import as_label, as_text, parse_json, parse_structure, plain
from groundwire.record import RetrievedContext
from groundwire.span import SpanData

_ROLES = {
    "LLM": Role.LLM, "RETRIEVER": Role.RETRIEVAL, "RERANKER": Role.RERANK, "TOOL": Role.TOOL,
    "EMBEDDING": Role.EMBEDDING, "CHAIN": Role.CHAIN, "AGENT": Role.CHAIN, "EVALUATOR": Role.EVALUATION,
    "GUARDRAIL": Role.OTHER, "PROMPT": Role.OTHER, "DECISION": Role.OTHER, "UNKNOWN": Role.CHAIN,
}  # fmt: skip
_OBJECT = re.compile(r"(?:[A-Z][a-z0-9]+){2,}\((?:\)|\w+=)")
"""A Python object's repr, such as a workflow's event: no text that anyone asked or answered."""
_SIGNS = ("llm.model_name", "llm.input_messages.0.message.role", "retrieval.documents.0.document.content")
_USAGE = {
    "input_tokens": ("llm.token_count.prompt",),
    "output_tokens": ("llm.token_count.completion",),
    "cache_read_input_tokens": (
        "llm.token_count.prompt_details.cache_read", "llm.token_count.prompt_details.cache_input",
    ),
    "cache_write_input_tokens": ("llm.token_count.prompt_details.cache_write",),
    "reasoning_output_tokens": ("llm.token_count.completion_details.reasoning",),
}  # fmt: skip
_LABELS = (
    ("model", ("llm.response.model_name", "llm.model_name", "llm.request.model_name")),
    ("provider", ("llm.provider", "llm.system")),
    ("finish_reason", ("llm.finish_reason",)),
    ("conversation_id", ("session.id",)),
    ("subject_id", ("user.id",)),
    ("prompt_id", ("llm.prompt_template.name", "prompt.id")),
    ("prompt_version", ("llm.prompt_template.version",)),
)


class OpenInference:
    """Spans with ``openinference.span.kind`` (or its unmistakable keys)."""

    name = "openinference"

    def detect(self, span: SpanData) -> str | None:
        """Return the kind attribute, or the first unmistakable key."""
        kind = as_label(span.attributes.get(semconv.OPENINFERENCE_KIND))
        if kind is not None:
            return f"{semconv.OPENINFERENCE_KIND}={kind}"
        return next((key for key in _SIGNS if key in span.attributes), None)

    def read(self, span: SpanData, why: str, around: Surroundings) -> Reading:
        """Return what the span says; texts masked by a TraceConfig count as redacted."""
        reading = Reading(span=span, role=_role_of(span), dialect=self.name, why=why)
        _read_labels(reading)
        if reading.role in (Role.RETRIEVAL, Role.RERANK):
            _read_retrieval(reading)
        elif reading.role is Role.TOOL:
            _read_tool(reading)
        elif reading.role in (Role.LLM, Role.CHAIN):
            _read_texts(reading)
        return reading


def _role_of(span: SpanData) -> Role:
    kind = (as_label(span.attributes.get(semconv.OPENINFERENCE_KIND)) or "").upper()
    if kind in _ROLES:
        return _ROLES[kind]
    return Role.RETRIEVAL if _SIGNS[2] in span.attributes else Role.LLM


def _read_labels(reading: Reading) -> None:
    attributes = reading.span.attributes
    for name, keys in _LABELS:
        for key in keys:
            reading.put(name, as_label(attributes.get(key)), key)
    if reading.role in (Role.LLM, Role.CHAIN):
        reading.put("usage", pick_usage(attributes, _USAGE), "llm.token_count")
        reading.put(
            "cost", read_cost(attributes.get("llm.cost.total"), source="llm.cost.total"), "llm.cost.total"
        )
        reading.usage_is_total = reading.role is Role.CHAIN
    metadata = plain(parse_structure(attributes.get("metadata")).value)
    if isinstance(metadata, dict):
        reading.metadata.update(metadata)
    tags = parse_json(attributes.get("tag.tags")).value
    if isinstance(tags, Sequence) and not isinstance(tags, str):
        reading.tags.update({label: "true" for label in map(as_label, tags) if label is not None})
    for key, value in _mapping(attributes.get("llm.prompt_template.variables")).items():
        if isinstance(value, str):
            reading.variables[str(key)] = value
    if as_label(attributes.get(semconv.OPENINFERENCE_KIND)) in ("AGENT", "CHAIN"):
        reading.rank = 2 if as_label(attributes.get(semconv.OPENINFERENCE_KIND)) == "AGENT" else 1


def _mapping(value: Any) -> Mapping[str, Any]:
    parsed = parse_structure(value).value
    return parsed if isinstance(parsed, Mapping) else {}


def _is_json(attributes: Mapping[str, Any], name: str) -> bool:
    """By its MIME type, or because a store has decoded it already."""
    is_decoded = isinstance(attributes.get(f"{name}.value"), (Mapping, list))
    return is_decoded or "json" in (as_label(attributes.get(f"{name}.mime_type")) or "")


def _read_retrieval(reading: Reading) -> None:
    attributes = reading.span.attributes
    prefix = "reranker.output_documents" if reading.role is Role.RERANK else "retrieval.documents"
    documents = read_flat_documents(attributes, prefix)
    dumped = read_contexts(attributes["output.value"]) if _is_json(attributes, "output") else Documents(None)
    source = f"{prefix}.*"
    if documents.contexts is None and _has_text(dumped.contexts):
        documents, source = dumped, semconv.OUTPUT_VALUE
    if documents.contexts is not None:
        reading.documents = _with_dumped(documents.contexts, dumped.contexts)
        reading.sources["documents"] = source
        if documents.damage is not None:
            reading.damage["documents"] = documents.damage
    if reading.role is Role.RERANK:
        reading.carried = read_flat_documents(attributes, "reranker.input_documents").contexts
        reading.put("query", as_text(attributes.get("reranker.query")), "reranker.query")
    reading.put("query", _read_input_question(attributes), semconv.INPUT_VALUE)


def _has_text(contexts: tuple[RetrievedContext, ...] | None) -> bool:
    return contexts is not None and any(context.text is not None for context in contexts)


def _with_dumped(
    contexts: tuple[RetrievedContext, ...], dumped: tuple[RetrievedContext, ...] | None
) -> tuple[RetrievedContext, ...]:
    """Take ids and scores that the flattened documents lack from the raw output, where both agree."""
    if dumped is None or len(dumped) != len(contexts):
        return contexts
    filled = []
    for context, raw in zip(contexts, dumped, strict=True):
        same = raw.text is None or context.text is None or raw.text == context.text
        gaps = {n: getattr(raw, n) for n in ("id", "score", "uri", "title") if getattr(context, n) is None}
        filled.append(structs.replace(context, **gaps) if same and gaps else context)
    return tuple(filled)


def read_flat_documents(attributes: Mapping[str, Any], prefix: str) -> Documents:
    """Return documents from flattened keys, from a list of mappings, or from Arize's parallel arrays."""
    indexed = read_indexed(attributes, prefix)
    if not indexed:
        return _read_listed(attributes, prefix)
    items = [strip_prefix(item, "document.") for item in indexed.items]
    found = read_contexts(items)
    if found.contexts is None or len(found.contexts) != len(items):
        return Documents(found.contexts, not indexed.has_gaps, found.masked)
    damages = [text_damage(context.text) for context in found.contexts]
    contexts = tuple(
        structs.replace(context, truncated=True) if damage == "truncated" else context
        for context, damage in zip(found.contexts, damages, strict=True)
    )
    complete = not indexed.has_gaps and worst_damage(damages) != "truncated"
    return Documents(contexts, complete, found.masked)


def _read_listed(attributes: Mapping[str, Any], prefix: str) -> Documents:
    if attributes.get(prefix) is not None:
        return read_contexts(attributes[prefix])
    columns = {
        name: parse_json(attributes.get(f"{prefix}.{name}")).value for name in ("contents", "ids", "scores")
    }
    if not isinstance(columns["contents"], list):
        return Documents(None)
    rows = []
    for index, content in enumerate(columns["contents"]):
        row: dict[str, Any] = {"content": content}
        for name, column in (("id", columns["ids"]), ("score", columns["scores"])):
            if isinstance(column, list) and index < len(column):
                row[name] = column[index]
        rows.append(row)
    return read_contexts(rows)


def _read_tool(reading: Reading) -> None:
    attributes = reading.span.attributes
    name = as_label(attributes.get("tool.name")) or reading.span.name
    arguments = attributes.get("tool.parameters", attributes.get(semconv.INPUT_VALUE))
    reading.put("query", read_question(arguments), semconv.INPUT_VALUE)
    put_tool_documents(reading, attributes.get(semconv.OUTPUT_VALUE), semconv.OUTPUT_VALUE, name=name)


def _read_texts(reading: Reading) -> None:
    attributes = reading.span.attributes
    given = _read_messages(attributes, "llm.input_messages") or attributes.get("llm.prompts")
    said = _read_messages(attributes, "llm.output_messages")
    if given:
        put_input(reading, found(given, "llm.input_messages.*"))
    if said:
        raw = attributes.get(semconv.OUTPUT_VALUE) if len(said) > 1 else None
        said = said[:1] if raw is not None and _count_choices(parse_json(raw).value) == len(said) else said
        put_output(reading, found(said, "llm.output_messages.*"))
    _put_values(reading)
    for name in (semconv.OUTPUT_VALUE, semconv.INPUT_VALUE):
        carried = read_evident_contexts(attributes.get(name))
        if carried.contexts and reading.role is Role.CHAIN:
            reading.put("carried", carried.contexts, name)
    if reading.role is Role.LLM:
        value = attributes.get(semconv.INPUT_VALUE)
        if _is_json(attributes, "input") or (as_text(value) or "")[:1] in ("{", "["):
            reading.put("carried", read_supplied(value), semconv.INPUT_VALUE)


def _count_choices(raw: Any) -> int:
    """Return how many alternatives a raw response holds; the first of them is the answer."""
    if not isinstance(raw, Mapping):
        return 0
    choices = raw.get("choices", raw.get("candidates", raw.get("generations")))
    if isinstance(choices, list) and len(choices) == 1 and isinstance(choices[0], list):
        choices = choices[0]
    return len(choices) if isinstance(choices, list) else 0


def _put_values(reading: Reading) -> None:
    attributes = reading.span.attributes
    given, said = attributes.get(semconv.INPUT_VALUE), attributes.get(semconv.OUTPUT_VALUE)
    reading.put("question", _read_input_question(attributes), semconv.INPUT_VALUE)
    if given is not None and is_masked(as_text(given) or ""):
        reading.damage["question"] = "redacted"
    if said is None:
        return
    if is_masked(as_text(said) or "") and reading.answer is None:
        reading.damage["answer"] = "redacted"
        return
    if not _is_json(attributes, "output"):
        if _OBJECT.match(as_text(said) or ""):
            return
        is_message = "'role'" in (as_text(said) or "")[:80]  # a message's repr
        text = read_answer(said).text if is_message else as_text(said)
        reading.put("answer", text, semconv.OUTPUT_VALUE)
        return
    parsed = parse_json(said)
    reading.output, reading.sources["output"] = parsed.value, semconv.OUTPUT_VALUE
    answer = read_answer(parsed.value)
    reading.put("answer", answer.text, semconv.OUTPUT_VALUE)
    if reading.role is Role.LLM and reading.usage is None and isinstance(parsed.value, Mapping):
        reading.put("usage", usage_in(parsed.value), semconv.OUTPUT_VALUE)
    reading.put("finish_reason", answer.finish_reason, semconv.OUTPUT_VALUE)
    if not parsed.complete and reading.sources.get("answer") == semconv.OUTPUT_VALUE:
        reading.damage["answer"] = "truncated"


def _read_input_question(attributes: Mapping[str, Any]) -> str | None:
    value = attributes.get(semconv.INPUT_VALUE)
    text = as_text(value)
    if text is None:
        return read_question(value) if value is not None else None
    if is_masked(text):
        return None
    asked = read_question(value) if _is_json(attributes, "input") or text[:1] in ("{", "[") else text
    return None if asked is not None and _OBJECT.match(asked) else asked


def _read_messages(attributes: Mapping[str, Any], prefix: str) -> list[Any] | None:
    """Return messages from flattened keys or from a list, with their parts joined back."""
    indexed = read_indexed(attributes, prefix)
    if indexed:
        return [_message(strip_prefix(item, "message.")) for item in indexed.items]
    listed = parse_json(attributes.get(prefix)).value
    if not isinstance(listed, list):
        return None
    return [_message(strip_prefix(item, "message.")) for item in listed if isinstance(item, Mapping)]


def _message(item: dict[str, Any]) -> dict[str, Any]:
    """A message's text is in ``content`` or in ``contents.{j}.message_content.text``; its calls are named."""
    calls = [strip_prefix(call, "tool_call.") for call in read_indexed(item, "tool_calls").items]
    if calls:
        named = [{"id": call.get("id"), "name": call.get("function.name")} for call in calls]
        item = {**item, "tool_calls": named}
    if isinstance(item.get("content"), str) and item["content"]:
        return item
    parts = [_part(part) for part in read_indexed(item, "contents").items]
    listed = item.get("contents")
    if not parts and isinstance(listed, list):
        parts = [_part(part) for part in listed if isinstance(part, Mapping)]
    return {**item, "content": parts} if parts else item


def _part(part: Mapping[str, Any]) -> dict[str, Any]:
    """A part that is no text (a document, say) is written as its own JSON under ``text``."""
    fields = strip_prefix(part, "message_content.")
    kind = fields.get("type")
    written = parse_json(fields.get("text")).value if kind not in (None, "text") else None
    is_part = isinstance(written, Mapping) and written.get("type") == kind
    return dict(written) if is_part and isinstance(written, Mapping) else fields
