"""Keeps a stream's chunks until its end, under a cap; nothing of content where none is captured."""

from __future__ import annotations

from collections import deque
from typing import Any, Final

from groundwire.instrumentation.late import shapes
from groundwire.instrumentation.policy import Policy
from groundwire.instrumentation.quick import read_quickly

MAX_OBJECTS: Final = 50_000
"""How many chunks that are not text are kept; of more, only the last few (they hold the usage)."""
_EDGE: Final = 4


class ChunkBuffer:
    """Collects chunks. Text beyond the span's size budget is counted and dropped."""

    __slots__ = ("_first", "_last", "_length", "_limit", "_objects", "_parts", "_plain")

    def __init__(self, policy: Policy) -> None:
        content = policy.capture != "none"
        self._limit = policy.max_span_bytes if content else 0
        self._objects = MAX_OBJECTS if content else _EDGE
        self._parts: list[Any] = []
        self._last: deque[Any] = deque(maxlen=_EDGE)
        self._length = 0
        self._first = 0
        self._plain = True

    def add(self, chunk: Any) -> None:
        """Take one chunk as the body yielded it."""
        if type(chunk) is str:
            self._length += len(chunk)
            if self._length - len(chunk) < self._limit:
                self._parts.append(chunk)
            return
        self._plain = False
        if self._first < self._objects:
            self._first += 1
            self._parts.append(chunk)
        else:
            self._last.append(chunk)

    def join(self, returned: Any) -> tuple[dict[str, Any], list[Any]]:
        """Return what all chunks (and the generator's return value) say, and the chunks that were kept."""
        parts = [*self._parts, *self._last]
        if self._plain:
            fields: dict[str, Any] = {"answer": "".join(parts)} if parts else {}
        else:
            fields = shapes.join_chunks(parts)
        if returned is not None:
            fields = _completed(fields, returned)
        answer = fields.get("answer")
        if self._plain and answer is not None and self._length > len(answer):
            fields["digests"] = {"answer": {"length": self._length, "truncated": True}}
        return fields, parts


def _completed(fields: dict[str, Any], returned: Any) -> dict[str, Any]:
    """Add what the generator returned at its end; what the chunks said wins."""
    if type(returned) is dict and "answer" in fields and "answer" not in returned:
        quick = read_quickly({"answer": fields["answer"], **returned})
        if quick is not None:
            return quick | fields
    return {**shapes.read_result(returned), **fields}
