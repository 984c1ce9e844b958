"""What of an answer is content: the fields that lie in ``content/`` and are only committed to in the log."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import msgspec
from msgspec import Struct

from groundwire.audit.canonical import MAX_INTEGER, kept_bytes
from groundwire.audit.digests import commitment
from groundwire.audit.schema import CONTENT_SCHEMA
from groundwire.audit.wording import decimal_string
from groundwire.grade import Grade
from groundwire.record import RagRecord

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
        yield f"contexts.{index}", kept_bytes(_exact(context)), length
    if record.citations is not None:
        yield "citations", kept_bytes(_exact(record.citations)), len(record.citations)
    if record.history:
        yield "history", kept_bytes(_exact(record.history)), len(record.history)
    details = _details(record)
    yield "details", kept_bytes(details), len(details)
    told = {grade.name: grade.explanation for grade in grades if grade.explanation}
    if told:
        yield "explanations", kept_bytes(told), len(told)


_IN_FIELDS = {"question", "answer", "contexts", "citations", "history"}


def _details(record: RagRecord) -> dict[str, Any]:
    """Everything else of the record: names, ids, tags, metadata, the whole error message."""
    return {name: _exact(value) for name, value in _set_fields(record) if name not in _IN_FIELDS}


def _set_fields(record: RagRecord) -> Iterator[tuple[str, Any]]:
    for name in record.__struct_fields__:
        value = getattr(record, name)
        if value is not None and value != () and value != {}:
            yield name, value


def _exact(value: Any) -> Any:
    """Return plain JSON types with our own reals as decimal strings (foreign metadata stays as it is)."""
    if isinstance(value, Struct):
        return {name: _exact(item) for name, item in set_items(value)}
    if isinstance(value, tuple):
        return [_exact(item) for item in value]
    if isinstance(value, int) and not -MAX_INTEGER <= value <= MAX_INTEGER:
        return str(value)
    return decimal_string(value) if isinstance(value, float) else value


def set_items(value: Struct) -> Iterator[tuple[str, Any]]:
    """Yield the fields of a struct that differ from their defaults."""
    for name, default in zip(value.__struct_fields__, _defaults(value), strict=True):
        item = getattr(value, name)
        if item is not default and item != default and item != {}:
            yield name, item


def _defaults(value: Struct) -> tuple[Any, ...]:
    fields = value.__struct_fields__
    return (msgspec.NODEFAULT,) * (len(fields) - len(value.__struct_defaults__)) + value.__struct_defaults__


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
