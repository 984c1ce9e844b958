"""Passages that a model call was handed as documents, or brought back itself, in a raw dump of it.

A request may hold documents beside its text (Anthropic's ``document`` and ``search_result`` blocks,
Converse's ``document`` and ``searchResult``, Cohere's ``documents``, the GenAI conventions' ``blob`` of a
document) or what tools had returned, a response the results of a search that the provider ran
(``file_search_call``, grounding chunks, ``retrievedReferences``).
"""

from __future__ import annotations

import base64
import binascii
from collections.abc import Iterator, Mapping
from typing import Any

from groundwire.dialects.documents import MAX_DOCUMENTS, read_contexts
from groundwire.dialects.toolturns import read_tool_turns
from groundwire.dialects.values import as_label, as_text, parse_json
from groundwire.record import RetrievedContext
from groundwire.shapes import read_result
from groundwire.shapes.messages import content_text

_BLOCKS = ("document", "search_result", "searchResult")
_BLOB = "blob"
_HOLDERS = ("messages", "content", "parts")
_MAX_DEPTH = 6


def read_supplied(request: Any) -> tuple[RetrievedContext, ...] | None:
    """Return the passages in a request or a message list; None where it holds none.

    >>> block = {"type": "document", "title": "T", "source": {"type": "text", "data": "Ada."}}
    >>> read_supplied([{"role": "user", "content": [block]}])[0].text
    'Ada.'
    """
    request = parse_json(request).value
    found = [context for block in _blocks(request, 0) if (context := _read_block(block)) is not None]
    if not found and isinstance(request, Mapping) and isinstance(request.get("documents"), list):
        found = list(read_contexts(request["documents"]).contexts or ())
    return tuple(found[:MAX_DOCUMENTS]) or read_tool_turns(request)


def read_brought(response: Any) -> tuple[RetrievedContext, ...] | None:
    """Return the passages that a raw response or an application's result holds; None where it holds none."""
    if not isinstance(response, (Mapping, list)):
        return None
    if isinstance(response, list) and any(_is_search(item) for item in response):
        response = {"output": response}  # OpenAI's response without what is around its output
    return read_contexts(read_result(response).get("contexts") or None).contexts or None


def _is_search(item: Any) -> bool:
    return isinstance(item, Mapping) and (as_label(item.get("type")) or "").endswith("search_call")


def _blocks(value: Any, depth: int) -> Iterator[Mapping[str, Any]]:
    if depth > _MAX_DEPTH:
        return
    if isinstance(value, list):
        for item in value:
            yield from _blocks(item, depth + 1)
        return
    if not isinstance(value, Mapping):
        return
    kind = value.get("type")
    inner = (
        value
        if kind in _BLOCKS or kind == _BLOB
        else next((value[name] for name in _BLOCKS if name in value), None)
    )
    if isinstance(inner, Mapping):
        yield inner
        return
    for name in _HOLDERS:
        held = value.get(name)
        yield from _blocks(parse_json(held).value if name == "content" else held, depth + 1)


def _read_block(block: Mapping[str, Any]) -> RetrievedContext | None:
    if block.get("type") == _BLOB:
        return _read_blob(block)
    source = block.get("source")
    held = source if isinstance(source, Mapping) else block
    text = next((text for name in ("data", "text", "content") if (text := _text_of(held.get(name)))), None)
    title = as_label(block.get("title", block.get("name")))
    uri = as_label(source) or (as_label(held.get("url")) if held is not block else None)
    if held.get("type") in ("base64", "file", "image"):
        text = None
    return RetrievedContext(text=text, title=title, uri=uri) if text or title or uri else None


def _read_blob(block: Mapping[str, Any]) -> RetrievedContext | None:
    """A document of text, in base64; pictures and binary formats hold no passage that could be read."""
    kind, content = as_label(block.get("mime_type")) or "", as_text(block.get("content"))
    if block.get("modality") != "document" or not kind.startswith("text/") or content is None:
        return None
    try:
        text = base64.b64decode(content, validate=True).decode()
    except (binascii.Error, UnicodeDecodeError):
        return None
    return RetrievedContext(text=text) if text else None


def _text_of(value: Any) -> str | None:
    return as_text(content_text(value)) if isinstance(value, list) else as_text(value)
