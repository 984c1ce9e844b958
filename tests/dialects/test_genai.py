"""OpenTelemetry GenAI: three generations of messages, documents in three shapes, references."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from dialects.making import (
    ANSWER,
    MESSAGES,
    QUESTION,
    SYSTEM,
    TEXTS,
    Maker,
    assert_whole,
    cited_of,
    dump,
    texts_of,
)

INPUT = [
    {"role": "system", "parts": [{"type": "text", "content": SYSTEM}]},
    {"role": "user", "parts": [{"type": "text", "content": QUESTION}]},
]
OUTPUT = [{"role": "assistant", "parts": [{"type": "text", "content": ANSWER}], "finish_reason": "stop"}]
DOCUMENTS = [{"id": f"d{n}", "score": 1 / n, "content": text} for n, text in enumerate(TEXTS, 1)]
CHAT = {"gen_ai__operation__name": "chat", "gen_ai__request__model": "m"}


def retrieval(make: Maker, documents: Any) -> None:
    make.span(
        "retrieval kb", at=(1, 5), gen_ai__operation__name="retrieval",
        gen_ai__retrieval__query__text=QUESTION, gen_ai__retrieval__documents=documents,
    )  # fmt: skip


@pytest.mark.parametrize("encode", [dump, lambda value: value])
def test_messages_as_json_or_structure(encode: Any) -> None:
    """Span attributes hold messages as a JSON string, or structured."""
    make = Maker()
    retrieval(make, encode(DOCUMENTS))
    span = make.span("chat m", at=(10, 50), **CHAT)
    make.put(span, {"gen_ai.input.messages": encode(INPUT), "gen_ai.output.messages": encode(OUTPUT)})
    record = make.record()
    assert_whole(record)
    assert record.contexts is not None and [c.id for c in record.contexts] == ["d1", "d2"]
    assert record.finish_reason == "stop"


def test_documents_as_plain_strings() -> None:
    """The documents attribute may be an array of texts."""
    make = Maker()
    retrieval(make, list(TEXTS))
    span = make.span("chat m", at=(10, 50), **CHAT)
    make.put(span, {"gen_ai.input.messages": dump(INPUT), "gen_ai.output.messages": dump(OUTPUT)})
    assert_whole(make.record())


def test_documents_without_text_take_it_from_the_prompt() -> None:
    """The convention keeps ids and scores; the prompt's passages fill the texts, and the record says so."""
    make = Maker()
    retrieval(make, dump([{"id": "d1", "score": 0.9}, {"id": "d2", "score": 0.4}]))
    span = make.span("chat m", at=(10, 50), **CHAT)
    make.put(span, {"gen_ai.input.messages": dump(INPUT), "gen_ai.output.messages": dump(OUTPUT)})
    record = make.record()
    assert_whole(record)
    assert record.contexts is not None and record.contexts[1].id == "d2"
    assert "prompt" in record.provenance["contexts.text"]
    assert record.completeness["contexts.text"] == "not_captured"


def test_message_logs_of_the_first_generation() -> None:
    """One log record a message, joined by span id: the body holds the content."""
    make = Maker()
    span = make.span("chat m", gen_ai__system="openai", **CHAT)
    make.log(span, "gen_ai.system.message", {"content": SYSTEM})
    make.log(span, "gen_ai.user.message", {"content": QUESTION})
    choice = {"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": ANSWER}}
    make.log(span, "gen_ai.choice", choice)
    record = make.record()
    assert_whole(record)
    assert (record.provider, record.finish_reason) == ("openai", "stop")


def test_message_span_events() -> None:
    """The same names as span events, with the content in attributes."""
    make = Maker()
    span = make.span("chat m", **CHAT)
    make.event(span, "gen_ai.system.message", content=SYSTEM)
    make.event(span, "gen_ai.user.message", content=QUESTION)
    make.event(span, "gen_ai.choice", message=dump({"role": "assistant", "content": ANSWER}), index=0)
    assert_whole(make.record())


def test_prompt_and_completion_span_events() -> None:
    """``gen_ai.content.prompt`` and ``.completion`` events hold the messages as JSON."""
    make = Maker()
    span = make.span("chat m", **CHAT)
    make.event(span, "gen_ai.content.prompt", gen_ai__prompt=dump(MESSAGES))
    completion = dump([{"role": "assistant", "content": ANSWER}])
    make.event(span, "gen_ai.content.completion", gen_ai__completion=completion)
    assert_whole(make.record())


def test_details_event_on_the_span() -> None:
    """Some write the details event as a span event."""
    make = Maker()
    span = make.span("chat m", **CHAT)
    details = {"gen_ai__input__messages": dump(INPUT), "gen_ai__output__messages": dump(OUTPUT)}
    make.event(span, "gen_ai.client.inference.operation.details", **details)
    assert_whole(make.record())


