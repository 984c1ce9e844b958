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

_ALIASES = {"user_input": "question", "response": "answer", "retrieved_contexts": "contexts"}
_REFERENCES = ("reference", "ground_truth")
"""Names that evaluation data sets use for the same things."""


def is_record(document: Mapping[str, Any]) -> bool:
    """Tell whether the object carries at least one field that only an answered question has.

    >>> is_record({"question": "Who?"}), is_record({"level": "info"})
    (True, False)
    """
    return not _TELLING.isdisjoint(document) or {"user_input", "response"} <= document.keys()


def read_record(document: dict[str, Any], text: bytes, origin: Origin, tally: Tally) -> PlainRecord:
    """Return the object as PlainRecord, identified by its trace id or by the digest of ``text``."""
    trace_id = document.get("trace_id")
    tally.stats.plain_records += 1
    identity = trace_id if isinstance(trace_id, str) and trace_id else tally.identify(text.strip())
    return PlainRecord(_translate(document), identity, origin)


def _translate(document: dict[str, Any]) -> dict[str, Any]:
    """Return the object under a record's own names; what it names so already stays."""
    fields = {
        _ALIASES[name] if name in _ALIASES and _ALIASES[name] not in document else name: value
        for name, value in document.items()
    }
    reference = next((name for name in _REFERENCES if isinstance(document.get(name), str)), None)
    if reference is not None and "expected" not in document:
        fields["expected"] = {"answer": fields.pop(reference)}
    return fields
