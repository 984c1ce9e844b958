"""OpenInference: flattened documents and messages, masks, gaps, dataframes."""

from __future__ import annotations

from typing import Any

from dialects.making import ANSWER, LANGCHAIN_DOCUMENTS, QUESTION, TEXTS, Maker, assert_whole, dump, texts_of
from groundwire.record import RagRecord

FLAT = {
    f"retrieval.documents.{n}.document.{name}": value
    for n, text in enumerate(TEXTS)
    for name, value in (("id", f"d{n + 1}"), ("content", text), ("score", 0.5), ("metadata", '{"page": 1}'))
}


def flow(make: Maker) -> None:
    root = make.span("ask", openinference__span__kind="CHAIN", input__value=QUESTION, output__value=ANSWER)
    retriever = make.span("retrieve", root, at=(5, 9), openinference__span__kind="RETRIEVER")
    make.put(retriever, {"input.value": QUESTION, **FLAT})
    make.put(
        make.span("ChatOpenAI", root, at=(10, 50), openinference__span__kind="LLM"),
        {"llm.token_count.prompt": 9, "llm.token_count.completion": 4, "llm.model_name": "m"},
    )


def test_a_chain_with_a_retriever() -> None:
    """Root's texts, the retriever's documents, the model call's counts."""
    make = Maker()
    flow(make)
    record = make.record()
    assert_whole(record)
    assert record.contexts is not None and record.contexts[0].metadata == {"page": 1}
    assert record.usage is not None and record.usage.input_tokens == 9


def test_indices_sort_by_number_and_gaps_are_marked() -> None:
    """Document 10 follows document 9; a missing index means that attributes were dropped."""
    make = Maker()
    flow(make)
    retriever = make.spans[1]
    for n in (2, 3, 10):
        retriever.attributes[f"retrieval.documents.{n}.document.content"] = f"text {n}"
    record = make.record()
    assert texts_of(record)[-3:] == ["text 2", "text 3", "text 10"]
    assert record.completeness["contexts"] == "truncated"


def test_masked_texts_are_redacted_not_empty() -> None:
    """A TraceConfig mask is no content: the field is None and the record says redacted."""
    make = Maker()
    flow(make)
    make.put(make.spans[0], {"input.value": "__REDACTED__", "output.value": "__REDACTED__"})
    record = make.record()
    assert record.answer is None
    assert record.completeness["answer"] == "redacted"


def test_ids_come_from_the_raw_output() -> None:
    """The LangChain instrumentation drops ids from the flattened keys; its raw output has them."""
    make = Maker()
    flow(make)
    make.spans[1].attributes = {
        "openinference.span.kind": "RETRIEVER", "output.mime_type": "application/json",
        "output.value": dump({"documents": LANGCHAIN_DOCUMENTS}),
        **{key: value for key, value in FLAT.items() if key.endswith("content")},
    }  # fmt: skip
    record = make.record()
    assert record.contexts is not None and [context.id for context in record.contexts] == ["d1", "d2"]


def test_nested_retrievers_count_once() -> None:
    """``_retrieve`` inside ``retrieve``: the outermost with documents is the retrieval."""
    make = Maker()
    flow(make)
    inner = make.span("_retrieve", make.spans[1], at=(6, 8), openinference__span__kind="RETRIEVER")
    make.put(inner, FLAT)
    assert_whole(make.record())


def test_a_tool_that_retells_its_retrieval_adds_nothing() -> None:
    """A tool's text holds what the retrieval below it found: that has the ids and scores."""
    make = Maker("openinference.instrumentation.llama_index")
    root = make.span("run", openinference__span__kind="AGENT", input__value=QUESTION, output__value=ANSWER)
    tool = make.span("acall", root, at=(2, 9), openinference__span__kind="TOOL", tool__name="search")
    make.put(tool, {"output.value": "\n\n".join(TEXTS)})
    retriever = make.span("retrieve", tool, at=(5, 8), openinference__span__kind="RETRIEVER")
    make.put(retriever, {"input.value": "gate", **FLAT})
    make.span("chat", root, at=(10, 50), openinference__span__kind="LLM")
    record = make.record()
    assert_whole(record)
    assert record.contexts is not None and record.contexts[0].id == "d1"


