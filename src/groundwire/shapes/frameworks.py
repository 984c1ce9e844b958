"""Answers of LangChain, LlamaIndex and Haystack that are more than one message."""

from __future__ import annotations

from typing import Any

from groundwire.shapes.access import Fields, fields_of, get, items_of, text_of
from groundwire.shapes.chat import artifacts_of, last_answer, read_message
from groundwire.shapes.documents import documents_of
from groundwire.shapes.plain import Result, add_common, contexts_of


def read_graph_state(fields: Fields, messages: Any) -> Result | None:
    """Read a state with ``messages`` (LangGraph agents): the last assistant message, the tools' passages."""
    answer = last_answer(messages)
    if answer is None:
        return None
    result = read_message(answer)
    contexts = contexts_of(fields) or artifacts_of(messages)
    if contexts is not None:
        result["contexts"] = contexts
    add_common(result, {name: stored for name, stored in dict.items(fields) if name != "messages"})
    return result


def read_generations(fields: Fields, generations: Any) -> Result:
    """Read LangChain's LLMResult (lists of lists) or Cohere's generate answer: the first generation."""
    first = generations[0] if generations else None
    inner = items_of(first)
    generation = fields_of(inner[0] if inner else first)
    result: Result = {}
    if generation:
        message = fields_of(get(generation, "message"))
        message = fields_of(get(message, "kwargs")) or message if message else None
        result = read_message(message or generation)
        if "answer" not in result and text_of(get(generation, "text")):
            result["answer"] = text_of(get(generation, "text"))
    output = fields_of(get(fields, "llm_output"))
    if output:
        add_common(result, output)
    return result


def read_haystack(fields: Fields) -> Result | None:
    """Read a pipeline's or component's output: answers, else replies, at the top or one level below."""
    answers = _component(fields, "answers")
    if answers:
        return _read_answer(fields_of(answers[0]) or {}, fields)
    replies = _component(fields, "replies")
    if not replies:
        return None
    text = text_of(replies[0])
    reply = fields_of(replies[0])
    result: Result = {"answer": text} if text is not None else read_message(reply) if reply else {}
    metas = _component(fields, "meta")
    meta = fields_of(metas[0]) if metas else None
    if meta:
        add_common(result, meta)
    return _with_documents(result, fields)


def _component(fields: Fields, name: str) -> Any:
    """Return the list ``name`` of the first component that put one out."""
    own = items_of(get(fields, name))
    if own is not None:
        return own
    for stored in dict.values(fields):
        inner = fields_of(stored) if type(stored) is dict else None
        listed = items_of(get(inner, name)) if inner else None
        if listed:
            return listed
    return None


def _read_answer(answer: Fields, fields: Fields) -> Result:
    text = text_of(get(answer, "data"))
    result: Result = {} if text is None else {"answer": text}
    contexts = documents_of(get(answer, "documents")) or _extracted(answer)
    if contexts is not None:
        result["contexts"] = contexts
    meta = fields_of(get(answer, "meta"))
    if meta:
        add_common(result, meta)
    replies = items_of(get(meta, "all_messages")) if meta else None
    reply = fields_of(replies[-1]) if replies else None
    if reply:
        for name, stored in read_message(reply).items():
            result.setdefault(name, stored)
    return result if contexts is not None else _with_documents(result, fields)


def _extracted(answer: Fields) -> Any:
    document = get(answer, "document")
    return None if document is None else documents_of([document])


def _with_documents(result: Result, fields: Fields) -> Result:
    documents = _component(fields, "documents")
    if documents is not None and "contexts" not in result:
        result["contexts"] = documents_of(documents) or []
    return result
