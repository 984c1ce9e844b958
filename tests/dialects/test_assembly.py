"""Which span is the answer, what fed it, what is counted; mixed dialects, errors, several answers."""

from __future__ import annotations

from typing import Any

import pytest

from dialects.making import ANSWER, MESSAGES, QUESTION, TEXTS, Maker, assert_whole, dump, texts_of
from groundwire.dialects import describe_trace, normalize_trace
from groundwire.span import SpanData

DOCUMENTS = [{"id": f"d{n}", "content": text} for n, text in enumerate(TEXTS, 1)]


def chain(
    make: Maker, question: str | None, answer: str | None, parent: SpanData | None = None, **more: Any
) -> SpanData:
    span = make.span("chain", parent, openinference__span__kind="CHAIN", **more)
    texts = {"input.value": question, "output.value": answer}
    return make.put(span, {name: text for name, text in texts.items() if text is not None})


def chat(make: Maker, parent: SpanData | None, at: tuple[int, int] = (10, 50), **more: Any) -> SpanData:
    span = make.span("chat m", parent, at=at, gen_ai__operation__name="chat", **more)
    make.put(span, {"gen_ai.input.messages": dump(MESSAGES)})
    return make.put(span, {"gen_ai.output.messages": dump([{"role": "assistant", "content": ANSWER}])})


def retrieve(make: Maker, parent: SpanData | None, at: tuple[int, int] = (5, 9)) -> SpanData:
    span = make.span("retrieval", parent, at=at, gen_ai__operation__name="retrieval")
    return make.put(span, {"gen_ai.retrieval.documents": dump(DOCUMENTS)})


def test_mixed_dialects_are_one_answer() -> None:
    """An OpenInference root, an official leaf and a vector database's events make one record."""
    make = Maker()
    root = chain(make, QUESTION, ANSWER)
    query = make.span("chroma.query", root, at=(5, 9), db__system="chroma", db__operation="query")
    for text in TEXTS:
        make.event(query, "db.query.result", db__query__result__document=text)
    chat(make, root, gen_ai__usage__input_tokens=9, gen_ai__response__id="r1")
    record = make.record()
    assert_whole(record)
    assert len(describe_trace(make.trace()).dialects) == 3


def test_retrievals_after_the_answer_began_are_left_out() -> None:
    """Only what had ended before the answer was begun can have fed it."""
    make = Maker()
    root = chain(make, QUESTION, ANSWER)
    retrieve(make, root)
    late = make.span("retrieval", root, at=(60, 70), gen_ai__operation__name="retrieval")
    make.put(late, {"gen_ai.retrieval.documents": dump([{"id": "late", "content": "too late"}])})
    chat(make, root)
    assert_whole(make.record())


def test_usage_is_counted_once_however_often_it_is_repeated() -> None:
    """A parent's total, a nested model span and a copy under the same response id add nothing."""
    make = Maker()
    root = chain(make, QUESTION, ANSWER)
    make.put(root, {"llm.token_count.prompt": 10})
    outer = chat(make, root, gen_ai__usage__input_tokens=10)
    chat(make, outer, at=(11, 49), gen_ai__usage__input_tokens=10, gen_ai__response__id="r1")
    chat(make, root, at=(12, 48), gen_ai__usage__input_tokens=10, gen_ai__response__id="r1")
    usage = make.record().usage
    assert usage is not None and usage.input_tokens == 10


def test_two_calls_of_one_answer_are_summed() -> None:
    """Different response ids are different calls."""
    make = Maker()
    root = chain(make, QUESTION, ANSWER)
    chat(make, root, at=(10, 20), gen_ai__usage__input_tokens=10, gen_ai__response__id="r1")
    chat(make, root, at=(20, 30), gen_ai__usage__input_tokens=4, gen_ai__response__id="r2")
    usage = make.record().usage
    assert usage is not None and usage.input_tokens == 14


def test_a_root_without_texts_speaks_through_its_model_call() -> None:
    """A workflow root that carries no messages takes them from the call that wrote the answer."""
    make = Maker()
    root = make.span("invoke_workflow w", gen_ai__operation__name="invoke_workflow")
    retrieve(make, root)
    chat(make, root)
    record = make.record()
    assert_whole(record)
    assert record.span_id == root.span_id


def test_several_answers_in_one_trace() -> None:
    """A batch root without texts holds one answer per chain, each with its own contexts."""
    make = Maker()
    root = make.span("nightly batch")
    for number in range(2):
        answered = chain(make, f"{QUESTION} ({number})", ANSWER, root, at=(number * 100, number * 100 + 90))
        retrieve(make, answered, at=(number * 100 + 5, number * 100 + 9))
        chat(make, answered, at=(number * 100 + 10, number * 100 + 50))
    records = make.records()
    assert [record.question for record in records] == [f"{QUESTION} (0)", f"{QUESTION} (1)"]
    assert [texts_of(record) for record in records] == [list(TEXTS), list(TEXTS)]


