"""Exported containers of telemetry, as bytes → spans, logs, traces and plain records.

In: files, folders, patterns, stdin, URLs, in any of the formats that Collectors, SDKs, backends and other
tools write; told apart by their bytes, never by their names. Out: the values of :mod:`groundwire.span`,
in constant memory; what can not be read is counted and reported with file, line and byte.

Deliberately does not know what any attribute means: that is :mod:`groundwire.dialects`. Everything read
is untrusted.
"""

from __future__ import annotations

from groundwire.envelopes.limits import Limits
from groundwire.envelopes.reader import read_items
from groundwire.envelopes.sources import expand_sources, is_audit_folder
from groundwire.envelopes.stats import BENIGN_REASONS, ReadStats
from groundwire.envelopes.traces import read_traces

__all__ = [
    "BENIGN_REASONS",
    "Limits",
    "ReadStats",
    "expand_sources",
    "is_audit_folder",
    "read_items",
    "read_traces",
]
