"""LlamaIndex's own OpenTelemetry integration: events with flattened fields on spans without attributes."""

from __future__ import annotations

from typing import Any

from dialects.making import ANSWER, CITED, MESSAGES, QUESTION, TEXTS, Maker, assert_whole, cited_of, dump
from groundwire.span import SpanData

NODES = [
    {"node": {"id_": f"n{n}", "text": text, "metadata": {"source": f"{n}.md"}, "class_name": "TextNode",
              "text_template": "{metadata_str}\n\n{content}"}, "score": 0.5, "class_name": "NodeWithScore"}
    for n, text in enumerate(TEXTS, 1)
]  # fmt: skip


def event(make: Maker, span: SpanData, name: str, **fields: Any) -> None:
    make.event(span, name, class_name=name, id_="e", **fields)


def make_flow() -> Maker:
    make = Maker("llamaindex.opentelemetry.tracer")
    root = make.span("RetrieverQueryEngine.query")
    event(make, root, "QueryStartEvent", query=QUESTION)
    event(
        make, root, "QueryEndEvent", query__query_str=QUESTION, query__embedding="null",
        response__response=ANSWER, response__source_nodes=dump(NODES),
    )  # fmt: skip
    inner = make.span("RetrieverQueryEngine._query", root)
    retrieval = make.span("Retriever.retrieve", inner, at=(5, 9))
    event(make, retrieval, "RetrievalStartEvent", str_or_query_bundle__query_str=QUESTION)
    event(make, retrieval, "RetrievalEndEvent", nodes=dump(NODES))
    call = make.span("OpenAI.chat", inner, at=(10, 50))
    event(
        make, call, "LLMChatStartEvent", messages=dump(MESSAGES), model_dict__model_name="m",
        model_dict__class_name="openai_llm",
    )  # fmt: skip
    choices = [{"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": ANSWER}}]
    event(
        make, call, "LLMChatEndEvent", response__message__role="assistant", response__raw__id="r1",
        response__raw__choices=dump(choices), response__raw__model="m-2024",
        response__raw__usage__prompt_tokens=9, response__raw__usage__completion_tokens=2,
        response__raw__usage__prompt_tokens_details__cached_tokens=4,
    )  # fmt: skip
    return make


def test_events_of_a_query_are_one_record() -> None:
    """Question, answer, nodes with ids and scores, and the raw response's usage and model."""
    record = make_flow().record()
    assert_whole(record)
    found = [(context.id, context.score, context.metadata) for context in record.contexts or ()]
    assert found == [("n1", 0.5, {"source": "1.md"}), ("n2", 0.5, {"source": "2.md"})]
    assert record.usage is not None
    assert (record.usage.input_tokens, record.usage.cache_read_input_tokens) == (9, 4)
    assert (record.model, record.provider, record.finish_reason) == ("m-2024", "openai", "stop")


def test_without_a_retriever_the_responses_nodes_are_the_passages() -> None:
    """An engine says which nodes it answered from."""
    make = make_flow()
    make.spans[2].events.clear()
    assert_whole(make.record())


def test_a_reranker_stands_for_what_it_was_given() -> None:
    """The nodes that a postprocessor kept are what the model saw."""
    make = make_flow()
    span = make.span("Rerank.postprocess_nodes", make.spans[1], at=(9, 10))
    event(make, span, "ReRankStartEvent", query=QUESTION, nodes=dump(NODES))
    event(make, span, "ReRankEndEvent", nodes=dump(NODES[:1]))
    record = make.record()
    assert [context.id for context in record.contexts or ()] == ["n1"]
    assert cited_of(record)[0] == CITED[0]


def test_a_completion_has_a_prompt_and_a_text() -> None:
    """Models without chat: the prompt is one text, the response's ``text`` the answer."""
    make = Maker("llamaindex.opentelemetry.tracer")
    call = make.span("Ollama.complete")
    prompt = f"Cite as [n].\n[1] {TEXTS[0]}\n[2] {TEXTS[1]}\n\nQuestion: {QUESTION}\nAnswer:"
    event(make, call, "LLMCompletionStartEvent", prompt=prompt)
    event(make, call, "LLMCompletionEndEvent", response__text=ANSWER, response__raw="null")
    assert_whole(make.record())
