"""Which provider or framework a mapping or object is shaped like, told by the names it has."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from groundwire.shapes.access import MAX_DEPTH, Fields, fields_of, get, items_of, text_of
from groundwire.shapes.plain import Result

Reader = Callable[[Fields, Any], "Result | None"]


def read_by_shape(fields: Fields, depth: int, read_inner: Callable[[Any, int], Result]) -> Result | None:
    """Read an answer of a provider or framework; None when the fields have no such shape."""
    if get(fields, "lc") is not None and depth < MAX_DEPTH:
        return read_inner(_constructed(fields), depth + 1)
    for name, read in _READERS:
        stored = get(fields, name)
        if stored is not None:
            result = read(fields, stored)
            if result is not None:
                return result
    return None


def read_components(fields: Fields, result: Result) -> Result:
    """Look for an answer in a mapping of a pipeline's components to their outputs (Haystack)."""
    if not any(type(stored) is dict for stored in dict.values(fields)):
        return result
    from groundwire.shapes.frameworks import read_haystack

    return read_haystack(fields) or result


def _constructed(fields: Fields) -> Any:
    """LangChain's serialized form keeps the fields under ``kwargs``."""
    return fields_of(get(fields, "kwargs"))


def _choices(fields: Fields, stored: Any) -> Result | None:
    from groundwire.shapes.chat import read_completion

    listed = items_of(stored)
    return None if listed is None else read_completion(fields, listed)


def _candidates(fields: Fields, stored: Any) -> Result | None:
    from groundwire.shapes.google import read_candidates

    listed = items_of(stored)
    return None if listed is None else read_candidates(fields, listed)


def _output(fields: Fields, stored: Any) -> Result | None:
    """OpenAI's Responses list items, Bedrock has a mapping; other outputs are an application's own."""
    listed = items_of(stored)
    if listed:
        first = fields_of(listed[0])
        if first and _is_output(text_of(get(first, "type"))):
            from groundwire.shapes.responses import read_items

            return read_items(fields, listed)
        return None
    inner = fields_of(stored)
    if inner and (fields_of(get(inner, "message")) or items_of(get(fields, "citations")) is not None):
        from groundwire.shapes.bedrock import read_output

        return read_output(fields, inner)
    return None


def _is_output(kind: str | None) -> bool:
    return kind is not None and (
        kind in {"message", "reasoning"} or kind.endswith(("_call", "_output", ".output"))
    )


def _generations(fields: Fields, stored: Any) -> Result | None:
    from groundwire.shapes.frameworks import read_generations

    listed = items_of(stored)
    return read_generations(fields, listed) if listed else None


def _messages(fields: Fields, stored: Any) -> Result | None:
    from groundwire.shapes.frameworks import read_graph_state

    listed = items_of(stored)
    return read_graph_state(fields, listed) if listed else None


def _message(fields: Fields, stored: Any) -> Result | None:
    """Cohere's version 2, Ollama and LlamaIndex put the answer into a ``message``."""
    inner = fields_of(stored)
    if not inner:
        return None
    from groundwire.shapes.chat import read_message
    from groundwire.shapes.cohere import read_v2
    from groundwire.shapes.plain import add_common

    usage = fields_of(get(fields, "usage")) or {}
    if items_of(get(inner, "citations")) is not None or get(usage, "billed_units") is not None:
        return read_v2(fields, inner)
    result = read_message(inner)
    add_common(result, fields)
    return result


def _content(fields: Fields, stored: Any) -> Result | None:
    """A message of its own: Anthropic's answer, LangChain's AIMessage, an Assistants message."""
    from groundwire.shapes.chat import read_message
    from groundwire.shapes.messages import role_of

    role = role_of(fields)
    if role is None:
        return None
    if role != "assistant":
        return {}
    result = read_message(fields)
    if text_of(get(fields, "type")) == "message" and get(fields, "stop_reason") is not None:
        result["provider"] = "anthropic"
    return result


def _haystack(fields: Fields, stored: Any) -> Result | None:
    from groundwire.shapes.frameworks import read_haystack

    return read_haystack(fields)


def _cohere(fields: Fields, stored: Any) -> Result | None:
    from groundwire.shapes.cohere import read_v1

    return read_v1(fields) if type(get(fields, "text")) is str else None


_READERS: Final[tuple[tuple[str, Reader], ...]] = (
    ("choices", _choices),
    ("candidates", _candidates),
    ("output", _output),
    ("outputs", _output),
    ("content", _content),
    ("_content", _content),
    ("parts", _content),
    ("blocks", _content),
    ("items", _content),
    ("message", _message),
    ("messages", _messages),
    ("generations", _generations),
    ("generation_id", _cohere),
    ("chat_history", _cohere),
    ("answers", _haystack),
    ("replies", _haystack),
)
"""Distinctive field names, the most telling first, and who reads a value that has them."""
