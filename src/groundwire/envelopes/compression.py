"""gzip and zstd streams, expanded under limits: neither a cut stream nor a bomb raises."""

from __future__ import annotations

import gzip
import io
import zlib
from typing import Any, BinaryIO

from groundwire.envelopes.limits import Limits
from groundwire.errors import MissingExtraError

GZIP = b"\x1f\x8b"
ZSTD = b"\x28\xb5\x2f\xfd"
BUFFER_BYTES = 1 << 18
_MAX_WINDOW_BYTES = 1 << 27
_FEED_BYTES = 1 << 10
"""Compressed bytes taken at once: even if every one of its blocks expands fully, memory stays bounded."""


class Expanded(io.RawIOBase):
    """The expanded bytes of a compressed stream.

    Reading ends early, without an exception, where the stream is cut or damaged or expands too much; then
    ``reason`` (the word rejections are counted by) and ``problem`` say why.
    """

    def __init__(self, stream: BinaryIO, limits: Limits, *, is_zstd: bool) -> None:
        self._source = _Counted(stream)
        self._inner: Any = _ZstdFrames(self._source) if is_zstd else gzip.GzipFile(fileobj=self._source)
        self._limits = limits
        self._size = 0
        self.reason: str | None = None
        self.problem = ""

    def readable(self) -> bool:
        """Return True."""
        return True

    def readinto(self, target: Any) -> int:
        """Fill ``target`` with expanded bytes; return how many, 0 at the end."""
        chunk = b"" if self.reason else self._read(len(target))
        target[: len(chunk)] = chunk
        return len(chunk)

    def _read(self, size: int) -> bytes:
        try:
            chunk: bytes = self._inner.read1(size)
        except EOFError:
            return self._stop("cut_stream", "the compressed stream is not yet complete")
        except (OSError, zlib.error) as problem:
            return self._stop("bad_compression", f"the compressed stream is damaged ({problem})")
        except Exception as problem:
            if type(problem).__name__ != "ZstdError":
                raise
            return self._stop("bad_compression", f"the compressed stream is damaged ({problem})")
        self._size += len(chunk)
        return self._stop("expands_too_much", self._excess()) if self._is_too_much() else chunk

    def _is_too_much(self) -> bool:
        limits = self._limits
        if self._size > limits.max_decompressed_bytes:
            return True
        return self._size > limits.ratio_grace_bytes and self._size > limits.max_ratio * self._source.count

    def _excess(self) -> str:
        return (
            f"{self._source.count} compressed bytes expand to {self._size} and more; the limits are "
            f"{self._limits.max_decompressed_bytes} bytes and {self._limits.max_ratio} times"
        )

    def _stop(self, reason: str, problem: str) -> bytes:
        self.reason, self.problem = reason, problem
        return b""


def expand_frame(frame: bytes, limit: int) -> bytes | None:
    """Return the content of one zstd frame in memory, or None when it has more than ``limit`` bytes.

    Raises ValueError where the frame is damaged or cut.
    """
    expander = _zstd().decompressobj()
    parts: list[bytes] = []
    size = 0
    for start in range(0, len(frame), _FEED_BYTES):
        try:
            part = expander.decompress(frame[start : start + _FEED_BYTES])
        except Exception as problem:
            raise ValueError(str(problem)) from problem
        parts.append(part)
        size += len(part)
        if size > limit:
            return None
        if expander.eof:
            return b"".join(parts)
    raise ValueError("the frame is cut")


class _Counted(io.RawIOBase):
    """Passes bytes through and counts them."""

    def __init__(self, stream: BinaryIO) -> None:
        self._stream = stream
        self.count = 0

    def readable(self) -> bool:
        return True

    def read(self, size: int = -1) -> bytes:
        chunk = self._stream.read(size)
        self.count += len(chunk)
        return chunk

    def seekable(self) -> bool:
        return False


class _ZstdFrames:
    """Reads concatenated zstd frames one after the other; raises EOFError where the last one is cut."""

    def __init__(self, source: _Counted) -> None:
        self._source = source
        self._expander: Any = None
        self._rest = b""
        self._ready = b""

    def read1(self, size: int) -> bytes:
        """Return at most ``size`` expanded bytes, none at the end."""
        while not self._ready:
            fed = self._rest or self._source.read(_FEED_BYTES)
            self._rest = b""
            if not fed:
                if self._expander is not None:
                    raise EOFError
                return b""
            self._ready = self._expand(fed)
        chunk, self._ready = self._ready[:size], self._ready[size:]
        return chunk

    def _expand(self, fed: bytes) -> bytes:
        if self._expander is None:
            self._expander = _zstd().decompressobj()
        expanded: bytes = self._expander.decompress(fed)
        if self._expander.eof:
            self._rest = self._expander.unused_data
            self._expander = None
        return expanded


def _zstd() -> Any:
    try:
        import zstandard
    except ImportError as missing:
        raise MissingExtraError.of("score", module="zstandard") from missing
    return zstandard.ZstdDecompressor(max_window_size=_MAX_WINDOW_BYTES)
