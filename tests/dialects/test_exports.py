"""Langfuse's exports of other frameworks: raw attributes put back beside the observation's own fields."""

from __future__ import annotations

from typing import Any

from dialects.making import ANSWER, MESSAGES, QUESTION, SYSTEM, TEXTS, Maker, assert_whole, dump, texts_of
from groundwire.span import SpanData

PAGES = [
    {"title": f"Page {n}", "href": f"https://e.org/{n}", "body": text} for n, text in enumerate(TEXTS, 1)
]


def observation(
    make: Maker,
    kind: str,
    given: Any,
    said: Any,
    parent: SpanData | None = None,
    at: tuple[int, int] = (0, 100),
) -> SpanData:
    """An exported observation: its type in capitals, its input and output as JSON or as structure."""
    span = make.span(kind.lower(), parent, at=at)
    named = {"type": kind, "input": given, "output": said}
    kept = {f"langfuse.observation.{key}": value for key, value in named.items() if value is not None}
    return make.put(span, kept)


def test_openinference_kind_with_langfuse_texts() -> None:
    """The kind is OpenInference's, input and output were moved to the observation."""
    make = Maker()
    root = observation(make, "AGENT", dump(QUESTION), dump(ANSWER))
    make.put(root, {"openinference.span.kind": "AGENT"})
    tool = observation(make, "TOOL", dump({"query": QUESTION}), dump(PAGES), root, at=(5, 9))
    make.put(tool, {"openinference.span.kind": "TOOL", "tool.name": "duckduckgo_search"})
    record = make.record()
    assert_whole(record)
    assert record.contexts is not None and record.contexts[0].uri == "https://e.org/1"


def test_attributes_that_the_store_decoded() -> None:
    """``input.value`` as a list, ``output.value`` as a mapping, a tool's message as a mapping."""
    make = Maker()
    span = observation(make, "GENERATION", None, None)
    message = {"role": "assistant", "content": [{"type": "output_text", "text": ANSWER, "annotations": []}]}
    make.put(span, {
        "openinference.span.kind": "LLM", "llm.token_count.prompt": "85",
        "input.value": [{"role": "user", "content": QUESTION}, {"type": "function_call_output"}],
        "output.value": {"object": "response", "output": [{"type": "message", **message}]},
        "llm.input_messages.0.message.role": "tool",
        "llm.input_messages.0.message.content": {"greeting": "hi"},
    })  # fmt: skip
    record = make.record()
    assert (record.question, record.answer) == (QUESTION, ANSWER)
    assert record.usage is not None and record.usage.input_tokens == 85


def test_an_agents_call_for_tools_is_no_question() -> None:
    """A generation that was given only tool messages asks nothing; the root's question stands."""
    make = Maker()
    asked = [{"role": "user", "parts": [{"type": "text", "content": QUESTION}]}]
    called = [{"role": "assistant", "parts": [{"type": "tool_call", "id": ["r", "c"], "name": "search"}]}]
    said = [{"role": "assistant", "parts": [{"type": "text", "content": ANSWER}]}]
    root = observation(make, "AGENT", dump(asked), dump([*called, *said]))
    make.put(root, {"gen_ai.operation.name": "invoke_agent", "gen_ai.usage.input_tokens": "20"})
    observation(make, "GENERATION", dump(asked), dump(called), root, at=(1, 4))
    last = observation(make, "GENERATION", dump(called), dump(said), root, at=(10, 50))
    make.put(last, {"langfuse.observation.usage_details": dump({"input": 20, "output": 2, "total": 22})})
    record = make.record()
    assert (record.question, record.answer) == (QUESTION, ANSWER)
    assert record.usage is not None and record.usage.input_tokens == 20


def test_gemini_contents_in_and_out() -> None:
    """An invocation's new message and its last event, with parts and the role ``model``."""
    make = Maker()
    given = {
        "user_id": "u",
        "new_message": {"parts": [{"text": QUESTION}], "role": "user"},
        "state_delta": None,
    }
    said = {"content": {"parts": [{"text": ANSWER}], "role": "model"}, "finish_reason": "STOP", "author": "a"}
    root = observation(make, "AGENT", dump(given), dump(said))
    make.put(root, {"openinference.span.kind": "AGENT"})
    call = observation(make, "GENERATION", None, dump(said), root, at=(10, 50))
    make.put(call, {"langfuse.observation.input": dump({"contents": [given["new_message"]], "config": {}})})
    record = make.record()
    assert (record.question, record.answer) == (QUESTION, ANSWER)


