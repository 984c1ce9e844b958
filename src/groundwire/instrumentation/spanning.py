"""``with groundwire.call(...)``: a recording where a decorator does not fit."""

from __future__ import annotations

from typing import Any

from groundwire.instrumentation.calls import NO_CALL, Call
from groundwire.instrumentation.context import attach, restore
from groundwire.instrumentation.losses import count_loss
from groundwire.instrumentation.options import RETRIEVER_OPTIONS
from groundwire.instrumentation.recording import AnswerSite, RecordedCall, Recording

_MAX_SITES = 256
_sites: dict[Any, AnswerSite] = {}


class CallSpan:
    """The context manager that :func:`call` returns; also usable with ``async with``."""

    __slots__ = ("_fields", "_options", "_recording", "_token")

    def __init__(self, options: dict[str, Any], fields: dict[str, Any]) -> None:
        self._options, self._fields = options, fields
        self._recording: Recording | RecordedCall | None = None
        self._token: Any = None

    def __enter__(self) -> Call:
        recording = self._recording = _site_of(self._options).begin((), {})
        if recording is None:
            return NO_CALL
        self._token = attach(recording.context)
        if not isinstance(recording, RecordedCall):
            return NO_CALL
        recording.update(**self._fields)
        return recording

    def __exit__(self, kind: Any, error: BaseException | None, trace: Any) -> None:
        recording = self._recording
        if recording is None:
            return
        restore(self._token)
        if error is None:
            recording.finish(None)
        else:
            recording.fail(error)

    async def __aenter__(self) -> Call:
        return self.__enter__()

    async def __aexit__(self, kind: Any, error: BaseException | None, trace: Any) -> None:
        self.__exit__(kind, error, trace)


def call(name: str = "call", **options_and_fields: Any) -> CallSpan:
    """Record the body of a ``with`` block as one answer, told piece by piece.

    ``name``: the span's name. Further arguments are options of :func:`instrument` (``capture``, ``redact``,
    ``offload``, ``tracer_provider``, …) or fields of the record (``question``, ``answer``, ``contexts``,
    …). Works with ``async with`` too.

    >>> with call(question="Who wrote it?") as answer:
    ...     answer.set_answer("Ada.")
    ...     answer.add_contexts(["Ada wrote it."])
    """
    given = dict(options_and_fields)
    options = {key: given.pop(key) for key in _OPTIONS & given.keys()}
    return CallSpan({"name": str(name) or "call", **options}, given)


_OPTIONS = (RETRIEVER_OPTIONS - {"name", "question"}) | {"baggage", "offload"}


def _body() -> None:
    """Stand in for the function of a site that has none."""


def _site_of(options: dict[str, Any]) -> AnswerSite:
    key = options["name"] if len(options) == 1 else None
    try:
        site = _sites.get(key) if key is not None else None
        if site is None:
            site = AnswerSite(_body, options)
            if key is not None and len(_sites) < _MAX_SITES:
                _sites[key] = site
        return site
    except Exception as cause:  # noqa: BLE001 - a wrong option must not stop the body
        count_loss("begin", cause)
        return AnswerSite(_body, {"name": "call", "capture": "none"})
