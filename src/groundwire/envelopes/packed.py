"""A span of OTLP/JSON that is not decoded before its trace is whole: its text, or the place of it in a file.

When much is held, this keeps it small: a place in a file takes a few hundred bytes, and nothing goes to disk.
"""

from __future__ import annotations

import io
import os
import re
from typing import Any

from msgspec import Struct

from groundwire.span import Origin, Scope

_HEAD = re.compile(
    rb'\{"traceId":"((?!0{32})[0-9a-f]{32})","spanId":"(?!0{16})[0-9a-f]{16}",'
    rb'(?:"(?:name|traceState|parentSpanId)":"[^"\\]*",|"(?:kind|flags)":[0-9]+,)*'
    rb'"startTimeUnixNano":"([1-8][0-9]{17,18})"'
).match
_MAX_OPEN = 128


class PackedSpan(Struct, gc=False):
    """The JSON object of one span, with what it shares with others, and what is needed to put it in order.

    ``text`` is None where it lies in the file ``origin.path``, ``size`` bytes from ``offset`` on.
    """

    trace_id: str
    start_ns: int
    resource: dict[str, Any]
    scope: Scope
    origin: Origin
    text: bytes | None = None
    offset: int = 0
    size: int = 0


def pack_span(text: bytes, resource: dict[str, Any], scope: Scope, origin: Origin) -> PackedSpan | None:
    """Return the span as text; None where its ids and its start do not stand in front, in their final form.

    >>> head = b'{"traceId":"0af7651916cd43dd8448eb211c80319c","spanId":"b7ad6b7169203331","name":"ask",'
    >>> packed = pack_span(head + b'"startTimeUnixNano":"1700000000000000000"}', {}, Scope(), Origin("a"))
    >>> packed.trace_id, packed.start_ns
    ('0af7651916cd43dd8448eb211c80319c', 1700000000000000000)
    """
    head = _HEAD(text)
    if head is None:
        return None
    return PackedSpan(head[1].decode(), int(head[2]), resource, scope, origin, text)


class Slices:
    """Reads places in files; keeps the last ones open, so that a renamed file stays the same."""

    def __init__(self) -> None:
        self._open: dict[str, io.FileIO] = {}

    def keep(self, path: str, raw: io.FileIO) -> None:
        """Remember an open file under its path."""
        if path not in self._open:
            self._add(path, io.FileIO(os.dup(raw.fileno()), closefd=True))

    def read(self, packed: PackedSpan) -> bytes | None:
        """Return the span's text; None where the file no longer holds it."""
        if packed.text is not None:
            return packed.text
        path = packed.origin.path
        try:
            if path not in self._open:
                self._add(path, io.FileIO(path))
            file = self._open[path]
            file.seek(packed.offset)
            text = file.read(packed.size)
        except OSError:
            return None
        is_same = len(text) == packed.size and text[12:44] == packed.trace_id.encode()
        return text if is_same and text.endswith(b"}") else None

    def _add(self, path: str, file: io.FileIO) -> None:
        if len(self._open) >= _MAX_OPEN:
            self._open.pop(next(iter(self._open))).close()
        self._open[path] = file

    def close(self) -> None:
        """Close all files."""
        for file in self._open.values():
            file.close()
        self._open.clear()
