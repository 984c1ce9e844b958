"""What a tool returned → documents, where the tool looked something up."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

import orjson

from groundwire.dialects.documents import Documents, read_contexts, read_evident_contexts
from groundwire.dialects.form import Reading
from groundwire.dialects.prompted import MAX_PROMPT_CHARS, split_passages
from groundwire.dialects.values import as_text, parse_structure, plain
from groundwire.record import RetrievedContext
from groundwire.shapes.messages import content_text

_LOOKUP = re.compile(
    r"search|retriev|look_?up|knowledge|document|\bdocs?\b|fetch|\brag\b|_rag|rag_|passage|wiki|browse|find|query"
    r"|\bkb\b|_kb|kb_|recall|memory|vector|index|corpus|context|source",
    re.IGNORECASE,
)
_NOTHING = Documents(None)


def is_lookup(name: str | None, kind: str | None = None) -> bool:
    """Tell whether a tool, by its name or declared type, looks things up.

    >>> is_lookup("web_search"), is_lookup("calculator"), is_lookup("x", "datastore")
    (True, False, True)
    """
    return kind == "datastore" or (name is not None and _LOOKUP.search(name) is not None)


def read_tool_documents(value: Any, *, name: str | None, kind: str | None = None) -> Documents:
    """Return the documents in a tool's result; ``contexts`` None where it holds none.

    Passages are recognized whatever the tool is called. Plain text counts as one passage only from a tool
    that looks things up, since a calculator's ``4`` is no source.
    """
    parsed = parse_structure(value)
    inner = _unwrap(parsed.value)
    found = read_evident_contexts(inner, complete=parsed.complete)
    if found.contexts:
        contexts = _with_seen_text(found.contexts, parse_structure(inner).value)
        return Documents(contexts, found.complete)
    if not is_lookup(name, kind) or inner is None:
        return _NOTHING
    return Documents(_as_passages(inner), parsed.complete)


def _unwrap(value: Any) -> Any:
    """A tool message or an MCP result keeps its content inside: text, text parts, or structure.

    LangChain's ``artifact`` is what the tool found, ``content`` how it wrote that out for the model.
    """
    for _ in range(4):
        if not isinstance(value, Mapping):
            break
        if value.get("type") == "tool" and isinstance(value.get("data"), Mapping):
            value = value["data"]  # LangChain's serialized message
        if value.get("artifact") and read_evident_contexts(value["artifact"]).contexts:
            return value["artifact"]
        inner = next((value[key] for key in _INNER if value.get(key) not in (None, "", [], {})), None)
        if inner is None:
            break
        value = parse_structure(_joined(inner)).value
    return value


_INNER = (
    "structuredContent",
    "raw_output",
    "content",
    "kwargs",
    "output",
    "result",
    "return_value",
    "response",
    "blocks",
)


def _joined(value: Any) -> Any:
    return content_text(value) if isinstance(value, list) and value and all(map(_is_text, value)) else value


def _is_text(part: Any) -> bool:
    if not isinstance(part, Mapping):
        return False
    kind = part.get("type", part.get("block_type"))
    return kind in ("text", "input_text", "output_text") or (kind is None and part.keys() == {"text"})


def _with_seen_text(contexts: tuple[RetrievedContext, ...], items: Any) -> tuple[RetrievedContext, ...]:
    """An item without a text field was given to the model as it is: that is its text."""
    if any(context.text is not None for context in contexts) or not isinstance(items, list):
        return contexts
    if len(items) != len(contexts):
        return contexts
    return tuple(
        RetrievedContext(
            id=context.id,
            text=_dump(item),
            score=context.score,
            uri=context.uri,
            title=context.title,
            metadata=context.metadata,
        )
        for context, item in zip(contexts, items, strict=True)
    )


def _split_text(text: str) -> tuple[RetrievedContext, ...]:
    """Numbered or tagged passages, where they are most of the text: a page's footnotes split nothing."""
    if len(text) > MAX_PROMPT_CHARS:
        return ()
    passages = split_passages(text)
    kept = sum(len(passage.text or "") for passage in passages)
    return passages if len(passages) > 1 and text.find(passages[0].text or "") < kept else ()


def _dump(item: Any) -> str | None:
    try:
        return orjson.dumps(plain(item)).decode()
    except (TypeError, ValueError, RecursionError):
        return None


def _as_passages(value: Any) -> tuple[RetrievedContext, ...] | None:
    text = as_text(value)
    if text is not None:
        return _split_text(text) or ((RetrievedContext(text=text),) if text.strip() else ())
    if isinstance(value, list) and all(isinstance(item, str) for item in value):
        return read_contexts(value).contexts
    if value in ([], {}):
        return ()
    dumped = _dump(value)
    return (
        None if dumped is None or isinstance(value, (int, float, bool)) else (RetrievedContext(text=dumped),)
    )


def put_tool_documents(
    reading: Reading, value: Any, source: str, *, name: str, kind: str | None = None
) -> None:
    """Fill a tool's documents from its result, if it holds any."""
    documents = read_tool_documents(value, name=name, kind=kind)
    if documents.contexts is not None and reading.documents is None:
        reading.documents = documents.contexts
        reading.sources["documents"] = source
        if documents.damage is not None:
            reading.damage["documents"] = documents.damage
