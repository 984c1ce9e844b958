"""The stream objects of real model clients, fed from a fake transport: recorded, and not to be told apart."""

from __future__ import annotations

import asyncio
import importlib
import json
from collections.abc import Callable
from typing import Any

import pytest

from groundwire.instrumentation import instrument
from groundwire.testing import CapturedSpans
from instrumentation.reading import answer_of

openai = pytest.importorskip("openai", reason="pip install openai anthropic")
anthropic = pytest.importorskip("anthropic", reason="pip install openai anthropic")

Check = Callable[[int], None]


def chat_chunks() -> list[dict[str, Any]]:
    def chunk(delta: dict[str, Any], **more: Any) -> dict[str, Any]:
        choices = [{"index": 0, "delta": delta, "finish_reason": more.pop("finish_reason", None)}]
        base = {"id": "c1", "object": "chat.completion.chunk", "created": 1, "model": "model-1"}
        return {**base, "choices": choices, **more}

    usage = {"prompt_tokens": 7, "completion_tokens": 2, "total_tokens": 9}
    return [
        chunk({"role": "assistant", "content": ""}),
        chunk({"content": "Ada "}),
        chunk({"content": "wrote it."}),
        chunk({}, finish_reason="stop"),
        {**chunk({}), "choices": [], "usage": usage},
    ]


def message_events() -> list[tuple[str, dict[str, Any]]]:
    message = {
        "id": "m1", "type": "message", "role": "assistant", "model": "model-1", "content": [],
        "stop_reason": None, "stop_sequence": None, "usage": {"input_tokens": 7, "output_tokens": 1},
    }  # fmt: skip
    delta = {"stop_reason": "end_turn", "stop_sequence": None}
    return [
        ("message_start", {"message": message}),
        ("content_block_start", {"index": 0, "content_block": {"type": "text", "text": ""}}),
        ("content_block_delta", {"index": 0, "delta": {"type": "text_delta", "text": "Ada "}}),
        ("content_block_delta", {"index": 0, "delta": {"type": "text_delta", "text": "wrote it."}}),
        ("content_block_stop", {"index": 0}),
        ("message_delta", {"delta": delta, "usage": {"output_tokens": 5}}),
        ("message_stop", {}),
    ]


def http_of(module: Any) -> Any:
    """Return the HTTP library that a client is built on."""
    client = (module.OpenAI if module is openai else module.Anthropic)(api_key="x")._client
    names = {base.__module__.partition(".")[0] for base in type(client).__mro__}
    return importlib.import_module(next(name for name in names if name.startswith("httpx")))


def transport(module: Any, body: str) -> dict[str, Any]:
    http = http_of(module)

    def answer(request: Any) -> Any:
        return http.Response(200, headers={"content-type": "text/event-stream"}, content=body.encode())

    return {"transport": http.MockTransport(answer)}


def openai_body() -> str:
    return "".join(f"data: {json.dumps(chunk)}\n\n" for chunk in chat_chunks()) + "data: [DONE]\n\n"


def anthropic_body() -> str:
    events = message_events()
    return "".join(f"event: {name}\ndata: {json.dumps({'type': name, **data})}\n\n" for name, data in events)


def openai_client() -> Any:
    http = http_of(openai)
    return openai.OpenAI(api_key="x", http_client=http.Client(**transport(openai, openai_body())))


def anthropic_client() -> Any:
    http = http_of(anthropic)
    return anthropic.Anthropic(api_key="x", http_client=http.Client(**transport(anthropic, anthropic_body())))


MESSAGES = [{"role": "user", "content": "Who?"}]


def check_recorded(spans: CapturedSpans, output_tokens: int) -> None:
    found = spans.attributes()
    assert answer_of(spans.spans[-1]) == "Ada wrote it."
    assert found["gen_ai.response.model"] == "model-1"
    assert (found["gen_ai.usage.input_tokens"], found["gen_ai.usage.output_tokens"]) == (7, output_tokens)
    assert found["groundwire.stream.end"] == "exhausted"


