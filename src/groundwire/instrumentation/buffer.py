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
_STRETCH: Final = 64


class ChunkBuffer:
    """Collects chunks. Text beyond the span's size budget is counted and dropped.

    A driver that is in a hurry appends chunks to ``parts`` by itself, as many at a time as ``stretch`` says,
    and has ``settle`` see to them all at once.
    """

    __slots__ = ("_cut", "_dropped", "_kept", "_last", "_limit", "_objects", "_room", "_settled", "parts")

    def __init__(self, policy: Policy | None) -> None:
        """Take the rules of a function, or None to keep nothing at all."""
        self._limit = self._room = policy.max_span_bytes if policy and policy.capture != "none" else 0
        self._objects = MAX_OBJECTS if self._limit else _EDGE if policy else 0
        self._last: deque[Any] | None = None
        self.parts: list[Any] = []
        self._kept = self._dropped = self._cut = self._settled = 0

    def add(self, chunk: Any) -> None:
        """Take one chunk as the body yielded it."""
        if type(chunk) is str:
            if self._room > 0:
                self._append(chunk)
                self._room -= len(chunk)
            else:
                self._dropped += 1
                self._cut += len(chunk)
        elif self._kept < self._objects:
            self._append(chunk)
            self._kept += 1
        elif self._objects:
            self._dropped += 1
            if self._last is None:
                self._last = deque(maxlen=_EDGE)
            self._last.append(chunk)

    def _append(self, chunk: Any) -> None:
        self.parts.append(chunk)
        self._settled += 1

    def stretch(self, chunk: Any) -> int:
        """Return how many chunks such as ``chunk``, the one before, may be appended to ``parts`` unseen."""
        if type(chunk) is str:
            fits = len(chunk) * _STRETCH < self._room
        else:
            fits = self._kept + _STRETCH < self._objects
        return _STRETCH if fits else _EDGE

    def settle(self) -> None:
        """Treat what has been appended to ``parts`` since the last time as ``add`` would have."""
        new = self.parts[self._settled :]
        try:
            length = len("".join(new))
        except TypeError:
            length = self._room
        if length < self._room:
            self._room -= length
            self._settled += len(new)
        else:
            del self.parts[self._settled :]
            for chunk in new:
                self.add(chunk)

    def count(self) -> int:
        """Return how many chunks there were."""
        return len(self.parts) + self._dropped

    def join(self, returned: Any) -> tuple[dict[str, Any], list[Any]]:
        """Return what all chunks (and the generator's return value) say, and the chunks that were kept."""
        is_seen = self._settled or self._dropped
        if is_seen:
            self.settle()
        parts = self.parts if self._last is None else [*self.parts, *self._last]
        fields, length = _joined(parts)
        if not is_seen and (length is None or length >= self._room):
            self.settle()
            if self._dropped:
                return self.join(returned)
        if returned is not None:
            fields = _completed(fields, returned)
        length = self._limit - self._room + self._cut
        if self._kept == 0 and self._limit and length > self._limit and "answer" in fields:
            fields["digests"] = {"answer": {"length": length, "truncated": True}}
        return fields, parts


def _joined(parts: list[Any]) -> tuple[dict[str, Any], int | None]:
    """Return what ``parts`` say, and how long their text is where all but a last dict is text."""
    if not parts:
        return {}, None
    last = parts[-1]
    is_text = type(last) is not dict
    text = shapes.read_texts(parts if is_text else parts[:-1])
    if text is None:
        return shapes.join_chunks(parts), None
    fields = {"answer": text} if is_text else _quickly({"answer": text}, last)
    return shapes.join_chunks(parts) if fields is None else fields, len(text)


def _completed(fields: dict[str, Any], returned: Any) -> dict[str, Any]:
    """Add what a generator returned at its end; what its chunks said wins."""
    quick = _quickly(fields, returned) if type(returned) is dict else None
    return {**shapes.read_result(returned), **fields} if quick is None else quick


def _quickly(fields: dict[str, Any], last: dict[str, Any]) -> dict[str, Any] | None:
    """Read the plain dict that ends a stream of text together with that text."""
    if "answer" not in fields or "answer" in last:
        return None
    quick = read_quickly({"answer": fields["answer"], **last})
    return quick if quick is None or len(fields) == 1 else quick | fields
