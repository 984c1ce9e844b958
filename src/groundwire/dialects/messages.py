"""Message lists of any vocabulary → the question, the turns before it, the whole prompt, the answer.

Roles and parts are read by :mod:`groundwire.shapes`; here are the containers that traces add: JSON in
strings, choices, generations, batches of one, and messages wrapped by a framework's serializer.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, NamedTuple

from groundwire.dialects.values import as_label, as_text, decode_text, parse_json, parse_structure
from groundwire.record import Message
from groundwire.shapes.messages import content_text, read_turn

MAX_MESSAGES = 10_000
_ANSWER_NAMES = (
    "output_text", "answer", "response", "final_answer", "final_output", "final_result", "output", "result",
    "text", "completion", "generated_text", "content", "value", "reply",
)  # fmt: skip
_HOLDERS = (
    "choices",
    "generations",
    "replies",
    "messages",
    "candidates",
    "outputs",
    "output",
    "message",
    "kwargs",
    "data",
)
_QUESTION_NAMES = (
    "question", "query", "user_input", "query_str", "user_query", "q", "input", "inputs", "prompt", "message",
    "text", "search_query", "query_text", "user_message", "args", "kwargs", "arguments", "query_bundle",
    "new_message", "user_prompt", "human_input", "chat_input", "task", "topic", "user_query_text",
)  # fmt: skip


_SPEAKER = re.compile(r"^(system|user|assistant|tool):[ \t]", re.MULTILINE | re.IGNORECASE)


class Turn(NamedTuple):
    """One message: its role (system, user, assistant, tool) and its text."""

    role: str
    content: str


class Conversation(NamedTuple):
    """What a model was given; ``complete`` is False where the value was cut."""

    question: str | None = None
    history: tuple[Message, ...] = ()
    turns: tuple[Turn, ...] = ()
    complete: bool = True


class Answer(NamedTuple):
    """What a model (or a function) returned as text, and why it stopped."""

    text: str | None = None
    finish_reason: str | None = None
    complete: bool = True


def read_conversation(value: Any) -> Conversation:
    """Return question, history and turns of a message list (or of a text, which is the question).

    >>> read_conversation('[{"role":"user","parts":[{"type":"text","content":"Who?"}]}]').question
    'Who?'
    """
    parsed = parse_json(value)
    turns = read_turns(parsed.value)
    last = max((i for i, turn in enumerate(turns) if turn.role == "user"), default=None)
    history = turns if last is None else turns[:last]
    return Conversation(
        question=None if last is None else turns[last].content,
        history=tuple(Message(role=turn.role, content=turn.content) for turn in history),
        turns=tuple(turns),
        complete=parsed.complete,
    )


def read_turns(value: Any, depth: int = 0) -> list[Turn]:
    """Return the messages that have text, in order; a bare text is one user's message."""
    value = parse_json(value).value
    text = as_text(value)
    if text is not None:
        return _split_transcript(text) if depth == 0 and text else []
    if depth > 6:
        return []
    if isinstance(value, Mapping):
        return _turns_of_mapping(value, depth)
    if isinstance(value, (list, tuple)):
        if value and all(isinstance(item, str) for item in value):
            return [Turn("user", as_text(item) or "") for item in value[:MAX_MESSAGES]] if depth < 2 else []
        return [turn for item in value[:MAX_MESSAGES] for turn in read_turns(item, depth + 1)]
    return []


def _split_transcript(text: str) -> list[Turn]:
    """A text is one user's message, unless it is a transcript: ``system: …`` and ``user: …``, line by line.

    >>> [turn.role for turn in read_turns("system: Be brief.\\nuser: Who?")]
    ['system', 'user']
    """
    marks = list(_SPEAKER.finditer(text)) if _SPEAKER.match(text) else []
    if len(marks) < 2:
        return [Turn("user", text)]
    ends = [mark.start() for mark in marks[1:]] + [len(text)]
    return [
        Turn(mark[1].lower(), text[mark.end() : end].strip())
        for mark, end in zip(marks[:MAX_MESSAGES], ends, strict=False)
    ]


def _turns_of_mapping(value: Mapping[str, Any], depth: int) -> list[Turn]:
    system = [Turn("system", text)] if (text := as_text(value.get("system"))) and "messages" in value else []
    for name in ("messages", "contents", "input_messages", "prompts"):
        if isinstance(value.get(name), (list, str)):
            return system + read_turns(value[name], depth + 1)
    turn = _read_message(value)
    if turn is not None:
        return [turn]
    for name in ("kwargs", "data", "message"):
        inner = value.get(name)
        if isinstance(inner, Mapping):
            return read_turns(_with_role(inner, value), depth + 1)
    return []


def _with_role(inner: Mapping[str, Any], outer: Mapping[str, Any]) -> Mapping[str, Any]:
    """A serializer keeps the role outside: ``{"type": "ai", "data": {…}}`` or in the class's name."""
    if "role" in inner or "type" in inner:
        return inner
    path = outer.get("id")
    name = path[-1] if isinstance(path, list) and path else outer.get("type")
    kinds = {"SystemMessage": "system", "HumanMessage": "human", "AIMessage": "ai", "ToolMessage": "tool"}
    return {**inner, "type": kinds.get(name, name) if isinstance(name, str) else None}


def _read_message(value: Mapping[str, Any]) -> Turn | None:
    if "lc" in value:
        return None
    turn = read_turn(_with_decoded_content(value))
    return None if turn is None else Turn(turn["role"], as_text(turn["content"]) or "")


