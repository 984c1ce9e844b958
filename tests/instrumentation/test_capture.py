"""What content goes onto spans: the precedence of argument and environment, value by value."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from groundwire.instrumentation import feedback, instrument, retriever
from groundwire.instrumentation.policy import settle_capture
from groundwire.testing import CapturedSpans

OWN = "GROUNDWIRE_CAPTURE"
STANDARD = "OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT"
SECRET = "the-secret"
Check = Callable[[int], None]


@pytest.mark.parametrize(
    ("argument", "own", "standard", "settled"),
    [
        (None, "", "", "full"),
        ("full", "", "", "full"),
        ("hash", "", "", "hash"),
        ("none", "", "", "none"),
        (None, "full", "", "full"),
        (None, "hash", "", "hash"),
        (None, "NONE", "", "none"),
        (None, "", "true", "full"),
        (None, "", "True", "full"),
        (None, "", "SPAN_ONLY", "full"),
        (None, "", "SPAN_AND_EVENT", "full"),
        (None, "", "false", "none"),
        (None, "", "NO_CONTENT", "none"),
        (None, "", "EVENT_ONLY", "none"),
        ("full", "hash", "", "hash"),
        ("none", "full", "true", "none"),
        ("hash", "full", "false", "none"),
        ("full", "", "NO_CONTENT", "none"),
        ("hash", "", "SPAN_ONLY", "hash"),
        (None, "hash", "SPAN_ONLY", "hash"),
        (None, "everything", "", "none"),
        (None, "", "maybe", "none"),
    ],
)
def test_the_strictest_wins(
    monkeypatch: pytest.MonkeyPatch, argument: str | None, own: str, standard: str, settled: str
) -> None:
    """Argument and both variables: whichever is stricter; a word that is not understood captures nothing."""
    for name, value in ((OWN, own), (STANDARD, standard)):
        if value:
            monkeypatch.setenv(name, value)
    assert settle_capture(argument) == settled


def record(spans: CapturedSpans, capture: Any) -> str:
    """Make one call whose every content is the secret; return all that was written, as text."""

    @retriever(tracer_provider=spans.provider)
    def search(query: str) -> list[dict[str, Any]]:
        return [{"id": "a", "text": SECRET, "title": SECRET, "score": 0.5, "metadata": {"note": SECRET}}]

    @instrument(capture=capture, tracer_provider=spans.provider)
    def answer(question: str, messages: list[Any]) -> dict[str, Any]:
        search(SECRET)
        return {
            "answer": SECRET,
            "citations": [{"quote": SECRET, "claim": SECRET, "source_id": "a"}],
            "usage": {"input_tokens": 1},
            "metadata": {"note": SECRET},
        }

    answer(SECRET, [{"role": "user", "content": SECRET}])
    return "".join(span.to_json() for span in spans.spans)


def test_full_writes_everything(spans: CapturedSpans) -> None:
    """By default all content is written."""
    assert record(spans, None).count(SECRET) > 8


@pytest.mark.parametrize("capture", ["hash", "none"])
def test_no_content_leaks(spans: CapturedSpans, capture: str) -> None:
    """With hash and none no text stands anywhere, also not on the retriever's span; the numbers do."""
    assert SECRET not in record(spans, capture)
    found = spans.attributes()
    assert found["groundwire.capture"] == capture
    assert found["gen_ai.usage.input_tokens"] == 1
    (document,) = json.loads(found["gen_ai.retrieval.documents"])
    assert (document["id"], document["score"]) == ("a", 0.5)
    assert ("digest" in document) is (capture == "hash")
    assert json.loads(found["groundwire.citations"]) == [{"source_id": "a"}]