def test_nested_agents_without_texts_are_one_answer() -> None:
    """Workflow and agent say nothing themselves: the model call below them speaks for both."""
    make = Maker()
    outer = observation(make, "AGENT", None, None)
    inner = observation(make, "AGENT", None, None, outer)
    for span in (outer, inner):
        make.put(span, {"openinference.span.kind": "AGENT"})
    observation(
        make, "GENERATION", dump(MESSAGES), dump({"role": "assistant", "content": ANSWER}), inner, at=(10, 50)
    )
    record = make.record()
    assert (record.question, record.answer, record.span_id) == (QUESTION, ANSWER, outer.span_id)
    assert texts_of(record) == list(TEXTS)


def test_a_plain_span_with_a_tools_name_is_a_tool() -> None:
    """Exports of older SDKs type everything as ``SPAN``: other vocabularies on it say more."""
    make = Maker()
    root = observation(make, "SPAN", dump(QUESTION), dump(ANSWER))
    make.put(root, {"gen_ai.operation.name": "invoke_agent"})
    tool = observation(make, "SPAN", dump({"query": "gate"}), "\n".join(TEXTS), root, at=(5, 9))
    make.put(tool, {"gen_ai.tool.name": "search_docs"})
    observation(
        make, "GENERATION", dump(MESSAGES), dump({"role": "assistant", "content": ANSWER}), root, at=(10, 50)
    )
    record = make.record()
    assert (record.question, record.answer) == (QUESTION, ANSWER)
    assert texts_of(record) == ["\n".join(TEXTS)]


def test_functions_side_by_side_with_one_answer_are_one_record() -> None:
    """The trace's own texts stand on one root, the model call below another."""
    make = Maker()
    first = observation(make, "SPAN", dump({"args": [], "kwargs": {}}), None, at=(0, 5))
    make.put(first, {"langfuse.trace.input": dump({"args": [QUESTION]}), "langfuse.trace.output": ANSWER})
    second = observation(
        make, "SPAN", dump({"args": ["thread_1"], "kwargs": {}}), dump([ANSWER, {"id": "run"}]), at=(6, 99)
    )
    observation(make, "GENERATION", dump(MESSAGES), ANSWER, second, at=(10, 50))
    record = make.record()
    assert_whole(record)


def test_usage_inside_the_output() -> None:
    """A generation whose counts stand only in its raw output."""
    make = Maker()
    said = {
        "content": ANSWER,
        "type": "AIMessageChunk",
        "usage_metadata": {"input_tokens": 9, "output_tokens": 2},
    }
    observation(make, "GENERATION", dump(MESSAGES), dump(said))
    record = make.record()
    assert_whole(record)
    assert record.usage is not None and record.usage.input_tokens == 9


def test_a_transcript_is_messages() -> None:
    """A prompt that was flattened to ``role: content`` lines has its question and its passages."""
    make = Maker()
    observation(make, "GENERATION", f"system: {SYSTEM}\nuser: {QUESTION}", ANSWER)
    assert_whole(make.record())


def test_a_messages_repr_is_its_text() -> None:
    """An answer that was written as the repr of a message is the message's text."""
    make = Maker()
    said = str({"role": "assistant", "text": ANSWER})
    make.span("run", openinference__span__kind="AGENT", input__value=QUESTION, output__value=said)
    assert (make.record().question, make.record().answer) == (QUESTION, ANSWER)


def test_structured_output_is_the_answer_as_it_stands() -> None:
    """A model that answers in JSON has answered, whatever its fields are called."""
    make = Maker()
    said = dump({"height_metres": 8, "sources": ["1"]})
    observation(make, "GENERATION", dump(MESSAGES), said)
    assert make.record().answer == said
