"""Spans of OTLP/JSON that are kept undecoded until their trace is whole, and decoded then."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec

from groundwire.envelopes.otlp_fast import read_attributes, read_scope, read_span
from groundwire.envelopes.otlp_shapes import RequestFields
from groundwire.envelopes.packed import PackedSpan, pack_span
from groundwire.envelopes.stats import Packing, Tally
from groundwire.span import Origin, SpanData

_decode = msgspec.json.Decoder(RequestFields[msgspec.Raw]).decode
_HEAD_BYTES = 80
_UNPACKED = frozenset({"trulens"})
"""Scopes whose spans say more of where they belong than their trace id does."""


def pack_exact_spans(
    view: memoryview, origin: Origin, tally: Tally, packing: Packing
) -> list[SpanData | PackedSpan] | None:
    """Return the spans of one OTLP/JSON line, or None when it is not exactly the specified form.

    Undecoded are those whose ids and start stand in front; of a plain file only their places are kept.
    ``view`` is the line as it lies there.
    """
    line = bytes(view)
    try:
        request = _decode(line)
    except (msgspec.MsgspecError, RecursionError):
        return None
    tally.saw("otlp_json")
    file = tally.plain_file
    if file is not None:
        packing.slices.keep(origin.path, file)
    is_watched = packing.unless != b"" and packing.unless in line
    stats, spans, at = tally.stats, list[SpanData | PackedSpan](), 0
    for group in request.resource_spans:
        resource = {} if group.resource is None else read_attributes(group.resource.attributes, stats)
        for scoped in group.scope_spans:
            scope = read_scope(scoped.scope, stats)
            for raw in scoped.spans:
                text = bytes(raw)
                packed = pack_span(text, resource, scope, origin)
                if packed is None or scope.name in _UNPACKED or (is_watched and packing.unless in text):
                    span = read_span(text, resource, scope, origin, tally)
                    if span is not None:
                        spans.append(span)
                    continue
                if file is not None:
                    start = line.find(text[:_HEAD_BYTES], at)
                    at = start + len(text)
                    packed.text, packed.offset, packed.size = None, (origin.byte or 0) + start, len(text)
                spans.append(packed)
    return spans


def unpack_span(packed: PackedSpan, tally: Tally) -> SpanData | None:
    """Return the decoded span; None (and counted) where its file changed meanwhile."""
    text = packed.text if tally.packing is None else tally.packing.slices.read(packed)
    if text is None:
        tally.reject(packed.origin, "file_changed", "the file was changed while it was read; read it again")
        return None
    span = read_span(text, packed.resource, packed.scope, packed.origin, tally)
    if span is not None:
        span.trace_id = packed.trace_id  # what it was grouped by, should the key stand in it twice
    return span


def hand_out(spans: list[Any]) -> Iterator[Any]:
    """Yield the spans in order and let go of each, so that a large batch need not stay in memory."""
    spans.reverse()
    while spans:
        yield spans.pop()
