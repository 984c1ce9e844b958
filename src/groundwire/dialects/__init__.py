"""Dialects: a trace, whoever wrote it → one :class:`~groundwire.record.RagRecord` per answered question.

In: :class:`groundwire.span.Trace` values (spans grouped and deduplicated, logs joined). Out: records that
say for every field which span and attribute it came from, and for what is missing why.

Deliberately does not know: file formats (``envelopes``), grades, where a trace was read from. Nothing in
a trace is trusted, and nothing in a trace can make this package raise.
"""

from __future__ import annotations

from groundwire.dialects.normalize import normalize_trace

__all__ = ["normalize_trace"]
