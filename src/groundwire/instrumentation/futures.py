"""Futures and tasks that a function returns: the same object goes on, and its span ends when it is done."""

from __future__ import annotations

import sys
from typing import Any

from groundwire import semconv
from groundwire.instrumentation.losses import count_loss
from groundwire.instrumentation.recording import RecordedCall, Recording


def is_future(kind: type) -> bool:
    """Whether instances are futures of asyncio (tasks too) or of concurrent.futures."""
    if hasattr(kind, "_asyncio_future_blocking"):
        return True
    module = sys.modules.get("concurrent.futures")
    return module is not None and issubclass(kind, module.Future)


def follow_future(recording: Recording | RecordedCall, future: Any) -> None:
    """End the recording with what ``future`` comes to; abandoned, if it is let go of before."""
    ending = _Ending(recording)
    try:
        if future.done():
            ending(future)
        else:
            future.add_done_callback(ending)
    except Exception as cause:  # noqa: BLE001 - another kind of future
        count_loss("read", cause)
        recording.finish(None)


class _Ending:
    """Held by the future alone, so that both go together."""

    __slots__ = ("_recording",)

    def __init__(self, recording: Recording | RecordedCall) -> None:
        self._recording: Recording | RecordedCall | None = recording

    def __call__(self, future: Any) -> None:
        recording, self._recording = self._recording, None  # a future may keep its callbacks
        if recording is None:
            return
        try:
            error = _error_of(future)
            result = None if error is not None else future.result()
        except Exception as cause:  # noqa: BLE001 - never into the user's event loop
            count_loss("read", cause)
            error = result = None
        if error is None:
            recording.finish(result)
        else:
            recording.fail(error)

    def __del__(self) -> None:
        try:
            if self._recording is not None:
                self._recording.finish_stream({}, None, "abandoned", {semconv.STREAM_END: "abandoned"})
        except Exception:  # noqa: BLE001 - the interpreter may be half gone
            pass


def _error_of(future: Any) -> BaseException | None:
    """Return the error; asking asyncio's futures in public would silence "exception was never retrieved"."""
    if future.cancelled():
        from asyncio import CancelledError

        return CancelledError()
    error: Any = getattr(future, "_exception", _UNKNOWN)
    found: BaseException | None = future.exception() if error is _UNKNOWN else error
    return found


_UNKNOWN = object()
