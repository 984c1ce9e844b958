"""Files that grow while they are read: what was cut at the first end is not yet complete, never wrong."""

from __future__ import annotations

import io
import struct
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from envelopes.otlp_lines import otlp_line, otlp_span
from groundwire.envelopes.documents import Item
from groundwire.envelopes.frames import read_frames
from groundwire.envelopes.jsonfiles import read_json_stream
from groundwire.envelopes.lines import read_lines
from groundwire.envelopes.stats import Tally

LINES = [otlp_line(otlp_span()).strip() + b"\n" for _ in range(3)]
FRAMES = [struct.pack(">I", len(line) - 1) + line[:-1] for line in LINES]
Reader = Callable[[Any, str, Tally], Iterator[Item]]


class Growing(io.RawIOBase):
    """Ends at ``end``, once; whoever reads on gets what was written since."""

    def __init__(self, data: bytes, end: int) -> None:
        self._parts = [data[:end], b"", data[end:]]

    def readable(self) -> bool:
        return True

    def readinto(self, target: Any) -> int:
        part = self._parts.pop(0) if self._parts else b""
        chunk, rest = part[: len(target)], part[len(target) :]
        target[: len(chunk)] = chunk
        if rest:
            self._parts.insert(0, rest)
        return len(chunk)


@pytest.mark.parametrize(("read", "parts"), [(read_json_stream, LINES), (read_frames, FRAMES)])
def test_what_is_read_is_what_was_whole(read: Reader, parts: list[bytes]) -> None:
    """Wherever the file ended, the documents before are read, and at most a benign rejection is counted."""
    data = b"".join(parts)
    step = 7
    for end in range(1, len(data), step):
        tally = Tally()
        spans = list(read(io.BufferedReader(Growing(data, end), 64), "x", tally))
        assert tally.stats.rejected_total == 0, (end, tally.stats.rejected)
        assert len(spans) in (end // len(parts[0]), -(-end // len(parts[0])))


def test_a_line_that_was_cut_is_given_once() -> None:
    stream = io.BufferedReader(Growing(b"one\ntwo\nthree\n", 6), 64)
    assert [bytes(line.view) for line in read_lines(stream, "x", Tally())] == [b"one", b"tw"]
