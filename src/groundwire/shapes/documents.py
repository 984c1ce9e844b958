"""Retrieved passages in any container: what a retriever, a vector store or a search engine returns.

Out come dicts with the field names of ``groundwire.record.RetrievedContext``; a name that is absent was not
known. A score is passed on as it is; a *distance* is kept as metadata, never as a score, since lower is
better there.
"""

from __future__ import annotations

from typing import Any, Final

from groundwire.shapes import tables
from groundwire.shapes.access import (
    MAX_DEPTH,
    Fields,
    fields_of,
    get,
    items_of,
    label_of,
    name_table,
    number_of,
    text_of,
)

Context = dict[str, Any]

TEXT_NAMES: Final = name_table(
    "page_content text content pageContent body passage snippet document chunk chunk_text passage_text "
    "excerpt sentence value data raw_text description"
)
ID_NAMES: Final = name_table(
    "id chunk_id chunkId passage_id context_id id_ _id node_id uuid key pk doc_id document_id documentId "
    "docid source_id file_id x-amz-bedrock-kb-chunk-id"
)
"""Names of a passage's own id stand before those of the document that it was cut from."""
SCORE_NAMES: Final = name_table(
    "score relevance_score similarity similarity_score _score certainty rerank_score relevanceScore "
    "@search.score confidence rank_score"
)
DISTANCE_NAMES: Final = ("distance", "_distance", "$dist")
URI_NAMES: Final = name_table("uri url link source_url sourceUrl source_uri href doc_uri")
TITLE_NAMES: Final = name_table("title document_title file_name filename name documentTitle")
METADATA_NAMES: Final = name_table("metadata meta payload extra_info properties attributes cmetadata")
INNER_NAMES: Final = name_table(
    "node document doc content _source entity payload properties retrievedContext retrieved_context chunk "
    "kwargs text_resource fields"
)
_METADATA_TEXTS: Final = (
    "text",
    "content",
    "page_content",
    "chunk_text",
    "chunk",
    "passage",
    "body",
    "document",
)
"""Where vector stores that keep no text of their own have it among the metadata."""
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
    try:
        return _read(value, 0)
    except Exception:  # noqa: BLE001 - reading never raises into the caller
        return None


def _read(value: Any, depth: int) -> list[Context] | None:
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


def _read_items(items: Any, depth: int) -> list[Context]:
    if len(items) == 2 and items_of(items[0]) and _is_numbers(items[1]):
        return _read_scored(items[0], items[1], depth)
    if items and depth < 3 and all(items_of(item) is not None and not _is_pair(item) for item in items):
        return [document for item in items for document in _read_items(items_of(item), depth + 1)]
    found = (read_document(item, depth + 1) for item in items)
    return [document for document in found if document]


def _is_numbers(value: Any) -> bool:
    items = items_of(value)
    return bool(items) and all(number_of(item) is not None for item in items or ())


def _is_pair(value: Any) -> bool:
    items = items_of(value)
    if items is None or len(items) != 2:
        return False
    return (number_of(items[0]) is None) != (number_of(items[1]) is None)


def _read_scored(documents: Any, scores: Any, depth: int) -> list[Context]:
    contexts = []
    for item, score in zip(items_of(documents) or (), items_of(scores) or (), strict=False):
        document = read_document(item, depth + 1)
        if document:
            contexts.append({**document, "score": number_of(score)})
    return contexts


def read_document(value: Any, depth: int = 0) -> Context | None:
    """Return one passage; None when nothing in ``value`` names or holds one.

    >>> read_document(("Ada wrote it.", 0.9))
    {'text': 'Ada wrote it.', 'score': 0.9}
    """
    text = text_of(value)
    if text is not None:
        return {"uri": text} if is_uri(text) else {"text": text}
    if depth > MAX_DEPTH:
        return None
    if _is_pair(value):
        return _read_pair(items_of(value), depth)
    fields = fields_of(value)
    return document_of(fields, depth) if fields else None


def is_uri(text: str) -> bool:
    """Tell whether the whole text is one web, file or bucket address."""
    return text.startswith(("http://", "https://", "s3://", "gs://", "file://")) and not _has_space(text)


def _has_space(text: str) -> bool:
    return " " in text or "\n" in text


def _read_pair(pair: Any, depth: int) -> Context | None:
    first, second = pair
    if number_of(first) is not None:
        first, second = second, first
    document = read_document(first, depth + 1)
    return {**document, "score": number_of(second)} if document else None


