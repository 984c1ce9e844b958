"""Length-prefixed files of the Collector's file exporter: uint32 (big endian), then one message.

The message is protobuf, or (in the exporter's own zstd framing) a compressed message of either format.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from typing import BinaryIO

from groundwire.envelopes.compression import ZSTD, expand_frame
from groundwire.envelopes.documents import Item, read_text
from groundwire.envelopes.jsontext import NotJsonError
from groundwire.envelopes.protobuf import read_message
from groundwire.envelopes.stats import Tally
from groundwire.span import Origin

_LENGTH = struct.Struct(">I")
_CHUNK = 1 << 20
_MAX_FIRST_BYTES = 0x0A000000
"""A file that begins with 0x0a is one bare message, not the length of a first message of 160 MiB."""


def is_framed(head: bytes) -> bool:
    """Tell whether a file that begins with ``head`` is length-prefixed."""
    if len(head) < 8:
        return False
    (size,) = _LENGTH.unpack_from(head)
    if head[4:8] == ZSTD:
        return True
    return head[4] == 0x0A and 2 <= size < _MAX_FIRST_BYTES and _varint(head[5:15]) <= size


def _varint(data: bytes) -> int:
    value = 0
    for i, byte in enumerate(data):
        value |= (byte & 0x7F) << (7 * i)
        if byte < 0x80:
            return value
    return 1 << 63


def read_frames(stream: BinaryIO, path: str, tally: Tally) -> Iterator[Item]:
    """Yield the items of a length-prefixed stream. A damaged message costs only itself."""
    offset = 0
    limit = tally.limits.max_line_bytes
    while prefix := stream.read(4):
        origin = Origin(path, byte=offset)
        size = _LENGTH.unpack(prefix)[0] if len(prefix) == 4 else 0
        if size > limit:
            got = _skip(stream, size)
            message = None
        else:
            message = stream.read(size)
            got = len(message)
        offset += len(prefix) + got
        tally.stats.bytes += len(prefix) + got
        if len(prefix) < 4 or got < size:
            tally.reject(origin, "cut_last_frame", "the last message is not yet complete")
            return  # a file that is still written may grow meanwhile: its rest begins no message
        if message is None:
            tally.reject(origin, "too_long", f"the message has {size} bytes, the limit is {limit}")
        else:
            tally.stats.lines += 1
            yield from _read_framed(message, origin, tally)


def _skip(stream: BinaryIO, size: int) -> int:
    left = size
    while left and (chunk := stream.read(min(left, _CHUNK))):
        left -= len(chunk)
    return size - left


def _read_framed(message: bytes, origin: Origin, tally: Tally) -> Iterator[Item]:
    if not message.startswith(ZSTD):
        yield from read_body(message, origin, tally)
        return
    limit = tally.limits.max_line_bytes
    try:
        content = expand_frame(message, limit)
    except ValueError:
        tally.reject(origin, "bad_compression", "a compressed message is damaged")
        return
    if content is None:
        tally.reject(origin, "too_long", f"a message expands to more than {limit} bytes")
    else:
        tally.saw("collector_zstd")
        yield from read_body(content, origin, tally)


def read_body(body: bytes, origin: Origin, tally: Tally) -> Iterator[Item]:
    """Yield the items of one message in memory, JSON or protobuf."""
    text = body.strip()
    if not text.startswith((b"{", b"[")):
        yield from read_message(body, origin, tally)
        return
    try:
        yield from read_text(text, origin, tally)
    except NotJsonError as problem:
        tally.reject(origin, problem.reason, problem.problem)