def test_an_openai_stream(spans: CapturedSpans, harmless: Check) -> None:
    """A chat completion stream iterates, keeps its class and its response, and is recorded."""
    client = openai_client()

    @instrument(tracer_provider=spans.provider)
    def answer(messages: Any) -> Any:
        return client.chat.completions.create(model="model-1", messages=messages, stream=True)

    stream = answer(MESSAGES)
    assert isinstance(stream, openai.Stream)
    assert stream.response.status_code == 200
    assert len(list(stream)) == 5
    check_recorded(spans, 2)


def test_an_async_openai_stream(spans: CapturedSpans) -> None:
    """The async client's stream too, under `async with`."""
    http = http_of(openai)

    async def main() -> int:
        made = http.AsyncClient(**transport(openai, openai_body()))
        client = openai.AsyncOpenAI(api_key="x", http_client=made)

        @instrument(tracer_provider=spans.provider)
        async def answer(messages: Any) -> Any:
            return await client.chat.completions.create(model="model-1", messages=messages, stream=True)

        async with await answer(MESSAGES) as stream:
            return len([chunk async for chunk in stream])

    assert asyncio.run(main()) == 5
    check_recorded(spans, 2)


def test_an_anthropic_stream(spans: CapturedSpans) -> None:
    """Raw events of messages.create(stream=True)."""
    client = anthropic_client()

    @instrument(tracer_provider=spans.provider)
    def answer(messages: Any) -> Any:
        return client.messages.create(model="model-1", max_tokens=9, messages=messages, stream=True)

    assert len(list(answer(MESSAGES))) == 7
    check_recorded(spans, 5)


@pytest.mark.parametrize("way", ["events", "text", "done", "message"])
def test_an_anthropic_stream_manager(spans: CapturedSpans, way: str) -> None:
    """`with client.messages.stream(...)`: whichever way it is read, text, model and usage are recorded."""
    client = anthropic_client()

    @instrument(tracer_provider=spans.provider)
    def answer(messages: Any) -> Any:
        return client.messages.stream(model="model-1", max_tokens=9, messages=messages)

    with answer(MESSAGES) as stream:
        if way == "text":
            assert "".join(stream.text_stream) == "Ada wrote it."
        elif way == "events":
            assert "text" in [event.type for event in stream]
        elif way == "done":
            stream.until_done()
        assert stream.get_final_message().content[0].text == "Ada wrote it."
    found = spans.attributes()
    assert answer_of(spans.spans[-1]) == "Ada wrote it."
    assert found["gen_ai.response.model"] == "model-1"
    assert (found["gen_ai.usage.input_tokens"], found["gen_ai.usage.output_tokens"]) == (7, 5)
    assert len(spans.spans) == 1


@pytest.mark.parametrize("way", ["events", "completion"])
def test_an_openai_stream_manager(spans: CapturedSpans, way: str) -> None:
    """`with client.chat.completions.stream(...)`: its events say everything twice, the record once."""
    client = openai_client()

    @instrument(tracer_provider=spans.provider)
    def answer(messages: Any) -> Any:
        return client.chat.completions.stream(model="model-1", messages=messages)

    with answer(MESSAGES) as stream:
        if way == "events":
            assert "content.delta" in [event.type for event in stream]
        assert stream.get_final_completion().choices[0].message.content == "Ada wrote it."
    assert answer_of(spans.spans[-1]) == "Ada wrote it."
    assert spans.attributes()["gen_ai.usage.output_tokens"] == 2
    assert len(spans.spans) == 1


def test_an_async_stream_manager(spans: CapturedSpans, harmless: Check) -> None:
    """The async manager, asked for its final message alone."""
    http = http_of(anthropic)

    async def main() -> Any:
        made = http.AsyncClient(**transport(anthropic, anthropic_body()))
        client = anthropic.AsyncAnthropic(api_key="x", http_client=made)

        @instrument(tracer_provider=spans.provider)
        def answer(messages: Any) -> Any:
            return client.messages.stream(model="model-1", max_tokens=9, messages=messages)

        async with answer(MESSAGES) as stream:
            return await stream.get_final_message()

    assert asyncio.run(main()).content[0].text == "Ada wrote it."
    assert answer_of(spans.spans[-1]) == "Ada wrote it."
    harmless(1)
