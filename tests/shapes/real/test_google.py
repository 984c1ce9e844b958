"""Google's own classes: grounding with byte offsets, whole and streamed."""

from __future__ import annotations

from groundwire.shapes import join_chunks, read_result
from shapes import payloads, stream_payloads


def test_response(real) -> None:
    """A response is read like its mapping, in Python's and in the wire's spelling."""
    response = real("google.genai.types").GenerateContentResponse.model_validate(payloads.GEMINI)
    assert read_result(response) == payloads.GEMINI_READ
    for by_alias in (True, False):
        dump = response.model_dump(mode="json", by_alias=by_alias, exclude_none=True)
        assert read_result(dump) == payloads.GEMINI_READ


def test_stream(real) -> None:
    """Chunks give the whole answer; the grounding of the last one indexes the joined text."""
    model = real("google.genai.types").GenerateContentResponse
    chunks = [model.model_validate(event) for event in stream_payloads.GEMINI_EVENTS]
    assert join_chunks(chunks) == payloads.GEMINI_READ
