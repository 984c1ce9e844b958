"""One retrieved passage, in any vocabulary: its text, id, score, address, title and metadata."""

from __future__ import annotations

from typing import Any, Final

from groundwire.shapes.access import MAX_DEPTH, Fields, fields_of, get, items_of, label_of, number_of, text_of
from groundwire.shapes.roles import Found, by_role, role_table

Context = dict[str, Any]

_ROLES: Final = role_table(
    text="page_content text content pageContent body passage snippet document chunk chunk_text passage_text "
    "excerpt sentence value data raw_text",
    id="id chunk_id chunkId passage_id context_id id_ _id node_id uuid key pk doc_id document_id documentId "
    "docid source_id file_id x-amz-bedrock-kb-chunk-id",
    score="score relevance_score similarity similarity_score _score certainty rerank_score relevanceScore "
    "@search.score confidence rank_score",
    uri="uri url link source_url sourceUrl source_uri href doc_uri",
    title="title document_title file_name filename documentTitle",
    name="name",
    metadata="metadata meta payload extra_info properties attributes cmetadata",
    inner="node doc _source entity retrievedContext retrieved_context kwargs text_resource fields",
    distance="distance _distance $dist",
    source="source",
    location="location",
)
"""Per role its names, the most telling first: a passage's own id stands before its document's."""
_METADATA_TEXTS: Final = frozenset(
    "text content page_content chunk_text chunk passage body document".split(" ")
)
"""Where vector stores that keep no text of their own have it among the metadata."""


def read_document(value: Any, depth: int = 0) -> Context | None:
    """Return one passage; None when nothing in ``value`` names or holds one.

    >>> read_document(("Ada wrote it.", 0.9))
    {'text': 'Ada wrote it.', 'score': 0.9}
    """
    if type(value) is dict:
        return document_of(value, depth)
    text = text_of(value)
    if text is not None:
        if is_repr(text):
            return None
        return {"uri": text} if is_uri(text) else {"text": text}
    if is_pair(value):
        return _read_pair(items_of(value), depth)
    fields = fields_of(value)
    return document_of(fields, depth) if fields else None


def is_uri(text: str) -> bool:
    """Tell whether the whole text is one web, file or bucket address."""
    return (
        text.startswith(("http://", "https://", "s3://", "gs://", "file://"))
        and len(text.split(None, 1)) == 1
    )


def is_repr(text: str) -> bool:
    """Tell whether the text is no passage but Python's picture of an object that could not be written."""
    return text[:1] == "<" and (text.endswith(")>") or (" object at 0x" in text[:300] and text.endswith(">")))


def is_pair(value: Any) -> bool:
    """Tell whether ``value`` is a passage and its score, in either order."""
    items = items_of(value)
    if items is None or len(items) != 2:
        return False
    return (number_of(items[0]) is None) != (number_of(items[1]) is None)


def _read_pair(pair: Any, depth: int) -> Context | None:
    first, second = pair
    if number_of(first) is not None:
        first, second = second, first
    document = read_document(first, depth + 1) if depth < MAX_DEPTH else None
    return {**document, "score": number_of(second)} if document else None


def document_of(fields: Fields, depth: int = 0) -> Context | None:
    """Read one document from its fields; wrappers (a node, a hit, a payload) are looked through."""
    found = by_role(fields, _ROLES)
    document: Context = {}
    if "text" in found:
        _put_text(document, found["text"])
    _put_names(document, found)
    if "text" not in document:
        _look_inside(document, found, depth)
    if not found.keys().isdisjoint(_EXTRAS):
        _add_extras(document, found)
    return None if document.keys().isdisjoint(_NAMING) else document


_EXTRAS: Final = frozenset({"metadata", "distance", "source", "location", "name"})
_NAMING: Final = ("text", "id", "uri", "title")
"""What names or holds a passage: a score or a mere ``name`` does not."""


def _put_text(document: Context, found: Found) -> None:
    for _, stored in found:
        text = stored if type(stored) is str else text_of(stored)
        if text is None:
            text = joined_parts(stored)
        if text is not None:
            document["text"] = text
            return


def _put_names(document: Context, found: dict[str, Found]) -> None:
    for field in ("id", "uri", "title"):
        if field in found and field not in document:
            label = found_label(found[field])
            if label is not None:
                document[field] = label
    if "score" in found and "score" not in document:
        for _, stored in found["score"]:
            score = number_of(stored)
            if score is not None:
                document["score"] = score
                return


def found_label(pairs: Found) -> str | None:
    """Return the best identifier among the fields of one role."""
    for _, stored in pairs:
        label = stored if type(stored) is str and stored else label_of(stored)
        if label is not None:
            return label
    return None


def _look_inside(document: Context, found: dict[str, Found], depth: int) -> None:
    if depth >= MAX_DEPTH:
        return
    for role in ("inner", "text", "metadata"):
        for rank, stored in found.get(role, ()):
            if role == "metadata" and _ROLES_BY_RANK[rank] not in {"payload", "properties"}:
                continue
            inner = fields_of(stored)
            read = document_of(inner, depth + 1) if inner else None
            if read:
                for name, value in read.items():
                    document.setdefault(name, value)
                if "text" in document:
                    return


_ROLES_BY_RANK: Final = {rank: name for name, (role, rank) in _ROLES.items() if role == "metadata"}


def _add_extras(document: Context, found: dict[str, Found]) -> None:
    name = found_label(found.get("name", []))
    if name is not None and document:
        document.setdefault("title", name)
    location = _first_fields(found, "location")
    address = location_uri(location) if location else None
    if address:
        document.setdefault("uri", address)
    metadata = _first_fields(found, "metadata")
    if metadata:
        _add_metadata(document, metadata)
    for _, stored in found.get("distance", ()):
        if number_of(stored) is not None:
            document.setdefault("metadata", {})["distance"] = number_of(stored)
    for _, stored in found.get("source", ()):
        if text_of(stored):
            document.setdefault("uri", text_of(stored))


def _first_fields(found: dict[str, Found], role: str) -> Fields | None:
    return next((fields for _, stored in found.get(role, ()) if (fields := fields_of(stored))), None)


def _add_metadata(document: Context, metadata: Fields) -> None:
    """Keep the metadata without the text, and name the passage by them where it has no names itself."""
    named = by_role(metadata, _ROLES)
    if "text" not in document:
        _put_text(document, [(0, get(metadata, name)) for name in metadata if name in _METADATA_TEXTS])
    text = document.get("text", metadata)
    kept = {name: stored for name, stored in metadata.items() if stored is not text}
    if kept:
        document["metadata"] = {**kept, **document.get("metadata", {})}
    _put_names(document, named)
    for _, stored in named.get("source", ()):
        if text_of(stored):
            document.setdefault("uri", text_of(stored))


def location_uri(location: Fields) -> str | None:
    """Return the address in a Bedrock knowledge base's location, whichever kind it is.

    >>> location_uri({"type": "S3", "s3Location": {"uri": "s3://b/k"}})
    's3://b/k'
    """
    for stored in location.values():
        inner = fields_of(stored)
        if inner:
            return first_label(inner, ("uri", "url", "id"))
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
