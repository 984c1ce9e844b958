"""Message lists and content parts: the question of a conversation, its history, the text of one message."""

from __future__ import annotations

from typing import Any, Final

from groundwire.shapes.access import MAX_DEPTH, Fields, fields_of, get, items_of, pick, text_of
from groundwire.shapes.budget import Exhausted, bounded, budget
from groundwire.shapes.roles import name_table

Turn = dict[str, str]
_ROLES: Final = {
    "human": "user", "user": "user", "ai": "assistant", "assistant": "assistant", "model": "assistant",
    "AIMessageChunk": "assistant", "chatbot": "assistant", "system": "system", "developer": "system",
    "tool": "tool", "function": "tool", "CHATBOT": "assistant", "USER": "user", "SYSTEM": "system",
    "TOOL": "tool", "bot": "assistant", "HumanMessageChunk": "user", "SystemMessageChunk": "system",
}  # fmt: skip
_CLASSES: Final = {
    "HumanMessage": "human",
    "AIMessage": "ai",
    "AIMessageChunk": "AIMessageChunk",
    "SystemMessage": "system",
    "ToolMessage": "tool",
}
_QUESTIONS: Final = name_table(
    "question query input inputs prompt user_input user_query message text query_str content q query_bundle "
    "human_input"
)
_PARTS: Final = frozenset({"text", "input_text", "image", "image_url", "input_image", "file", "document"})
_CONTENTS: Final = ("content", "_content", "parts", "text", "message", "blocks")
_SKIPPED_PARTS: Final = frozenset({"thinking", "redacted_thinking", "reasoning", "tool_use", "tool_call",
                                   "tool_result", "server_tool_use", "image", "image_url", "document",
                                   "search_result", "blob"})  # fmt: skip


def read_question(value: Any) -> tuple[str | None, list[Turn]]:
    """Return the last user content and the turns before it.

    Takes text, one message, a list of messages (mappings, objects, ``(role, content)`` pairs) or a mapping
    with ``messages``, ``question``, ``query``, ``input`` or ``prompt``. None: no user content was found.

    >>> read_question([("user", "Who?"), ("assistant", "Ada."), ("user", "When?")])
    ('When?', [{'role': 'user', 'content': 'Who?'}, {'role': 'assistant', 'content': 'Ada.'}])
    >>> read_question("Who?")
    ('Who?', [])
    """
    unknown: tuple[str | None, list[Turn]] = (None, [])
    return bounded(lambda: _read(value, 0), unknown)


def read_history(value: Any) -> list[Turn] | None:
    """Return all turns of a list of messages, in order; None: it is no list.

    What has the form of a turn already is taken at its word; what holds no text is left out.

    >>> read_history([{"role": "critic", "content": "No."}, ("human", "Who?"), {"role": "user", "parts": []}])
    [{'role': 'critic', 'content': 'No.'}, {'role': 'user', 'content': 'Who?'}]
    """
    return bounded(lambda: _turns_of(value), None)


def _turns_of(value: Any) -> list[Turn] | None:
    items = items_of(value)
    if items is None:
        return None
    return [turn for item in items if (turn := _own_turn(item) or read_turn(item)) is not None]


def _own_turn(item: Any) -> Turn | None:
    if type(item) is not dict:
        return None
    role, content = item.get("role"), item.get("content")
    return {"role": role, "content": content} if type(role) is type(content) is str else None


def _read(value: Any, depth: int) -> tuple[str | None, list[Turn]]:
    text = text_of(value)
    if text is not None:
        return text, []
    items = items_of(value)
    if items is not None:
        return _of_items(items, depth)
    fields = fields_of(value)
    return _of_fields(fields, depth) if fields and depth < MAX_DEPTH else (None, [])


def _of_items(items: Any, depth: int) -> tuple[str | None, list[Turn]]:
    turns = [turn for item in items if (turn := read_turn(item)) is not None]
    if turns:
        return _split(turns)
    if items and items_of(items[0]) is not None and depth < MAX_DEPTH:
        return _read(items[0], depth + 1)
    return (content_text(items) if all(map(_is_part, items)) else None), []


def _is_part(value: Any) -> bool:
    """Tell whether a value is a piece of one message, and not a passage or a record."""
    fields = fields_of(value)
    return text_of(value) is not None if fields is None else text_of(get(fields, "type")) in _PARTS


