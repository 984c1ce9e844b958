"""LangChain's own classes: messages, documents, results of chains and graphs, streams."""

from __future__ import annotations

import pytest

from groundwire.shapes import join_chunks, read_documents, read_question, read_result
from shapes.payloads import ANSWER, FIRST, QUOTE, SECOND, SOURCE, URL

USAGE = {
    "input_tokens": 100,
    "output_tokens": 20,
    "total_tokens": 120,
    "input_token_details": {"cache_read": 60, "cache_creation": 30},
    "output_token_details": {"reasoning": 5},
}
USAGE_READ = {
    "input_tokens": 100,
    "output_tokens": 20,
    "cache_read_input_tokens": 60,
    "cache_write_input_tokens": 30,
    "reasoning_output_tokens": 5,
}


@pytest.fixture
def messages(real):
    return real("langchain_core.messages")


@pytest.fixture
def document(real):
    return real("langchain_core.documents").Document(
        page_content=SOURCE, id="h1", metadata={"source": "hours.md", "relevance_score": 0.9}
    )


def test_message_with_usage(messages, real) -> None:
    """``usage_metadata`` includes cached tokens already, whatever the provider's raw usage says."""
    raw = {"usage": {"input_tokens": 10, "cache_creation_input_tokens": 30, "cache_read_input_tokens": 60}}
    message = messages.AIMessage(
        content="Ada.", usage_metadata=USAGE, response_metadata={**raw, "model_name": "m"}
    )
    read = read_result(message)
    assert (read["answer"], read["model"], read["usage"]) == ("Ada.", "m", USAGE_READ)
    assert read_result(real("langchain_core.load").dumpd(message)) == read
    assert read_result(message.model_dump()) == read


def test_message_with_citation_annotations(messages) -> None:
    """An annotation's range indexes the answer's block, its ``cited_text`` is the source's."""
    citation = {
        "type": "citation",
        "url": URL,
        "cited_text": QUOTE,
        "start_index": 0,
        "end_index": len(SECOND),
    }
    block = {"type": "text", "text": SECOND, "annotations": [citation]}
    message = messages.AIMessage(content=[{"type": "text", "text": FIRST}, block])
    read = read_result(message)
    assert read["answer"] == ANSWER
    (found,) = read["citations"]
    assert (found["quote"], found["source_id"]) == (QUOTE, URL)


def test_rag_chain_results(messages, document) -> None:
    """``{"answer", "context"}`` and ``{"result", "source_documents"}`` give answer, passages and usage."""
    context = {"text": SOURCE, "id": "h1", "score": 0.9, "uri": "hours.md"}
    answer = messages.AIMessage(content="At nine.", usage_metadata=USAGE)
    for result in (
        {"input": "When?", "answer": answer, "context": [document]},
        {"query": "When?", "result": answer, "source_documents": [document]},
        (answer, [document]),
        {"messages": [messages.HumanMessage("When?"), answer], "context": [document]},
    ):
        read = read_result(result)
        assert (read["answer"], read["usage"]) == ("At nine.", USAGE_READ)
        (found,) = read["contexts"]
        assert {name: found[name] for name in context} == context


def test_agent_state_with_tool_artifact(messages, document) -> None:
    """A retrieval tool's artifact gives the passages of an agent's answer."""
    tool = messages.ToolMessage("text", tool_call_id="1", artifact=[document])
    state = {
        "messages": [
            messages.HumanMessage("When?"),
            messages.AIMessage(""),
            tool,
            messages.AIMessage("At nine."),
        ]
    }
    read = read_result(state)
    assert (read["answer"], read["contexts"][0]["id"]) == ("At nine.", "h1")


def test_retrieved_documents(document) -> None:
    """Documents, and pairs of document and score, become passages."""
    for value in ([document], [(document, 0.9)]):
        (found,) = read_documents(value) or ()
        assert (found["id"], found["text"], found["score"]) == ("h1", SOURCE, 0.9)


def test_question_and_history(messages, real) -> None:
    """The last human message is the question, what stands before is history."""
    turns = [messages.SystemMessage("Be brief."), messages.HumanMessage("Who?"), messages.AIMessage("Ada.")]
    asked = [*turns, messages.HumanMessage([{"type": "text", "text": "When?"}])]
    question, history = read_question(asked)
    assert question == "When?"
    assert [turn["role"] for turn in history] == ["system", "user", "assistant"]
    prompt = real("langchain_core.prompt_values").ChatPromptValue(messages=asked)
    assert read_question(prompt)[0] == "When?"


def test_generations(messages, real) -> None:
    """An LLMResult is read from its first generation."""
    outputs = real("langchain_core.outputs")
    generation = outputs.ChatGeneration(message=messages.AIMessage(content="Ada.", usage_metadata=USAGE))
    read = read_result(outputs.LLMResult(generations=[[generation]]))
    assert (read["answer"], read["usage"]) == ("Ada.", USAGE_READ)


def test_message_stream(messages) -> None:
    """Usage that comes in several chunks adds up, as LangChain itself adds it."""
    first = {
        "input_tokens": 100,
        "output_tokens": 0,
        "total_tokens": 100,
        "input_token_details": {"cache_read": 60},
    }
    last = {"input_tokens": 0, "output_tokens": 20, "total_tokens": 20}
    chunks = [
        messages.AIMessageChunk(content="A", usage_metadata=first),
        messages.AIMessageChunk(content="da."),
        messages.AIMessageChunk(content="", usage_metadata=last, response_metadata={"finish_reason": "stop"}),
    ]
    expected = {
        "answer": "Ada.",
        "usage": {"input_tokens": 100, "output_tokens": 20, "cache_read_input_tokens": 60},
        "finish_reason": "stop",
    }
    assert join_chunks(chunks) == expected
    assert join_chunks([(chunk, {"langgraph_node": "model"}) for chunk in chunks]) == expected
    events = [{"event": "on_chat_model_stream", "data": {"chunk": chunk}} for chunk in chunks]
    assert join_chunks(events) == expected
    whole = chunks[0] + chunks[1] + chunks[2]
    assert read_result(whole) == expected


def test_real_chain_end_to_end(document, real) -> None:
    """A chain built of LangChain's own parts, invoked and streamed, is read whole."""
    fake = real("langchain_core.language_models.fake_chat_models").FakeListChatModel(responses=["At nine."])
    runnables = real("langchain_core.runnables")
    retriever = runnables.RunnableLambda(lambda _: [document])
    chain = runnables.RunnablePassthrough.assign(context=retriever).assign(
        answer=(lambda given: given["question"]) | fake
    )
    for read in (
        read_result(chain.invoke({"question": "When?"})),
        join_chunks(list(chain.stream({"question": "When?"}))),
    ):
        assert read["answer"] == "At nine."
        assert read["contexts"][0]["id"] == "h1"
