"""Streams: what their chunks say together."""

from __future__ import annotations

import json
from typing import Any

import pytest

from groundwire.shapes import join_chunks
from shapes import stream_payloads
from shapes.test_providers import as_objects


@pytest.mark.parametrize("name", stream_payloads.ALL)
def test_streamed_answer_says_what_the_whole_one_says(name: str) -> None:
    """The events of a stream, joined, give the record of the unstreamed answer."""
    events, expected = stream_payloads.ALL[name]
    assert join_chunks(events) == expected


@pytest.mark.parametrize("name", stream_payloads.ALL)
def test_events_as_objects_say_the_same(name: str) -> None:
    """Event objects are read like event mappings."""
    events, expected = stream_payloads.ALL[name]
    assert join_chunks([as_objects(event) for event in events]) == expected


@pytest.mark.parametrize("name", ["openai chat", "openai responses", "anthropic", "gemini", "cohere v2"])
def test_server_sent_events_as_text_say_the_same(name: str) -> None:
    """A handler that yields ``data: {…}`` lines is read like the events in them."""
    events, expected = stream_payloads.ALL[name]
    lines = [f"data: {json.dumps(event)}\n\n" for event in events]
    assert join_chunks([": ping\n\n", *lines, "data: [DONE]\n\n"]) == expected


@pytest.mark.parametrize("name", stream_payloads.ALL)
def test_stream_that_ends_early_gives_what_came(name: str) -> None:
    """Any prefix of a stream is read without loss of the text that had come."""
    events, expected = stream_payloads.ALL[name]
    for length in range(len(events)):
        answer = join_chunks(events[:length]).get("answer", "")
        assert expected["answer"].startswith(answer)


OWN: list[tuple[list[Any], dict[str, Any]]] = [
    ([], {}),
    (["Ada ", "wrote", ""], {"answer": "Ada wrote"}),
    (["data", ": not an event"], {"answer": "data: not an event"}),
    ([{"token": "A"}, {"token": "da"}], {"answer": "Ada"}),
    ([{"type": "token", "content": "A"}, {"type": "token", "content": "da"}], {"answer": "Ada"}),
    (
        [{"delta": "A"}, {"delta": "da"}, {"usage": {"input_tokens": 1}}],
        {"answer": "Ada", "usage": {"input_tokens": 1}},
    ),
    (["A", "da", {"answer": "Ada", "contexts": ["x"]}], {"answer": "Ada", "contexts": [{"text": "x"}]}),
    ([{"context": ["x"]}, {"answer": "A"}, {"answer": "da"}], {"answer": "Ada", "contexts": [{"text": "x"}]}),
    (["A", b"da"], {"answer": "Ada"}),
    (['{"token": "A"}\n', '{"token": "da"}\n'], {"answer": "Ada"}),
    (["event: token\ndata: A\n\n", "event: token\ndata: da\n\n"], {"answer": "Ada"}),
    (["Ada", None, 3, object()], {"answer": "Ada"}),
    (["data: Ada\n\n", "data:  wrote\n\n"], {"answer": "Ada wrote"}),
    (['data: {"tok', 'en": "Ada"}\n\n'], {"answer": "Ada"}),
    (
        [{"retrieve": {"context": ["x"]}}, {"generate": {"answer": "Ada"}}],
        {"answer": "Ada", "contexts": [{"text": "x"}]},
    ),
    (
        [
            ("updates", {"retrieve": {"context": ["x"]}}),
            ("updates", {"generate": {"messages": [{"type": "ai", "content": "Ada"}]}}),
        ],
        {"answer": "Ada", "contexts": [{"text": "x"}]},
    ),
    (
        [
            {"messages": [{"role": "user", "content": "Who?"}]},
            {
                "messages": [{"role": "user", "content": "Who?"}, {"role": "assistant", "content": "Ada"}],
                "usage": {"input_tokens": 1},
            },
        ],
        {"answer": "Ada", "usage": {"input_tokens": 1}},
    ),
    (["A", "Ada", "Ada wr", "Ada wrote"], {"answer": "Ada wrote"}),
    (
        [{"answer": "A"}, {"answer": "Ada"}, {"answer": "Ada wr"}, {"answer": "Ada wrote"}],
        {"answer": "Ada wrote"},
    ),
    (["ha", "ha", "ha", "ha", "ha"], {"answer": "hahahahaha"}),
    ([{"token": "ha"}, {"token": "ha"}], {"answer": "haha"}),
    (
        [{"token": "Ada wrote it, all of it."}, {"type": "final", "answer": "Ada wrote it, all of it."}],
        {"answer": "Ada wrote it, all of it."},
    ),
]


@pytest.mark.parametrize(("chunks", "expected"), OWN)
def test_an_applications_own_chunks_are_read(chunks: list[Any], expected: dict[str, Any]) -> None:
    """Texts, mappings with a piece of text, late contexts and usage, and a whole answer at the end."""
    assert join_chunks(chunks) == expected


def test_what_is_no_list_of_chunks_is_left_alone() -> None:
    """A generator is never consumed, a text is not taken for a list of letters."""
    generator = (piece for piece in ["a"])
    assert join_chunks(generator) == {} and next(generator) == "a"
    assert join_chunks("Ada") == {} and join_chunks(None) == {}


def test_long_stream_of_texts_is_not_cut() -> None:
    """Fifty thousand chunks give fifty thousand pieces."""
    assert len(join_chunks(["ab"] * 50_000)["answer"]) == 100_000
    assert len(join_chunks([{"token": "ab"}] * 20_000)["answer"]) == 40_000
