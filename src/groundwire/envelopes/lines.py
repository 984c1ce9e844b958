"""Bytes → lines, each with its number and byte offset; a line that is too long never enters memory."""

from __future__ import annotations

import io
from collections.abc import Iterator
from typing import NamedTuple

from groundwire.envelopes.stats import Tally
from groundwire.span import Origin

BOM = b"\xef\xbb\xbf"
_BUFFER_BYTES = 1 << 18


class Line(NamedTuple):
    """One line: ``number`` from 1, ``byte`` offset from 0, ``text`` without white space around it.

    ``is_ended`` is False for a last line that lacks its newline: it may not be complete yet.
    """

    number: int
    byte: int
    text: bytes
    is_ended: bool


class LineView(NamedTuple):
    """One line as it lies in the buffer, without its newline; it holds only until the next one is read."""

    number: int
    byte: int
    view: memoryview
    is_ended: bool

    def copied(self) -> Line:
        """Return the line with bytes of its own."""
        return Line(self.number, self.byte, bytes(self.view).strip(), self.is_ended)


def read_lines(stream: io.BufferedReader, path: str, tally: Tally) -> Iterator[LineView]:
    """Yield the lines of ``stream`` that hold anything. Too long ones are skipped and counted."""
    limit = tally.limits.max_line_bytes
    stats = tally.stats
    splitter = _Splitter(stream, limit)
    number = offset = 0
    while (found := splitter.next_line()) is not None:
        view, size, is_ended = found
        number += 1
        stats.bytes += size
        stats.lines += 1
        if size > limit:
            tally.reject(Origin(path, number, offset), "too_long", _too_long(size, limit))
        elif size > is_ended:
            has_mark = offset == 0 and view[:3] == BOM
            yield LineView(number, offset, view[3:] if has_mark else view, is_ended)
        offset += size


def _too_long(size: int, limit: int) -> str:
    return f"the line has {size} bytes, the limit is {limit}; raise it with --max-line"


class _Splitter:
    """Splits a stream in place: one buffer, as large as the longest line, from which views are lent."""

    def __init__(self, stream: io.BufferedReader, limit: int) -> None:
        self._stream = stream
        self._limit = limit
        self._buffer = bytearray(_BUFFER_BYTES)
        self._view = memoryview(self._buffer)
        self._start = self._end = 0
        self._is_over = False

    def next_line(self) -> tuple[memoryview, int, bool] | None:
        """Return a line without its newline, its size with it, and whether it has one; None at the end."""
        searched = 0
        while True:
            at = self._buffer.find(b"\n", self._start + searched, self._end)
            if at >= 0:
                return self._lend(at, at + 1)
            searched = self._end - self._start
            if searched > self._limit:
                return self._skip()
            if not self._fill():
                return self._lend(self._end, self._end) if searched else None

    def _lend(self, stop: int, following: int) -> tuple[memoryview, int, bool]:
        start, self._start = self._start, following
        return self._view[start:stop], following - start, following > stop

    def _fill(self) -> bool:
        if self._end == len(self._buffer):
            self._make_room()
        size = 0 if self._is_over else self._stream.readinto1(self._view[self._end :])
        self._end += size
        self._is_over = size == 0  # a file that is still written may grow later: its rest is no line
        return size > 0

    def _make_room(self) -> None:
        """Move what is held to the front; where that frees nothing, move it to a buffer twice as large."""
        held = self._view[self._start : self._end]
        if self._start == 0:
            self._buffer = bytearray(2 * len(self._buffer))
            self._view = memoryview(self._buffer)
        self._view[: len(held)] = held
        self._start, self._end = 0, len(held)

    def _skip(self) -> tuple[memoryview, int, bool]:
        """Read on to the end of a line that is too long, and forget it."""
        size = self._end - self._start
        while True:
            self._start = self._end = 0
            if not self._fill():
                return self._view[:0], size, False
            at = self._buffer.find(b"\n", 0, self._end)
            if at >= 0:
                self._start = at + 1
                return self._view[:0], size + at + 1, True
            size += self._end
