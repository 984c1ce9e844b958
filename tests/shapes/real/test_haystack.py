"""Haystack's own classes: outputs of components and pipelines, messages, documents, streaming chunks."""

from __future__ import annotations

import pytest

from groundwire.shapes import join_chunks, read_documents, read_question, read_result
from shapes.payloads import SOURCE, URL

META = {"model": "m", "finish_reason": "stop", "usage": {"prompt_tokens": 9, "completion_tokens": 2}}
META_READ = {"model": "m", "finish_reason": "stop", "usage": {"input_tokens": 9, "output_tokens": 2}}


@pytest.fixture
def classes(real):
    return real("haystack.dataclasses")


@pytest.fixture
def document(classes):
    return classes.Document(id="h1", content=SOURCE, score=0.9, meta={"url": URL, "title": "Hours"})


def test_generated_answer(classes, document) -> None:
    """An AnswerBuilder's output gives answer, passages, and what the reply's meta says."""
    reply = classes.ChatMessage.from_assistant("At nine.", meta=META)
    answer = classes.GeneratedAnswer(
        data="At nine.", query="When?", documents=[document], meta={"all_messages": [reply]}
    )
    read = read_result({"answers": [answer]})
    (context,) = read.pop("contexts")
    assert read == {"answer": "At nine.", **META_READ}
    assert (context["id"], context["text"], context["score"], context["uri"]) == ("h1", SOURCE, 0.9, URL)


def test_pipeline_output(classes, document) -> None:
    """A pipeline's mapping of components is searched for the reply and the documents."""
    reply = classes.ChatMessage.from_assistant("At nine.", meta=META)
    read = read_result({"llm": {"replies": [reply]}, "retriever": {"documents": [document]}})
    assert read["contexts"][0]["id"] == "h1"
    assert {name: read[name] for name in META_READ} == META_READ and read["answer"] == "At nine."
    plain = read_result({"llm": {"replies": ["At nine."], "meta": [META]}})
    assert plain == {"answer": "At nine.", **META_READ}


def test_dumped_message_says_the_same(classes) -> None:
    """``to_dict`` of a message reads like the message."""
    reply = classes.ChatMessage.from_assistant("At nine.", meta=META)
    assert read_result(reply.to_dict()) == read_result(reply) == {"answer": "At nine.", **META_READ}


def test_retrieved_documents(document) -> None:
    """Documents, as objects and flattened mappings, become passages."""
    assert read_documents({"documents": [document]}) == read_documents([document])
    (found,) = read_documents([document.to_dict()]) or ()
    assert (found["id"], found["text"], found["score"]) == ("h1", SOURCE, 0.9)


def test_question_of_messages(classes) -> None:
    """The last user message is the question."""
    turns = [classes.ChatMessage.from_system("Be brief."), classes.ChatMessage.from_user("When?")]
    assert read_question(turns) == ("When?", [{"role": "system", "content": "Be brief."}])


def test_streaming_chunks(classes) -> None:
    """The meta of the last chunk brings model, usage and finish reason."""
    info = classes.ComponentInfo(type="Generator")
    chunks = [
        classes.StreamingChunk(content="At ", meta={"model": "m"}, component_info=info),
        classes.StreamingChunk(content="nine.", meta={"model": "m"}, component_info=info),
        classes.StreamingChunk(content="", meta=META, component_info=info, finish_reason="stop"),
    ]
    assert join_chunks(chunks) == {"answer": "At nine.", **META_READ}


def test_real_pipeline_end_to_end(real) -> None:
    """A pipeline of Haystack's own parts, with an in-memory store, is read whole."""
    haystack = real("haystack")
    store = real("haystack.document_stores.in_memory").InMemoryDocumentStore()
    store.write_documents([haystack.Document(id="h1", content=SOURCE)])
    builder = real("haystack.components.builders").AnswerBuilder()
    retriever = real("haystack.components.retrievers.in_memory").InMemoryBM25Retriever(store)
    pipeline = haystack.Pipeline()
    pipeline.add_component("retriever", retriever)
    pipeline.add_component("builder", builder)
    pipeline.connect("retriever.documents", "builder.documents")
    output = pipeline.run(
        {"retriever": {"query": "Café"}, "builder": {"query": "Café", "replies": ["At nine."]}}
    )
    read = read_result(output)
    assert (read["answer"], read["contexts"][0]["id"]) == ("At nine.", "h1")
