"""What of an answer is content: the fields that lie in ``content/`` and are only committed to in the log."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from msgspec import Struct, to_builtins

from groundwire.audit.canonical import kept_bytes, to_json_value
from groundwire.audit.digests import commitment
from groundwire.audit.schema import CONTENT_SCHEMA
from groundwire.grade import Grade
from groundwire.record import RECORD_FIELDS, RagRecord

Salts = Callable[[int], bytes]
ContentField = tuple[str, bytes, int | None]


def content_fields(record: RagRecord, grades: Sequence[Grade]) -> Iterator[ContentField]:
    """Yield each content field: its name, its canonical bytes, and its length where it has one."""
    if record.question is not None:
        yield "question", kept_bytes(record.question), len(record.question)
    if record.answer is not None:
        yield "answer", kept_bytes(record.answer), len(record.answer)
    for index, context in enumerate(record.contexts or ()):
        length = len(context.text) if context.text is not None else context.length
        yield f"contexts.{index}", kept_bytes(_builtins(context)), length
    if record.citations is not None:
        yield "citations", kept_bytes(to_builtins(record.citations)), len(record.citations)
    if record.history:
        yield "history", kept_bytes(to_builtins(record.history)), len(record.history)
    details = _details(record)
    yield "details", kept_bytes(details), len(details)
    told = {grade.name: grade.explanation for grade in grades if grade.explanation}
    if told:
        yield "explanations", kept_bytes(told), len(told)


def _builtins(value: Any) -> Any:
    """Return plain JSON types; foreign objects in metadata become the names of their types."""
    try:
        return to_builtins(value)
    except TypeError:
        if isinstance(value, Struct):
            value = {name: getattr(value, name) for name in value.__struct_fields__}
        return to_json_value(value)


_REST = tuple(
    name for name in RECORD_FIELDS if name not in ("question", "answer", "contexts", "citations", "history")
)


def _details(record: RagRecord) -> dict[str, Any]:
    """Everything else of the record: names, ids, tags, metadata, the whole error message."""
    details = {}
    for name in _REST:
        value = getattr(record, name)
        if value is not None and value != () and value != {}:
            details[name] = value if type(value) is str else _builtins(value)
    if record.started_at_ns is not None:
        details["started_at_ns"] = str(record.started_at_ns)
    return details


def commit_all(fields: list[ContentField], salts: Salts) -> tuple[dict[str, dict[str, Any]], bytes]:
    """Return a commitment for every field, and the content file that opens them."""
    placed: dict[str, dict[str, Any]] = {}
    parts = []
    for name, value, length in fields:
        salt = salts(32)
        key = b'"%b"' % name.encode()
        commit = commitment(salt, key, value)
        placed[name] = _slot("sha256-salted/v1", commit, length)
        parts.append((name, b'%b:{"salt":"%b","value":%b}' % (key, salt.hex().encode(), value)))
    body = b",".join(part for _, part in sorted(parts))
    return placed, b'{"fields":{%b},"schema":"%b"}\n' % (body, CONTENT_SCHEMA.encode())


def withhold_all(fields: list[ContentField]) -> tuple[dict[str, dict[str, Any]], None]:
    """Return what stands in a record when nothing is kept: lengths, and no digest that could be guessed."""
    return {name: _slot("withheld/v1", None, length) for name, _, length in fields}, None


def _slot(alg: str, commit: str | None, length: int | None) -> dict[str, Any]:
    slot: dict[str, Any] = {"alg": alg}
    if commit is not None:
        slot["commit"] = commit
    if length is not None:
        slot["length"] = length
    return slot


def place_inputs(record: RagRecord, placed: dict[str, dict[str, Any]]) -> dict[str, Any]:
    """Return the member ``inputs``: the commitments, those of contexts as a list in order."""
    inputs: dict[str, Any] = {name: slot for name, slot in placed.items() if "." not in name}
    if record.contexts is not None:
        inputs["contexts"] = [placed[f"contexts.{index}"] for index in range(len(record.contexts))]
    return inputs


def without_commits(value: Any) -> Any:
    """Return the value without any member ``commit``: what two runs have in common."""
    if isinstance(value, dict):
        return {name: without_commits(item) for name, item in value.items() if name != "commit"}
    return [without_commits(item) for item in value] if isinstance(value, list) else value