def _of_fields(fields: Fields, depth: int) -> tuple[str | None, list[Turn]]:
    budget.left -= len(_QUESTIONS)
    if budget.left < 0:
        raise Exhausted
    for name in ("messages", "contents"):
        held = get(fields, name)
        if items_of(held):
            return _read(held, depth + 1)
    turn = read_turn(fields)
    if turn is not None:
        return (turn["content"], []) if turn["role"] == "user" else (None, [turn])
    for name in _QUESTIONS:
        held = get(fields, name)
        if held is not None:
            question, history = _read(held, depth + 1)
            if question is not None:
                return question, history or _history_of(fields)
    return _of_arguments(fields, depth)


def _of_arguments(fields: Fields, depth: int) -> tuple[str | None, list[Turn]]:
    """Read the recorded arguments of a call: the named ones, else the first text."""
    named, placed = get(fields, "kwargs"), items_of(get(fields, "args"))
    question, history = _read(named, depth + 1) if fields_of(named) else (None, [])
    if question is None and placed:
        question = next((text for item in placed if (text := text_of(item)) is not None), None)
        if question is None:
            return _read(placed[0], depth + 1)
    return question, history


def _history_of(fields: Fields) -> list[Turn]:
    for name in ("chat_history", "history", "memory"):
        items = items_of(get(fields, name))
        if items:
            return [turn for item in items if (turn := read_turn(item)) is not None]
    return []


def _split(turns: list[Turn]) -> tuple[str | None, list[Turn]]:
    for index in range(len(turns) - 1, -1, -1):
        if turns[index]["role"] == "user":
            return turns[index]["content"], turns[:index]
    return None, turns


def read_turn(value: Any) -> Turn | None:
    """Return one message as ``{"role", "content"}``; None when it has no known role or no text."""
    role = role_of(value)
    if role is None:
        return None
    pair = items_of(value)
    fields = None if pair is not None else _constructed(fields_of(value) or {})
    content = content_text(pair[1] if pair is not None else pick(fields or {}, *_CONTENTS))
    return None if content is None else {"role": role, "content": content}


def role_of(value: Any) -> str | None:
    """Return the role of a message, as the GenAI conventions spell it; None for what is no message.

    >>> role_of({"type": "ai", "content": "Ada."}), role_of(("human", "Who?")), role_of({"type": "text"})
    ('assistant', 'user', None)
    """
    pair = items_of(value)
    if pair is not None:
        return _role(text_of(pair[0])) if len(pair) == 2 else None
    fields = fields_of(value)
    if not fields:
        return None
    fields = _constructed(fields)
    return _role(text_of(pick(fields, "role", "_role", "type")))


def _constructed(fields: Fields) -> Fields:
    """LangChain's serialized form keeps the fields under ``kwargs``, and may leave the type to the class."""
    inner = fields_of(get(fields, "kwargs")) if get(fields, "lc") is not None else None
    if not inner:
        return fields
    path = items_of(get(fields, "id"))
    name = text_of(path[-1]) if path else None
    return {"type": _CLASSES.get(name or ""), **inner}


def _role(name: str | None) -> str | None:
    return None if name is None else _ROLES.get(name)


def content_text(value: Any) -> str | None:
    """Return the text of a message's content: text, or the text parts of a part list, joined as they stand.

    Thinking, tool calls, images and documents are left out. None: there is no text part.

    >>> content_text([{"type": "text", "text": "Who"}, {"type": "image"}, {"text": " wrote it?"}])
    'Who wrote it?'
    """
    text = text_of(value)
    if text is not None:
        return text
    items = items_of(value)
    if items is None:
        return part_text(value)
    texts = [part for item in items if (part := part_text(item)) is not None]
    return "".join(texts) if texts else None


def part_text(value: Any) -> str | None:
    """Return the text of one content part; None for parts that are no answer or question text."""
    text = text_of(value)
    if text is not None:
        return text
    fields = fields_of(value)
    if not fields or text_of(get(fields, "type")) in _SKIPPED_PARTS or get(fields, "thought") is True:
        return None
    held = pick(fields, "text", "content", "_content", "input_text")
    text = text_of(held)
    if text is None and held is not None:
        inner = fields_of(held)
        text = text_of(pick(inner, "value", "text")) if inner else None
    return text
