"""``@instrument``: wraps each kind of callable in its own kind, and runs it under a recording.

The wrappers themselves are as thin as can be: whatever they use lies in their closure (a picklable
:class:`Site`) or is an importable function, so that cloudpickle carries the decoration anywhere.
"""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Iterable, Mapping
from types import FunctionType
from typing import TYPE_CHECKING, Any, TypeVar, overload

from opentelemetry.trace import TracerProvider

from groundwire.errors import ConfigError
from groundwire.instrumentation.context import restore
from groundwire.instrumentation.late import streams
from groundwire.instrumentation.policy import Capture, Extract, Redact
from groundwire.instrumentation.recording import AnswerSite
from groundwire.instrumentation.returned import follow_result, is_stream

if TYPE_CHECKING:
    AnyCallable = Callable[..., Any] | classmethod[Any, Any, Any] | staticmethod[Any, Any]

F = TypeVar("F", bound="AnyCallable")


@overload
def instrument(function: F, /) -> F: ...


@overload
def instrument(
    *,
    name: str | None = None,
    question: str | None = None,
    contexts: str | None = None,
    capture: Capture | None = None,
    redact: Redact = None,
    extract: Extract | None = None,
    tags: Mapping[str, str] | None = None,
    prompt_id: str | None = None,
    prompt_version: str | None = None,
    index_version: str | None = None,
    tenant: str | None = None,
    conversation: str | None = None,
    baggage: Mapping[str, str] | Iterable[str] | None = None,
    offload: str | None = None,
    tracer_provider: TracerProvider | None = None,
) -> Callable[[F], F]: ...


def instrument(function: Any = None, /, **options: Any) -> Any:
    """Record every call of a RAG function as a span with question, answer, contexts, citations and usage.

    Use it bare (``@instrument``) or with options. The result is of the same kind as the function (sync,
    async, generator, async generator, method of any kind, callable object, partial), with the same
    signature, and returns and raises the very same objects; without a tracing SDK next to nothing happens.

    ``name``: the span's name (default: the qualified name). ``question``, ``contexts``: names of the
    parameters that hold them, where the usual names don't fit. ``capture``: ``full`` (default), ``hash`` or
    ``none``; the environment can only make it stricter. ``redact``: kinds of personal data
    (``"secrets,cards,email,phone"``, or True for all) or a function from text to text. ``extract(arguments,
    result)`` returns record fields that win over what was read; a stream passes its list of chunks.
    ``tags``, ``prompt_id``, ``prompt_version``, ``index_version``, ``tenant``: constants of the record.
    ``conversation``: the parameter that holds the conversation's id. ``baggage``: baggage keys to read into
    tags, or a mapping from key to record field. ``offload``: an fsspec URL or folder for the content.
    ``tracer_provider``: another than the global one.

    Raises ConfigError while decorating if an option can not be right; never from a call.

    >>> @instrument
    ... def answer(question: str) -> dict:
    ...     return {"answer": "Ada.", "contexts": ["Ada wrote it."]}
    >>> answer("Who wrote it?")["answer"]
    'Ada.'
    """
    if function is None:
        return functools.partial(wrap_any, sort=AnswerSite, options=options)
    return wrap_any(function, AnswerSite, options)


def wrap_any(function: Any, sort: type[AnswerSite], options: dict[str, Any]) -> Any:
    """Wrap a callable of any kind as a site of the given sort. Raises ConfigError if it can not be."""
    if issubclass(type(function), (classmethod, staticmethod)):  # a proxy of one only claims to be one
        return type(function)(wrap_any(function.__func__, sort, options))
    if issubclass(type(function), functools.partialmethod):
        inner = wrap_any(function.func, sort, options)
        return functools.partialmethod(inner, *function.args, **function.keywords)
    if type(function) is FunctionType:
        return wrap_function(sort(function, options))
    if isinstance(function, type) or not callable(function):
        raise ConfigError(
            "can not be instrumented",
            where="@instrument",
            expected="a function, a method or a callable object",
            got=f"the class {function.__name__}" if isinstance(function, type) else type(function).__name__,
            mend="Decorate the method that answers.",
        )
    from groundwire.instrumentation.objects import wrap_object

    return wrap_object(sort(function, options))


def wrap_function(site: AnswerSite) -> Any:
    """Return a function of the same kind as the site's, that records its calls."""
    return functools.update_wrapper(wrapper_of(site, site.function), site.function)


def wrapper_of(site: AnswerSite, like: Any) -> Any:
    """Return a bare wrapper around the site's function, of the kind of ``like``."""
    if inspect.iscoroutinefunction(like):
        return _coroutine_function(site)
    if inspect.isasyncgenfunction(like):
        return _flagged(_async_generator_function(site), inspect.CO_ASYNC_GENERATOR)
    code = getattr(like, "__code__", None)  # a partial has none
    if code is not None and code.co_flags & inspect.CO_ITERABLE_COROUTINE:
        return _flagged(_plain_function(site), inspect.CO_GENERATOR | inspect.CO_ITERABLE_COROUTINE)
    if inspect.isgeneratorfunction(like):
        return _flagged(_generator_function(site), inspect.CO_GENERATOR)
    return _plain_function(site)


def _plain_function(site: AnswerSite) -> Any:
    def wrapper(*args: Any, **kwargs: Any) -> Any:
        recording = site.enter(args, kwargs)
        if recording is None:
            return site.function(*args, **kwargs)
        try:
            result = site.function(*args, **kwargs)
        except BaseException as error:
            restore(recording.token)
            recording.fail(error)
            raise
        restore(recording.token)
        if type(result) is not dict and type(result) is not str and is_stream(result):
            return follow_result(recording, result)
        recording.finish(result)
        return result

    return wrapper


def _coroutine_function(site: AnswerSite) -> Any:
    async def wrapper(*args: Any, **kwargs: Any) -> Any:
        recording = site.enter(args, kwargs)
        if recording is None:
            return await site.function(*args, **kwargs)
        try:
            result = await site.function(*args, **kwargs)
        except BaseException as error:
            restore(recording.token)
            recording.fail(error)
            raise
        restore(recording.token)
        if type(result) is not dict and type(result) is not str and is_stream(result):
            return follow_result(recording, result)
        recording.finish(result)
        return result

    return wrapper


def _generator_function(site: AnswerSite) -> Any:
    def wrapper(*args: Any, **kwargs: Any) -> Any:
        return streams.start_generator(site, args, kwargs)

    return wrapper


def _async_generator_function(site: AnswerSite) -> Any:
    def wrapper(*args: Any, **kwargs: Any) -> Any:
        return streams.start_async_generator(site, args, kwargs)

    return wrapper


def _flagged(function: Any, flag: int) -> Any:
    """Mark a function that returns a generator as a generator function, for ``inspect`` and frameworks.

    The wrapper has to make the generator itself (instead of being one), since only so can it hold a weak
    reference to it, and only so can *closed* be told from *abandoned*.
    """
    code = function.__code__.replace(co_flags=function.__code__.co_flags | flag)
    return FunctionType(code, function.__globals__, function.__name__, None, function.__closure__)
