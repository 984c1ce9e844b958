"""Passages that a model call was handed as documents, as each instrumentation writes such parts."""

from __future__ import annotations

import base64

from dialects.making import ANSWER, QUESTION, TEXTS, Maker, assert_whole, dump, texts_of

SAID = dump([{"role": "assistant", "parts": [{"type": "text", "content": ANSWER}]}])


def anthropic_block(text: str) -> dict[str, object]:
    return {"type": "document", "title": "gate.md", "source": {"type": "text", "data": text}}


def test_a_blob_of_text_is_a_passage_and_no_question() -> None:
    """The conventions write a document as base64: its text is a passage, not the head of the question."""
    blobs = [
        {"type": "blob", "modality": "document", "mime_type": "text/plain",
         "content": base64.b64encode(text.encode()).decode()}
        for text in TEXTS
    ]  # fmt: skip
    parts = [*blobs, {"type": "text", "content": QUESTION}]
    make = Maker()
    make.span("chat", gen_ai__operation__name="chat", gen_ai__output__messages=SAID)
    make.put(make.spans[0], {"gen_ai.input.messages": dump([{"role": "user", "parts": parts}])})
    assert_whole(make.record())


def test_a_blob_that_is_no_text_is_left_out() -> None:
    """A picture, a binary format and broken base64 give neither passages nor question text."""
    kinds = [("image", "image/png", "aGk="), ("document", "application/pdf", "aGk="),
             ("document", "text/plain", "?")]  # fmt: skip
    blobs = [{"type": "blob", "modality": m, "mime_type": t, "content": c} for m, t, c in kinds]
    make = Maker()
    make.span("chat", gen_ai__operation__name="chat", gen_ai__output__messages=SAID)
    parts = [*blobs, {"type": "text", "content": QUESTION}]
    make.put(make.spans[0], {"gen_ai.input.messages": dump([{"role": "user", "parts": parts}])})
    record = make.record()
    assert (record.question, record.contexts) == (QUESTION, None)


def test_openinference_writes_a_document_part_as_its_json() -> None:
    """Such a part is the block that it holds: a passage with its title, and no question text."""
    make = Maker()
    span = make.span("messages.create", openinference__span__kind="LLM")
    parts = [*map(anthropic_block, TEXTS), {"type": "text", "text": QUESTION}]
    for index, part in enumerate(parts):
        base = f"llm.input_messages.0.message.contents.{index}.message_content."
        text = part["text"] if part["type"] == "text" else dump(part)
        make.put(span, {f"{base}type": part["type"], f"{base}text": text})
    make.put(span, {"llm.input_messages.0.message.role": "user"})
    make.put(span, {"llm.output_messages.0.message.content": ANSWER})
    make.put(span, {"llm.output_messages.0.message.role": "assistant"})
    record = make.record()
    assert_whole(record)
    assert [context.title for context in record.contexts or ()] == ["gate.md", "gate.md"]


def test_text_that_is_json_stays_text() -> None:
    """A question that happens to be JSON of a document is what the user asked."""
    make = Maker()
    asked = dump(anthropic_block(TEXTS[0]))
    span = make.span("messages.create", openinference__span__kind="LLM")
    base = "llm.input_messages.0.message."
    make.put(span, {f"{base}role": "user", f"{base}contents.0.message_content.type": "text"})
    make.put(span, {f"{base}contents.0.message_content.text": asked, "output.value": ANSWER})
    record = make.record()
    assert (record.question, texts_of(record)) == (asked, [])


def test_a_bare_output_list_of_a_response_holds_its_search() -> None:
    """Some writers keep only the ``output`` of OpenAI's response: the search's results are the passages."""
    results = [{"file_id": f"f{n}", "text": text, "score": 0.5} for n, text in enumerate(TEXTS, 1)]
    search = {"type": "file_search_call", "queries": [QUESTION], "results": results}
    text = {"type": "output_text", "text": ANSWER, "annotations": []}
    make = Maker()
    span = make.span("OpenAI-generation", langfuse__observation__type="generation")
    make.put(span, {"langfuse.observation.input": dump({"input": QUESTION})})
    said = [search, {"type": "message", "role": "assistant", "content": [text]}]
    make.put(span, {"langfuse.observation.output": dump(said)})
    record = make.record()
    assert_whole(record)
    assert [(context.id, context.score) for context in record.contexts or ()] == [("f1", 0.5), ("f2", 0.5)]
