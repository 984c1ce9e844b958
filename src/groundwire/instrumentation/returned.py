"""Streams and futures that a function *returns*: told from values, and followed as if its own body."""

from __future__ import annotations

import io
import sys
from inspect import CO_ITERABLE_COROUTINE
from types import AsyncGeneratorType, CoroutineType, GeneratorType
from typing import TYPE_CHECKING, Any, Final

from groundwire.instrumentation.context import attach, restore
from groundwire.instrumentation.late import futures, streams
from groundwire.instrumentation.losses import count_loss
from groundwire.instrumentation.recording import RecordedCall, Recording

if TYPE_CHECKING:
    from groundwire.instrumentation.following import Following

_VALUES: Final = frozenset((dict, str, list, tuple, type(None), int, float, bool, bytes, set, frozenset))
"""Types that are never streams; looked at first, since nearly every answer is one of them."""

_BODIES: Final = ("body_iterator", "response_gen")
"""Where response objects hold the stream: Starlette's and its kin; LlamaIndex's."""
_NATIVE: Final = (GeneratorType, AsyncGeneratorType, CoroutineType)


def is_stream(result: Any) -> bool:
    """Whether ``result`` is still to come: a generator, a coroutine, an iterator, a streaming response, a
    future."""
    kind = type(result)
    try:
        if kind in _VALUES:
            return False
        if kind in _NATIVE:
            return True
        if issubclass(kind, io.IOBase) or _is_mock(kind):
            return False
        return iterates(kind) or _body_of(result) is not None or _is_manager(kind) or futures.is_future(kind)
    except Exception:  # noqa: BLE001 - a class that defies introspection is no stream
        return False


def _is_mock(kind: type) -> bool:
    """Whether it is a mock of the standard library, which has every method that anything has."""
    module = sys.modules.get("unittest.mock")
    return module is not None and issubclass(kind, module.NonCallableMock)


def iterates(kind: type) -> bool:
    """Whether instances are iterators, or can only be iterated asynchronously.

    A mere iterable is a value, as a list is.
    """
    if hasattr(kind, "__next__") or hasattr(kind, "__anext__"):
        return True
    return hasattr(kind, "__aiter__") and not hasattr(kind, "__iter__")


def _body_of(result: Any) -> str | None:
    """Return under which name a response object holds its stream; None: it is no such object."""
    try:
        held = object.__getattribute__(result, "__dict__")
    except Exception:  # noqa: BLE001 - no plain instance dictionary: no response
        return None
    return next((name for name in _BODIES if iterates(type(held.get(name)))), None)


def _is_manager(kind: type) -> bool:
    """Whether it is a client's stream manager: a context manager whose ``with`` gives the stream."""
    return "stream" in kind.__name__.lower() and (hasattr(kind, "__enter__") or hasattr(kind, "__aenter__"))


def follow_result(recording: Recording | RecordedCall, result: Any) -> Any:
    """Return the stream ``result``, followed; a response object is returned itself, its body followed, and so
    is a future."""
    if type(result) is CoroutineType or is_generator_coroutine(result):
        return _finish_coroutine(recording, result)
    if futures.is_future(type(result)):
        futures.follow_future(recording, result)
        return result
    try:
        body = _body_of(result)
        following = streams.Following.of(recording)
        if body is None or iterates(type(result)):
            return _followed(result, following)
        following.hear(result)
        setattr(result, body, _followed(getattr(result, body), following))
    except Exception as cause:  # noqa: BLE001 - never into the user's call; the stream runs bare
        count_loss("read", cause)
        recording.finish(None)
    return result


def is_generator_coroutine(result: Any) -> bool:
    """Whether it is what a generator under ``types.coroutine`` gives: awaited, and no stream."""
    return type(result) is GeneratorType and bool(result.gi_code.co_flags & CO_ITERABLE_COROUTINE)


def _followed(stream: Any, following: Following) -> Any:
    if type(stream) is GeneratorType:
        return streams.named_after(stream, streams.follow_generator, following)
    if type(stream) is AsyncGeneratorType:
        return streams.named_after(stream, streams.follow_async_generator, following)
    from groundwire.instrumentation.proxies import stand_in

    return stand_in(stream, following)


async def _finish_coroutine(recording: Recording | RecordedCall, coroutine: Any) -> Any:
    token = attach(recording.context)
    try:
        result = await coroutine
    except BaseException as error:
        restore(token)
        recording.fail(error)
        raise
    restore(token)
    if is_stream(result):
        return follow_result(recording, result)
    recording.finish(result)
    return result
