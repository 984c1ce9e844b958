"""Langfuse, MLflow, TruLens and LangSmith: each suite's own way of keeping inputs and outputs."""

from __future__ import annotations

import pytest

from dialects.making import (
    ANSWER,
    LANGCHAIN_DOCUMENTS,
    MESSAGES,
    QUESTION,
    TEXTS,
    Maker,
    assert_whole,
    dump,
)
from groundwire.dialects.langfuse import parse_usage_details
from groundwire.record import Usage

HUMAN = {"source_type": "HUMAN"}
ARGUMENTS = dump({"question": QUESTION})


def observe(
    make: Maker, kind: str, given: object, said: object, at: tuple[int, int], nested: bool = True
) -> None:
    span = make.span(kind, make.spans[0] if nested and make.spans else None, at=at)
    make.put(span, {"langfuse.observation.type": kind, "langfuse.observation.input": given})
    make.put(span, {"langfuse.observation.output": said})


def test_langfuse_plain_and_json_values() -> None:
    """Plain strings are stored unquoted, the rest as JSON."""
    make = Maker()
    observe(make, "span", dump({"args": [QUESTION], "kwargs": {}}), ANSWER, (0, 100))
    documents = [{"id": f"d{n}", "content": text} for n, text in enumerate(TEXTS)]
    observe(make, "retriever", QUESTION, dump(documents), (5, 9))
    observe(make, "generation", dump(MESSAGES), dump({"role": "assistant", "content": ANSWER}), (10, 50))
    make.put(
        make.spans[2], {"langfuse.observation.usage_details": dump({"input": 9, "output": 2, "total": 11})}
    )
    expected = dump({"answer": "Eight metres."})
    make.put(make.spans[0], {"langfuse.experiment.item.expected_output": expected, "session.id": "s"})
    record = make.record()
    assert_whole(record)
    assert record.usage is not None and record.usage.input_tokens == 9
    assert record.expected is not None and record.expected.answer == "Eight metres."
    assert record.conversation_id == "s"


def test_an_opik_trace_says_what_its_spans_sum_up_to() -> None:
    """Usage and cost of the trace are left out beside the model call's own; thread and metadata are kept."""
    make = Maker("opik")
    counts = dump({"prompt_tokens": 12, "completion_tokens": 3, "total_tokens": 15})
    whole = make.span("ask", opik__span__type="trace", opik__usage=counts, opik__thread_id="t1")
    make.put(whole, {"opik.input": dump({"question": QUESTION}), "opik.output": dump({"answer": ANSWER})})
    make.put(whole, {"opik.metadata": dump({"shop": "north"}), "opik.tags": dump(["a"])})
    call = make.span("chat", at=(10, 50), opik__span__type="llm", opik__usage=counts, opik__model="m")
    make.put(call, {"opik.input": dump({"messages": MESSAGES}), "opik.total_estimated_cost": 0.002})
    make.put(
        call, {"opik.output": dump({"choices": [{"message": {"role": "assistant", "content": ANSWER}}]})}
    )
    record = make.record()
    assert (record.question, record.answer, record.conversation_id) == (QUESTION, ANSWER, "t1")
    assert record.usage == Usage(input_tokens=12, output_tokens=3)
    assert record.recorded_cost is not None and record.recorded_cost.amount == "0.002"
    assert (record.metadata, record.tags, record.model) == ({"shop": "north"}, {"a": "true"}, "m")


def test_opik_flattens_the_providers_own_counts() -> None:
    """Cached tokens stand only among the flattened original counts."""
    make = Maker("opik")
    call = make.span("chat", at=(10, 50), opik__span__type="llm")
    make.put(call, {"opik.input": dump({"messages": MESSAGES})})
    make.put(
        call, {"opik.output": dump({"choices": [{"message": {"role": "assistant", "content": ANSWER}}]})}
    )
    counts = {"prompt_tokens": 9, "completion_tokens": 2, "total_tokens": 11}
    original = {f"original_usage.{name}": count for name, count in counts.items()}
    original["original_usage.prompt_tokens_details.cached_tokens"] = 4
    make.put(call, {"opik.usage": dump({**counts, **original})})
    record = make.record()
    assert record.usage is not None
    assert (record.usage.input_tokens, record.usage.cache_read_input_tokens) == (9, 4)


def test_opik_rows_of_the_same_form() -> None:
    """Opik calls a model call ``llm`` and any other span ``general``."""
    make = Maker("langfuse-sdk")
    root = make.span("ask", langfuse__observation__type="general")
    make.put(root, {"langfuse.observation.input": dump({"question": QUESTION})})
    make.put(root, {"langfuse.observation.output": dump({"answer": ANSWER})})
    call = make.span("chat", root, at=(10, 50), langfuse__observation__type="llm")
    make.put(call, {"langfuse.observation.model.name": "m"})
    record = make.record()
    assert (record.question, record.answer, record.model) == (QUESTION, ANSWER, "m")