def test_a_reranker_overrides_what_it_was_given() -> None:
    """The reranker's order and choice stand; ids and metadata come from the retrieval."""
    make = Maker()
    flow(make)
    reranker = make.span("rerank", make.spans[0], at=(9, 10), openinference__span__kind="RERANKER")
    make.put(reranker, {
        "reranker.input_documents.0.document.content": TEXTS[0],
        "reranker.input_documents.1.document.content": TEXTS[1],
        "reranker.output_documents.0.document.content": TEXTS[1],
        "reranker.output_documents.0.document.score": 0.99,
    })  # fmt: skip
    record = make.record()
    assert record.contexts is not None and len(record.contexts) == 1
    assert (record.contexts[0].id, record.contexts[0].score) == ("d2", 0.99)


def test_answers_in_content_parts() -> None:
    """The Responses API puts the text into ``contents``."""
    make = Maker()
    span = make.span("call", openinference__span__kind="LLM")
    make.put(span, {
        "llm.input_messages.0.message.role": "user", "llm.input_messages.0.message.content": QUESTION,
        "llm.output_messages.0.message.role": "assistant",
        "llm.output_messages.0.message.contents.0.message_content.type": "text",
        "llm.output_messages.0.message.contents.0.message_content.text": ANSWER,
    })  # fmt: skip
    assert (make.record().question, make.record().answer) == (QUESTION, ANSWER)


def test_a_document_cut_at_a_backend_limit_is_marked() -> None:
    """A text of exactly a known limit was cut there."""
    make = Maker()
    flow(make)
    make.spans[1].attributes["retrieval.documents.0.document.content"] = "x" * 4095
    record = make.record()
    assert record.contexts is not None and [context.truncated for context in record.contexts] == [True, False]
    assert record.completeness["contexts"] == "truncated"


def test_dataframe_columns() -> None:
    """Phoenix un-flattens documents and messages; Arize keeps parallel arrays."""
    for documents in (
        {
            "retrieval.documents": [
                {"document.id": f"d{n}", "document.content": text} for n, text in enumerate(TEXTS)
            ]
        },
        {"retrieval.documents.contents": list(TEXTS), "retrieval.documents.ids": ["d0", "d1"]},
    ):
        make = Maker()
        flow(make)
        make.spans[1].attributes = {"openinference.span.kind": "RETRIEVER", **documents}
        record = make.record()
        assert_whole(record)
        assert record.contexts is not None and record.contexts[1].id == "d1"


def test_a_judge_is_no_answer() -> None:
    """An EVALUATOR span and the model calls below it are neither answers nor counted."""
    make = Maker()
    flow(make)
    judge = make.span("judge", at=(60, 90), openinference__span__kind="EVALUATOR", input__value="x")
    call = make.span("judge model", judge, at=(61, 89), openinference__span__kind="LLM", output__value="bad")
    make.put(call, {"llm.token_count.prompt": 1_000})
    record = make.record()
    assert_whole(record)
    assert record.usage is not None and record.usage.input_tokens == 9


def model_call(given: Any, said: Any) -> RagRecord:
    make = Maker("openinference.instrumentation.client")
    span = make.span("call", openinference__span__kind="LLM")
    make.put(span, {"input.value": dump(given), "input.mime_type": "application/json"})
    make.put(span, {"output.value": dump(said), "output.mime_type": "application/json"})
    return make.record()


def test_documents_handed_to_the_model_are_contexts() -> None:
    """Document blocks of a request are the passages; what the provider cited is found in them."""
    blocks = [{"type": "document", "title": "Gates", "source": {"type": "text", "data": TEXTS[0]}}]
    text = [{"type": "text", "text": TEXTS[1]}]
    found = [{"type": "search_result", "source": "https://e.org", "content": text}]
    cited = {"type": "char_location", "cited_text": TEXTS[0][:12], "document_index": 0, "end_char_index": 12}
    said = [{"type": "text", "text": "It lifts.", "citations": [{**cited, "start_char_index": 0}]}]
    asked = [*blocks, *found, {"type": "text", "text": QUESTION}]
    given = {"messages": [{"role": "user", "content": asked}]}
    record = model_call(given, {"role": "assistant", "content": said})
    assert (record.question, texts_of(record)) == (QUESTION, list(TEXTS))
    assert record.citations is not None and record.citations[0].resolved == "code_points"


