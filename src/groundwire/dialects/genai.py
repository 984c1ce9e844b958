"""OpenTelemetry's GenAI conventions, from the first message events to today's attributes."""

from __future__ import annotations

from groundwire import semconv
from groundwire.dialects.documents import read_contexts
from groundwire.dialects.form import Reading, Role, Surroundings
from groundwire.dialects.genai_fields import read_common, read_messages
from groundwire.dialects.toolresult import put_tool_documents
from groundwire.dialects.values import as_label, as_text
from groundwire.span import SpanData

_ROLES = {
    "chat": Role.LLM,
    "generate_content": Role.LLM,
    "text_completion": Role.LLM,
    "completion": Role.LLM,
    "fetch_response": Role.LLM,
    "message": Role.LLM,
    "embeddings": Role.EMBEDDING,
    "embedding": Role.EMBEDDING,
    "retrieval": Role.RETRIEVAL,
    "retrieve": Role.RETRIEVAL,
    "retriever": Role.RETRIEVAL,
    "vector_db_retrieve": Role.RETRIEVAL,
    "search_memory": Role.RETRIEVAL,
    "rerank": Role.RERANK,
    "reranker": Role.RERANK,
    "chat_model": Role.LLM,
    "llm": Role.LLM,
    "tool": Role.TOOL,
    "chain": Role.CHAIN,
    "unknown": Role.CHAIN,
    "execute_tool": Role.TOOL,
    "invoke_agent": Role.CHAIN,
    "invoke_workflow": Role.CHAIN,
    "agent": Role.CHAIN,
    "workflow": Role.CHAIN,
    "plan": Role.OTHER,
    "evaluate": Role.EVALUATION,
    "evaluation": Role.EVALUATION,
}
_SIGNS = (
    semconv.OPERATION_NAME, semconv.REQUEST_MODEL, semconv.PROVIDER_NAME, semconv.RETRIEVAL_DOCUMENTS,
    semconv.INPUT_MESSAGES, semconv.OUTPUT_MESSAGES, semconv.INPUT_MESSAGES_REF, "gen_ai.system",
    "gen_ai.prompt.0.content", "gen_ai.prompt.0.role", "gen_ai.tool.name", "llm.request.type",
)  # fmt: skip
TOOL_RESULTS = ("gen_ai.tool.call.result", "gen_ai.tool.result", "tool_response", "gen_ai.tool.output")
TOOL_ARGUMENTS = ("gen_ai.tool.call.arguments", "gen_ai.tool.arguments", "tool_arguments")


class GenAI:
    """Spans with ``gen_ai.*`` attributes or events."""

    name = "otel-genai"

    def detect(self, span: SpanData) -> str | None:
        """Return the first ``gen_ai`` sign on the span."""
        for key in _SIGNS:
            if key in span.attributes:
                return key
        return next((f"event {event.name}" for event in span.events if event.name in _EVENT_SIGNS), None)

    def read(self, span: SpanData, why: str, around: Surroundings) -> Reading:
        """Return what the ``gen_ai.*`` attributes, events and logs say."""
        reading = Reading(span=span, role=role_of(span), dialect=self.name, why=why)
        read_genai(reading, around)
        return reading


_EVENT_SIGNS = frozenset({
    "gen_ai.user.message", "gen_ai.choice", "gen_ai.content.prompt", "gen_ai.content.completion",
    "gen_ai.client.inference.operation.details",
})  # fmt: skip


def role_of(span: SpanData) -> Role:
    """Return the role that the operation name states; documents or a model speak for a span without one."""
    attributes = span.attributes
    operation = (as_label(attributes.get(semconv.OPERATION_NAME)) or "").lower()
    role = _ROLES.get(operation)
    if role is not None:
        return role
    if semconv.RETRIEVAL_DOCUMENTS in attributes:
        return Role.RETRIEVAL
    if as_label(attributes.get("llm.request.type")) == "rerank":
        return Role.RERANK
    if any(key in attributes for key in ("gen_ai.tool.name", "gen_ai.tool.call.id", *TOOL_RESULTS)):
        return Role.TOOL
    if operation.startswith(("create_", "update_", "delete_", "upsert_")):
        return Role.OTHER
    has_model = semconv.REQUEST_MODEL in attributes or semconv.RESPONSE_MODEL in attributes
    return Role.LLM if has_model or "gen_ai.prompt.0.content" in attributes else Role.CHAIN


def read_genai(reading: Reading, around: Surroundings) -> None:
    """Fill a reading of known role from ``gen_ai.*``; what is already known stands."""
    role = reading.role
    read_common(reading, with_usage=role in (Role.LLM, Role.CHAIN))
    reading.usage_is_total = reading.usage_is_total or role is Role.CHAIN
    if role in (Role.RETRIEVAL, Role.RERANK):
        _read_retrieval(reading)
    elif role is Role.TOOL:
        _read_tool(reading)
    elif role in (Role.LLM, Role.CHAIN):
        read_messages(reading, around)
        if role is Role.CHAIN and (reading.answer is not None or _is_agent(reading.span)):
            reading.rank = max(reading.rank, 2)


def _is_agent(span: SpanData) -> bool:
    return as_label(span.attributes.get(semconv.OPERATION_NAME)) in ("invoke_agent", "invoke_workflow")


def _read_retrieval(reading: Reading) -> None:
    attributes = reading.span.attributes
    reading.put("query", as_text(attributes.get(semconv.RETRIEVAL_QUERY)), semconv.RETRIEVAL_QUERY)
    value = attributes.get(semconv.RETRIEVAL_DOCUMENTS)
    if value is None:
        return
    documents = read_contexts(value)
    if documents.contexts is not None and reading.documents is None:
        reading.documents = documents.contexts
        reading.sources["documents"] = semconv.RETRIEVAL_DOCUMENTS
        if documents.damage is not None:
            reading.damage["documents"] = documents.damage


def _read_tool(reading: Reading) -> None:
    attributes = reading.span.attributes
    for key in TOOL_ARGUMENTS:
        reading.put("query", as_text(attributes.get(key)), key)
    name = as_label(attributes.get("gen_ai.tool.name")) or reading.span.name
    kind = as_label(attributes.get("gen_ai.tool.type"))
    for key in TOOL_RESULTS:
        if attributes.get(key) is not None:
            put_tool_documents(reading, attributes[key], key, name=name, kind=kind)
            return