def test_references_are_read_under_allowed_folders_only(tmp_path: Path) -> None:
    """Outside the bases, through ``..`` or a symlink, no file is read; inside, it is."""
    store, secret = tmp_path / "store", tmp_path / "secret.json"
    store.mkdir()
    secret.write_text(dump(OUTPUT), encoding="utf-8")
    (store / "in.json").write_text(dump(INPUT), encoding="utf-8")
    (store / "out.json").write_text(dump(OUTPUT), encoding="utf-8")
    (store / "link.json").symlink_to(secret)
    bases = [str(store)]
    for name, allowed in (("out.json", True), ("../secret.json", False), ("link.json", False)):
        make = Maker()
        span = make.span("chat m", **CHAT)
        uris = {"gen_ai.input.messages_ref": f"file://{store}/in.json"}
        make.put(span, {**uris, "gen_ai.output.messages_ref": f"file://{store}/{name}"})
        record = make.record(ref_bases=bases)
        assert (record.answer == ANSWER) is allowed
        assert record.question == QUESTION
        assert allowed or record.completeness["answer"] == "not_exported"


def test_a_bucket_reference_is_found_in_its_local_copy(tmp_path: Path) -> None:
    """A mapping of a bucket to a folder resolves its URLs without any network."""
    (tmp_path / "out.json").write_text(dump(OUTPUT), encoding="utf-8")
    make = Maker()
    span = make.span("chat m", **CHAT)
    make.put(span, {"gen_ai.output.messages_ref": "s3://prompts/a/out.json"})
    assert make.record(ref_bases=[f"s3://prompts/a={tmp_path}"]).answer == ANSWER


def test_usage_names_old_and_new() -> None:
    """Legacy prompt and completion counts are read as input and output."""
    make = Maker()
    span = make.span("chat m", **CHAT)
    make.put(span, {"gen_ai.usage.prompt_tokens": 7, "gen_ai.usage.completion_tokens": "3"})
    make.put(span, {"gen_ai.usage.cache_creation.input_tokens": 2, "gen_ai.usage.reasoning.output_tokens": 1})
    usage = make.record().usage
    assert usage is not None
    assert (usage.input_tokens, usage.output_tokens) == (7, 3)
    assert (usage.cache_write_input_tokens, usage.reasoning_output_tokens) == (2, 1)


def test_no_content_is_not_captured() -> None:
    """A model call without content is an answer whose content was not captured, never an empty one."""
    make = Maker()
    make.span("chat m", gen_ai__usage__input_tokens=9, **CHAT)
    record = make.record()
    assert (record.question, record.answer, record.contexts) == (None, None, None)
    assert record.completeness["answer"] == "not_captured"


def test_a_tool_that_returns_documents_is_a_retrieval() -> None:
    """An agent's retrieval is a tool call: its result's passages are the contexts."""
    make = Maker()
    agent = make.span("invoke_agent a", gen_ai__operation__name="invoke_agent")
    make.put(agent, {"gen_ai.input.messages": dump(INPUT[1:]), "gen_ai.output.messages": dump(OUTPUT)})
    tool = make.span("execute_tool search", agent, at=(5, 9), gen_ai__operation__name="execute_tool")
    make.put(tool, {"gen_ai.tool.name": "search", "gen_ai.tool.call.result": dump(DOCUMENTS)})
    chat = make.span("chat m", agent, at=(10, 50), **CHAT)
    make.put(chat, {"gen_ai.output.messages": dump(OUTPUT)})
    assert_whole(make.record())


@pytest.mark.parametrize(
    ("said", "count"),
    [
        (f"Found:\n===== Document 0 =====\n{TEXTS[0]}\n===== Document 1 =====\n{TEXTS[1]}", 2),
        (f"[1] {TEXTS[0]}\n[2] {TEXTS[1]}", 2),
        (f"{TEXTS[0] * 9}\n\n[1] A footnote.\n[2] Another.", 1),
    ],
)
def test_a_tools_text_is_split_where_it_is_all_passages(said: str, count: int) -> None:
    """A lookup that writes its passages out is several contexts; a page with footnotes is one."""
    make = Maker()
    root = make.span("invoke_agent a", gen_ai__operation__name="invoke_agent")
    make.put(root, {"gen_ai.input.messages": QUESTION, "gen_ai.output.messages": ANSWER})
    tool = make.span("execute_tool search", root, at=(5, 9), gen_ai__operation__name="execute_tool")
    make.put(tool, {"gen_ai.tool.name": "search", "gen_ai.tool.call.result": said})
    make.span("chat", root, at=(10, 50), gen_ai__operation__name="chat")
    record = make.record()
    assert len(texts_of(record)) == count
    assert count == 1 or texts_of(record) == list(TEXTS)


def test_a_calculator_is_no_source() -> None:
    """A tool that looks nothing up gives no contexts."""
    make = Maker()
    agent = make.span("invoke_agent a", gen_ai__operation__name="invoke_agent")
    make.put(agent, {"gen_ai.input.messages": dump(INPUT[1:]), "gen_ai.output.messages": dump(OUTPUT)})
    tool = make.span("execute_tool add", agent, at=(5, 9), gen_ai__operation__name="execute_tool")
    make.put(tool, {"gen_ai.tool.name": "add", "gen_ai.tool.call.result": "4"})
    assert make.record().contexts is None


