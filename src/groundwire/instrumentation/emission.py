"""Writes a finished call's fields onto its span, in the form that WIRE.md states.

Nearly every call takes the short way: four JSON strings and a handful of scalars. Only what can not be
written as it is (redaction, size, offload, odd values) is prepared by ``content``.
"""

from __future__ import annotations

from typing import Any

from opentelemetry import trace
from orjson import dumps

from groundwire import semconv
from groundwire.instrumentation.late import content, values
from groundwire.instrumentation.policy import Policy
from groundwire.instrumentation.writing import write_attributes

Fields = dict[str, Any]
Attributes = dict[str, Any]

_USAGE = {
    "input_tokens": semconv.INPUT_TOKENS,
    "output_tokens": semconv.OUTPUT_TOKENS,
    "cache_read_input_tokens": semconv.CACHE_READ_INPUT_TOKENS,
    "cache_write_input_tokens": semconv.CACHE_WRITE_INPUT_TOKENS,
    "reasoning_output_tokens": semconv.REASONING_OUTPUT_TOKENS,
}
_TEXTS = {
    "model": semconv.RESPONSE_MODEL,
    "provider": semconv.PROVIDER_NAME,
    "conversation_id": semconv.CONVERSATION_ID,
    "subject_id": semconv.USER_ID,
    "prompt_id": semconv.PROMPT_NAME,
    "prompt_version": semconv.PROMPT_VERSION,
    "index_version": semconv.INDEX_VERSION,
    "tenant": semconv.TENANT,
    "stream_end": semconv.STREAM_END,
    "context_source": semconv.CONTEXT_SOURCE,
    "query": semconv.RETRIEVAL_QUERY,
}
_NUMBERS = {
    "latency_ns": semconv.LATENCY_NS,
    "time_to_first_chunk_ns": semconv.TIME_TO_FIRST_CHUNK_NS,
    "stream_chunks": semconv.STREAM_CHUNKS,
    "consumer_wait_ns": semconv.CONSUMER_WAIT_NS,
}
_OBJECTS = {
    "tags": semconv.TAGS,
    "expected": semconv.EXPECTED,
    "recorded_cost": semconv.COST,
    "metadata": semconv.METADATA,
    "changes": semconv.CHANGES,
    "digests": semconv.CONTENT_DIGESTS,
}
LABELS = (*_TEXTS, "finish_reason")
_CONTENT = frozenset(("question", "history", "answer", "contexts", "documents", "citations", "usage"))
RECORD_FIELDS = _CONTENT.union(_TEXTS, _NUMBERS, _OBJECTS, ("abstained", "finish_reason")) - {
    "query",
    "documents",
    "changes",
    "digests",
}


BAGGAGE_FIELDS = frozenset(_TEXTS.keys() - {"query", "stream_end", "context_source"}) | {
    "tags",
    "question",
    "answer",
}


def emit_fields(span: trace.Span, fields: Fields, policy: Policy, attributes: Attributes) -> None:
    """Add ``fields`` to ``attributes`` and set all of them on the span.

    Raises nothing on odd values; they are changed as WIRE.md §2 says.
    """
    count = len(attributes)
    if policy.is_plain:
        try:
            shown = fields if policy.full else content.restricted(fields, hashed=policy.capture == "hash")
            if add_attributes(attributes, shown, policy) <= policy.max_span_bytes:
                write_attributes(span, attributes)
                return
        except Exception:  # noqa: BLE001 - an odd value: the careful way finds and mends it
            pass
    write_attributes(span, content.prepare(fields, policy, dict(list(attributes.items())[:count])))


