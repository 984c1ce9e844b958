"""Values and hooks that attack the instrument: the user's call goes on as if it were bare."""

from __future__ import annotations

import asyncio
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from types import SimpleNamespace
from typing import Any, NamedTuple

import pytest

from groundwire.instrumentation import Call, call, current_call, diagnostics, instrument
from groundwire.instrumentation.emission import RECORD_FIELDS
from groundwire.testing import CapturedSpans
from instrumentation.reading import answer_of, documents_of, history_of

Check = Callable[[int], None]


class Liar:
    """Raises when its class is asked for, as text and as anything."""

    @property
    def __class__(self) -> Any:  # type: ignore[override]
        raise RuntimeError("class")

    def __str__(self) -> str:
        raise RuntimeError("str")


class BadList(list[Any]):
    """Raises when it is walked."""

    def __iter__(self) -> Iterator[Any]:
        raise RuntimeError("iter")


class Endless:
    """Has whatever it is asked for, without end."""

    def __getattr__(self, name: str) -> Endless:
        return self

    def __call__(self) -> Endless:
        return self

    def __getitem__(self, index: int) -> Endless:
        if index == 10:
            raise AssertionError("it was walked")
        return self


class Leaving:
    """Ends the process when its class is asked for."""

    @property
    def __class__(self) -> Any:  # type: ignore[override]
        raise SystemExit


class Passage(NamedTuple):
    id: str
    text: str


@pytest.mark.parametrize("is_recorded", [True, False])
def test_no_value_makes_telling_raise(spans: CapturedSpans, is_recorded: bool) -> None:
    """Methods of a call never raise, not those of the no-op either, whatever they are given."""
    with call(tracer_provider=spans.provider) as recorded:
        told: Call = recorded if is_recorded else current_call.__globals__["NO_CALL"]
        for value in (Liar(), BadList([{"text": "a"}])):
            told.add_contexts(value)
            told.add_citations(value)
            told.set_cost(value)  # type: ignore[arg-type]
            told.set_tags(value)  # type: ignore[arg-type]
        told.set_cost("1e999999999")
    assert len(spans.spans) == 1


def test_a_named_tuple_that_is_told_is_one_passage(spans: CapturedSpans) -> None:
    """A record that happens to be a tuple is one item, not a list of its fields."""
    with call(tracer_provider=spans.provider) as told:
        told.add_contexts(Passage("a", "Ada"))
    assert documents_of(spans.spans[0]) == [{"id": "a", "content": "Ada"}]


def test_threads_of_one_call_lose_nothing_that_they_tell_it(spans: CapturedSpans) -> None:
    """Passages and tags that several threads add at once all arrive."""
    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        with call(tracer_provider=spans.provider) as told:

            def work(number: int) -> None:
                for turn in range(50):
                    told.add_contexts([{"id": f"{number}-{turn}", "text": "x"}])

            threads = [threading.Thread(target=work, args=(number,)) for number in range(8)]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
    finally:
        sys.setswitchinterval(interval)
    assert len(documents_of(spans.spans[0]) or ()) == 400


def test_a_reference_of_a_foreign_span_never_raises() -> None:
    """A span of another provider that has no context has no reference."""

    class Foreign:
        def get_span_context(self) -> None:
            return None

    told = Call()
    told.span = Foreign()  # type: ignore[assignment]
    assert told.ref is None


@pytest.mark.parametrize("option", ["redact", "extract"])
def test_a_hook_that_asks_the_function_it_serves_ends(spans: CapturedSpans, option: str) -> None:
    """A hook that calls decorated functions runs once a text, never inside itself."""
    asked: list[Any] = []

    def hook(given: Any, result: Any = None) -> Any:
        asked.append(given)
        answer("again")
        return given if result is None else {}

    @instrument(tracer_provider=spans.provider, **{option: hook})
    def answer(question: str) -> dict[str, Any]:
        return {"answer": "Ada", "contexts": ["a", "b"]}

    before = diagnostics()["lost"].get(option, 0)
    assert answer("Who?")["answer"] == "Ada"
    assert len(asked) == (4 if option == "redact" else 1)
    assert answer_of(spans.spans[-1]) == "Ada"
    assert diagnostics()["lost"][option] > before


@pytest.mark.parametrize("ending", [SystemExit, GeneratorExit, asyncio.CancelledError])
@pytest.mark.parametrize("option", ["redact", "extract"])
def test_a_hook_ends_neither_the_service_nor_the_call(
    spans: CapturedSpans, option: str, ending: type[BaseException]
) -> None:
    """Whatever a hook raises is counted, and what it should have redacted is not on the span."""

    def hook(*given: Any) -> Any:
        raise ending("hook")

    @instrument(tracer_provider=spans.provider, **{option: hook})
    def answer(question: str) -> str:
        if question == "fail":
            raise LookupError("secret")
        return "secret"

    before = diagnostics()["lost"].get(option, 0)
    assert answer("Who?") == "secret"
    with pytest.raises(LookupError):
        answer("fail")
    assert diagnostics()["lost"][option] > before
    assert option == "extract" or "secret" not in str([span.to_json() for span in spans.spans])
    assert len(spans.spans) == 2


def test_an_interruption_of_a_hook_passes_and_the_span_ends(spans: CapturedSpans, harmless: Check) -> None:
    """Ctrl-C and a handler of SIGTERM that exits are not the hook's doing."""

    def leave(number: int, frame: Any) -> None:
        sys.exit(number)

    def hook(text: str) -> str:
        if text == "interrupt":
            raise KeyboardInterrupt
        signal.raise_signal(signal.SIGTERM)
        return text

    answer = instrument(tracer_provider=spans.provider, redact=hook)(lambda question: "Ada")
    before = signal.signal(signal.SIGTERM, leave)
    try:
        with pytest.raises(SystemExit, match=str(int(signal.SIGTERM))):
            answer("terminate")
    finally:
        signal.signal(signal.SIGTERM, before)
    with pytest.raises(KeyboardInterrupt):
        answer("interrupt")
    harmless(2)


