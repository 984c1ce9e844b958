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
    """Collects chunks. Text beyond the span's size budget is counted and dropped.

    A driver that is in a hurry appends texts to ``parts`` by itself while there is ``room`` (in characters),
    and gives every other chunk to ``keep``.
    """

    __slots__ = ("_cut", "_dropped", "_kept", "_last", "_limit", "_objects", "parts", "room")

    def __init__(self, policy: Policy | None) -> None:
        """Take the rules of a function, or None to keep nothing at all."""
        self._limit = self.room = policy.max_span_bytes if policy and policy.capture != "none" else 0
        self._objects = MAX_OBJECTS if self._limit else _EDGE if policy else 0
        self._last: deque[Any] | None = None
        self.parts: list[Any] = []
        self._kept = self._dropped = self._cut = 0

    def add(self, chunk: Any) -> None:
        """Take one chunk as the body yielded it."""
        if type(chunk) is str and self.room > 0:
            self.parts.append(chunk)
            self.room -= len(chunk)
        else:
            self.keep(chunk)

    def keep(self, chunk: Any) -> None:
        """Take a chunk that is not a text, or one for which there is no room."""
        if type(chunk) is str:
            self._dropped += 1
            self._cut += len(chunk)
        elif self._kept < self._objects:
            self._kept += 1
            self.parts.append(chunk)
        elif self._objects:
            self._dropped += 1
            if self._last is None:
                self._last = deque(maxlen=_EDGE)
            self._last.append(chunk)

    def count(self) -> int:
        """Return how many chunks there were."""
        return len(self.parts) + self._dropped

    def join(self, returned: Any) -> tuple[dict[str, Any], list[Any]]:
        """Return what all chunks (and the generator's return value) say, and the chunks that were kept."""
        parts = [*self.parts, *self._last] if self._last else self.parts
        fields = _join(parts, self._kept)
        if returned is not None:
            fields = _completed(fields, returned)
        length = self._limit - self.room + self._cut
        if self._kept == 0 and self._limit and length > self._limit and "answer" in fields:
            fields["digests"] = {"answer": {"length": length, "truncated": True}}
        return fields, parts


def _join(parts: list[Any], objects: int) -> dict[str, Any]:
    if objects == 1 and len(parts) > 1 and type(parts[-1]) is dict:
        quick = _quickly(shapes.join_chunks(parts[:-1]), parts[-1])
        if quick is not None:
            return quick
    joined: dict[str, Any] = shapes.join_chunks(parts) if parts else {}
    return joined


def _completed(fields: dict[str, Any], returned: Any) -> dict[str, Any]:
    """Add what a generator returned at its end; what its chunks said wins."""
    quick = _quickly(fields, returned) if type(returned) is dict else None
    return {**shapes.read_result(returned), **fields} if quick is None else quick


def _quickly(fields: dict[str, Any], last: dict[str, Any]) -> dict[str, Any] | None:
    """Read the plain dict that ends a stream of text together with that text."""
    if "answer" not in fields or "answer" in last:
        return None
    quick = read_quickly({"answer": fields["answer"], **last})
    return None if quick is None else quick | fields
