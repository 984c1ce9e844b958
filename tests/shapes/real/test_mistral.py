"""Mistral's own classes: reference chunks between the texts, whole and streamed."""

from __future__ import annotations

from groundwire.shapes import join_chunks, read_result
from shapes import payloads, stream_payloads


def test_completion(real) -> None:
    """A completion with reference chunks is read like its mapping."""
    response = real("mistralai.client.models").ChatCompletionResponse.model_validate(payloads.MISTRAL)
    assert read_result(response) == payloads.MISTRAL_READ


def test_stream(real) -> None:
    """Completion events give the whole answer, the references in their place."""
    model = real("mistralai.client.models").CompletionEvent
    events = [model.model_validate(event) for event in stream_payloads.MISTRAL_EVENTS]
    assert join_chunks(events) == payloads.MISTRAL_READ


def test_conversation(real) -> None:
    """An agent's conversation is read from its message outputs."""
    response = real("mistralai.client.models").ConversationResponse.model_validate(
        {
            "conversation_id": "c1",
            "outputs": [{"type": "message.output", "role": "assistant", "content": "Ada.", "model": "m"}],
            "usage": {"prompt_tokens": 3, "completion_tokens": 1, "total_tokens": 4},
        }
    )
    read = read_result(response)
    assert (read["answer"], read["conversation_id"]) == ("Ada.", "c1")
    assert read["usage"] == {"input_tokens": 3, "output_tokens": 1}
