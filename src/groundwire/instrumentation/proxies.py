"""Transparent stand-ins, where an object (not a function) has to be wrapped: streams and callable objects.

``isinstance``, attributes and the object's own methods see the original.
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


class StreamProxy(wrapt.ObjectProxy):  # type: ignore[type-arg]
    """An iterator or async iterator of a client, followed; also its context manager and ``close``."""

    def __init__(self, wrapped: Any, following: Following, owner: StreamProxy | None = None) -> None:
        super().__init__(wrapped)
        self._self_following = following
        if hasattr(type(wrapped), _SNAPSHOTS[0]) or hasattr(type(wrapped), _SNAPSHOTS[1]):
            following.source = functools.partial(_snapshot_of, wrapped)
        self._self_owner = owner  # the stream that this is a part of; only an owner's end is the stream's

    def __iter__(self) -> Any:
        return self._self_part(iter(self.__wrapped__))

    def __next__(self) -> Any:
        return self._self_step(self.__wrapped__.__next__)

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

    def send(self, value: Any) -> Any:
        """Resume the stream with a value."""
        return self._self_step(lambda: self.__wrapped__.send(value))

    def throw(self, *error: Any) -> Any:
        """Raise an error inside the stream."""
        return self._self_step(lambda: self.__wrapped__.throw(*error))

    def __aiter__(self) -> Any:
        return self._self_part(self.__wrapped__.__aiter__())

    async def __anext__(self) -> Any:
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

    def close(self, *args: Any, **kwargs: Any) -> Any:
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

    async def _self_finish(self, closing: Any) -> Any:
        try:
            result = await closing
        except BaseException as error:
            self._self_following.stop(error)
            raise
        self._self_following.end("closed")
        return result

    def aclose(self) -> Any:
        """Close the stream and end its span."""
        return self._self_finish(self.__wrapped__.aclose())

    def __enter__(self) -> Any:
        return self._self_part(self.__wrapped__.__enter__())

    async def __aenter__(self) -> Any:
        return self._self_part(await self.__wrapped__.__aenter__())

    def _self_part(self, inner: Any) -> Any:
        """Follow what the stream gives out of itself: its iterator, what its ``with`` enters."""
        if inner is self.__wrapped__:
            return self
        if iterates(type(inner)):
            return StreamProxy(inner, self._self_following, owner=self)
        return inner

    def __exit__(self, kind: Any, error: Any, trace: Any) -> Any:
        try:
            return self.__wrapped__.__exit__(kind, error, trace)
        finally:
            self._self_exited(error)

    async def __aexit__(self, kind: Any, error: Any, trace: Any) -> Any:
        try:
            return await self.__wrapped__.__aexit__(kind, error, trace)
        finally:
            self._self_exited(error)

    def _self_exited(self, error: BaseException | None) -> None:
        """End the span; an exception here is the consumer's: one of the stream's has ended it already."""
        if error is None or isinstance(error, Exception):
            self._self_following.end("closed")
        else:
            self._self_following.stop(error)

    def __getattr__(self, name: str) -> Any:
        value = super().__getattr__(name)
        if name == "text_stream":
            return StreamProxy(value, self._self_following, owner=self)
        if name.startswith(_WHOLE) and callable(value):
            return functools.partial(self._self_whole, value)
        return value

    def _self_whole(self, method: Any, *args: Any, **kwargs: Any) -> Any:
        """Let the stream run to its end by itself, and take what it gives as what it said."""
        following = self._self_following
        token = following.enter()
        try:
            result = method(*args, **kwargs)
        except BaseException as error:
            following.leave(token)
            following.stop(error)
            raise
        following.leave(token)
        if hasattr(type(result), "__await__"):
            return self._self_awaited_whole(result)
        following.hear(result)
        return result

    async def _self_awaited_whole(self, coming: Any) -> Any:
        following = self._self_following
        token = following.enter()
        try:
            result = await coming
        except BaseException as error:
            following.leave(token)
            following.stop(error)
            raise
        following.leave(token)
        following.hear(result)
        return result

    def __del__(self) -> None:
        try:
            if self._self_owner is None:
                self._self_following.end("abandoned")
        except Exception:  # noqa: BLE001 - the interpreter may be half gone
            pass

    def __reduce_ex__(self, protocol: Any) -> Any:
        return self.__wrapped__.__reduce_ex__(protocol)