def add_attributes(attributes: Attributes, fields: Fields, policy: Policy, *, is_clean: bool = False) -> int:
    """Encode ``fields`` into ``attributes`` and return the size of their content in bytes.

    Raises on a value that has no JSON form (a lone surrogate, a foreign object) or, unless ``is_clean``, may
    have no end there. On the way of every call: so it is one function, with names of its own for what it
    looks up.
    """
    get = fields.get
    openinference = policy.openinference
    size = 0
    question, answer, history = get("question"), get("answer"), get("history")
    if (type(question) is not str and question is not None) or (
        type(answer) is not str and answer is not None
    ):
        raise TypeError("no text")
    if history:
        raw = dumps(input_messages(question, history))
        size = len(raw)
        attributes[_INPUT_MESSAGES] = raw.decode()
    elif question is not None:
        raw = dumps(question)
        size = len(_USER) + len(raw) + len(_END)
        attributes[_INPUT_MESSAGES] = f"{_USER}{raw.decode()}{_END}"
    if openinference and question is not None:
        size += size
        attributes[_INPUT_VALUE] = question
    if answer is not None:
        raw = dumps(answer)
        size += len(raw)
        attributes[_OUTPUT_MESSAGES] = f"{_ASSISTANT}{raw.decode()}{_END}"
        if openinference:
            size += len(raw)
            attributes[_OUTPUT_VALUE] = answer
    documents = get("documents")
    if documents is None and (contexts := get("contexts")) is not None:
        documents = [wire_document(context) for context in contexts]
        if not is_clean:
            for document in documents:
                if "metadata" in document:
                    values.check_tame(document["metadata"])
    if documents is not None:
        raw = dumps(documents)
        size += len(raw)
        attributes[_DOCUMENTS] = raw.decode()
    citations = get("citations")
    if citations is not None:
        raw = dumps(citations)
        size += len(raw)
        attributes[_CITATIONS] = raw.decode()
    usage = get("usage")
    if usage:
        _add_usage(attributes, usage)
    if not _CONTENT.issuperset(fields):
        for name in fields.keys() - _CONTENT:
            if name in _OBJECTS and not is_clean:
                values.check_tame(fields[name])
            size += _add_other(attributes, name, fields[name])
    return size


def _add_usage(attributes: Attributes, usage: Fields) -> None:
    for name, count in usage.items():
        if name in _USAGE:
            attributes[_USAGE[name]] = _whole(count)


_INPUT_MESSAGES, _INPUT_VALUE = semconv.INPUT_MESSAGES, semconv.INPUT_VALUE
_OUTPUT_MESSAGES, _OUTPUT_VALUE = semconv.OUTPUT_MESSAGES, semconv.OUTPUT_VALUE
_DOCUMENTS, _CITATIONS = semconv.RETRIEVAL_DOCUMENTS, semconv.CITATIONS
_USER = '[{"role":"user","parts":[{"type":"text","content":'
_ASSISTANT = '[{"role":"assistant","parts":[{"type":"text","content":'
_END = "}]}]"


def _message(role: str, content: str) -> dict[str, Any]:
    return {"role": role, "parts": [{"type": "text", "content": content}]}


def input_messages(question: str | None, history: Any) -> list[dict[str, Any]]:
    """Return history and question as GenAI messages; the last user message is the question."""
    messages = [_message(turn["role"], turn["content"]) for turn in history] if history else []
    if question is not None:
        messages.append(_message("user", question))
    elif messages and messages[-1]["role"] == "user":
        messages[-1]["question"] = False
    return messages


def record_context(document: dict[str, Any]) -> dict[str, Any]:
    """Return a document on the wire under the names of a context."""
    return {"text" if name == "content" else name: value for name, value in document.items()}


def wire_document(context: dict[str, Any]) -> dict[str, Any]:
    """Return a context's fields under their names on the wire, None left out."""
    return {
        "content" if name == "text" else name: value
        for name, value in context.items()
        if value is not None and value is not False
    }


def _add_other(attributes: Attributes, name: str, value: Any) -> int:
    if value is None:
        return 0
    if name in _TEXTS:
        if not value.isascii():
            value.encode()
        attributes[_TEXTS[name]] = value
        return len(value)
    if name in _OBJECTS:
        if not value:
            return 0
        raw = dumps(value)
        attributes[_OBJECTS[name]] = raw.decode()
        return len(raw)
    if name in _NUMBERS:
        attributes[_NUMBERS[name]] = _whole(value)
    elif name == "abstained":
        attributes[semconv.ABSTAINED] = _exactly(bool, value)
    elif name == "finish_reason":
        attributes[semconv.FINISH_REASONS] = (_exactly(str, value),)
        return len(value)
    return 0


def _whole(value: Any) -> int:
    """Return an int that OTLP can carry: a larger one would cost its key or the whole batch."""
    if type(value) is not int or not -_LARGEST <= value < _LARGEST:
        raise TypeError("no whole number of 64 bits")
    return value


_LARGEST = 2**63


def _exactly(kind: type, value: Any) -> Any:
    if type(value) is not kind:
        raise TypeError(kind)
    return value
