"""Where the question, the history and the contexts are taken from."""

from __future__ import annotations

from functools import partial
from typing import Any

from groundwire.instrumentation import call, current_call, instrument, retriever
from groundwire.testing import CapturedSpans
from instrumentation.reading import attribute_of, documents_of, history_of, question_of


def test_a_named_option_wins(spans: CapturedSpans) -> None:
    """The parameter that `question=` names holds the question, whatever the others are called."""

    @instrument(question="ask", tracer_provider=spans.provider)
    def answer(query: str, ask: str) -> str:
        return "yes"

    answer("wrong", "right")
    assert question_of(spans.spans[0]) == "right"


def test_a_usual_name_is_found_in_any_place(spans: CapturedSpans) -> None:
    """A parameter named question is the question, even after another text argument."""

    @instrument(tracer_provider=spans.provider)
    def answer(tenant: str, question: str) -> str:
        return "yes"

    answer("acme", "Who?")
    assert question_of(spans.spans[0]) == "Who?"


def test_else_the_first_text_after_self(spans: CapturedSpans) -> None:
    """Without a usual name the first text argument after self is the question."""

    class Bot:
        @instrument(tracer_provider=spans.provider)
        def reply(self, k: int, utterance: str) -> str:
            return "yes"

    Bot().reply(3, "Who?")
    assert question_of(spans.spans[0]) == "Who?"


def test_a_message_list_gives_question_and_history(spans: CapturedSpans) -> None:
    """The last user content of a message list is the question, the rest is history."""

    @instrument(tracer_provider=spans.provider)
    def answer(messages: list[dict[str, str]]) -> str:
        messages.append({"role": "assistant", "content": "yes"})
        return "yes"

    answer([{"role": "system", "content": "Be brief."}, {"role": "user", "content": "Who?"}])
    assert question_of(spans.spans[0]) == "Who?"
    assert history_of(spans.spans[0]) == [("system", "Be brief.")]


def test_no_text_no_question(spans: CapturedSpans) -> None:
    """A call without any text has no question; nothing is made up."""

    @instrument(tracer_provider=spans.provider)
    def answer(number: int) -> str:
        return "yes"

    answer(7)
    assert question_of(spans.spans[0]) is None


def test_contexts_come_from_the_result_first(spans: CapturedSpans) -> None:
    """The result's own contexts win over a retriever's and an argument's."""

    @retriever(tracer_provider=spans.provider)
    def search(query: str) -> list[str]:
        return ["retrieved"]

    @instrument(tracer_provider=spans.provider)
    def answer(question: str, docs: list[str]) -> dict[str, Any]:
        search(question)
        return {"answer": "yes", "contexts": ["own"]}

    answer("Who?", ["given"])
    assert documents_of(spans.spans[-1]) == [{"content": "own"}]


def test_contexts_come_from_retrievers_next(spans: CapturedSpans) -> None:
    """Without contexts in the result, what retrievers found inside the call is taken, each passage once."""

    @retriever(tracer_provider=spans.provider)
    def search(query: str) -> list[dict[str, Any]]:
        return [{"id": "a", "text": "Ada"}, {"id": query, "text": query}]

    @instrument(tracer_provider=spans.provider)
    def answer(question: str, docs: list[str]) -> str:
        search("x")
        search("y")
        return "yes"

    answer("Who?", ["given"])
    assert [d["id"] for d in documents_of(spans.spans[-1]) or []] == ["a", "x", "y"]
    assert attribute_of(spans.spans[-1], "groundwire.contexts.source") == "retriever"


def test_contexts_come_from_an_argument_last(spans: CapturedSpans) -> None:
    """Without either, a parameter named docs, contexts, … is taken."""

    @instrument(tracer_provider=spans.provider)
    def answer(question: str, docs: list[str]) -> str:
        return "yes"

    answer("Who?", docs=["given"])
    assert documents_of(spans.spans[0]) == [{"content": "given"}]
    assert attribute_of(spans.spans[0], "groundwire.contexts.source") == "argument"


def test_extract_wins_over_all_and_sees_the_arguments(spans: CapturedSpans) -> None:
    """What the hook returns overrides every field; other names become metadata."""

    def extract(arguments: dict[str, Any], result: Any) -> dict[str, Any]:
        return {"question": arguments["ask"].upper(), "answer": result[::-1], "shard": 7}

    @instrument(extract=extract, tracer_provider=spans.provider)
    def answer(ask: str, k: int = 3) -> str:
        return "sey"

    answer("who?")
    assert question_of(spans.spans[0]) == "WHO?"
    assert attribute_of(spans.spans[0], "output.value") == "yes"
    assert attribute_of(spans.spans[0], "groundwire.metadata") == '{"shard":7}'


def test_a_failing_extract_is_counted_not_raised(spans: CapturedSpans) -> None:
    """An error in the hook leaves the call and what was read otherwise as they are."""

    @instrument(extract=lambda arguments, result: 1 / 0, tracer_provider=spans.provider)
    def answer(question: str) -> str:
        return "yes"

    assert answer("Who?") == "yes"
    assert question_of(spans.spans[0]) == "Who?"


def test_a_partial_keeps_its_bound_question(spans: CapturedSpans) -> None:
    """A partial's own arguments count as the call's."""

    def answer(question: str, k: int) -> str:
        return f"{question}{k}"

    bound = instrument(tracer_provider=spans.provider)(partial(answer, k=3))
    assert bound("Who?") == "Who?3"
    assert question_of(spans.spans[0]) == "Who?"


def test_what_the_call_is_told_wins_over_the_result(spans: CapturedSpans) -> None:
    """current_call() has the last word before extract; tags and usage are joined."""

    @instrument(tags={"channel": "web"}, tracer_provider=spans.provider)
    def answer(question: str) -> dict[str, Any]:
        now = current_call()
        now.set_answer("told")
        now.set_tags(team="a")
        now.set_usage(output_tokens=2)
        now.add_contexts([])
        return {"answer": "read", "usage": {"input_tokens": 1}}

    answer("Who?")
    found = spans.attributes()
    assert found["output.value"] == "told"
    assert found["groundwire.tags"] == '{"channel":"web","team":"a"}'
    assert (found["gen_ai.usage.input_tokens"], found["gen_ai.usage.output_tokens"]) == (1, 2)
    assert found["gen_ai.retrieval.documents"] == "[]"


def test_call_records_a_with_block(spans: CapturedSpans) -> None:
    """`with call(...)` is one answer, told piece by piece."""
    with call(question="Who?", name="chat", tenant="acme", tracer_provider=spans.provider) as answer:
        answer.set_answer("Ada.")
    assert spans.names() == ["invoke_workflow chat"]
    assert question_of(spans.spans[0]) == "Who?"
    assert attribute_of(spans.spans[0], "groundwire.tenant") == "acme"
