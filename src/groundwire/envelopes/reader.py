"""One source → items: unpacks, looks at the first bytes, and hands the stream to the right reader."""

from __future__ import annotations

import io
import os
import re
from collections.abc import Callable, Iterator
from typing import BinaryIO

from groundwire.envelopes.compression import BUFFER_BYTES, GZIP, ZSTD, Expanded
from groundwire.envelopes.csvfiles import find_delimiter, is_known_table, read_csv
from groundwire.envelopes.documents import Item
from groundwire.envelopes.foreign import name_signature, name_text
from groundwire.envelopes.frames import is_framed, read_frames
from groundwire.envelopes.jsonfiles import read_json_stream
from groundwire.envelopes.limits import Limits
from groundwire.envelopes.lines import BOM
from groundwire.envelopes.packed import PackedSpan
from groundwire.envelopes.parquet import PARQUET, read_parquet
from groundwire.envelopes.protobuf import read_message
from groundwire.envelopes.sources import Source, expand_sources, is_audit_folder, open_source
from groundwire.envelopes.stats import ReadStats, Tally
from groundwire.span import LogData, Origin, PlainRecord, Rejected, SpanData

_CONTROLS = re.compile(rb"[\x00-\x08\x0e-\x1f]")
_HEAD_BYTES = 1 << 16
_MAX_LAYERS = 3


def read_items(
    source: Source,
    *,
    on_reject: Callable[[Rejected], object] | None = None,
    limits: Limits | None = None,
    stats: ReadStats | None = None,
) -> Iterator[SpanData | LogData | PlainRecord]:
    """Yield the spans, logs and plain records of one source, in its order, in constant memory.

    ``source`` is a path, ``"-"`` (stdin) or an fsspec URL; its format is told by its bytes, never by its
    name. What can not be read is handed to ``on_reject`` and counted in ``stats``. Raises EnvelopeError
    only when the source can not be opened.
    """
    tally = Tally(limits, stats, on_reject)
    for path in expand_sources(source):
        for item in read_source(path, tally):
            if not isinstance(item, PackedSpan):  # nothing is packed unless it is asked for
                yield item


def read_source(path: str, tally: Tally) -> Iterator[Item]:
    """Yield the items of one expanded source."""
    if is_audit_folder(path):
        tally.reject(Origin(path), "audit_folder", "is an audit folder; its answers are read by `score`")
        return
    with open_source(path) as stream:
        tally.begin_source(stream.raw)
        yield from _read_stream(stream, path, tally)
        tally.end_source()


def _read_stream(stream: io.BufferedReader, path: str, tally: Tally, depth: int = 0) -> Iterator[Item]:
    head = stream.peek(_HEAD_BYTES)
    if not head:
        tally.reject(Origin(path), "empty_file", "the file is empty")
    elif head.startswith((GZIP, ZSTD)) and depth < _MAX_LAYERS:
        yield from _read_compressed(stream, path, tally, depth)
    elif head.startswith(PARQUET):
        yield from read_parquet(stream, path, tally)
    elif _is_json(head):
        yield from read_json_stream(stream, path, tally)
    elif (name := name_signature(head)) is not None:
        tally.reject(Origin(path), "unknown_format", name)
    elif is_framed(head):
        yield from read_frames(stream, path, tally)
    elif not _CONTROLS.search(head, 0, 4096):
        yield from _read_text(stream, head, path, tally)
    elif head.startswith(b"\x0a"):
        yield from _read_bare(stream, path, tally)
    elif b'\n{"' in head:
        yield from read_json_stream(stream, path, tally)
    else:
        tally.reject(Origin(path), "unknown_format", "is binary, in no format that is known here")


def _read_text(stream: io.BufferedReader, head: bytes, path: str, tally: Tally) -> Iterator[Item]:
    """Read text that does not begin with JSON: a table, lines of JSON among others, or none of both."""
    delimiter = find_delimiter(head)
    if delimiter is not None and is_known_table(head, delimiter):
        yield from read_csv(stream, path, delimiter, tally)
        return
    name = name_text(head) if delimiter is not None or _is_whole(stream, head) else None
    if name is not None:
        tally.reject(Origin(path), "unknown_format", name)
    else:
        yield from read_json_stream(stream, path, tally)


def _is_whole(stream: io.BufferedReader, head: bytes) -> bool:
    """Tell whether ``head`` is all that there is: of a pipe, more may come."""
    raw = stream.raw
    return isinstance(raw, io.FileIO) and raw.seekable() and os.fstat(raw.fileno()).st_size == len(head)


def _read_compressed(stream: io.BufferedReader, path: str, tally: Tally, depth: int) -> Iterator[Item]:
    is_zstd = stream.peek(4).startswith(ZSTD)
    tally.saw("zstd" if is_zstd else "gzip")
    tally.begin_unpacking()
    expanded = Expanded(stream, tally.limits, is_zstd=is_zstd)
    yield from _read_stream(io.BufferedReader(expanded, BUFFER_BYTES), path, tally, depth + 1)
    if expanded.reason is not None:
        tally.reject(Origin(path), expanded.reason, expanded.problem)


def _read_bare(stream: BinaryIO, path: str, tally: Tally) -> Iterator[Item]:
    """Read one message that is the whole file: an object in a bucket, a queue's value, a request's body."""
    limit = tally.limits.max_line_bytes
    message = stream.read(limit + 1)
    tally.stats.bytes += len(message)
    if len(message) > limit:
        tally.reject(Origin(path, byte=0), "too_long", f"the message has more than {limit} bytes")
    else:
        yield from read_message(message, Origin(path, byte=0), tally)


def _is_json(head: bytes) -> bool:
    """Tell JSON from protobuf, which holds control characters within its first bytes."""
    text = head.removeprefix(BOM).lstrip()
    return text.startswith((b"{", b"[")) and not _CONTROLS.search(text, 0, 64)
