"""Transparent stand-ins, where an object (not a function) has to be wrapped: streams and callable objects.

``isinstance``, attributes and the object's own methods see the original.
"""

from __future__ import annotations

from typing import Any

import wrapt

from groundwire.instrumentation.following import Following
from groundwire.instrumentation.returned import iterates


class StreamProxy(wrapt.ObjectProxy):  # type: ignore[type-arg]
    """An iterator or async iterator of a client, followed; also its context manager and ``close``."""

    def __init__(self, wrapped: Any, following: Following, owner: StreamProxy | None = None) -> None:
        super().__init__(wrapped)
        self._self_following = following
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
        result = self.__wrapped__.close(*args, **kwargs)
        if hasattr(result, "__await__"):
            return self._self_finish(result)
        self._self_following.end("closed")
        return result

    async def _self_finish(self, closing: Any) -> Any:
        try:
            return await closing
        finally:
            self._self_following.end("closed")

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
        if error is None:
            self._self_following.end("closed")
        else:
            self._self_following.stop(error)

    def __getattr__(self, name: str) -> Any:
        value = super().__getattr__(name)
        if name == "text_stream":
            return StreamProxy(value, self._self_following, owner=self)
        return value

    def __del__(self) -> None:
        try:
            if self._self_owner is None:
                self._self_following.end("abandoned")
        except Exception:  # noqa: BLE001 - the interpreter may be half gone
            pass

    def __reduce_ex__(self, protocol: Any) -> Any:
        return self.__wrapped__.__reduce_ex__(protocol)
