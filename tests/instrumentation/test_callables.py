"""Same kind, same signature, same objects: what a decorated callable looks like from outside."""

from __future__ import annotations

import asyncio
import copy
import functools
import inspect
import types
import typing
from collections.abc import Callable
from typing import Any

import pytest

from groundwire.errors import ConfigError
from groundwire.instrumentation import call, instrument, retriever
from groundwire.testing import CapturedSpans
from instrumentation import kinds
from instrumentation.reading import answer_of, question_of

Check = Callable[[int], None]


def test_the_bare_decorator_returns_the_very_object(spans: CapturedSpans, harmless: Check) -> None:
    """A call returns the identical object that the function returned."""
    made = {"answer": "yes"}

    @instrument(tracer_provider=spans.provider)
    def answer(question: str) -> dict[str, str]:
        return made

    assert answer("Who?") is made
    harmless(1)


def test_a_coroutine_returns_the_very_object(spans: CapturedSpans, harmless: Check) -> None:
    """Awaiting a decorated coroutine function gives the identical object."""
    made = object()

    @instrument(tracer_provider=spans.provider)
    async def answer(question: str) -> object:
        return made

    assert asyncio.run(answer("Who?")) is made
    harmless(1)


@pytest.mark.parametrize("error", [ValueError("no"), KeyboardInterrupt(), SystemExit(3)])
def test_the_very_exception_passes(spans: CapturedSpans, harmless: Check, error: BaseException) -> None:
    """The identical exception object comes out, also one that is no Exception."""

    @instrument(tracer_provider=spans.provider)
    def answer(question: str) -> str:
        raise error

    with pytest.raises(type(error)) as caught:
        answer("Who?")
    assert caught.value is error
    assert spans.attributes()["error.type"] == type(error).__name__
    assert spans.spans[0].status.is_ok is not isinstance(error, Exception)
    harmless(1)


def test_the_function_runs_exactly_once_even_if_it_raises(spans: CapturedSpans) -> None:
    """Nothing re-runs the user's function."""
    runs = []

    @instrument(tracer_provider=spans.provider)
    def answer(question: str) -> str:
        runs.append(question)
        raise ValueError

    with pytest.raises(ValueError):
        answer("Who?")
    assert runs == ["Who?"]


@pytest.mark.parametrize(
    ("function", "test"),
    [
        (kinds.plain, inspect.isfunction),
        (kinds.coroutine, inspect.iscoroutinefunction),
        (kinds.generator, inspect.isgeneratorfunction),
        (kinds.async_generator, inspect.isasyncgenfunction),
    ],
)
def test_the_kind_is_kept(function: Any, test: Callable[[Any], bool]) -> None:
    """inspect sees the wrapper as what the function was, and as nothing else."""
    assert test(function)
    others = (inspect.iscoroutinefunction, inspect.isgeneratorfunction, inspect.isasyncgenfunction)
    assert sum(other(function) for other in others) == (0 if test is inspect.isfunction else 1)
    assert asyncio.iscoroutinefunction(function) is (test is inspect.iscoroutinefunction)


def test_what_generators_return_are_generators() -> None:
    """The object that a decorated generator function returns is a real generator."""
    assert inspect.isgenerator(kinds.generator("a"))
    stream = kinds.async_generator("a")
    assert inspect.isasyncgen(stream)
    asyncio.run(stream.aclose())


@pytest.mark.parametrize("name", ["plain", "coroutine", "generator", "async_generator"])
def test_signature_and_names_are_unchanged(name: str) -> None:
    """Signature, type hints, name, doc and module are the function's own."""
    function = getattr(kinds, name)
    raw = inspect.unwrap(function)
    assert inspect.signature(function) == inspect.signature(raw)
    assert typing.get_type_hints(function) == typing.get_type_hints(raw)
    assert (function.__name__, function.__doc__, function.__module__) == (name, raw.__doc__, kinds.__name__)


def test_a_wrong_call_fails_as_the_bare_function_does(spans: CapturedSpans) -> None:
    """Missing arguments raise TypeError at the same moment."""
    for name in ("plain", "generator", "async_generator"):
        with pytest.raises(TypeError):
            getattr(kinds, name)(not_a_parameter=1)


@pytest.mark.parametrize("method", ["method", "outer_static", "inner_static", "outer_class", "inner_class"])
def test_methods_of_every_kind(method: str) -> None:
    """Static and class methods work with the decorator on either side, on the class and on an instance."""
    assert getattr(kinds.Bot(), method)("hi").endswith("hi")
    if method != "method":
        assert getattr(kinds.Bot, method)("hi").endswith("hi")


