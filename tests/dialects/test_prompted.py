"""Passages that only a prompt holds, in the templates that frameworks ship."""

from __future__ import annotations

from dialects.making import ANSWER, LANGCHAIN_DOCUMENTS, QUESTION, TEXTS, Maker, assert_whole, dump
from groundwire.dialects.messages import Turn
from groundwire.dialects.prompted import find_prompted, split_passages
from groundwire.dialects.toolresult import read_tool_documents

LINE = "-" * 21
LLAMAINDEX = (
    "Context information is below.\n{line}\n{context}\n{line}\nGiven the context information and not prior "
    "knowledge, answer the query.\nQuery: {question}\nAnswer: "
)


def fill(context: str) -> str:
    return LLAMAINDEX.format(line=LINE, context=context, question=QUESTION)


def test_llamaindex_prints_metadata_over_each_passage() -> None:
    """Where the same keys stand again, the next passage begins; the heads are no part of the passages."""
    context = "\n\n".join(f"source: {n}.md\npage: {n}\n\n{text}" for n, text in enumerate(TEXTS, 1))
    found = find_prompted([Turn("user", fill(context))])
    assert [context.text for context in found.contexts] == list(TEXTS)
    assert found.question == QUESTION


def test_a_line_like_a_head_inside_a_passage_splits_nothing() -> None:
    """Other keys than those over the first passage belong to a passage."""
    text = f"{TEXTS[0]}\n\nNote: mind the gap.\n\nIt is loud."
    found = find_prompted([Turn("user", fill(f"source: 1.md\n\n{text}"))])
    assert [context.text for context in found.contexts] == [text]


def test_a_block_without_heads_is_one_passage() -> None:
    """Nothing tells where a passage ends, so the block stays whole."""
    found = find_prompted([Turn("user", fill("\n\n".join(TEXTS)))])
    assert [context.text for context in found.contexts] == ["\n\n".join(TEXTS)]


def test_a_paragraph_for_each_document_that_was_retrieved() -> None:
    """As many paragraphs as the retrieval returned documents: each gets its text, id and score kept."""
    make = Maker()
    root = make.span("ask")
    retrieval = make.span("retrieval", root, at=(5, 9), gen_ai__operation__name="retrieval")
    documents = [{"id": f"d{n}", "score": 0.5} for n in range(len(TEXTS))]
    make.put(retrieval, {"gen_ai.retrieval.documents": dump(documents)})
    call = make.span("chat", root, at=(10, 50), gen_ai__operation__name="chat")
    asked = [{"role": "user", "content": fill("\n\n".join(TEXTS))}]
    make.put(call, {"gen_ai.input.messages": dump(asked)})
    make.put(call, {"gen_ai.output.messages": dump([{"role": "assistant", "content": ANSWER}])})
    record = make.record()
    assert_whole(record)
    assert [context.id for context in record.contexts or ()] == ["d0", "d1"]
    assert record.completeness["contexts.text"] == "not_captured"


def test_passages_written_out_by_fields() -> None:
    """``Source: …`` over ``Content: …``, again and again: what LangChain's guides hand to an agent."""
    text = "\n\n".join(f"Source: {{'source': '{n}.md'}}\nContent: {text}" for n, text in enumerate(TEXTS))
    assert [context.text for context in split_passages(text)] == list(TEXTS)
    assert split_passages("Source: a.md\nContent: Only one.") == ()


def test_a_tools_artifact_goes_before_how_it_was_written_out() -> None:
    """A tool message's artifact holds the documents with their ids, its content the text for the model."""
    message = {"type": "tool", "content": "\n\n".join(TEXTS), "artifact": LANGCHAIN_DOCUMENTS}
    forms = (message, {"output": message}, {"lc": 1, "kwargs": message}, {"type": "tool", "data": message})
    for value in forms:
        found = read_tool_documents(dump(value), name="retrieve").contexts or ()
        assert [(context.id, context.text) for context in found] == [("d1", TEXTS[0]), ("d2", TEXTS[1])]
    plain = read_tool_documents(dump({**message, "artifact": {"rows": 3}}), name="retrieve").contexts or ()
    assert [context.text for context in plain] == ["\n\n".join(TEXTS)]
