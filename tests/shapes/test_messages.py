"""Questions and histories in message lists of every kind."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from groundwire.shapes import read_question
from groundwire.shapes.messages import content_text

ASSISTANT = {"role": "assistant", "content": "Ada."}
EARLIER = [{"role": "user", "content": "Who?"}, ASSISTANT]
LISTS: dict[str, Any] = {
    "openai": [*EARLIER, {"role": "user", "content": "When?"}],
    "openai content parts": [*EARLIER, {"role": "user", "content": [{"type": "text", "text": "When?"}]}],
    "openai responses": [*EARLIER, {"role": "user", "content": [{"type": "input_text", "text": "When?"}]}],
    "anthropic with an image": [
        *EARLIER,
        {"role": "user", "content": [{"type": "image", "source": {}}, {"type": "text", "text": "When?"}]},
    ],
    "pairs": [("human", "Who?"), ("ai", "Ada."), ("human", "When?")],
    "langchain": [
        SimpleNamespace(type="human", content="Who?"),
        SimpleNamespace(type="ai", content="Ada."),
        SimpleNamespace(type="human", content="When?"),
    ],
    "gemini": [
        {"role": "user", "parts": [{"text": "Who?"}]},
        {"role": "model", "parts": [{"text": "Ada."}]},
        {"role": "user", "parts": [{"text": "When?"}]},
    ],
    "otel": [
        {"role": "user", "parts": [{"type": "text", "content": "Who?"}]},
        {"role": "assistant", "parts": [{"type": "text", "content": "Ada."}]},
        {"role": "user", "parts": [{"type": "text", "content": "When?"}]},
    ],
    "mapping with messages": {"messages": [*EARLIER, {"role": "user", "content": "When?"}], "model": "m"},
    "mapping with history": {"question": "When?", "chat_history": EARLIER},
    "cohere v1": {"message": "When?", "chat_history": [{"role": "USER", "message": "Who?"},
                                                       {"role": "CHATBOT", "message": "Ada."}]},
    "tuple": (*EARLIER, {"role": "user", "content": "When?"}),
}  # fmt: skip


@pytest.mark.parametrize("name", LISTS)
def test_last_user_content_is_the_question(name: str) -> None:
    """The last user turn is the question; the turns before it are the history, in order."""
    assert read_question(LISTS[name]) == ("When?", EARLIER)


def test_turns_after_the_question_are_no_history() -> None:
    """Tool calls and answers after the last user turn are not part of what was asked."""
    question, history = read_question([*EARLIER, {"role": "user", "content": "When?"}, ASSISTANT])
    assert (question, history) == ("When?", EARLIER)


@pytest.mark.parametrize(
    "value", [None, 3, [], {}, object(), iter(["Who?"]), [ASSISTANT], {"limit": 3}, [{"text": "a passage"}]]
)
def test_no_user_content_means_no_question(value: Any) -> None:
    """Where nobody asked, the question is unknown."""
    assert read_question(value)[0] is None


@pytest.mark.parametrize(
    ("value", "question"),
    [
        ("Who?", "Who?"),
        ({"query": "Who?"}, "Who?"),
        ({"input": {"question": "Who?"}}, "Who?"),
        ("", ""),
        ({"args": ["Who?"], "kwargs": {}}, "Who?"),
        ({"args": [], "kwargs": {"q": "Who?"}}, "Who?"),
        ({"q": {"query_str": "Who?"}}, "Who?"),
        ([[{"role": "user", "content": "Who?"}]], "Who?"),
        ([{"type": "text", "text": "Who?"}, {"type": "image_url"}], "Who?"),
    ],
)
def test_plain_questions(value: Any, question: str) -> None:
    """Text is the question; a mapping is read by the usual names."""
    assert read_question(value) == (question, [])


def test_thinking_and_tool_parts_are_no_text() -> None:
    """Only text parts are joined, as they stand."""
    parts = [
        {"type": "thinking", "thinking": "hm"},
        {"type": "text", "text": "A"},
        {"type": "tool_use", "text": "no"},
    ]
    assert content_text([*parts, "da"]) == "Ada"
    assert content_text([]) is None and content_text([{"type": "image"}]) is None
