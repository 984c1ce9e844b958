"""Which shape an answer has, and everything that can be read of it at once."""

from __future__ import annotations

from typing import Any

from groundwire.shapes.access import MAX_DEPTH, Fields, fields_of, get, items_of, text_of
from groundwire.shapes.budget import bounded, budget
from groundwire.shapes.dispatch import read_by_shape, read_components
from groundwire.shapes.plain import Result, read_plain, read_tuple
from groundwire.shapes.stream_texts import read_texts

_ANSWERS = ("generated_text", "answer", "output", "response", "completion")
"""Names that a passage never has: a list of one mapping with one of them is an answer."""


def read_result(value: Any) -> Result:
    """Return whatever ``value``, an answer of any shape, says, under the names of RagRecord's fields.

    ``answer`` is text; ``contexts``, ``citations`` and ``usage`` are lists and dicts with the field names of
    ``groundwire.record``; offsets are code points. Absent: not known. An empty list: known to be none.

    >>> read_result({"answer": "Ada.", "contexts": ["Ada wrote it."], "usage": {"prompt_tokens": 9}})
    {'answer': 'Ada.', 'contexts': [{'text': 'Ada wrote it.'}], 'usage': {'input_tokens': 9}}
    >>> read_result(("Ada.", []))
    {'answer': 'Ada.', 'contexts': []}
    >>> read_result(object())
    {}
    """
    if type(value) is str:
        return {"answer": value}
    return bounded(lambda: _read_whole(value), {})


def _read_whole(value: Any) -> Result:
    result = read_any(value, 0)
    if budget.left < 0:
        result["metadata"] = {**result.get("metadata", {}), "reading": "cut short"}
    return result


def read_any(value: Any, depth: int) -> Result:
    """Like :func:`read_result`, for a value that lies ``depth`` deep; may raise."""
    text = text_of(value)
    if text is not None:
        return {"answer": text}
    if value is None or depth > MAX_DEPTH:
        return {}
    items = items_of(value)
    if items is not None:
        return _read_items(value, items, depth)
    fields = fields_of(value)
    return read_fields(fields, depth) if fields else {}


def read_fields(fields: Fields, depth: int) -> Result:
    """Read a mapping or the stored fields of an object, by the shape that it has."""
    if text_of(get(fields, "answer")) is None:
        result = read_by_shape(fields, depth, read_any)
        if result is not None:
            return result
    result = read_plain(fields, depth, read_any)
    return result if "answer" in result else read_components(fields, result)


def _read_items(value: Any, items: Any, depth: int) -> Result:
    if issubclass(type(value), tuple):
        return read_tuple(items, depth, read_any)
    return _read_list(items, depth)


def _read_list(items: Any, depth: int) -> Result:
    from groundwire.shapes.blocks import read_parts
    from groundwire.shapes.chat import put_parts
    from groundwire.shapes.documents import documents_of
    from groundwire.shapes.messages import read_turn, role_of

    roles = [role_of(item) for item in items]
    if any(role is not None for role in roles):
        answers = [item for item, role in zip(items, roles, strict=True) if role == "assistant"]
        spoken = [item for item in answers if read_turn(item) is not None] or answers
        return read_any(spoken[-1], depth + 1) if spoken else {}
    first = fields_of(items[0]) if items else None
    if first and text_of(get(first, "type")) in {"text", "output_text", "thinking", "tool_use"}:
        result: Result = {}
        put_parts(result, read_parts(items))
        return result
    if first and len(items) == 1 and any(text_of(get(first, name)) for name in _ANSWERS):
        return read_any(items[0], depth + 1)
    contexts = documents_of(items)
    return {} if contexts is None else {"contexts": contexts}


def read_answer(value: Any) -> str | None:
    """Return the answer's text; None when there is none.

    >>> read_answer({"result": "Ada.", "source_documents": []})
    'Ada.'
    """
    answer: str | None = read_result(value).get("answer")
    return answer


def read_contexts(value: Any) -> list[dict[str, Any]] | None:
    """Return the passages that came with an answer; None when it says nothing about them.

    >>> read_contexts({"answer": "Ada.", "docs": [{"id": 1, "text": "Ada wrote it."}]})
    [{'text': 'Ada wrote it.', 'id': '1'}]
    """
    contexts: list[dict[str, Any]] | None = read_result(value).get("contexts")
    return contexts


def read_citations(value: Any, answer: str | None = None) -> list[dict[str, Any]] | None:
    """Return the citations of a result, or read a bare list of citations that belongs to ``answer``.

    >>> read_citations([{"start": 0, "end": 3, "text": "Ada", "document_ids": ["d1"]}], "Ada.")
    [{'claim': 'Ada', 'resolved': 'code_points', 'answer_start': 0, 'answer_end': 3, 'source_id': 'd1'}]
    """
    from groundwire.shapes.citations import citations_of

    if items_of(value) is not None and not issubclass(type(value), tuple):
        return bounded(lambda: citations_of(value, answer), None)
    citations: list[dict[str, Any]] | None = read_result(value).get("citations")
    return citations


def join_chunks(chunks: Any) -> Result:
    """Return what a list of a stream's chunks says together, under the names of RagRecord's fields.

    Chunks are texts, server-sent events as text, a provider's events, or an application's own mappings. An
    event that carries the whole answer wins over its parts; usage in a last chunk without choices is read.

    >>> join_chunks(["Ada ", "wrote it."])
    {'answer': 'Ada wrote it.'}
    >>> join_chunks([{"contexts": ["Ada wrote it."]}, {"answer": "A"}, {"answer": "da"}])
    {'answer': 'Ada', 'contexts': [{'text': 'Ada wrote it.'}]}
    """
    text = read_texts(chunks)
    if text is not None:
        return {"answer": text}
    from groundwire.shapes.streams import join_all

    return bounded(lambda: join_all(chunks), {})
