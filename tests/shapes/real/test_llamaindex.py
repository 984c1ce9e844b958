"""LlamaIndex's own classes: responses with source nodes, nodes, chat messages, streams."""

from __future__ import annotations

import pytest

from groundwire.shapes import join_chunks, read_documents, read_question, read_result
from shapes.payloads import SOURCE


@pytest.fixture
def scored(real):
    schema = real("llama_index.core.schema")
    node = schema.TextNode(text=SOURCE, id_="h1", metadata={"file_name": "hours.md"})
    return schema.NodeWithScore(node=node, score=0.9)


def test_response(scored, real) -> None:
    """A Response gives the answer and its source nodes; the nodes' metadata is not the answer's."""
    response = real("llama_index.core.base.response.schema").Response(
        response="At nine [1].", source_nodes=[scored], metadata={"h1": {"file_name": "hours.md"}}
    )
    read = read_result(response)
    assert read["answer"] == "At nine [1]."
    (context,) = read["contexts"]
    assert (context["id"], context["text"], context["score"]) == ("h1", SOURCE, 0.9)
    assert context["title"] == "hours.md" and "metadata" not in read


def test_streaming_response_is_not_consumed(scored, real) -> None:
    """A streaming response gives its nodes, and its generator is left whole for the caller."""
    response = real("llama_index.core.base.response.schema").StreamingResponse(
        response_gen=(token for token in ["At ", "nine."]), source_nodes=[scored]
    )
    read = read_result(response)
    assert [context["id"] for context in read["contexts"]] == ["h1"] and "answer" not in read
    assert list(response.response_gen) == ["At ", "nine."]


def test_agent_chat_response(scored, real) -> None:
    """An agent's response is read like a query's."""
    kind = real("llama_index.core.chat_engine.types").AgentChatResponse
    read = read_result(kind(response="At nine.", source_nodes=[scored]))
    assert (read["answer"], read["contexts"][0]["id"]) == ("At nine.", "h1")


def test_retrieved_nodes(scored, real) -> None:
    """Scored nodes, bare nodes, documents and the newer generic node become passages."""
    schema = real("llama_index.core.schema")
    generic = schema.Node(id_="h2", text_resource=schema.MediaResource(text=SOURCE))
    document = schema.Document(text=SOURCE, id_="h3")
    found = read_documents([scored, scored.node, generic, document]) or []
    assert [(d["id"], d["text"]) for d in found] == [(n, SOURCE) for n in ("h1", "h1", "h2", "h3")]


def test_chat_response_with_raw_usage(real) -> None:
    """A ChatResponse gives its message's text and the usage of the raw answer."""
    types = real("llama_index.core.base.llms.types")
    message = types.ChatMessage(role="assistant", content="Ada.")
    response = types.ChatResponse(
        message=message, raw={"usage": {"prompt_tokens": 9, "completion_tokens": 2}}
    )
    assert read_result(response) == {"answer": "Ada.", "usage": {"input_tokens": 9, "output_tokens": 2}}


def test_question_of_chat_messages(real) -> None:
    """The last user message is the question."""
    kind = real("llama_index.core.base.llms.types").ChatMessage
    turns = [
        kind(role="user", content="Who?"),
        kind(role="assistant", content="Ada."),
        kind(role="user", content="When?"),
    ]
    question, history = read_question(turns)
    assert question == "When?" and [turn["content"] for turn in history] == ["Who?", "Ada."]
    assert read_question(real("llama_index.core.schema").QueryBundle(query_str="When?"))[0] == "When?"


def test_chat_stream(real) -> None:
    """Of growing chunks the pieces are joined, not the repeated whole."""
    types = real("llama_index.core.base.llms.types")
    chunks = [
        types.ChatResponse(message=types.ChatMessage(role="assistant", content=text), delta=delta)
        for text, delta in (("A", "A"), ("Ada", "da"), ("Ada.", "."))
    ]
    assert join_chunks(chunks)["answer"] == "Ada."
    pieces = [
        types.CompletionResponse(text=text, delta=delta) for text, delta in (("A", "A"), ("Ada.", "da."))
    ]
    assert join_chunks(pieces)["answer"] == "Ada."


def test_real_query_engine_end_to_end(scored, real) -> None:
    """A query engine with a stand-in model is read whole."""
    core = real("llama_index.core")
    llm = real("llama_index.core.llms").MockLLM(max_tokens=5)

    class Fixed(real("llama_index.core.retrievers").BaseRetriever):
        def _retrieve(self, query_bundle):
            return [scored]

    synthesizer = core.get_response_synthesizer(llm=llm)
    engine = real("llama_index.core.query_engine").RetrieverQueryEngine(Fixed(), synthesizer)
    read = read_result(engine.query("When?"))
    assert read["answer"] and read["contexts"][0]["id"] == "h1"
