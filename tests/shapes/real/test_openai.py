"""OpenAI's own classes: chat completions, Responses, Assistants, and their streams."""

from __future__ import annotations

from groundwire.shapes import join_chunks, read_result
from shapes import payloads, stream_payloads


def test_chat_completion(real) -> None:
    """A ChatCompletion, also with the extra fields of Azure and Perplexity, is read like its mapping."""
    model = real("openai.types.chat").ChatCompletion
    for payload, expected in (
        (payloads.OPENAI_CHAT, payloads.OPENAI_CHAT_READ),
        (payloads.AZURE, payloads.AZURE_READ),
        (payloads.PERPLEXITY, payloads.PERPLEXITY_READ),
    ):
        completion = model.model_validate(payload)
        assert read_result(completion) == expected
        assert read_result(completion.model_dump(mode="json")) == expected


def test_response(real) -> None:
    """A Response with a file search and annotations is read like its mapping."""
    response = real("openai.types.responses").Response.model_validate(payloads.OPENAI_RESPONSES)
    assert read_result(response) == payloads.OPENAI_RESPONSES_READ
    assert read_result(response.model_dump(mode="json")) == payloads.OPENAI_RESPONSES_READ


def test_thread_message(real) -> None:
    """An Assistants message with ``【4:0†source】`` is read like its mapping."""
    message = real("openai.types.beta.threads").Message.model_validate(payloads.ASSISTANTS)
    assert read_result(message) == payloads.ASSISTANTS_READ


def test_chat_stream(real) -> None:
    """Chunks of a chat stream, the last one with usage and no choices, give the whole answer."""
    model = real("openai.types.chat").ChatCompletionChunk
    chunks = [model.model_validate(event) for event in stream_payloads.OPENAI_CHAT_EVENTS]
    assert join_chunks(chunks) == payloads.OPENAI_CHAT_READ


def test_streaming_helper(real) -> None:
    """The events of ``chat.completions.stream()`` repeat what their chunks say; they are counted once."""
    chat, events = real("openai.types.chat"), real("openai.lib.streaming.chat")
    seen: list[object] = []
    for payload in stream_payloads.OPENAI_CHAT_EVENTS:
        chunk = chat.ChatCompletionChunk.model_validate(payload)
        seen.append(events.ChunkEvent.model_construct(type="chunk", chunk=chunk, snapshot=None))
        for choice in chunk.choices:
            delta = choice.delta.content
            if delta:
                event = events.ContentDeltaEvent.model_construct(
                    type="content.delta", delta=delta, snapshot=delta, parsed=None
                )
                seen.append(event)
    answer = payloads.OPENAI_CHAT_READ["answer"]
    seen.append(events.ContentDoneEvent.model_construct(type="content.done", content=answer, parsed=None))
    assert join_chunks(seen) == payloads.OPENAI_CHAT_READ
    assert join_chunks([event for event in seen if event.type == "content.delta"]) == {"answer": answer}
    assert join_chunks(seen[-1:]) == {"answer": answer}


def test_responses_stream(real) -> None:
    """Events of a Responses stream, with and without the completed one, give the answer."""
    types = real("openai.types.responses")
    adapter = real("pydantic").TypeAdapter(types.ResponseStreamEvent)
    events = [adapter.validate_python(event) for event in stream_payloads.OPENAI_RESPONSES_EVENTS]
    assert join_chunks(events) == payloads.OPENAI_RESPONSES_READ
    assert join_chunks(events[:-1]) == stream_payloads.OPENAI_RESPONSES_CUT_READ


def test_lazy_stream_object_is_not_touched(real) -> None:
    """A Stream that nobody has read yet says nothing, and is not read by us."""
    stream = object.__new__(real("openai").Stream)
    stream.__dict__.update(response={"text": "no answer"}, _iterator=iter(["a"]))
    assert read_result(stream) == {}
    assert next(stream._iterator) == "a"
