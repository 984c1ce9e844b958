"""Functions under Logfire's decorator: arguments and ``return`` are attributes of their own names."""

from __future__ import annotations

from typing import Any

from dialects.making import ANSWER, MESSAGES, QUESTION, TEXTS, Maker, assert_whole, dump
from groundwire.span import Scope, SpanData

DOCUMENTS = [{"id": f"d{n}", "content": text, "score": 0.5} for n, text in enumerate(TEXTS, 1)]
SCHEMA = dump({"type": "object", "properties": {"question": {}, "return": {}}})


def function(make: Maker, name: str, parent: SpanData | None = None, **attributes: Any) -> SpanData:
    span = make.span(name, parent, at=(5, 9) if parent else (0, 100), logfire__span_type="span")
    span.scope = Scope("logfire")
    return make.put(span, {"code.function": name, "logfire.json_schema": SCHEMA, **attributes})


def ask_model(make: Maker, parent: SpanData) -> SpanData:
    call = make.span("Chat Completion", parent, at=(10, 50), request_data=dump({"model": "m"}))
    call.scope = Scope("logfire.openai")
    make.put(call, {"gen_ai.input.messages": dump(MESSAGES), "gen_ai.response.model": "m-2024"})
    return make.put(call, {"gen_ai.output.messages": dump([{"role": "assistant", "content": ANSWER}])})


def test_decorated_functions_are_read() -> None:
    """The outer function is the answer, the inner one that returned documents its retrieval."""
    make = Maker()
    root = function(make, "ask", question=QUESTION, **{"return": ANSWER})
    function(make, "retrieve", root, question=QUESTION, **{"return": dump(DOCUMENTS)})
    ask_model(make, root)
    record = make.record()
    assert_whole(record)
    assert [(context.id, context.score) for context in record.contexts or ()] == [("d1", 0.5), ("d2", 0.5)]
    assert record.model == "m-2024"
    assert record.span_id == root.span_id


def test_a_function_that_returns_its_answer_with_documents_is_no_tool() -> None:
    """What holds an answer is the answer, and its documents are the passages."""
    make = Maker()
    root = function(make, "search", question=QUESTION)
    make.put(root, {"return": dump({"answer": ANSWER, "documents": DOCUMENTS})})
    ask_model(make, root)
    assert_whole(make.record())


def test_a_span_without_texts_holds_no_answer_together() -> None:
    """Two answers below a plain span are two records."""
    make = Maker()
    root = function(make, "nightly")
    for at in ((1, 4), (10, 50)):
        call = ask_model(make, root)
        call.start_ns, call.end_ns = root.start_ns + at[0], root.start_ns + at[1]  # type: ignore[operator]
        make.put(call, {"gen_ai.input.messages": dump([{"role": "user", "content": f"{QUESTION} {at}"}])})
        make.put(call, {"gen_ai.output.messages": dump([{"role": "assistant", "content": f"{at}"}])})
    assert len(make.records()) == 2
