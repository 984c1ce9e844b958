"""Answers as a list of output items: OpenAI's Responses and Assistants, Mistral's conversations."""

from __future__ import annotations

from typing import Any, Final

from groundwire.shapes.access import Fields, fields_of, get, items_of, label_of, pick, text_of
from groundwire.shapes.blocks import Parts
from groundwire.shapes.chat import put_parts
from groundwire.shapes.plain import Result, add_common

_MESSAGES: Final = frozenset({"message", "message.output"})


def read_items(fields: Fields, items: Any) -> Result:
    """Read the text of all message items, joined, and the results of the search calls between them.

    >>> read_items({"status": "completed"}, [
    ...     {"type": "message", "content": [{"type": "output_text", "text": "Ada.", "annotations": []}]}])
    {'answer': 'Ada.', 'finish_reason': 'completed'}
    """
    parts = Parts()
    for item in items:
        inner = fields_of(item)
        if not inner:
            continue
        if text_of(get(inner, "type")) in _MESSAGES:
            for part in items_of(get(inner, "content")) or [get(inner, "content")]:
                parts.add(part)
        elif text_of(get(inner, "type")) in {"file_search_call", "web_search_call"}:
            parts.add(inner)
    result: Result = {}
    put_parts(result, parts)
    add_common(result, fields)
    _add_status(result, fields)
    return result


def _add_status(result: Result, fields: Fields) -> None:
    incomplete = fields_of(get(fields, "incomplete_details")) or {}
    reason = text_of(get(incomplete, "reason")) or text_of(get(fields, "status"))
    if reason and "finish_reason" not in result:
        result["finish_reason"] = reason
    conversation = fields_of(get(fields, "conversation")) or {}
    name = label_of(get(conversation, "id"))
    if name:
        result["conversation_id"] = name
    model = text_of(pick(fields, "model")) or ""
    if text_of(get(fields, "object")) == "response" and model.startswith(("gpt", "o1", "o3", "o4", "ft:")):
        result["provider"] = "openai"
