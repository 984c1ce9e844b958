"""The short way through the commonest answers: a plain dict of text, passages, citations and usage.

For such a dict ``groundwire.shapes`` finds the same (a test holds both against each other). Here a reader is
made once for each set of names, so that a call pays for its values alone. Whatever is not plain (a nested
passage, another name, a value of another type) is left to the shapes, whole.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

Fields = dict[str, Any]
Reader = Callable[[Fields], "Fields | None"]
Roles = dict[str, str]
"""The key of each role; the role is the name of the field."""

_MAX_READERS: Final = 512
_MAX_ATTEMPTS: Final = 8
_RESULT: Final = {
    "answer": "answer", "response": "answer", "result": "answer", "reply": "answer",
    "contexts": "documents", "documents": "documents", "docs": "documents", "passages": "documents",
    "source_documents": "documents", "chunks": "documents",
    "citations": "citations", "usage": "usage", "model": "model",
}  # fmt: skip
_DOCUMENT: Final = {
    "text": "content", "content": "content", "page_content": "content", "id": "id", "doc_id": "id",
    "document_id": "id", "chunk_id": "id", "score": "score", "uri": "uri", "url": "uri", "title": "title",
}  # fmt: skip
_CITATION: Final = {
    "quote": "quote", "cited_text": "quote", "source_id": "source_id", "source": "source_id",
    "document_id": "source_id", "doc_id": "source_id", "claim": "claim",
}  # fmt: skip
_USAGE: Final = {
    "input_tokens": "input_tokens", "prompt_tokens": "input_tokens", "output_tokens": "output_tokens",
    "completion_tokens": "output_tokens", "total_tokens": "total_tokens",
}  # fmt: skip
_FAULTS: Final = {
    "answer": "type({0}) is not str",
    "content": "type({0}) is not str",
    "score": "type({0}) is not float",
    "count": "type({0}) is not int or {0} < 0 or {0} >= 9223372036854775808",
}
_LABEL_FAULT: Final = "type({0}) is not str or not {0}"
_ADDRESSES: Final = ("http://", "https://", "s3://", "gs://", "file://")
_PARTS: Final = {"documents": (_DOCUMENT, "content"), "citations": (_CITATION, "source_id")}

_readers: dict[tuple[Any, ...], Reader] = {}
_attempts: dict[tuple[Any, ...], int] = {}


def read_quickly(result: Fields) -> Fields | None:
    """Return the fields of a plain answer, its passages as ``documents`` in wire form; None: ask the shapes.

    >>> read_quickly({"reply": "Ada.", "passages": [{"id": "a", "text": "Ada wrote it."}]})
    {'answer': 'Ada.', 'documents': [{'id': 'a', 'content': 'Ada wrote it.'}]}
    >>> read_quickly({"reply": "Ada.", "passages": [{"id": "a", "metadata": {"page": 7}}]}) is None
    True
    """
    keys = tuple(result)
    reader = _readers.get(keys)
    if reader is not None:
        try:
            fields = reader(result)
        except KeyError:  # an item has other names than the first
            fields = None
        if fields is not None:
            return fields
    return _learn(keys, result)


def _learn(keys: tuple[Any, ...], result: Fields) -> Fields | None:
    """Make a reader for results like this one; give up on names whose insides keep changing."""
    attempts = _attempts.get(keys, 0)
    if attempts >= _MAX_ATTEMPTS or len(_attempts) >= _MAX_READERS:
        return None
    _attempts[keys] = attempts + 1
    lines = _lines(result)
    if lines is None:
        return None
    namespace: dict[str, Any] = {}
    exec("\n    ".join(["def read(r):", *lines]), namespace)
    reader: Reader = namespace["read"]
    _readers[keys] = reader
    try:
        return reader(result)
    except KeyError:
        return None


def _lines(result: Fields) -> list[str] | None:
    """Write a reader's body as source, as ``dataclasses`` does; all names in it are from our tables.

    A loop over names would cost more than the reading itself.
    """
    roles = _roles(result, _RESULT)
    if roles is None or "answer" not in roles:
        return None
    lines: list[str] = []
    for role, key in roles.items():
        part = _part(role, result[key])
        if part is None:
            return None
        lines += [f"{role} = r[{key!r}]", *part]
    return [*lines, f"return {_literal(roles)}"]


def _literal(roles: Mapping[str, str]) -> str:
    return "{" + ", ".join(f"{role!r}: {role}" for role in roles) + "}"


def _part(role: str, value: Any) -> list[str] | None:
    """Return the lines that check one role's value and put it into its form."""
    if role == "usage":
        return _usage_lines(value)
    if role not in _PARTS:
        return [f"if {_FAULTS.get(role, _LABEL_FAULT).format(role)}: return None"]
    if type(value) is not list:
        return None
    if not value:
        return [f"if type({role}) is not list or {role}: return None"]
    return _items_lines(role, value[0], *_PARTS[role])


def _items_lines(role: str, first: Any, names: Mapping[str, str], required: str) -> list[str] | None:
    """Return the lines that copy the named keys of each item of a list, or give up on the first odd one."""
    begin = [f"if type({role}) is not list: return None", f"items, {role} = {role}, []", "for i in items:"]
    if type(first) is str and required == "content":
        fault = f"    if type(i) is not str or i.startswith({_ADDRESSES!r}): return None"
        return [*begin, fault, f"    {role}.append({{'content': i}})"]
    roles = _roles(first, names) if type(first) is dict else None
    if roles is None or required not in roles:
        return None
    faults = " or ".join(_FAULTS.get(name, _LABEL_FAULT).format(name) for name in roles)
    return [
        *begin,
        f"    if type(i) is not dict or len(i) != {len(roles)}: return None",
        *(f"    {name} = i[{key!r}]" for name, key in roles.items()),
        f"    if {faults}: return None",
        f"    {role}.append({_literal(roles)})",
    ]


def _usage_lines(value: Any) -> list[str] | None:
    roles = _roles(value, _USAGE) if type(value) is dict else None
    if not roles or roles.keys() == {"total_tokens"}:
        return None
    lines = [f"if type(usage) is not dict or len(usage) != {len(roles)}: return None"]
    lines += [f"{name} = usage[{key!r}]" for name, key in roles.items()]
    lines.append(f"if {' or '.join(_FAULTS['count'].format(name) for name in roles)}: return None")
    kept = {name: key for name, key in roles.items() if name != "total_tokens"}
    return [*lines, f"usage = {_literal(kept)}"]


def _roles(value: Fields, names: Mapping[str, str]) -> Roles | None:
    """Return the key of each role; None if a key has no role or two have the same."""
    roles = {names[key]: key for key in value if type(key) is str and key in names}
    return roles if len(roles) == len(value) else None