def test_a_callable_object_stays_itself(spans: CapturedSpans, harmless: Check) -> None:
    """The proxy of a callable object keeps its class, attributes and state."""
    original = kinds.Callable_()
    proxy = instrument(tracer_provider=spans.provider)(original)
    assert proxy("Who?") == "Who?"
    assert isinstance(proxy, kinds.Callable_)
    assert proxy.calls == original.calls == 1
    assert question_of(spans.spans[0]) == "Who?"
    harmless(1)


def test_a_callable_object_with_async_call(spans: CapturedSpans, harmless: Check) -> None:
    """An object whose __call__ is a coroutine function is recorded over its await."""

    class Bot:
        async def __call__(self, question: str) -> str:
            await asyncio.sleep(0)
            return question.upper()

    bot = instrument(tracer_provider=spans.provider)(Bot())
    assert asyncio.run(bot("who?")) == "WHO?"
    assert answer_of(spans.spans[0]) == "WHO?"
    harmless(1)


def test_a_partial_of_a_coroutine_function(spans: CapturedSpans, harmless: Check) -> None:
    """A decorated partial is still a coroutine function to inspect, and recorded over its await."""

    async def answer(question: str, k: int) -> str:
        return f"{question}{k}"

    bound = instrument(tracer_provider=spans.provider)(functools.partial(answer, k=3))
    assert inspect.iscoroutinefunction(bound)
    assert asyncio.run(bound("Who?")) == "Who?3"
    assert spans.names() == ["invoke_workflow " + answer.__qualname__.rpartition("<locals>.")[2]]
    harmless(1)


def test_a_partialmethod(spans: CapturedSpans, harmless: Check) -> None:
    """A decorated partialmethod binds as before."""

    class Bot:
        def answer(self, question: str, k: int) -> str:
            return f"{question}{k}"

        three = instrument(tracer_provider=spans.provider)(functools.partialmethod(answer, k=3))

    assert Bot().three("Who?") == "Who?3"
    harmless(1)


def test_a_bound_method_and_a_cached_function(spans: CapturedSpans, harmless: Check) -> None:
    """Bound methods and lru_cache's objects are wrapped with their attributes."""

    class Bot:
        def answer(self, question: str) -> str:
            return question

    @instrument(tracer_provider=spans.provider)
    @functools.lru_cache
    def cached(question: str) -> str:
        return question

    assert instrument(tracer_provider=spans.provider)(Bot().answer)("Who?") == "Who?"
    assert (cached("a"), cached("a"), cached.cache_info().hits) == ("a", "a", 1)
    harmless(3)


def test_a_generator_that_is_a_coroutine(spans: CapturedSpans, harmless: Check) -> None:
    """Under ``types.coroutine`` a generator is awaited, and what it returns is the answer."""

    @instrument(tracer_provider=spans.provider)
    @types.coroutine
    def answer(question: str) -> Any:
        yield from asyncio.sleep(0).__await__()
        return "Ada"

    async def ask() -> Any:
        return await answer("Who?")

    assert asyncio.run(ask()) == "Ada"
    assert inspect.isgeneratorfunction(answer)
    assert answer_of(spans.spans[0]) == "Ada"
    harmless(1)


def test_a_sync_function_that_returns_a_coroutine(spans: CapturedSpans, harmless: Check) -> None:
    """The span of a plain function that returns a coroutine lasts until that is awaited."""

    async def inner(question: str) -> str:
        await asyncio.sleep(0)
        return question.upper()

    @instrument(tracer_provider=spans.provider)
    def answer(question: str) -> Any:
        return inner(question)

    assert asyncio.run(answer("who?")) == "WHO?"
    assert answer_of(spans.spans[0]) == "WHO?"
    harmless(1)


