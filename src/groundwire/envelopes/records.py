"""Record files: one object a line with the fields of a RagRecord; no trace needed."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from groundwire.envelopes.stats import Tally
from groundwire.record import RECORD_FIELDS
from groundwire.span import Origin, PlainRecord

_TELLING = frozenset(RECORD_FIELDS) & {
    "question", "answer", "contexts", "citations", "history", "expected", "abstained", "error",
}  # fmt: skip


def is_record(document: Mapping[str, Any]) -> bool:
    """Tell whether the object carries at least one field that only an answered question has.

    >>> is_record({"question": "Who?"}), is_record({"level": "info"})
    (True, False)
    """
    return not _TELLING.isdisjoint(document)


def read_record(document: dict[str, Any], text: bytes, origin: Origin, tally: Tally) -> PlainRecord:
    """Return the object as PlainRecord, identified by its trace id or by the digest of ``text``."""
    trace_id = document.get("trace_id")
    tally.stats.plain_records += 1
    identity = trace_id if isinstance(trace_id, str) and trace_id else tally.identify(text.strip())
    return PlainRecord(document, identity, origin)
