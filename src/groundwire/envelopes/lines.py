"""Bytes → lines, each with its number and byte offset; a line that is too long never enters memory."""

from __future__ import annotations

from collections.abc import Iterator
from typing import BinaryIO, NamedTuple

from groundwire.envelopes.stats import Tally
from groundwire.span import Origin

BOM = b"\xef\xbb\xbf"
_CHUNK = 1 << 20


class Line(NamedTuple):
    """One line: ``number`` from 1, ``byte`` offset from 0, ``raw`` bytes with the white space around them.

    ``is_ended`` is False for a last line that lacks its newline: it may not be complete yet.
    """

    number: int
    byte: int
    raw: bytes
    is_ended: bool

    @property
    def text(self) -> bytes:
        """The line without white space around it; a copy."""
        return self.raw.strip()


def read_lines(stream: BinaryIO, path: str, tally: Tally) -> Iterator[Line]:
    """Yield the lines of ``stream`` that are not empty. Too long ones are skipped and counted."""
    limit = tally.limits.max_line_bytes
    number = offset = 0
    while text := stream.readline(limit + 1):
        number += 1
        start, size = offset, len(text)
        is_ended = text.endswith(b"\n")
        if size > limit:
            size += 0 if is_ended else _skip_line(stream)
            tally.reject(Origin(path, number, start), "too_long", _too_long(size, limit))
            text = b""
        offset += size
        tally.stats.bytes += size
        tally.stats.lines += 1
        if start == 0 and text.startswith(BOM):
            text = text[3:]
        if text and not text.isspace():
            yield Line(number, start, text, is_ended)


def _skip_line(stream: BinaryIO) -> int:
    skipped = 0
    while chunk := stream.readline(_CHUNK):
        skipped += len(chunk)
        if chunk.endswith(b"\n"):
            break
    return skipped


def _too_long(size: int, limit: int) -> str:
    return f"the line has {size} bytes, the limit is {limit}; raise it with --max-line"