@pytest.mark.parametrize("thing", [3, "text", kinds.Bot, None.__class__])
def test_what_is_no_function_is_refused_while_decorating(thing: Any) -> None:
    """Classes and values can not be instrumented; the error says what was expected."""
    with pytest.raises(ConfigError, match="expected a function, a method or a callable object"):
        instrument()(thing)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"capture": "some"}, "full, hash or none"),
        ({"colour": 1}, "unknown option"),
        ({"colour": 1}, r"Leave it out"),
        ({"capure": "none"}, r"Did you mean 'capture'\?"),
        ({"redact": "faces"}, "option redact: .* expected .*email.* got 'faces'. Write redact="),
        ({"redact": 5}, "option redact .* got 5. Write redact='email,phone'"),
        ({"tags": 5}, r"option tags .* expected a mapping from text to text, got 5. Write tags=\{'team'"),
        ({"tags": {"a": 1}}, r"option tags .* got \{'a': 1\}"),
        ({"extract": 5}, "option extract .* expected a function .* got 5. Write extract=lambda"),
        ({"prompt_version": 7}, "option prompt_version .* expected text, got 7. Write prompt_version='…'"),
        ({"name": ""}, "option name .* got ''"),
        ({"offload": 1}, "option offload .* got 1"),
        ({"baggage": {"user": "subject"}}, "option baggage names no field .* Did you mean 'subject_id'"),
        ({"baggage": 3}, "option baggage .* got 3. Write baggage="),
        ({"tracer_provider": "global"}, "option tracer_provider .* expected a TracerProvider, got 'global'"),
        ({"question": 5}, "option question .* expected the name of a parameter, got 5"),
        ({"question": ["q"]}, r"option question .* got \['q'\]"),
        ({"question": "nope"}, "option question names no parameter .* expected one of .*, got 'nope'"),
        ({"contexts": "question_"}, r"@instrument on plain: .* Did you mean 'question'\?"),
        ({"conversation": "nope"}, "option conversation names no parameter"),
    ],
)
def test_wrong_options_are_refused_while_decorating(options: dict[str, Any], message: str) -> None:
    """A wrong option raises ConfigError at once, never in a call."""
    with pytest.raises(ConfigError, match=message):
        instrument(**options)(kinds.plain)


def test_parameters_that_can_not_be_known_are_not_checked(spans: CapturedSpans) -> None:
    """A function that takes any keyword may have a parameter of any name; a partial has lost some."""

    @instrument(question="ask", conversation="session", tracer_provider=spans.provider)
    def answer(**given: Any) -> str:
        return "yes"

    answer(ask="Who?", session="s")
    assert question_of(spans.spans[0]) == "Who?"
    assert spans.attributes()["gen_ai.conversation.id"] == "s"
    with pytest.raises(ConfigError, match="names no parameter"):
        instrument(question="question")(functools.partial(kinds.plain.__wrapped__, "Who?"))


@pytest.mark.parametrize("options", [{"tags": {"a": "b"}}, {"question": "nope"}, {"redact": iter(())}])
def test_wrong_options_of_a_retriever_are_refused(options: dict[str, Any]) -> None:
    """A retriever has fewer options; it says its own name."""
    with pytest.raises(ConfigError, match=r"^@retriever on search: "):
        retriever(**options)(kinds.search)


def test_a_block_is_not_stopped_by_a_wrong_option(spans: CapturedSpans) -> None:
    """call() runs its body whatever it was given; fields of a wrong type cost only themselves."""
    with call(5, question="Who?", tags=5, redact=3) as told:  # type: ignore[arg-type]
        told.set_answer("Ada.")
    with call("c", question="Who?", tags=5, tracer_provider=spans.provider) as told:
        told.set_answer("Ada.")
    assert answer_of(spans.spans[0]) == "Ada."


def test_copies_of_functions_and_objects_work() -> None:
    """copy and deepcopy give something that answers as before."""
    assert copy.deepcopy(kinds.plain) is kinds.plain
    assert copy.copy(kinds.bound_partial)("a") == copy.deepcopy(kinds.callable_object)("a3") == "a3"


def test_decorating_again_as_in_a_notebook(spans: CapturedSpans, harmless: Check) -> None:
    """Running a cell twice decorates a new function; decorating twice records two spans, one in the other."""

    def answer(question: str) -> str:
        return question

    once = instrument(tracer_provider=spans.provider)(answer)
    twice = instrument(tracer_provider=spans.provider)(once)
    assert twice("Who?") == "Who?"
    inner, outer = spans.spans
    assert inner.parent is not None
    assert outer.context is not None
    assert inner.parent.span_id == outer.context.span_id
    harmless(2)


def test_without_an_sdk_the_very_exception_passes() -> None:
    """With tracing off, too, the identical exception comes out, of every kind of function."""
    error = ValueError("no")

    @instrument
    def plain(question: str) -> str:
        raise error

    @instrument
    async def coroutine(question: str) -> str:
        raise error

    @instrument
    def generator(question: str) -> Any:
        yield "a"
        raise error

    for run in (lambda: plain("q"), lambda: asyncio.run(coroutine("q")), lambda: list(generator("q"))):
        with pytest.raises(ValueError) as caught:
            run()
        assert caught.value is error
