"""Spans and logs that do not fit into memory, parked in temporary files by their trace.

Items of one trace always land in one partition, so partitions can be read one after the other. One that
is itself too large is partitioned again by further bits of the same hash.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import BinaryIO
from zlib import crc32

import msgspec

from groundwire.envelopes.packed import PackedSpan
from groundwire.errors import EnvelopeError
from groundwire.span import LogData, SpanData

_BITS = 7
_COUNT = 1 << _BITS
MAX_LEVEL = 4
_HEADER_BYTES = 5
_encode = msgspec.msgpack.Encoder().encode
_decode_span = msgspec.msgpack.Decoder(SpanData).decode
_decode_log = msgspec.msgpack.Decoder(LogData).decode
_decode_packed = msgspec.msgpack.Decoder(PackedSpan).decode
Held = SpanData | PackedSpan | LogData
_MARKS: dict[type[Held], bytes] = {SpanData: b"s", PackedSpan: b"p", LogData: b"l"}
_DECODERS: dict[bytes, Callable[[bytes], Held]] = {
    b"s": _decode_span,
    b"p": _decode_packed,
    b"l": _decode_log,
}


class Spill:
    """One set of partitions; :meth:`add` items, then read :meth:`partitions`."""

    def __init__(self, folder: Path, level: int) -> None:
        self.level = level
        self.size = 0
        self._shift = level * _BITS
        self._paths = [folder / f"{level}-{number}" for number in range(_COUNT)]
        self._files: list[BinaryIO | None] = [None] * _COUNT
        self._open = ExitStack()

    def add(self, trace_id: str, item: Held) -> None:
        """Write one item to its partition. Raises EnvelopeError where the disk does not take it."""
        number = crc32(trace_id.encode()) >> self._shift & (_COUNT - 1)
        data = _encode(item)
        try:
            file = self._files[number]
            if file is None:
                file = self._files[number] = self._open.enter_context(self._paths[number].open("wb", 1 << 15))
            file.write(len(data).to_bytes(4, "big") + _MARKS[type(item)] + data)
        except OSError as cause:
            raise _disk_error(cause) from cause
        self.size += len(data) + _HEADER_BYTES

    def close(self) -> None:
        """Finish writing. Raises EnvelopeError where the disk does not take it."""
        try:
            self._open.close()
        except OSError as cause:
            raise _disk_error(cause) from cause

    def partitions(self) -> Iterator[Iterable[Held]]:
        """Yield the items of each partition that has any; its file is removed afterwards."""
        self.close()
        for path, file in zip(self._paths, self._files, strict=True):
            if file is not None:
                yield _read_items(path)
                path.unlink()


class Parking:
    """A folder that only this user can read, made when it is first needed and removed at the end."""

    def __init__(self, where: str | None) -> None:
        self._where = where
        self._folder: tempfile.TemporaryDirectory[str] | None = None
        self._spills: list[Spill] = []

    def make_spill(self, level: int) -> Spill:
        """Return empty partitions. Raises EnvelopeError where no folder can be made."""
        if self._folder is None:
            try:
                self._folder = tempfile.TemporaryDirectory(prefix="groundwire-", dir=self._where)
            except OSError as cause:
                raise _disk_error(cause) from cause
        spill = Spill(Path(self._folder.name), level)
        self._spills.append(spill)
        return spill

    def __enter__(self) -> Parking:
        return self

    def __exit__(self, *_: object) -> None:
        for spill in self._spills:
            spill.close()
        if self._folder is not None:
            self._folder.cleanup()


def _read_items(path: Path) -> Iterator[Held]:
    with path.open("rb", 1 << 16) as file:
        while header := file.read(_HEADER_BYTES):
            data = file.read(int.from_bytes(header[:4], "big"))
            yield _DECODERS[header[4:]](data)


def _disk_error(cause: OSError) -> EnvelopeError:
    return EnvelopeError(
        "spans that do not fit into memory can not be parked on disk",
        where=cause.filename or tempfile.gettempdir(),
        got=cause.strerror or str(cause),
        mend="Free some space there, or set TMPDIR to a folder with room for the uncompressed traces.",
    )