def test_hashes_are_keyed_equal_for_equal_texts_and_carry_lengths(
    spans: CapturedSpans, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The same text has the same digest in question, answer and documents; lengths are code points."""
    record(spans, "hash")
    digests = json.loads(spans.attributes()["groundwire.content.digests"])
    document = json.loads(spans.attributes()["gen_ai.retrieval.documents"])[0]
    assert digests["question"] == digests["answer"]
    assert digests["answer"] == {"length": len(SECRET), "digest": document["digest"]}
    assert document["digest"].startswith("hmac-sha256:")


@pytest.mark.parametrize("capture", ["full", "hash", "none"])
def test_exceptions_carry_content_only_with_full(spans: CapturedSpans, harmless: Check, capture: Any) -> None:
    """The error's type always; message and stack only with full."""

    @instrument(capture=capture, tracer_provider=spans.provider)
    def answer(question: str) -> str:
        raise ValueError(SECRET)

    with pytest.raises(ValueError):
        answer("q")
    span = spans.spans[0]
    assert spans.attributes()["error.type"] == "ValueError"
    assert (SECRET in span.to_json()) is (capture == "full")
    assert set(span.events[0].attributes or {}) >= {"exception.type"}
    harmless(1)


def test_an_exception_that_can_not_be_shown(spans: CapturedSpans, harmless: Check) -> None:
    """A hostile __str__ costs the message, nothing else."""

    class Hostile(Exception):
        def __str__(self) -> str:
            raise RuntimeError("str")

    @instrument(tracer_provider=spans.provider)
    def answer(question: str) -> str:
        raise Hostile

    with pytest.raises(Hostile):
        answer("q")
    assert spans.attributes()["error.type"].endswith("Hostile")
    harmless(1)


def test_a_stream_is_not_buffered_without_capture(spans: CapturedSpans) -> None:
    """With none the chunks are let go at once; usage in the last chunks is read all the same."""

    @instrument(capture="none", tracer_provider=spans.provider)
    def stream(question: str) -> Any:
        for _ in range(100):
            yield {"delta": SECRET}
        yield {"usage": {"input_tokens": 3, "output_tokens": 4}}

    list(stream("q"))
    found = spans.attributes()
    assert (found["gen_ai.usage.input_tokens"], found["groundwire.stream.chunks"]) == (3, 101)
    assert SECRET not in spans.spans[0].to_json()


def test_a_comment_is_content(spans: CapturedSpans, monkeypatch: pytest.MonkeyPatch) -> None:
    """Feedback's comment is written only with full; score and label always."""
    monkeypatch.setenv(OWN, "none")
    ref = "00-" + "1" * 32 + "-" + "2" * 16 + "-00"
    assert feedback(ref, score=0.5, label="down", comment=SECRET, tracer_provider=spans.provider)
    assert spans.attributes() == {
        "groundwire.feedback.score": 0.5,
        "groundwire.feedback.label": "down",
        "groundwire.feedback.trace_id": "1" * 32,
        "groundwire.feedback.span_id": "2" * 16,
    }


@pytest.mark.parametrize(
    ("emit", "present", "absent"),
    [
        (None, "input.value", "x"),
        ("genai", "gen_ai.input.messages", "input.value"),
        ("openinference", "openinference.span.kind", "x"),
        ("", "gen_ai.output.messages", "output.value"),
    ],
)
def test_profiles(
    spans: CapturedSpans, monkeypatch: pytest.MonkeyPatch, emit: str | None, present: str, absent: str
) -> None:
    """GROUNDWIRE_EMIT picks the profiles; genai is always on, openinference by default."""
    if emit is not None:
        monkeypatch.setenv("GROUNDWIRE_EMIT", emit)
    record(spans, None)
    assert present in spans.attributes()
    assert absent not in spans.attributes()


def test_retrieval_content_makes_up_a_child(spans: CapturedSpans, monkeypatch: pytest.MonkeyPatch) -> None:
    """With the profile retrieval-content a result's contexts also stand on a retrieval child."""
    monkeypatch.setenv("GROUNDWIRE_EMIT", "openinference,retrieval-content")

    @instrument(tracer_provider=spans.provider)
    def answer(question: str) -> dict[str, Any]:
        return {"answer": "yes", "contexts": [{"id": "a", "text": "Ada", "score": 0.5}]}

    answer("Who?")
    child, outer = spans.spans
    assert child.name == "retrieval answer"
    assert child.parent is not None and outer.context is not None
    assert child.parent.span_id == outer.context.span_id
    assert (child.attributes or {})[
        "gen_ai.retrieval.documents"
    ] == '[{"id":"a","content":"Ada","score":0.5}]'
    assert (child.attributes or {})["gen_ai.retrieval.query.text"] == "Who?"


@pytest.mark.parametrize("emit", [None, "openinference,retrieval-content"])
def test_no_child_is_made_up_without_need(
    spans: CapturedSpans, monkeypatch: pytest.MonkeyPatch, emit: str | None
) -> None:
    """Not by default, not beside a retriever's own span, not without contexts."""
    if emit is not None:
        monkeypatch.setenv("GROUNDWIRE_EMIT", emit)

    @retriever(tracer_provider=spans.provider)
    def search(query: str) -> list[str]:
        return ["Ada"]

    @instrument(tracer_provider=spans.provider)
    def answer(question: str) -> Any:
        return search(question)[0] if question == "Who?" else question

    answer("Who?")
    answer("Hello")
    assert spans.names() == ["retrieval search", "invoke_workflow answer", "invoke_workflow answer"]
    assert ('"content":"Ada"' in str(spans.attributes(0))) is (emit is not None)


def test_a_made_up_child_obeys_capture_and_redaction(
    spans: CapturedSpans, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What the answer's span may not hold, its child does not hold either, and it says so."""
    monkeypatch.setenv("GROUNDWIRE_EMIT", "retrieval-content")

    def answer(question: str) -> dict[str, Any]:
        return {"answer": "yes", "contexts": [{"id": SECRET, "text": SECRET}]}

    instrument(capture="hash", redact="email", tracer_provider=spans.provider)(answer)("ada@example.org")
    child, outer = spans.spans
    assert "ada@example.org" not in child.to_json()
    for name in ("groundwire.capture", "gen_ai.retrieval.documents"):
        assert (child.attributes or {})[name] == (outer.attributes or {})[name]
    assert "gen_ai.retrieval.query.text" not in (child.attributes or {})