def test_an_error_whose_text_exits_stays_the_error(spans: CapturedSpans) -> None:
    """The very exception passes whatever its ``__str__`` raises."""

    class Exiting(Exception):
        def __str__(self) -> str:
            raise SystemExit

    error = Exiting()

    @instrument(tracer_provider=spans.provider)
    def answer(question: str) -> str:
        raise error

    with pytest.raises(Exiting) as caught:
        answer("Who?")
    assert caught.value is error
    assert len(spans.spans) == 1


def test_an_error_out_of_a_deep_recursion_is_written_with_its_last_frames(spans: CapturedSpans) -> None:
    """However deep it comes from, the stack on the span is short and ends with where it was raised."""

    @instrument(tracer_provider=spans.provider)
    def answer(question: str, depth: int = 200) -> str:
        if not depth:
            raise LookupError("at the bottom")
        return answer(question, depth - 1)

    with pytest.raises(LookupError):
        answer("Who?")
    assert len(spans.spans) == 201
    for span in spans.spans:
        stack = str((span.events[0].attributes or {})["exception.stacktrace"])
        assert stack.count("  File ") <= 64
        assert stack.endswith("LookupError: at the bottom\n")


def test_an_endless_chain_of_errors_is_not_written(spans: CapturedSpans) -> None:
    """Of an error that thousands of others led to, only its own frames are written."""
    error = first = LookupError("last")
    for _ in range(2000):
        first.__cause__ = ValueError("before")
        first = first.__cause__  # type: ignore[assignment]

    @instrument(tracer_provider=spans.provider)
    def answer(question: str) -> str:
        raise error

    with pytest.raises(LookupError):
        answer("Who?")
    assert "ValueError" not in str(spans.spans[0].events[0].attributes)


@pytest.mark.parametrize("make", [Endless, Leaving, Liar, lambda: iter(["a"]), lambda: (Endless(),)])
@pytest.mark.parametrize("capture", ["full", "hash", "none"])
@pytest.mark.parametrize("tells", [True, False])
def test_foreign_objects_are_told_and_neither_walked_nor_asked(
    spans: CapturedSpans, tells: bool, capture: Any, make: Callable[[], Any]
) -> None:
    """In every field of a record: the answer is on the span all the same."""
    value = make()
    fields = dict.fromkeys(RECORD_FIELDS - {"answer", "contexts", "citations"}, value) | {"mine": value}

    def extract(arguments: Any, result: Any) -> Any:
        return {} if tells else fields

    @instrument(tracer_provider=spans.provider, capture=capture, extract=extract)
    def answer(question: str) -> str:
        if tells:
            current_call().update(**fields)
            current_call().set_tags(value)
            current_call().set_tags(a=value)
            current_call().add_contexts("a")
        return "Ada"

    before = diagnostics()["lost"].get("emit", 0)
    assert answer("Who?") == "Ada"
    assert diagnostics()["lost"].get("emit", 0) == before
    assert answer_of(spans.spans[0]) == ("Ada" if capture == "full" else None)
    assert not hasattr(type(value), "__next__") or next(value) == "a"


def test_an_object_with_fields_tells_what_a_mapping_does(spans: CapturedSpans) -> None:
    """A hook may return a record of its own."""

    def extract(arguments: Any, result: Any) -> Any:
        return SimpleNamespace(answer="Ada", usage=SimpleNamespace(input_tokens=3))

    instrument(tracer_provider=spans.provider, extract=extract)(lambda question: "?")("Who?")
    assert answer_of(spans.spans[0]) == "Ada"
    assert spans.attributes(0)["gen_ai.usage.input_tokens"] == 3


def test_a_turn_without_text_does_not_cost_the_answer(spans: CapturedSpans) -> None:
    """A conversation as clients hold it, with calls of tools between."""
    turns: list[Any] = [
        {"role": "user", "content": "Who?"},
        {"role": "assistant", "content": None, "tool_calls": [{"id": "1"}]},
        ("ai", "Ada."),
    ]

    @instrument(tracer_provider=spans.provider)
    def answer(question: str) -> str:
        current_call().update(history=turns)
        return "1843"

    assert answer("When?") == "1843"
    assert history_of(spans.spans[0]) == [("user", "Who?"), ("assistant", "Ada.")]
    assert answer_of(spans.spans[0]) == "1843"


class Unhashable(type):
    """A class of such a class can not be looked up in a set, nor compared."""

    def __eq__(cls, other: object) -> bool:
        raise RuntimeError("eq")


class Odd(metaclass=Unhashable):
    pass


def test_an_object_of_a_hostile_class_passes(spans: CapturedSpans) -> None:
    """As an answer of every kind of function, as a passage and as what is told."""
    odd = Odd()
    decorated = instrument(tracer_provider=spans.provider)

    @decorated
    def plain(question: str) -> Any:
        current_call().update(tags={"a": odd}, history=odd)
        return odd

    @decorated
    async def coroutine(question: str) -> Any:
        return odd

    @decorated
    def stream(question: str) -> Iterator[Any]:
        yield odd

    assert plain("q") is odd
    assert asyncio.run(coroutine("q")) is odd
    assert next(stream("q")) is odd
    assert (
        decorated(lambda question: {"answer": "Ada", "contexts": [odd, {"text": odd}]})("q")["answer"]
        == "Ada"
    )
    assert len(spans.spans) == 4
    assert answer_of(spans.spans[-1]) == "Ada"
