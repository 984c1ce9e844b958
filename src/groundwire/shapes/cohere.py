"""Cohere's chat answers, version 1 (``text``) and version 2 (``message``)."""

from __future__ import annotations

from typing import Any

from groundwire.shapes.access import Fields, fields_of, get, items_of, label_of, pick, text_of, whole_of
from groundwire.shapes.blocks import read_parts
from groundwire.shapes.citations import citation_of
from groundwire.shapes.cited import Citation
from groundwire.shapes.documents import documents_of
from groundwire.shapes.passages import Context, document_of
from groundwire.shapes.plain import Result, add_common


def read_v1(fields: Fields) -> Result:
    """Read ``{"text", "citations", "documents"}``; offsets index the text.

    >>> read_v1({"text": "Ada.", "documents": [{"id": "d1", "snippet": "Ada wrote it."}]})
    {'answer': 'Ada.', 'contexts': [{'text': 'Ada wrote it.', 'id': 'd1'}], 'provider': 'cohere'}
    """
    result: Result = {"answer": text_of(get(fields, "text")) or ""}
    contexts = documents_of(get(fields, "documents"))
    if contexts is not None:
        result["contexts"] = contexts
    listed = items_of(get(fields, "citations"))
    if listed is not None:
        result["citations"] = [c for item in listed for c in citation_of(item, result["answer"])]
    add_common(result, fields)
    result["provider"] = "cohere"
    return result


def read_v2(fields: Fields, message: Fields) -> Result:
    """Read ``{"message": {"content", "citations"}}``; offsets index the content part ``content_index``.

    The passages are those that were cited: the answer names no others.
    """
    result: Result = {}
    parts = items_of(get(message, "content")) or ()
    read = read_parts(parts)
    if read.answer is not None:
        result["answer"] = read.answer
    listed = items_of(get(message, "citations"))
    if listed:
        result["citations"] = [c for item in listed for c in _cite(item, parts, read.answer or "")]
        result["contexts"] = cited_documents(listed)
        result["metadata"] = {"contexts": "cited only"}
    add_common(result, fields)
    result["provider"] = "cohere"
    return result


def _cite(item: Any, parts: Any, answer: str) -> list[Citation]:
    index = whole_of(get(fields_of(item) or {}, "content_index"))
    if index is None or index >= len(parts):
        return citation_of(item, answer)
    text = read_parts([parts[index]]).answer or ""
    base = len(read_parts(parts[:index]).answer or "")
    return citation_of(item, text, base)


def cited_documents(listed: Any) -> list[Context]:
    """Collect the documents that the citations' sources carry, each once."""
    found: dict[str, Context] = {}
    for item in listed:
        for source in items_of(get(fields_of(item) or {}, "sources")) or ():
            fields = fields_of(source) or {}
            inner = fields_of(pick(fields, "document", "tool_output")) or {}
            name = label_of(get(fields, "id")) or label_of(get(inner, "id"))
            if name and name not in found:
                found[name] = {**(document_of(inner) or {}), "id": name}
    return list(found.values())