def test_a_lone_retrieval_is_no_answer() -> None:
    """A trace with nothing but a retrieval holds no answered question."""
    make = Maker()
    retrieval(make, dump(DOCUMENTS))
    assert make.records() == []


def test_cut_messages_are_recovered_and_marked() -> None:
    """A cut JSON attribute is read as far as it goes; the record says truncated."""
    make = Maker()
    span = make.span("chat m", **CHAT)
    make.put(span, {"gen_ai.input.messages": dump(INPUT), "gen_ai.output.messages": dump(OUTPUT)[:-45]})
    record = make.record()
    assert record.answer is not None and ANSWER.startswith(record.answer)
    assert record.completeness["answer"] == "truncated"
    assert cited_of(record)[0] == ("1", 22, 25)


def test_tool_calls_in_user_messages_are_no_question() -> None:
    """A tool's response in a user message is not taken for the question."""
    turns = [
        *INPUT,
        {"role": "assistant", "parts": [{"type": "tool_call", "id": "1", "name": "s", "arguments": {}}]},
    ]
    turns.append({"role": "user", "parts": [{"type": "tool_call_response", "id": "1", "result": "x"}]})
    make = Maker()
    span = make.span("chat m", **CHAT)
    make.put(span, {"gen_ai.input.messages": dump(turns), "gen_ai.output.messages": dump(OUTPUT)})
    assert make.record().question == QUESTION


def test_texts_of_an_unlabeled_context_block() -> None:
    """Without numbers, the block under a heading is one passage."""
    prompt = f"Use the context.\n\nContext:\n{TEXTS[0]}\n{TEXTS[1]}\n\nQuestion: {QUESTION}\nAnswer:"
    make = Maker()
    span = make.span("chat m", **CHAT)
    make.put(span, {"gen_ai.prompt.0.role": "user", "gen_ai.prompt.0.content": prompt})
    make.put(span, {"gen_ai.completion.0.role": "assistant", "gen_ai.completion.0.content": "Eight metres."})
    record = make.record()
    assert (texts_of(record), record.question) == (["\n".join(TEXTS)], QUESTION)


CALLED = {"id": "c1", "name": "search_manual", "arguments": {"query": "gate"}}
FOUND = [{"id": f"d{n}", "text": text} for n, text in enumerate(TEXTS, 1)]
TOOL_TURNS: dict[str, Any] = {
    "parts": [
        INPUT[1],
        {"role": "assistant", "parts": [{"type": "tool_call", **CALLED}]},
        {"role": "tool", "parts": [{"type": "tool_call_response", "id": "c1", "response": FOUND}]},
    ],
    "the result under its other name": [
        INPUT[1],
        {"role": "assistant", "parts": [{"type": "tool_call", **CALLED}]},
        {"role": "tool", "parts": [{"type": "tool_call_response", "id": "c1", "result": dump(FOUND)}]},
    ],
    "plain text from a tool that looks up": [
        INPUT[1],
        {"role": "assistant", "tool_calls": [{"id": "c1", "function": {"name": "search_manual"}}]},
        {"role": "tool", "tool_call_id": "c1", "content": f"[1] {TEXTS[0]}\n[2] {TEXTS[1]}"},
    ],
    "blocks in a user's message": [
        INPUT[1],
        {"role": "assistant", "content": [{"type": "tool_use", **CALLED}]},
        {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "c1", "content": dump(FOUND)}]},
    ],
}


@pytest.mark.parametrize("given", TOOL_TURNS.values(), ids=TOOL_TURNS.keys())
def test_what_a_tool_returned_stands_in_the_messages(given: list[Any]) -> None:
    """Without a span of the tool, the model call's own messages hold the documents it answered from."""
    make = Maker()
    span = make.span("chat m", **CHAT)
    make.put(span, {"gen_ai.input.messages": dump(given), "gen_ai.output.messages": dump(OUTPUT)})
    assert_whole(make.record())


def test_what_tools_returned_to_earlier_questions_is_no_context() -> None:
    """Only what came back since the last question fed the answer."""
    make = Maker()
    span = make.span("chat m", **CHAT)
    given = [*TOOL_TURNS["parts"], OUTPUT[0], {"role": "user", "content": "And the bridge?"}]
    make.put(span, {"gen_ai.input.messages": dump(given), "gen_ai.output.messages": dump(OUTPUT)})
    assert make.record().contexts is None


def test_of_several_choices_the_first_is_the_answer() -> None:
    """Output messages that each say why they ended are alternatives of one call."""
    make = Maker()
    span = make.span("chat m", **CHAT)
    other = {**OUTPUT[0], "parts": [{"type": "text", "content": "Something else."}]}
    make.put(span, {"gen_ai.input.messages": dump(INPUT), "gen_ai.output.messages": dump([*OUTPUT, other])})
    assert make.record().answer == ANSWER
