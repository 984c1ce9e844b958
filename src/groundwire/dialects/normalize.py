"""Trace → records: native spans directly, all others through their dialects and one assembly."""

from __future__ import annotations

from collections.abc import Sequence

from groundwire.dialects.native import is_native, read_native
from groundwire.dialects.refs import RefFiles
from groundwire.dialects.tree import SpanTree
from groundwire.record import RagRecord
from groundwire.span import Trace


def normalize_trace(trace: Trace, *, ref_bases: Sequence[str] = ()) -> list[RagRecord]:
    """Return one record per answered question of the trace, ordered by start and span id.

    ``ref_bases`` are the folders under which ``*_ref`` files may be read (also ``s3://bucket/x=/folder``);
    without them no file is opened. Never raises for what is in the trace.

    >>> normalize_trace(Trace(trace_id="ab" * 16, spans=[]))
    []
    """
    refs = RefFiles(ref_bases)
    spans = trace.spans
    if len(spans) == 1 and is_native(spans[0]):
        return [read_native(spans[0], None, refs)]
    tree = SpanTree(trace)
    return [read_native(span, tree.local_root(span), refs) for span in tree.spans if is_native(span)]
