"""One source → items: unpacks, looks at the first bytes, and hands the stream to the right reader."""

from __future__ import annotations

import gzip
import io
from collections.abc import Callable, Iterator
from typing import Any

from groundwire.envelopes.documents import Item
from groundwire.envelopes.jsonfiles import read_json_stream
from groundwire.envelopes.limits import Limits
from groundwire.envelopes.sources import Source, expand_sources, open_source
from groundwire.envelopes.stats import ReadStats, Tally
from groundwire.span import Origin, Rejected

_GZIP = b"\x1f\x8b"


def read_items(
    source: Source,
    *,
    on_reject: Callable[[Rejected], object] | None = None,
    limits: Limits | None = None,
    stats: ReadStats | None = None,
) -> Iterator[Item]:
    """Yield the spans, logs and plain records of one source, in its order, in constant memory.

    ``source`` is a path, ``"-"`` (stdin) or an fsspec URL; its format is told by its bytes, never by its
    name. What can not be read is handed to ``on_reject`` and counted in ``stats``. Raises EnvelopeError
    only when the source can not be opened.
    """
    tally = Tally(limits, stats, on_reject)
    for path in expand_sources(source):
        yield from read_source(path, tally)


def read_source(path: str, tally: Tally) -> Iterator[Item]:
    """Yield the items of one expanded source."""
    tally.begin_source()
    with open_source(path) as raw:
        yield from _read_stream(_buffered(raw), path, tally)


def _read_stream(stream: io.BufferedReader, path: str, tally: Tally) -> Iterator[Item]:
    head = stream.peek(1 << 16)
    if not head:
        tally.reject(Origin(path), "empty_file", "the file is empty")
    elif head.startswith(_GZIP):
        yield from _read_stream(_buffered(gzip.GzipFile(fileobj=stream)), path, tally)
    elif b"\0" in head[:4096]:
        tally.reject(Origin(path), "unknown_format", "is binary, in no format that is known here")
    else:
        yield from read_json_stream(stream, path, tally)


def _buffered(raw: Any) -> io.BufferedReader:
    return raw if isinstance(raw, io.BufferedReader) else io.BufferedReader(raw, 1 << 18)
