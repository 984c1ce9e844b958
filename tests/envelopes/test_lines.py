"""Lines out of one buffer, against a plain split."""

from __future__ import annotations

import io
from typing import Any

from hypothesis import given, strategies as st

from groundwire.envelopes import Limits, lines as module
from groundwire.envelopes.lines import read_lines
from groundwire.envelopes.stats import Tally

pieces = st.lists(st.binary(max_size=40).map(lambda piece: piece.replace(b"\n", b"")), max_size=12)


class Trickling(io.RawIOBase):
    """Gives as many bytes at once as one likes."""

    def __init__(self, data: bytes, step: int) -> None:
        self._data, self._step = io.BytesIO(data), step

    def readable(self) -> bool:
        return True

    def readinto(self, target: Any) -> int:
        chunk = self._data.read(min(self._step, len(target)))
        target[: len(chunk)] = chunk
        return len(chunk)


@given(pieces, st.booleans(), st.integers(1, 50), st.sampled_from([1, 7, 64]), st.integers(1, 60))
def test_lines_are_those_of_a_plain_split(
    parts: list[bytes], is_ended: bool, step: int, buffer_bytes: int, limit: int
) -> None:
    """Numbers, offsets and bytes agree, however the stream trickles and however small the buffer began."""
    data = b"\n".join(parts) + (b"\n" if is_ended else b"")
    expected, offset = [], 0
    for number, line in enumerate(_split(data), 1):
        if len(line) <= limit and line != b"\n":
            text = line.removesuffix(b"\n")
            expected.append((number, offset, text if offset else text.removeprefix(module.BOM)))
        offset += len(line)
    tally = Tally(Limits(max_line_bytes=limit))
    stream = io.BufferedReader(Trickling(data, step), 16)
    module._BUFFER_BYTES, before = buffer_bytes, module._BUFFER_BYTES
    try:
        found = [(line.number, line.byte, bytes(line.view)) for line in read_lines(stream, "x", tally)]
    finally:
        module._BUFFER_BYTES = before
    assert found == expected
    assert (tally.stats.bytes, tally.stats.lines) == (len(data), len(_split(data)))


def _split(data: bytes) -> list[bytes]:
    lines = [line + b"\n" for line in data.split(b"\n")]
    lines[-1] = lines[-1][:-1]
    return [line for line in lines if line]
