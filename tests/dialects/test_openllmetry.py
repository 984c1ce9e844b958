"""OpenLLMetry: entities, result events with distances, flattened prompts of the old line."""

from __future__ import annotations

from typing import Any

from dialects.making import (
    ANSWER,
    LANGCHAIN_DOCUMENTS,
    MESSAGES,
    QUESTION,
    TEXTS,
    Maker,
    assert_whole,
    dump,
    texts_of,
)

CALL = dump({"args": [QUESTION], "kwargs": {}})


def workflow(make: Maker) -> None:
    make.span(
        "ask.workflow", traceloop__span__kind="workflow", traceloop__entity__input=CALL,
        traceloop__entity__output=dump(ANSWER),
    )  # fmt: skip


def test_result_events_are_documents_and_distances_no_scores() -> None:
    """One event a document; a distance (lower is better) becomes metadata."""
    make = Maker()
    workflow(make)
    query = make.span("chroma.query", make.spans[0], at=(5, 9), db__system="chroma", db__operation="query")
    for n, text in enumerate(TEXTS):
        make.event(
            query, "db.query.result", db__query__result__id=f"d{n}", db__query__result__document=text,
            db__query__result__distance=n + 0.5, db__query__result__metadata='{"page": 2}',
        )  # fmt: skip
    record = make.record()
    assert_whole(record)
    assert record.contexts is not None
    assert (record.contexts[0].score, record.contexts[0].metadata) == (None, {"page": 2, "distance": 0.5})


def test_adding_to_a_database_is_no_answer() -> None:
    """``chroma.add`` in a trace of its own gives no record."""
    make = Maker()
    make.span("chroma.add", db__system="chroma", db__operation="add")
    assert make.records() == []


def test_old_prompts_are_flattened() -> None:
    """``gen_ai.prompt.N`` and ``gen_ai.completion.N``, ``llm.usage.total_tokens``."""
    make = Maker()
    span = make.span("openai.chat", gen_ai__system="OpenAI", llm__request__type="chat")
    for n, message in enumerate(MESSAGES):
        make.put(span, {f"gen_ai.prompt.{n}.{name}": value for name, value in message.items()})
    make.put(span, {"gen_ai.completion.0.content": ANSWER, "gen_ai.completion.0.role": "assistant"})
    make.put(span, {"gen_ai.completion.0.finish_reason": "stop", "gen_ai.usage.prompt_tokens": 5})
    record = make.record()
    assert_whole(record)
    assert record.finish_reason == "stop"


def test_documents_only_in_a_later_input() -> None:
    """Without a retriever span, the documents in a downstream task's input are taken, with their ids."""
    make = Maker()
    workflow(make)
    documents = [
        {"lc": 1, "type": "constructor", "id": ["x", "Document"], "kwargs": d} for d in LANGCHAIN_DOCUMENTS
    ]
    make.span(
        "format.task", make.spans[0], at=(5, 9), traceloop__span__kind="task",
        traceloop__entity__input=dump({"inputs": documents, "tags": []}),
    )  # fmt: skip
    make.span("openai.chat", make.spans[0], at=(10, 50), gen_ai__operation__name="chat")
    record = make.record()
    assert_whole(record)
    assert record.contexts is not None and record.contexts[0].id == "d1"


def test_a_retriever_entity_returns_documents() -> None:
    """LangChain's retriever span: ``{"documents": [...]}``, under an operation name of its own."""
    make = Maker()
    workflow(make)
    make.span(
        "vector_db_retrieve R", make.spans[0], at=(5, 9), traceloop__span__kind="task",
        gen_ai__operation__name="vector_db_retrieve", traceloop__entity__input=dump({"query": QUESTION}),
        traceloop__entity__output=dump({"documents": LANGCHAIN_DOCUMENTS}),
    )  # fmt: skip
    assert_whole(make.record())


def test_an_indexing_workflow_is_no_answer() -> None:
    """A workflow that asks no model and looks nothing up answers no question."""
    make = Maker()
    workflow(make)
    make.span("chroma.add", make.spans[0], db__system="chroma", db__operation="add")
    assert make.records() == []


def test_a_tool_that_searches() -> None:
    """A tool's output passages are contexts."""
    make = Maker()
    workflow(make)
    make.span("openai.chat", make.spans[0], at=(10, 50), gen_ai__operation__name="chat")
    make.span(
        "search.tool", make.spans[0], at=(5, 9), traceloop__span__kind="tool",
        traceloop__entity__name="search", traceloop__entity__output=dump({"output": "\n".join(TEXTS)}),
    )  # fmt: skip
    assert texts_of(make.record()) == ["\n".join(TEXTS)]


def test_a_model_call_of_kind_task_is_one() -> None:
    """A framework's model call says ``chat``, whatever kind of entity it is."""
    make = Maker()
    root = make.span("ask", traceloop__span__kind="workflow", traceloop__entity__output=dump(ANSWER))
    call = make.span("ChatOpenAI.chat", root, at=(10, 50), traceloop__span__kind="task")
    make.put(call, {"gen_ai.operation.name": "chat", "gen_ai.request.model": "m"})
    make.put(call, {"gen_ai.input.messages": dump([{"role": "user", "content": QUESTION}])})
    record = make.record()
    assert (record.question, record.answer, record.model) == (QUESTION, ANSWER, "m")


def task(make: Maker, name: str, at: tuple[int, int], given: Any, said: Any) -> None:
    span = make.span(f"{name}.task", make.spans[0], at=at, traceloop__span__kind="task")
    make.put(span, {"traceloop.entity.input": dump(given), "traceloop.entity.output": dump(said)})


def test_a_task_that_returns_documents_retrieved_them() -> None:
    """LlamaIndex's nodes are JSON in a list of texts; a workflow without a model call is an answer too."""
    make = Maker()
    root = make.span("query.workflow", traceloop__span__kind="workflow")
    make.put(root, {"traceloop.entity.input": dump({"str_or_query_bundle": QUESTION})})
    make.put(root, {"traceloop.entity.output": dump({"response": ANSWER, "metadata": {"n1": {}}})})
    nodes = [{"node": {"id_": f"n{n}", "text": text}, "score": 0.5} for n, text in enumerate(TEXTS, 1)]
    task(make, "Retriever", (5, 9), {"str_or_query_bundle": {"query_str": QUESTION}}, list(map(dump, nodes)))
    record = make.record()
    assert_whole(record)
    assert [(context.id, context.score) for context in record.contexts or ()] == [("n1", 0.5), ("n2", 0.5)]


def test_a_task_that_was_given_documents_reranked_them() -> None:
    """What a filter kept is what the answer was made of."""
    make = Maker()
    root = make.span("ask.workflow", traceloop__span__kind="workflow")
    make.put(root, {"traceloop.entity.input": dump({"args": [QUESTION], "kwargs": {}})})
    make.put(root, {"traceloop.entity.output": dump(ANSWER)})
    found = [{"id": f"d{n}", "content": text} for n, text in enumerate((*TEXTS, "Another gate."), 1)]
    task(make, "search", (2, 4), {"args": [QUESTION]}, found)
    task(make, "filter", (5, 9), {"args": [QUESTION, found]}, found[:2])
    assert_whole(make.record())
