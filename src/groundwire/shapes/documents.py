"""Retrieved passages in any container: what a retriever, a vector store or a search engine returns.

Out come dicts with the field names of ``groundwire.record.RetrievedContext``; a name that is absent was not
known. A score is passed on as it is; a *distance* is kept as metadata, never as a score, since lower is
better there.
"""

from __future__ import annotations

from typing import Any, Final

from groundwire.shapes import tables
from groundwire.shapes.access import MAX_DEPTH, Fields, fields_of, get, items_of, label_of, number_of, text_of
from groundwire.shapes.budget import Exhausted, bounded
from groundwire.shapes.passages import Context, document_of, is_pair, read_document
from groundwire.shapes.roles import name_table

LIST_NAMES: Final = name_table(
    "documents docs contexts context source_documents sourceDocuments source_nodes nodes passages chunks "
    "hits matches points objects results result retrieved_documents retrieved_contexts retrievalResults "
    "value data items sources records"
)


def read_documents(value: Any) -> list[Context] | None:
    """Return the passages that ``value`` holds, one dict each; None when it does not look like passages.

    Takes a list of texts, mappings or objects (LangChain, LlamaIndex and Haystack documents), of
    ``(document, score)`` pairs, one document, a mapping that holds such a list (search engines' hits,
    vector stores' query answers, Chroma's lists of lists), a mapping of id to text, or a DataFrame.

    >>> read_documents(["Ada wrote it.", {"id": 7, "page_content": "So she did.", "score": 0.5}])
    [{'text': 'Ada wrote it.'}, {'text': 'So she did.', 'id': '7', 'score': 0.5}]
    >>> read_documents([]), read_documents(None)
    ([], None)
    """
    return bounded(lambda: documents_of(value), None)


def documents_of(value: Any, depth: int = 0) -> list[Context] | None:
    """Read passages as part of a longer reading; may raise."""
    if value is None or depth > MAX_DEPTH:
        return None
    text = text_of(value)
    if text is not None:
        return [{"text": text}] if text else []
    items = items_of(value)
    if items is not None:
        return _read_items(items, depth)
    fields = fields_of(value)
    if fields is None:
        return None
    rows = tables.rows_of(value)
    return _read_items(rows, depth) if rows is not None else _read_fields(fields, depth)


def _read_items(items: Any, depth: int) -> list[Context] | None:
    if len(items) == 2 and items_of(items[0]) and _is_numbers(items[1]):
        return _read_scored(items[0], items[1], depth)
    if items and depth < 3 and all(items_of(item) is not None and not is_pair(item) for item in items):
        read = [_read_items(items_of(item) or (), depth + 1) for item in items]
        known = [documents for documents in read if documents is not None]
        return [document for documents in known for document in documents] if known else None
    found: list[Context | None] = []
    try:
        for item in items:
            found.append(read_document(item, depth + 1))
    except Exhausted:
        pass
    return _known(found)


def _known(documents: list[Context | None]) -> list[Context] | None:
    """Leave out what was no passage; where nothing was one, nothing is known."""
    found = [document for document in documents if document]
    return found if found or not documents else None


def _is_numbers(value: Any) -> bool:
    items = items_of(value)
    return bool(items) and all(number_of(item) is not None for item in items or ())


def _read_scored(documents: Any, scores: Any, depth: int) -> list[Context]:
    contexts = []
    for item, score in zip(items_of(documents) or (), items_of(scores) or (), strict=False):
        document = read_document(item, depth + 1)
        if document:
            contexts.append({**document, "score": number_of(score)})
    return contexts


def _read_fields(fields: Fields, depth: int) -> list[Context] | None:
    columns = tables.columns_of(fields)
    if columns is not None:
        return _known([document_of(row, depth + 1) for row in columns])
    lists = _first_list(fields)
    if lists is not None and not _has_text(fields):
        return documents_of(lists, depth + 1)
    document = document_of(fields, depth)
    if document is not None and ("text" in document or (len(fields) > 1 and _has_known_name(fields))):
        return [document]
    return _read_by_id(fields)


def _has_text(fields: Fields) -> bool:
    """Tell whether the mapping is a passage itself, whatever lists it has beside its text."""
    return any(text_of(get(fields, name)) is not None for name in ("page_content", "text", "content"))


def _has_known_name(fields: Fields) -> bool:
    return any(get(fields, name) is not None for name in ("id", "uri", "url", "title", "score"))


def _first_list(fields: Fields) -> Any:
    for name in LIST_NAMES:
        stored = get(fields, name)
        if stored is None:
            continue
        if items_of(stored) is not None:
            return stored
        inner = fields_of(stored)
        if inner and name in {"hits", "data", "response", "result"} and _first_list(inner) is not None:
            return stored
    return None


def _read_by_id(fields: Fields) -> list[Context] | None:
    """Read a mapping of source id to text."""
    if not fields:
        return None
    contexts = []
    for key, stored in dict.items(fields):
        label, text = label_of(key), text_of(stored)
        if label is None or text is None:
            return None
        contexts.append({"id": label, "text": text})
    return contexts
