"""Anthropic's own classes: a message with all five kinds of citation, and its stream."""

from __future__ import annotations

from groundwire.shapes import join_chunks, read_result
from shapes import payloads, stream_payloads


def test_message(real) -> None:
    """A Message is read like its mapping; the cited block is the claim."""
    message = real("anthropic.types").Message.model_validate(payloads.ANTHROPIC)
    assert read_result(message) == payloads.ANTHROPIC_READ
    assert read_result(message.model_dump(mode="json")) == payloads.ANTHROPIC_READ


def test_stream(real) -> None:
    """Raw stream events give the whole message, the usage of start and end put together."""
    types = real("anthropic.types")
    adapter = real("pydantic").TypeAdapter(types.RawMessageStreamEvent)
    events = [adapter.validate_python(event) for event in stream_payloads.ANTHROPIC_EVENTS]
    assert join_chunks(events) == payloads.ANTHROPIC_READ


def test_usage_without_cache_fields_set(real) -> None:
    """A cache count that is None stays unknown, and the input is then what was reported."""
    types = real("anthropic.types")
    usage = types.Usage.model_validate({"input_tokens": 9, "output_tokens": 2, "cache_read_input_tokens": 90})
    expected = {"input_tokens": 99, "output_tokens": 2, "cache_read_input_tokens": 90}
    assert read_result({"answer": "Ada.", "usage": usage})["usage"] == expected