def test_turns_of_a_conversation_are_answers_of_their_own() -> None:
    """A later call whose prompt holds the earlier answer as history is the next turn, not the same one."""
    make = Maker()
    root = make.span("session")
    chat(make, root, at=(0, 10))
    later = [
        *MESSAGES,
        {"role": "assistant", "content": ANSWER},
        {"role": "user", "content": "And how wide?"},
    ]
    second = chat(make, root, at=(20, 30))
    make.put(second, {"gen_ai.input.messages": dump(later)})
    make.put(second, {"gen_ai.output.messages": dump([{"role": "assistant", "content": "Four metres."}])})
    assert [record.answer for record in make.records()] == [ANSWER, "Four metres."]


def test_loose_model_call_takes_the_retrieval_beside_it() -> None:
    """Under a server span, the retrieval before the call belongs to it."""
    make = Maker()
    server = make.span("POST /ask")
    retrieve(make, server)
    chat(make, server)
    record = make.record()
    assert_whole(record)
    assert record.contexts is not None and record.contexts[0].id == "d1"


def test_a_rewritten_query_and_its_answer_are_one() -> None:
    """A call that rewrites the question for the search is a step, not an answer."""
    make = Maker()
    server = make.span("POST /ask")
    rewrite = chat(make, server, at=(1, 4), gen_ai__usage__input_tokens=3)
    make.put(rewrite, {"gen_ai.input.messages": dump([{"role": "user", "content": f"Rewrite: {QUESTION}"}])})
    make.put(rewrite, {"gen_ai.output.messages": dump([{"role": "assistant", "content": "gate height"}])})
    retrieve(make, server)
    chat(make, server, gen_ai__usage__input_tokens=9)
    record = make.record()
    assert_whole(record)
    assert record.usage is not None and record.usage.input_tokens == 12


def test_a_failed_call_is_a_record_with_its_error() -> None:
    """An error is no missing content."""
    make = Maker()
    root = chain(make, QUESTION, None)
    root.status, root.status_message = "error", "RateLimitError: slow down"
    make.event(root, "exception", exception__type="RateLimitError", exception__message="slow down")
    chat(make, root).attributes.pop("gen_ai.output.messages")
    record = make.record()
    assert (record.error, record.status, record.answer) == ("RateLimitError: slow down", "error", None)
    assert "answer" not in record.completeness


def test_a_missing_root_is_named() -> None:
    """What only the root said is not exported, which is another thing than not captured."""
    make = Maker()
    call = make.span("chat m", gen_ai__operation__name="chat")
    call.parent_span_id = "f" * 16
    completeness = make.record().completeness
    assert (completeness["trace"], completeness["question"]) == ("not_exported", "not_exported")


def test_documents_repeated_by_two_retrievals_count_once() -> None:
    """Equal texts under equal ids are one context."""
    make = Maker()
    root = chain(make, QUESTION, ANSWER)
    retrieve(make, root, at=(1, 3))
    retrieve(make, root, at=(4, 6))
    chat(make, root)
    assert_whole(make.record())


def test_dropped_attributes_explain_missing_documents() -> None:
    """A retriever that lost attributes has dropped documents, not none."""
    make = Maker()
    root = chain(make, QUESTION, ANSWER)
    lossy = make.span("retrieve", root, at=(5, 9), openinference__span__kind="RETRIEVER")
    lossy.dropped_attributes = 52
    record = make.record()
    assert (record.contexts, record.completeness["contexts"]) == (None, "dropped")


def test_markers_out_of_range_are_kept_and_flagged() -> None:
    """``[7]`` names no context: the citation stays, unresolved."""
    make = Maker()
    root = chain(make, QUESTION, "It lifts [1], they say [7].")
    retrieve(make, root)
    chat(make, root)
    assert [citation.resolved for citation in make.record().citations or ()] == ["marker", "unresolved"]


def test_numbers_count_the_prompts_passages_where_they_differ() -> None:
    """Re-split sources: ``[1]`` is the prompt's first passage, wherever it came from."""
    make = Maker()
    root = chain(make, QUESTION, ANSWER)
    retrieve(make, root)
    swapped = f"[1] {TEXTS[1]}\n[2] {TEXTS[0]}"
    call = chat(make, root)
    make.put(call, {"gen_ai.input.messages": dump([{"role": "system", "content": swapped}])})
    assert [citation.source_id for citation in make.record().citations or ()] == ["2", "1"]


def test_a_description_says_what_to_switch_on() -> None:
    """Why a grader can not work, and which switch of which instrumentation helps."""
    make = Maker()
    make.put(
        make.span("haystack.pipeline.run"), {"haystack.pipeline.input_data": dump({"a": {"query": QUESTION}})}
    )
    make.put(
        make.span("haystack.component.run", make.spans[0]), {"haystack.component.type": "OpenAIChatGenerator"}
    )
    description = describe_trace(make.trace())
    (record,) = description.records
    assert description.signs["haystack"] == "span name haystack.pipeline.run"
    assert "groundedness" not in record.gradable
    assert any("HAYSTACK_CONTENT_TRACING_ENABLED" in gap.advice for gap in record.gaps)