def test_langfuse_number_is_text() -> None:
    """An answer ``42`` is text, not a number."""
    make = Maker()
    observe(make, "agent", "What is six times seven?", "42", (0, 100))
    assert make.record().answer == "42"


def test_langfuse_trace_output_of_older_sdks() -> None:
    """Version 3 and 4 keep the root's texts under ``langfuse.trace``."""
    make = Maker()
    root = make.span("ask")
    make.put(root, {"langfuse.observation.type": "span", "langfuse.trace.input": QUESTION})
    make.put(root, {"langfuse.trace.output": ANSWER})
    observe(make, "generation", dump(MESSAGES), ANSWER, (10, 50))
    assert_whole(make.record())


@pytest.mark.parametrize(
    ("details", "total"),
    [({"input": 79, "output": 31, "input_cached_tokens": 64, "total": 174}, 143),
     ({"input": 143, "output": 31, "input_cached_tokens": 64, "total": 174}, 143),
     ({"input": 79, "output": 20, "input_cache_read": 64, "output_reasoning": 11, "total": 174}, 143)],
)  # fmt: skip
def test_langfuse_total_tells_whether_input_includes_cached(details: dict[str, int], total: int) -> None:
    """The stated total decides; cached tokens are never counted twice."""
    usage = parse_usage_details(details)
    assert usage is not None
    assert (usage.input_tokens, usage.output_tokens, usage.cache_read_input_tokens) == (total, 31, 64)


def test_mlflow_strings_are_json_encoded() -> None:
    """Types, questions and answers are JSON strings in strings."""
    make = Maker()
    root = make.span("ask", mlflow__spanType='"UNKNOWN"', mlflow__spanInputs=ARGUMENTS)
    make.put(root, {"mlflow.spanOutputs": dump(ANSWER)})
    retriever = make.span("retrieve", root, at=(5, 9), mlflow__spanType='"RETRIEVER"')
    make.put(retriever, {"mlflow.spanOutputs": dump(LANGCHAIN_DOCUMENTS), "mlflow.spanInputs": ARGUMENTS})
    model = make.span("Completions", root, at=(10, 50), mlflow__spanType='"CHAT_MODEL"')
    usage = {"input_tokens": 9, "output_tokens": 2, "total_tokens": 11, "cache_read_input_tokens": 4}
    make.put(
        model, {"mlflow.spanInputs": dump({"messages": MESSAGES}), "mlflow.chat.tokenUsage": dump(usage)}
    )
    make.put(root, {"mlflow.chat.tokenUsage": dump(usage)})
    record = make.record()
    assert_whole(record)
    assert record.usage is not None
    assert (record.usage.input_tokens, record.usage.cache_read_input_tokens) == (9, 4)


def test_mlflow_in_semconv_form_is_read_from_the_model_call() -> None:
    """GenAI conversion deletes question and documents: the chat span has what is left."""
    make = Maker()
    root = make.span("ask", gen_ai__operation__name="UNKNOWN")
    make.span("retrieve", root, at=(5, 9), gen_ai__operation__name="RETRIEVER")
    model = make.span("Completions", root, at=(10, 50), gen_ai__operation__name="chat")
    make.put(model, {"gen_ai.input.messages": dump(MESSAGES)})
    make.put(model, {"gen_ai.output.messages": dump([{"role": "assistant", "content": ANSWER}])})
    record = make.record()
    assert_whole(record)
    assert record.completeness["contexts.text"] == "not_captured"


def test_trulens_contexts_and_later_evaluations() -> None:
    """Plain texts as contexts; evaluation spans that come later are no answers."""
    make, base = Maker(), "ai.observability."
    root = make.span("query")
    make.put(root, {f"{base}span_type": "record_root", f"{base}record_root.input": QUESTION})
    make.put(root, {f"{base}record_root.output": ANSWER, f"{base}record_root.ground_truth_output": "Eight."})
    retrieval = make.span("retrieve", root, at=(5, 9))
    make.put(retrieval, {f"{base}span_type": "retrieval", f"{base}retrieval.retrieved_contexts": list(TEXTS)})
    judge = make.span("eval", at=(200, 300))
    make.put(judge, {f"{base}span_type": "eval_root", f"{base}record_root.output": "0.5"})
    call = make.span("judge", judge, at=(210, 290), gen_ai__operation__name="chat")
    make.put(call, {"gen_ai.usage.input_tokens": 999, "gen_ai.output.messages": "no"})
    record = make.record()
    assert_whole(record)
    assert record.usage is None
    assert record.expected is not None and record.expected.answer == "Eight."
    assert record.completeness["contexts.id"] == "not_captured"


