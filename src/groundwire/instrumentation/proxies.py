"""Transparent stand-ins, where an object (not a function) has to be wrapped: streams and callable objects.

``isinstance``, attributes and the object's own methods see the original. A stand-in has just those of the
methods that a server or a framework looks for (``__aiter__``, ``close``, …) which the original has.
"""

from __future__ import annotations

import functools
from typing import Any, Final

import wrapt

from groundwire.instrumentation.following import Following
from groundwire.instrumentation.returned import iterates

_WHOLE: Final = "get_final_"
"""How clients name the methods that wait for the whole answer: ``get_final_message``, ``…_completion``."""
_SNAPSHOTS: Final = ("current_message_snapshot", "current_completion_snapshot")
"""What Anthropic's and OpenAI's streams have put together so far; raises before the first event."""


def _snapshot_of(stream: Any) -> Any:
    for name in _SNAPSHOTS:
        try:
            return getattr(stream, name)
        except Exception:  # noqa: BLE001 - none yet, or another client's
            continue
    return None


_BASE: Any = getattr(wrapt, "BaseObjectProxy", wrapt.ObjectProxy)  # the base has no __iter__ of its own


class StreamProxy(_BASE):  # type: ignore[misc]
    """A stream of a client, followed; what it has of :class:`_Protocols` is added by :func:`stand_in`."""

    def __init__(self, wrapped: Any, following: Following, owner: StreamProxy | None = None) -> None:
        super().__init__(wrapped)
        self._self_following = following
        if hasattr(type(wrapped), _SNAPSHOTS[0]) or hasattr(type(wrapped), _SNAPSHOTS[1]):
            following.source = functools.partial(_snapshot_of, wrapped)
        self._self_owner = owner  # the stream that this is a part of; only an owner's end is the stream's

    def _self_step(self, action: Any) -> Any:
        following = self._self_following
        token = following.enter()
        try:
            item = action()
        except BaseException as error:
            following.leave(token)
            following.stop(error)
            raise
        following.settle(token, item)
        return item

    async def _self_finish(self, closing: Any) -> Any:
        try:
            result = await closing
        except BaseException as error:
            self._self_following.stop(error)
            raise
        self._self_following.end("closed")
        return result

    def _self_part(self, inner: Any) -> Any:
        """Follow what the stream gives out of itself: its iterator, what its ``with`` enters."""
        if inner is self.__wrapped__:
            return self
        if iterates(type(inner)):
            return stand_in(inner, self._self_following, owner=self)
        return inner

    def _self_exited(self, error: BaseException | None) -> None:
        """End the span; an exception here is the consumer's: one of the stream's has ended it already."""
        if error is None or isinstance(error, Exception):
            self._self_following.end("closed")
        else:
            self._self_following.stop(error)

    def __getattr__(self, name: str) -> Any:
        value = super().__getattr__(name)
        if name == "text_stream":
            return stand_in(value, self._self_following, owner=self)
        if name.startswith(_WHOLE) and callable(value):
            return functools.partial(self._self_whole, value)
        return value

    def _self_whole(self, method: Any, *args: Any, **kwargs: Any) -> Any:
        """Let the stream run to its end by itself, and take what it gives as what it said."""
        result = self._self_run(functools.partial(method, *args, **kwargs))
        if hasattr(type(result), "__await__"):
            return self._self_awaited_whole(result)
        self._self_following.hear(result)
        return result

    async def _self_awaited_whole(self, coming: Any) -> Any:
        result = await self._self_await(coming)
        self._self_following.hear(result)
        return result

    def _self_run(self, action: Any) -> Any:
        """Run what is no step (entering sends the request of a stream manager) under the span."""
        following = self._self_following
        token = following.enter()
        try:
            result = action()
        except BaseException as error:
            following.leave(token)
            following.stop(error)
            raise
        following.leave(token)
        return result

    async def _self_await(self, coming: Any) -> Any:
        following = self._self_following
        token = following.enter()
        try:
            result = await coming
        except BaseException as error:
            following.leave(token)
            following.stop(error)
            raise
        following.leave(token)
        return result

    def __del__(self) -> None:
        try:
            if self._self_owner is None:
                self._self_following.end("abandoned")
        except Exception:  # noqa: BLE001 - the interpreter may be half gone
            pass

    def __reduce_ex__(self, protocol: Any) -> Any:
        return self.__wrapped__.__reduce_ex__(protocol)


class _Protocols:
    """The methods of iterators, generators and context managers, each for stand-ins of what has it."""

    def __iter__(self: Any) -> Any:
        return self._self_part(iter(self.__wrapped__))

    def __next__(self: Any) -> Any:
        return self._self_step(self.__wrapped__.__next__)

    def send(self: Any, value: Any) -> Any:
        """Resume the stream with a value."""
        return self._self_step(lambda: self.__wrapped__.send(value))

    def throw(self: Any, *error: Any) -> Any:
        """Raise an error inside the stream."""
        return self._self_step(lambda: self.__wrapped__.throw(*error))

    def __aiter__(self: Any) -> Any:
        return self._self_part(self.__wrapped__.__aiter__())

    async def __anext__(self: Any) -> Any:
        following = self._self_following
        token = following.enter()
        try:
            item = await self.__wrapped__.__anext__()
        except BaseException as error:
            following.leave(token)
            following.stop(error)
            raise
        following.settle(token, item)
        return item

    def close(self: Any, *args: Any, **kwargs: Any) -> Any:
        """Close the stream and end its span."""
        try:
            result = self.__wrapped__.close(*args, **kwargs)
        except BaseException as error:
            self._self_following.stop(error)
            raise
        if hasattr(result, "__await__"):
            return self._self_finish(result)
        self._self_following.end("closed")
        return result

    def aclose(self: Any) -> Any:
        """Close the stream and end its span."""
        return self._self_finish(self.__wrapped__.aclose())

    def __enter__(self: Any) -> Any:
        return self._self_part(self._self_run(self.__wrapped__.__enter__))

    async def __aenter__(self: Any) -> Any:
        return self._self_part(await self._self_await(self.__wrapped__.__aenter__()))

    def __exit__(self: Any, kind: Any, error: Any, trace: Any) -> Any:
        try:
            return self.__wrapped__.__exit__(kind, error, trace)
        finally:
            self._self_exited(error)

    async def __aexit__(self: Any, kind: Any, error: Any, trace: Any) -> Any:
        try:
            return await self.__wrapped__.__aexit__(kind, error, trace)
        finally:
            self._self_exited(error)


_NAMES: Final = tuple(name for name, method in vars(_Protocols).items() if callable(method))


def stand_in(stream: Any, following: Following, owner: StreamProxy | None = None) -> StreamProxy:
    """Return a stand-in for ``stream``; ``owner``: the stand-in that it came out of."""
    kind = type(stream)
    return _class_with(tuple(name for name in _NAMES if hasattr(kind, name)))(stream, following, owner)


@functools.cache
def _class_with(names: tuple[str, ...]) -> type[StreamProxy]:
    return type("StreamProxy", (StreamProxy,), {name: vars(_Protocols)[name] for name in names})
