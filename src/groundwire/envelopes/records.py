"""Record files: one object a line with the fields of a RagRecord; no trace needed.

Evaluation data sets call the same things by other names, and may lie column by column.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from groundwire.envelopes.stats import Tally
from groundwire.record import RECORD_FIELDS, RetrievedContext
from groundwire.shapes import read_documents
from groundwire.span import Origin, PlainRecord

_TELLING = frozenset(RECORD_FIELDS) & {
    "question", "answer", "contexts", "citations", "history", "expected", "abstained", "error",
}  # fmt: skip
_PAIRS = (("user_input", "response"), ("query", "response"), ("query", "result"), ("input", "actual_output"))
"""What a data set calls question and answer, where it has both under these names."""
_CONTEXTS = (
    "retrieved_contexts",
    "retrieval_context",
    "source_documents",
    "documents",
    "context",
    "passages",
)
_REFERENCES = (
    "reference", "ground_truth", "ground_truths", "expected_output", "expected_answer", "reference_answer",
)  # fmt: skip
_CONTEXT_FIELDS = frozenset(RetrievedContext.__struct_fields__)
_MAX_ROWS = 1_000_000


def is_record(document: Mapping[str, Any]) -> bool:
    """Tell whether the object carries what only an answered question has.

    >>> is_record({"question": "Who?"}), is_record({"query": "Who?", "response": "Ada."}), is_record({"a": 1})
    (True, True, False)
    """
    return not _TELLING.isdisjoint(document) or _pair(document) is not None


def split_columns(document: Mapping[str, Any]) -> list[dict[str, Any]] | None:
    """Return the rows of a table that lies column by column; None for one record.

    >>> split_columns({"question": ["Who?", "When?"], "answer": {"0": "Ada.", "1": "1843."}})[1]
    {'question': 'When?', 'answer': '1843.'}
    """
    asked = next((document[name] for name in ("question", "answer") if name in document), None)
    columns = {name: _column(value) for name, value in document.items()}
    held = [column for column in columns.values() if column is not None]
    size = len(held[0]) if held else 0
    is_table = _column(asked) is not None and all(len(column) == size for column in held)
    if not is_table or len(held) < len(columns) or not 0 < size <= _MAX_ROWS:
        return None
    return [dict(zip(columns, row, strict=True)) for row in zip(*held, strict=True)]


def _column(value: Any) -> list[Any] | None:
    if isinstance(value, list):
        return value
    if isinstance(value, Mapping) and value and all(str(key).isdigit() for key in value):
        return list(value.values())
    return None


def read_record(document: dict[str, Any], text: bytes, origin: Origin, tally: Tally) -> PlainRecord:
    """Return the object as PlainRecord, identified by its trace id or by the digest of ``text``."""
    trace_id = document.get("trace_id")
    tally.stats.plain_records += 1
    identity = trace_id if isinstance(trace_id, str) and trace_id else tally.identify(text.strip())
    return PlainRecord(_translate(document), identity, origin)


def _pair(document: Mapping[str, Any]) -> tuple[str, str] | None:
    return next((pair for pair in _PAIRS if document.keys() >= set(pair)), None)


def _translate(document: dict[str, Any]) -> dict[str, Any]:
    """Return the object under a record's own names; what it names so already stays."""
    fields = dict(document)
    for name, own in zip(_pair(document) or (), ("question", "answer"), strict=False):
        if own not in document:
            fields[own] = fields.pop(name)
    other = next((name for name in _CONTEXTS if _is_passages(document.get(name))), None)
    if other is not None and "contexts" not in document:
        fields["contexts"] = fields.pop(other)
    if fields.get("contexts") is not None:
        fields["contexts"] = _passages(fields["contexts"])
    reference = next((name for name in _REFERENCES if _reference(document.get(name))), None)
    if reference is not None and "expected" not in document:
        fields["expected"] = _reference(fields.pop(reference))
    if isinstance(fields.get("expected"), str):
        fields["expected"] = {"answer": fields["expected"]}
    return fields


def _reference(value: Any) -> str | None:
    """Of several reference answers the first is taken."""
    value = value[0] if isinstance(value, list) and value else value
    return value if isinstance(value, str) and value else None


def _is_passages(value: Any) -> bool:
    return isinstance(value, (str, list)) and bool(value)


def _passages(value: Any) -> Any:
    """Return passages under a context's own names; what is no list of passages stays, to be refused."""
    if isinstance(value, list) and all(isinstance(item, str) or _is_context(item) for item in value):
        return value
    return read_documents(value) if isinstance(value, (str, list)) else value


def _is_context(item: Any) -> bool:
    return isinstance(item, Mapping) and ("text" in item or item.keys() <= _CONTEXT_FIELDS)
