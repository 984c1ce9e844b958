"""Passages as traces hold them → RetrievedContexts.

The shapes themselves (LangChain, LlamaIndex, Haystack, search engines, columns) are read by
:mod:`groundwire.shapes`; this module undoes what the way through span attributes did to them: JSON in
strings, flattened keys, metadata as text, object reprs, cut ends.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, NamedTuple

from groundwire.dialects.damage import is_masked
from groundwire.dialects.values import as_float, as_label, as_text, parse_json, parse_structure, plain
from groundwire.record import RetrievedContext
from groundwire.shapes import read_documents

MAX_DOCUMENTS = 10_000
_REPR_ID = re.compile(r"\bid_?=['\"]?([^,'\")\s]+)")
_REPR_SCORE = re.compile(r"\bscore=([-+.\deE]+)")
_REPR_HEAD = re.compile(r"<?(?:NodeWithScore|TextNode|Document|Node)\(")
_PREFIX = re.compile(r"\A(?:retrieval\.)?(?:documents?|retrieved_?document|node|chunk)\.")
_TEXT_NAMES = (
    "page_content", "text", "content", "pageContent", "body", "passage", "snippet", "document", "chunk",
    "chunk_text", "passage_text", "excerpt", "sentence", "value", "raw_text",
)  # fmt: skip
_LIST_NAMES = (
    "documents", "docs", "contexts", "context", "source_documents", "sourceDocuments", "source_nodes",
    "nodes",
    "passages", "chunks", "hits", "matches", "points", "objects", "results", "result", "retrieved_documents",
    "retrieved_contexts", "retrievalResults", "value", "data", "items", "sources", "records",
)  # fmt: skip
_KNOWN = frozenset((
    *_TEXT_NAMES,
    "id", "doc_id", "document_id", "chunk_id", "passage_id", "context_id", "id_", "_id", "node_id", "uuid",
    "source_id", "docid", "documentId", "chunkId", "score", "relevance_score", "similarity",
    "similarity_score", "_score", "certainty", "rerank_score", "relevanceScore", "distance",
    "_distance", "uri", "url", "link",
    "source_url", "source_uri", "href", "doc_uri", "title", "document_title", "file_name", "filename", "name",
    "metadata", "meta", "payload", "extra_info", "properties", "attributes", "lc", "type", "kwargs", "node",
    "doc",
    "_source", "entity", "embedding", "vector", "values", "sparse_values", "excluded_embed_metadata_keys",
    "excluded_llm_metadata_keys", "relationships", "class_name", "metadata_template", "metadata_separator",
    "text_template", "mimetype",
))  # fmt: skip
_NUMBERS = frozenset(("score", "relevance_score", "similarity", "similarity_score", "_score", "distance"))
_EVIDENCE = (
    "id", "metadata", "meta", "score", "url", "uri", "title", "source", "distance", "node", "page_content",
    "_source", "payload", "kwargs",
)  # fmt: skip
_EVIDENT_HOLDERS = (
    *_LIST_NAMES, "output", "outputs", "inputs", "input_documents", "content", "kwargs",
)  # fmt: skip


class Documents(NamedTuple):
    """The passages (None: the value holds none), whether all was read, whether texts are masked."""

    contexts: tuple[RetrievedContext, ...] | None
    complete: bool = True
    masked: bool = False

    @property
    def damage(self) -> str | None:
        """``truncated``, ``redacted`` or None."""
        return ("redacted" if self.masked else None) if self.complete else "truncated"


def read_contexts(value: Any, *, complete: bool = True) -> Documents:
    """Return the passages of a value that is known to hold a retriever's result.

    ``complete``: False where the value is known to be the head of a cut one; then the last passage is cut.

    >>> read_contexts('[{"id": "a", "content": "Ada."}, {"id": "b", "cont').contexts[0].text
    'Ada.'
    """
    parsed = parse_structure(value)
    complete = complete and parsed.complete
    documents = read_documents(_prepare(parsed.value))
    if documents is None:
        return Documents(None, complete)
    contexts = [context for item in documents[:MAX_DOCUMENTS] if (context := _as_context(item)) is not None]
    if not complete and contexts:
        contexts[-1] = _cut(contexts[-1])
    masked = any(is_masked(text) for item in documents if isinstance(text := item.get("text"), str))
    return Documents(tuple(contexts), complete, masked)


def read_evident_contexts(value: Any, *, complete: bool = True) -> Documents:
    """As :func:`read_contexts`, for a value that may hold anything: passages only if it looks like them.

    A list of mappings with text and an id, a score, metadata or an address does; a bare text or a list of
    numbers does not.
    """
    parsed = parse_structure(value)
    complete = complete and parsed.complete
    items = _evident_items(parsed.value, 0)
    if items is None:
        return Documents(None, complete)
    found = read_contexts(items, complete=complete)
    return Documents(found.contexts or None, complete, found.masked)


def _evident_items(value: Any, depth: int) -> list[Any] | None:
    value = parse_structure(value).value
    if isinstance(value, list):
        items: list[Any] = value
        if items and all(isinstance(item, str) and item[:1] == "{" for item in items[:50]):
            items = [parse_structure(item).value for item in items[:MAX_DOCUMENTS]]
        if items and all(isinstance(item, Mapping) and _is_evident(item) for item in items[:50]):
            return items
        if len(items) == 1 and depth < 4:
            return _evident_items(items[0], depth + 1)
        return None
    if isinstance(value, Mapping) and depth < 4:
        for name in _EVIDENT_HOLDERS:
            inner = value.get(name)
            found = _evident_items(inner, depth + 1) if inner is not None else None
            if found is not None:
                return found
    return None


def _is_evident(item: Mapping[str, Any]) -> bool:
    if "role" in item or item.get("type") in ("human", "ai", "tool", "system", "text", "function"):
        return False
    if any(key in item for key in ("document.content", "document.id", "page_content")):
        return True
    if "similarity" in item and any(isinstance(item.get(name), str) for name in ("name", *_TEXT_NAMES)):
        return True
    kwargs = item.get("kwargs")
    if isinstance(kwargs, Mapping):
        return "page_content" in kwargs
    known = sum(name in item for name in _EVIDENCE)
    return known >= 2 or (known == 1 and any(isinstance(item.get(name), str) for name in _TEXT_NAMES))


def _prepare(value: Any, depth: int = 0) -> Any:
    """Undo what span attributes did to the documents, a few levels deep."""
    if depth > 5:
        return value
    if isinstance(value, str):
        return _prepare_text(value)
    if isinstance(value, (list, tuple)):
        return [_prepare(item, depth + 1) for item in value[:MAX_DOCUMENTS]]
    return _prepare_mapping(value, depth) if isinstance(value, Mapping) else value


def _prepare_text(text: str) -> Any:
    if _REPR_HEAD.match(text):
        found = _read_repr(text)
        if found:
            return found
    if text[:1] == "{":
        parsed = parse_structure(text).value
        if isinstance(parsed, Mapping) and _is_evident(parsed):
            return _prepare(parsed, 1)
    return text


def _read_repr(text: str) -> dict[str, Any] | None:
    head = text[:2000]
    found: dict[str, Any] = {}
    for name, pattern in (("id", _REPR_ID), ("score", _REPR_SCORE)):
        match = pattern.search(head)
        if match:
            found[name] = as_float(match[1]) if name == "score" else match[1]
    return found or None


def _prepare_mapping(value: Mapping[str, Any], depth: int) -> dict[str, Any]:
    prepared: dict[str, Any] = {}
    for key, item in value.items():
        name = _PREFIX.sub("", str(key))
        if name in ("metadata", "meta", "payload", "node", "_source"):
            item = parse_structure(item).value
        elif name in _NUMBERS and isinstance(item, str):
            item = as_float(item)
        prepared[name] = _prepare(item, depth + 1) if isinstance(item, (Mapping, list)) else item
    if "similarity" in prepared and not any(name in prepared for name in _TEXT_NAMES) and "name" in prepared:
        prepared["text"] = prepared.pop("name")  # the Vercel AI SDK's guide selects a passage under this name
    leftover = _leftover(prepared) if depth else None
    if leftover:
        own = prepared.get("metadata")
        prepared["metadata"] = {**leftover, **(own if isinstance(own, Mapping) else {})}
    return prepared


def _leftover(item: Mapping[str, Any]) -> dict[str, Any] | None:
    """Return scalars under names that no vocabulary knows, of what is a document: flattened metadata."""
    if not any(isinstance(item.get(name), str) for name in _TEXT_NAMES):
        return None
    return {
        key: inner
        for key, inner in item.items()
        if key not in _KNOWN and isinstance(inner, (str, int, float, bool))
    } or None


def _as_context(item: dict[str, Any]) -> RetrievedContext | None:
    text = as_text(item.get("text"))
    metadata = plain(parse_json(item.get("metadata")).value)
    metadata = metadata if isinstance(metadata, dict) else {}
    identity, uri = as_label(item.get("id")), as_label(item.get("uri"))
    source = as_label(metadata.get("source"))
    if identity is not None and identity == source:  # a file's name is no chunk's id
        identity, uri = None, uri or source
    uri = uri or source
    return RetrievedContext(
        id=identity,
        text=None if text is not None and is_masked(text) else text,
        score=as_float(item.get("score")),
        uri=uri,
        title=as_label(item.get("title")),
        metadata=metadata,
    )


def _cut(context: RetrievedContext) -> RetrievedContext:
    return RetrievedContext(
        id=context.id,
        text=context.text,
        score=context.score,
        uri=context.uri,
        title=context.title,
        metadata=context.metadata,
        truncated=True,
    )