def test_trulens_texts_take_their_ids_from_what_the_function_returned() -> None:
    """The contexts are texts; the function's result beside them may hold ids and scores."""
    make, base = Maker(), "ai.observability."
    root = make.span("query")
    make.put(root, {f"{base}span_type": "record_root", f"{base}record_root.input": QUESTION})
    make.put(root, {f"{base}record_root.output": ANSWER})
    retrieval = make.span("retrieve", root, at=(5, 9))
    make.put(retrieval, {f"{base}span_type": "retrieval", f"{base}retrieval.retrieved_contexts": list(TEXTS)})
    found = [{"id": f"d{n}", "content": text, "score": 0.5} for n, text in enumerate(TEXTS, 1)]
    make.put(retrieval, {f"{base}call.return": dump(found)})
    record = make.record()
    assert_whole(record)
    assert [(context.id, context.score) for context in record.contexts or ()] == [("d1", 0.5), ("d2", 0.5)]


def test_trulens_costs_of_a_client_without_a_type() -> None:
    """What a provider's client cost is written on a span of type ``unknown``."""
    make, base = Maker(), "ai.observability."
    root = make.span("query")
    make.put(root, {f"{base}span_type": "record_root", f"{base}record_root.input": QUESTION})
    make.put(root, {f"{base}record_root.output": ANSWER})
    call = make.span("create", root, at=(10, 50))
    make.put(call, {f"{base}span_type": "unknown", f"{base}cost.num_prompt_tokens": 9})
    make.put(call, {f"{base}cost.num_reasoning_tokens": 4, f"{base}cost.model": "m"})
    record = make.record()
    assert record.usage is not None
    assert (record.usage.input_tokens, record.usage.reasoning_output_tokens, record.model) == (9, 4, "m")


def test_langsmith_kinds_not_operation_names() -> None:
    """A retriever that says ``embeddings`` is a retriever; details are a Python repr."""
    make = Maker("langsmith")
    root = make.span("ask", langsmith__span__kind="chain", gen_ai__prompt=ARGUMENTS)
    make.put(root, {"gen_ai.completion": dump({"output": ANSWER})})
    retriever = make.span("retrieve", root, at=(5, 9), langsmith__span__kind="retriever")
    make.put(retriever, {"gen_ai.operation.name": "embeddings", "gen_ai.prompt": ARGUMENTS})
    make.put(retriever, {"gen_ai.completion": dump({"output": LANGCHAIN_DOCUMENTS})})
    model = make.span("ChatOpenAI", root, at=(10, 50), langsmith__span__kind="llm")
    make.put(model, {"gen_ai.usage.input_tokens": 9, "gen_ai.usage.output_tokens": 2})
    make.put(model, {"gen_ai.usage.input_token_details": "{'audio': 0, 'cache_read': 4}"})
    record = make.record()
    assert_whole(record)
    assert record.usage is not None and record.usage.cache_read_input_tokens == 4


def test_provider_citations_in_a_raw_response_are_read() -> None:
    """A raw dump keeps the provider's own citations, beside the markers in the text."""
    make = Maker("langsmith")
    root = make.span("ask", langsmith__span__kind="chain", gen_ai__prompt=ARGUMENTS)
    make.put(root, {"gen_ai.completion": dump({"output": ANSWER})})
    cited = {
        "type": "url_citation",
        "url_citation": {"start_index": 0, "end_index": 21, "url": "https://e.org/a"},
    }
    message = {"role": "assistant", "content": ANSWER, "annotations": [cited]}
    model = make.span("ChatOpenAI", root, at=(10, 50), langsmith__span__kind="llm")
    make.put(model, {"gen_ai.completion": dump({"choices": [{"index": 0, "message": message}]})})
    citations = make.record().citations or ()
    first = citations[0]
    assert (first.source_id, first.answer_start, first.answer_end) == ("https://e.org/a", 0, 21)
    assert [citation.resolved for citation in citations[1:]] == ["marker", "marker"]


def test_mlflow_assessments_become_expectation_and_feedback() -> None:
    """An exported trace carries what the answer should be and what people said of it; judges are left out."""
    make = Maker()
    root = make.span("ask", mlflow__spanType='"AGENT"', mlflow__spanInputs=ARGUMENTS)
    assessments = [
        {"assessment_name": "expected_response", "expectation": {"value": "Eight metres."}},
        {"assessment_name": "good", "feedback": {"value": True}, "source": HUMAN, "rationale": "ok"},
        {"assessment_name": "judged", "feedback": {"value": 0.1}, "source": {"source_type": "LLM_JUDGE"}},
    ]
    make.put(root, {"mlflow.spanOutputs": dump(ANSWER), "mlflow.assessments": dump(assessments)})
    record = make.record()
    assert record.expected is not None and record.expected.answer == "Eight metres."
    assert [(said.label, said.comment) for said in record.feedback] == [("good: true", "ok")]
