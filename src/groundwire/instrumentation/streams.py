"""Drives a stream: its span is current only while its body runs.

The drivers are real generators around the user's, so that ``send``, ``throw``, ``close`` and the return value
pass through. Span and call are attached around each step alone; between steps the consumer's context is
untouched, and no token ever crosses a context. What the body itself makes current (a span of its own around a
``yield``) is current again in its next step.
"""

from __future__ import annotations

import sys
import weakref
from collections.abc import AsyncGenerator, Generator
from functools import partial
from itertools import repeat
from time import perf_counter
from typing import Any

from groundwire.instrumentation.context import get_current
from groundwire.instrumentation.following import Following
from groundwire.instrumentation.losses import count_loss
from groundwire.instrumentation.recording import AnswerSite


def start_generator(site: AnswerSite, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """Call a generator function and return a generator that is followed."""
    inner = site.function(*args, **kwargs)
    if is_idle(site):
        return inner
    return named_after(inner, follow_generator, Following(site, args, kwargs))


def start_async_generator(site: AnswerSite, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """Call an async generator function and return an async generator that is followed."""
    inner = site.function(*args, **kwargs)
    if is_idle(site):
        return inner
    return named_after(inner, follow_async_generator, Following(site, args, kwargs))


def is_idle(site: AnswerSite) -> bool:
    """Whether there is no SDK; the call is counted all the same."""
    try:
        if site.tracer() is not None:
            return False
    except Exception as cause:  # noqa: BLE001 - never into the user's call
        count_loss("begin", cause)
    site.skip()
    return True


def named_after(inner: Any, driver: Any, following: Following) -> Any:
    """Start ``driver`` on ``inner``, let it look like ``inner``, and note who consumes it."""
    outer = driver(following, inner)
    outer.__name__, outer.__qualname__ = inner.__name__, inner.__qualname__
    following.consumer = weakref.ref(outer, following.drop if following.recording is not None else None)
    return outer


def follow_generator(following: Following, inner: Generator[Any, Any, Any]) -> Generator[Any, Any, Any]:
    """Drive ``inner`` step by step, each step under its span."""
    attach, reset = following.open()
    context, append = following.context, following.buffer.parts.append
    wait, left = following.wait, following.left
    send: Any = inner.send
    resume, sent = send, None
    unseen = 1
    while True:
        for _ in repeat(None, unseen):
            wait += perf_counter() - left
            token = attach(context)
            try:
                item = resume(sent)
            except BaseException as error:
                sent = item = None  # an error that is kept keeps this frame
                del append
                following.finish(token, wait, error)
                if isinstance(error, StopIteration):
                    return error.value
                raise
            context = get_current()
            try:
                reset(token)
            except ValueError:
                pass
            left = perf_counter()
            append(item)
            try:
                sent = yield item
                resume = send
            except GeneratorExit as error:
                following.note(context, wait, left)
                return (yield from _close_inner(following, inner, error))
            except BaseException as error:  # noqa: BLE001 - it belongs to the body
                resume, sent = inner.throw, error
        unseen = following.advance(item, wait, left)


def _close_inner(
    following: Following, inner: Generator[Any, Any, Any], error: GeneratorExit
) -> Generator[Any, Any, Any]:
    """Pass on a GeneratorExit, which may come from ``close`` or from ``throw``, and end the span."""
    token = following.enter()
    try:
        item = inner.throw(error)
    except StopIteration as stop:
        following.leave(token)
        following.close()
        return stop.value
    except BaseException as raised:
        following.leave(token)
        following.stop(raised)
        raise
    finally:
        del error  # it would hold itself through its traceback, and the last chunk with it
    following.leave(token)
    following.close()
    yield item  # the body goes on all the same: no longer our concern
    return (yield from inner)


async def follow_async_generator(
    following: Following, inner: AsyncGenerator[Any, Any]
) -> AsyncGenerator[Any, Any]:
    """Drive the async generator ``inner`` step by step, each step under its span."""
    attach, reset = following.open()
    context, append = following.context, following.buffer.parts.append
    wait, left = following.wait, following.left
    asend: Any = inner.asend
    sent: Any = None
    resume: Any = partial(_first_step, inner)
    unseen = 1
    while True:
        for _ in repeat(None, unseen):
            wait += perf_counter() - left
            token = attach(context)
            try:
                item = await resume(sent)
            except BaseException as error:
                sent = item = None  # an error that is kept keeps this frame
                del append
                following.finish(token, wait, error)
                if isinstance(error, StopAsyncIteration):
                    return
                raise
            context = get_current()
            try:
                reset(token)
            except ValueError:
                pass
            left = perf_counter()
            append(item)
            try:
                sent = yield item
                resume = asend
            except GeneratorExit as error:
                following.note(context, wait, left)
                resume, sent = partial(_close_async_inner, following, inner), error
                attach = reset = append = _nothing  # if the body goes on all the same: not our concern
            except BaseException as error:  # noqa: BLE001 - it belongs to the body
                resume, sent = inner.athrow, error
        unseen = following.advance(item, wait, left)


def _first_step(inner: AsyncGenerator[Any, Any], sent: Any) -> Any:
    """Begin ``inner`` unseen by the event loop, which would close it beside its driver when it shuts down."""
    hooks = sys.get_asyncgen_hooks()
    sys.set_asyncgen_hooks(firstiter=None)
    try:
        return inner.asend(sent)
    finally:
        sys.set_asyncgen_hooks(firstiter=hooks.firstiter)


async def _close_async_inner(
    following: Following, inner: AsyncGenerator[Any, Any], error: GeneratorExit
) -> Any:
    """Pass on a GeneratorExit, which may come from ``aclose`` or from ``athrow``, and end the span."""
    token = following.enter()
    try:
        item = await inner.athrow(error)
    except BaseException as raised:
        following.leave(token)
        if isinstance(raised, StopAsyncIteration):
            following.close()
        else:
            following.stop(raised)
        raise
    finally:
        del error  # it would hold itself through its traceback, and the last chunk with it
    following.leave(token)
    following.close()
    return item


def _nothing(_: Any) -> None:
    """Stand in for what is done around each step."""