def document_of(fields: Fields, depth: int = 0) -> Context | None:
    """Read one document from its fields; wrappers (a node, a hit, a payload) are looked through."""
    document: Context = {}
    text = first_text(fields, TEXT_NAMES)
    if text is not None:
        document["text"] = text
    for field, names in (("id", ID_NAMES), ("uri", URI_NAMES), ("title", TITLE_NAMES)):
        found = first_label(fields, names)
        if found is not None:
            document[field] = found
    score = first_number(fields, SCORE_NAMES)
    if score is not None:
        document["score"] = score
    location = fields_of(get(fields, "location"))
    address = location_uri(location) if location else None
    if address:
        document.setdefault("uri", address)
    if text is None:
        _look_inside(document, fields, depth)
    _add_metadata(document, fields)
    return document if len(document.keys() - {"score", "metadata"}) else None


def location_uri(location: Fields) -> str | None:
    """Return the address in a Bedrock knowledge base's location, whichever kind it is.

    >>> location_uri({"type": "S3", "s3Location": {"uri": "s3://b/k"}})
    's3://b/k'
    """
    for stored in dict.values(location):
        inner = fields_of(stored)
        if inner:
            return first_label(inner, ("uri", "url", "id"))
    return None


def _add_metadata(document: Context, fields: Fields) -> None:
    metadata = next((found for name in METADATA_NAMES if (found := fields_of(get(fields, name)))), None)
    distance = first_number(fields, DISTANCE_NAMES)
    if metadata:
        if "text" not in document and (text := first_text(metadata, _METADATA_TEXTS)) is not None:
            document["text"] = text
        kept = {
            name: stored for name, stored in metadata.items() if stored is not document.get("text", metadata)
        }
        if kept:
            document["metadata"] = {**kept, **document.get("metadata", {})}
        _fill_from_metadata(document, metadata)
    if distance is not None:
        document.setdefault("metadata", {})["distance"] = distance
    source = text_of(get(fields, "source")) or (text_of(get(metadata, "source")) if metadata else None)
    if source:
        document.setdefault("uri", source)


def _fill_from_metadata(document: Context, metadata: Fields) -> None:
    if "score" not in document:
        score = first_number(metadata, SCORE_NAMES)
        if score is not None:
            document["score"] = score
    for field, names in (("id", ID_NAMES), ("uri", URI_NAMES), ("title", TITLE_NAMES)):
        if field not in document:
            found = first_label(metadata, names)
            if found is not None:
                document[field] = found


def _look_inside(document: Context, fields: Fields, depth: int) -> None:
    for name in INNER_NAMES:
        inner = get(fields, name)
        if inner is None or depth >= MAX_DEPTH:
            continue
        inner_fields = fields_of(inner)
        found = document_of(inner_fields, depth + 1) if inner_fields else None
        if found:
            for key, stored in found.items():
                document.setdefault(key, stored)
            if "text" in document:
                return


def first_text(fields: Fields, names: tuple[str, ...]) -> str | None:
    """Return the first of the named fields that holds text (content part lists are joined)."""
    for name in names:
        stored = get(fields, name)
        if stored is None:
            continue
        text = text_of(stored)
        if text is not None:
            return text
        text = joined_parts(stored)
        if text is not None:
            return text
    return None


def joined_parts(value: Any) -> str | None:
    """Join a list of texts or ``{"text": …}`` parts; None when it is no such list."""
    items = items_of(value)
    if not items:
        return None
    texts = []
    for item in items:
        text = text_of(item)
        if text is None:
            fields = fields_of(item)
            text = text_of(get(fields, "text")) if fields else None
        if text is None:
            return None
        texts.append(text)
    return "\n".join(texts)


def first_label(fields: Fields, names: tuple[str, ...]) -> str | None:
    """Return the first of the named fields that holds an identifier."""
    for name in names:
        stored = get(fields, name)
        if stored is not None:
            label = label_of(stored)
            if label is not None:
                return label
    return None


def first_number(fields: Fields, names: tuple[str, ...]) -> float | None:
    """Return the first of the named fields that holds a finite number."""
    for name in names:
        stored = get(fields, name)
        if stored is not None:
            number = number_of(stored)
            if number is not None:
                return number
    return None


def _read_fields(fields: Fields, depth: int) -> list[Context] | None:
    columns = tables.columns_of(fields)
    if columns is not None:
        found = (document_of(row, depth + 1) for row in columns)
        return [document for document in found if document]
    lists = _first_list(fields)
    if lists is not None and first_text(fields, TEXT_NAMES[:4]) is None:
        return _read(lists, depth + 1)
    document = document_of(fields, depth)
    if document is not None and ("text" in document or (len(fields) > 1 and _has_known_name(fields))):
        return [document]
    return _read_by_id(fields)


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