def test_keys_that_a_collector_took_away_are_redacted() -> None:
    """A redaction processor says which keys it removed: what they held is redacted, not uncaptured."""
    make = Maker()
    root = make.span("invoke_agent a", gen_ai__operation__name="invoke_agent")
    make.put(root, {"redaction.redacted.keys": "gen_ai.input.messages,gen_ai.output.messages"})
    make.span("chat m", root, at=(10, 50), gen_ai__operation__name="chat", gen_ai__usage__input_tokens=9)
    assert make.record().completeness["answer"] == "redacted"


def test_retrievals_of_requests_side_by_side_stay_with_their_own() -> None:
    """Two requests at the same time in one trace: each call takes the retrieval under its own span."""
    make = Maker()
    root = make.span("load test")
    for number in (1, 2):
        item = make.span(f"request {number}", root)
        found = make.span("retrieval", item, at=(5, 9), gen_ai__operation__name="retrieval")
        make.put(
            found, {"gen_ai.retrieval.documents": dump([{"id": f"d{number}", "content": f"text {number}"}])}
        )
        call = make.span("chat m", item, at=(10, 50), gen_ai__operation__name="chat")
        asked = [{"role": "user", "content": f"What is number {number}, please?"}]
        make.put(call, {"gen_ai.input.messages": dump(asked), "gen_ai.output.messages": f"It is {number}."})
    assert [texts_of(record) for record in make.records()] == [["text 1"], ["text 2"]]


@pytest.mark.parametrize("kind", ["RETRIEVER", "PROMPT"])
def test_a_chain_that_failed_before_it_asked_a_model_is_a_record(kind: str) -> None:
    """The question was asked, so its failure counts, whichever step it failed in."""
    make = Maker("openinference.instrumentation.langchain")
    root = make.span("ask", openinference__span__kind="CHAIN", input__value=QUESTION)
    step = make.span("step", root, at=(5, 9), openinference__span__kind=kind)
    for span in (root, step):
        span.status, span.status_message = "error", "ConnectionError: no index"
    record = make.record()
    assert (record.question, record.answer) == (QUESTION, None)
    assert record.error == "error: ConnectionError: no index"


def test_a_failed_function_that_asked_nothing_is_no_record() -> None:
    """A web server's span with an error is nobody's question."""
    make = Maker()
    make.span("POST /ask", http__request__method="POST").status = "error"
    assert make.records() == []


def test_a_call_recorded_twice_side_by_side_is_one_answer() -> None:
    """A client's own span beside an instrumentation's: the same response id, content on one of them only."""
    make = Maker()
    root = make.span("ask")
    for name, content in (("anthropic.chat", True), ("messages.create", False)):
        call = make.span(name, root, at=(10, 50), gen_ai__operation__name="chat")
        make.put(call, {"gen_ai.response.id": "msg_1", "gen_ai.usage.input_tokens": 9})
        if content:
            make.put(call, {"gen_ai.input.messages": dump(MESSAGES)})
            make.put(call, {"gen_ai.output.messages": dump([{"role": "assistant", "content": ANSWER}])})
    record = make.record()
    assert_whole(record)
    assert record.usage is not None and record.usage.input_tokens == 9


def test_what_a_partial_trace_lacks_was_not_exported() -> None:
    """Where the source says that spans are missing, the record says so, and blames no capture setting."""
    make = Maker()
    make.span("chat m", gen_ai__operation__name="chat", gen_ai__usage__input_tokens=3)
    trace = make.trace()
    trace.is_partial = True
    (record,) = normalize_trace(trace)
    assert record.completeness["trace"] == record.completeness["question"] == "not_exported"


@pytest.mark.parametrize(("order", "count"), [(("user", "tool"), 2), (("tool", "user"), 0)])
def test_a_tools_message_since_the_question_is_what_fed_the_answer(
    order: tuple[str, str], count: int
) -> None:
    """Where only model calls are traced, tools' documents stand in the prompt; not those of earlier turns."""
    found = dump([{"id": f"d{n}", "content": text} for n, text in enumerate(TEXTS, 1)])
    said = {"user": QUESTION, "tool": found}
    make = Maker()
    call = make.span("chat", gen_ai__operation__name="chat")
    messages = [{"role": role, "content": said[role]} for role in order]
    make.put(call, {"gen_ai.input.messages": dump(messages)})
    make.put(call, {"gen_ai.output.messages": dump([{"role": "assistant", "content": ANSWER}])})
    record = make.record()
    assert (record.question, len(record.contexts or ())) == (QUESTION, count)