def _with_decoded_content(value: Mapping[str, Any]) -> dict[str, Any]:
    fields = dict(value)
    for name in ("content", "parts"):
        inner = fields.get(name)
        if isinstance(inner, str) and inner[:1] == "[" and '"type"' in inner[:200]:
            fields[name] = parse_json(inner).value
    return fields


def read_answer(value: Any) -> Answer:
    """Return the answer in an output value: messages, choices, generations, a mapping with an answer, a text.

    >>> read_answer('{"choices":[{"finish_reason":"stop","message":{"role":"assistant","content":"Ada."}}]}')
    Answer(text='Ada.', finish_reason='stop', complete=True)
    """
    parsed = parse_structure(value)
    text, reason = _find_answer(parsed.value, 0)
    return Answer(text, reason, parsed.complete)


def _find_answer(value: Any, depth: int) -> tuple[str | None, str | None]:
    if depth > 8:
        return None, None
    text = as_text(value)
    if text is not None:
        return text, None
    if isinstance(value, list):
        return _answer_of_list(value, depth)
    if isinstance(value, Mapping):
        return _answer_of_mapping(value, depth)
    return None, None


def _answer_of_list(value: list[Any], depth: int) -> tuple[str | None, str | None]:
    if value and all(_is_choice(item) for item in value):
        return _find_answer(value[0], depth + 1)
    turns = [(index, turn) for index, item in enumerate(value) for turn in _output_turns(item)]
    spoken = [(index, turn) for index, turn in turns if turn.role == "assistant"]
    if spoken:
        index, turn = spoken[0 if _are_alternatives(value) else -1]
        return turn.content, _reason_of(value[index])
    if turns or not value:
        return None, None
    joined = content_text(value)
    if joined is not None:
        return as_text(joined), None
    return _find_answer(value[0], depth + 1) if len(value) == 1 else (None, None)


def _output_turns(item: Any) -> list[Turn]:
    return read_turns(item, 1) if isinstance(item, Mapping) else []


def _is_choice(item: Any) -> bool:
    return isinstance(item, Mapping) and ("message" in item or "index" in item) and "role" not in item


def _are_alternatives(value: list[Any]) -> bool:
    """Messages of which each says why it ended, none of them for a tool, are choices of one call."""
    reasons = [_reason_of(item) for item in value]
    return None not in reasons and not any("tool" in (reason or "") for reason in reasons)


def _reason_of(item: Any) -> str | None:
    if not isinstance(item, Mapping):
        return None
    for name in ("finish_reason", "finishReason", "stop_reason", "stopReason"):
        reason = as_label(item.get(name))
        if reason is not None:
            return reason
    for name in ("response_metadata", "generation_info", "meta", "kwargs", "message"):
        inner = item.get(name)
        if isinstance(inner, Mapping):
            reason = _reason_of(inner)
            if reason is not None:
                return reason
    return None


def _answer_of_mapping(value: Mapping[str, Any], depth: int) -> tuple[str | None, str | None]:
    turns = read_turns(value, 1)
    spoken = [turn for turn in turns if turn.role == "assistant"]
    if spoken:
        return spoken[-1].content, _reason_of(value)
    if turns and "messages" in value:
        return None, None
    for name in _ANSWER_NAMES:
        inner = value.get(name)
        if isinstance(inner, str):
            return as_text(inner), _reason_of(value)
        if isinstance(inner, list) and name == "content":
            return as_text(content_text(inner)), _reason_of(value)
    for name in (*_HOLDERS, *_ANSWER_NAMES):
        inner = parse_json(value.get(name)).value
        if isinstance(inner, (Mapping, list)) and inner:
            text, reason = _find_answer(inner, depth + 1)
            if text is not None:
                return text, reason or _reason_of(value)
    return None, None


def read_question(value: Any, depth: int = 0) -> str | None:
    """Return the question in a function's input: a text, messages, or arguments with a telling name.

    >>> read_question('{"args": ["Who?"], "kwargs": {}}'), read_question('{"inputs": {"query": "Who?"}}')
    ('Who?', 'Who?')
    """
    value = parse_json(value).value if depth else _decoded(value)
    text = as_text(value)
    if text is not None:
        return text
    if depth > 6:
        return None
    if isinstance(value, list):
        return _question_of_list(value, depth)
    return _question_of_mapping(value, depth) if isinstance(value, Mapping) else None


def _decoded(value: Any) -> Any:
    parsed = parse_json(value).value
    return decode_text(parsed) if isinstance(parsed, str) else parsed


def _question_of_list(value: list[Any], depth: int) -> str | None:
    turns = [turn for item in value if not isinstance(item, str) for turn in read_turns(item, 1)]
    asked = [turn.content for turn in turns if turn.role == "user"]
    if asked:
        return asked[-1]
    if turns:
        return None
    return next((found for item in value[:20] if (found := read_question(item, depth + 1)) is not None), None)


def _question_of_mapping(value: Mapping[str, Any], depth: int) -> str | None:
    turns = read_turns(value, 1)
    asked = [turn.content for turn in turns if turn.role == "user"]
    if asked:
        return asked[-1]
    for name in _QUESTION_NAMES:
        inner = value.get(name)
        if inner is not None and inner != {} and inner != []:
            found = read_question(inner, depth + 1)
            if found is not None:
                return found
    if turns or "role" in value or "type" in value:
        return None
    texts = [inner for inner in value.values() if isinstance(inner, str)]
    return as_text(texts[0]) if len(texts) == 1 and len(value) <= 3 else None