def test_results_of_the_providers_own_search_are_contexts() -> None:
    """A response that lists what its file search found holds the passages and the counts."""
    results = [{"file_id": f"f{n}", "text": text, "score": 0.5} for n, text in enumerate(TEXTS, 1)]
    message = {"type": "message", "content": [{"type": "output_text", "text": ANSWER, "annotations": []}]}
    output = [{"type": "file_search_call", "queries": [QUESTION], "results": results}, message]
    counts = {"input_tokens": 9, "output_tokens": 2}
    record = model_call({"input": QUESTION}, {"output": output, "usage": counts})
    assert texts_of(record) == list(TEXTS)
    assert record.contexts is not None and [c.id for c in record.contexts] == ["f1", "f2"]
    assert record.usage is not None and record.usage.input_tokens == 9


def test_texts_that_an_application_returns_are_contexts() -> None:
    """A result with its contexts as plain texts holds them, though no retriever was recorded."""
    make = Maker()
    root = make.span("rag", openinference__span__kind="CHAIN", input__value=QUESTION)
    make.put(root, {"output.value": dump({"answer": ANSWER, "contexts": list(TEXTS)})})
    make.put(root, {"output.mime_type": "application/json"})
    make.span("llm", root, at=(10, 50), openinference__span__kind="LLM")
    assert_whole(make.record())


def test_of_several_choices_the_first_is_the_answer() -> None:
    """The raw response tells alternatives from the messages of one turn."""
    make = Maker()
    span = make.span("ChatCompletion", openinference__span__kind="LLM", input__value=QUESTION)
    make.put(span, {f"llm.output_messages.{n}.message.role": "assistant" for n in (0, 1)})
    texts = {0: ANSWER, 1: "Something else."}
    make.put(span, {f"llm.output_messages.{n}.message.content": text for n, text in texts.items()})
    choices = [{"index": n, "message": {"role": "assistant", "content": text}} for n, text in texts.items()]
    make.put(span, {"output.value": dump({"choices": choices}), "output.mime_type": "application/json"})
    assert make.record().answer == ANSWER


def test_tool_messages_name_the_tool_by_its_call() -> None:
    """A flattened call gives its tool's name to the text that came back: a search's text is a passage."""
    make = Maker()
    span = make.span("ChatCompletion", openinference__span__kind="LLM", output__value=ANSWER)
    base = "llm.input_messages"
    make.put(span, {
        f"{base}.0.message.role": "user", f"{base}.0.message.content": QUESTION,
        f"{base}.1.message.role": "assistant",
        f"{base}.1.message.tool_calls.0.tool_call.id": "c1",
        f"{base}.1.message.tool_calls.0.tool_call.function.name": "search_manual",
        f"{base}.2.message.role": "tool", f"{base}.2.message.tool_call_id": "c1",
        f"{base}.2.message.content": TEXTS[0],
    })  # fmt: skip
    assert texts_of(make.record()) == [TEXTS[0]]


def test_a_workflows_events_are_no_texts() -> None:
    """LlamaIndex's agents pass objects: their reprs are neither the question nor the answer."""
    make = Maker()
    root = make.span("FunctionAgent.run", openinference__span__kind="AGENT")
    make.put(root, {"input.value": dump({"init": {}, "start_event": "AgentWorkflowStartEvent()"})})
    make.put(root, {"input.mime_type": "application/json"})
    make.put(root, {"output.value": "StopEvent(result=AgentOutput(response=ChatMessage(..."})
    tool = make.span("FunctionTool.acall", root, at=(5, 9), openinference__span__kind="TOOL")
    found = [{"id": f"d{n}", "content": text} for n, text in enumerate(TEXTS, 1)]
    make.put(tool, {"output.value": dump({"blocks": [{"text": repr(found)}], "tool_name": "retrieve"})})
    call = make.span("OpenAI.achat", root, at=(10, 50), openinference__span__kind="LLM")
    for index, (role, text) in enumerate((("user", QUESTION), ("tool", repr(found)))):
        base = f"llm.input_messages.{index}.message."
        make.put(call, {f"{base}role": role, f"{base}content": text})
    make.put(call, {"llm.output_messages.0.message.role": "assistant"})
    make.put(call, {"llm.output_messages.0.message.content": ANSWER})
    record = make.record()
    assert_whole(record)
    assert [context.id for context in record.contexts or ()] == ["d1", "d2"]
