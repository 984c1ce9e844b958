"""Cohere's own classes, version 1 and 2, whole and streamed."""

from __future__ import annotations

from groundwire.shapes import join_chunks, read_result
from shapes import payloads, stream_payloads


def test_version_1(real) -> None:
    """A NonStreamedChatResponse is read like its mapping."""
    response = real("cohere").NonStreamedChatResponse.model_validate(payloads.COHERE_V1)
    assert read_result(response) == payloads.COHERE_V1_READ


def test_version_2(real) -> None:
    """A V2ChatResponse is read like its mapping; citations of thoughts are left out."""
    response = real("cohere").V2ChatResponse.model_validate(payloads.COHERE_V2)
    assert read_result(response) == payloads.COHERE_V2_READ


def test_streams(real) -> None:
    """The events of either version give the whole answer."""
    cohere, pydantic = real("cohere"), real("pydantic")
    for kind, events, expected in (
        (cohere.StreamedChatResponse, stream_payloads.COHERE_V1_EVENTS, payloads.COHERE_V1_READ),
        (cohere.V2ChatStreamResponse, stream_payloads.COHERE_V2_EVENTS, payloads.COHERE_V2_READ),
    ):
        adapter = pydantic.TypeAdapter(kind)
        assert join_chunks([adapter.validate_python(event) for event in events]) == expected
