"""Turns any value into JSON without harm: no user code is run, nothing is consumed, nothing can hang.

Most values take the fast way, straight through orjson. What orjson refuses (lone surrogates, cycles, huge
integers, foreign objects) is rebuilt from its stored parts first, under caps on depth, size and time, and
what was changed is counted.
"""

from __future__ import annotations

import base64
import enum
import math
import re
import time
from collections import Counter
from collections.abc import Callable, Mapping
from datetime import date, datetime, time as clock_time
from decimal import Decimal
from pathlib import PurePath
from typing import Any, Final
from uuid import UUID

import orjson

from groundwire.shapes.access import fields_of, items_of

MAX_DEPTH: Final = 24
MAX_NODES: Final = 200_000
MAX_SECONDS: Final = 0.2
MAX_BLOB_BYTES: Final = 65_536
_SURROGATE = re.compile("[\ud800-\udfff]")
_INT64 = range(-(2**63), 2**64)
_AS_TEXT = (datetime, date, clock_time, UUID, Decimal, PurePath)
_SEQUENCES = (list, tuple)
_SETS = (set, frozenset)

Changes = Counter[tuple[str, str]]
"""Counts what was changed, by ``(field, change)``; the words are those of WIRE.md §2."""


def encode_json(value: Any, field: str, changes: Changes) -> bytes:
    """Return ``value`` as compact UTF-8 JSON; what has no form in JSON is changed and counted."""
    try:
        return orjson.dumps(value)
    except Exception:  # noqa: BLE001 - whatever orjson refuses is rebuilt
        return orjson.dumps(clean_value(value, field, changes))


def clean_text(text: str, field: str, changes: Changes) -> str:
    """Return ``text`` with each lone surrogate replaced by U+FFFD (so that offsets hold)."""
    if text.isascii():
        return text
    cleaned, count = _SURROGATE.subn("\ufffd", text)
    if count:
        changes[field, "surrogates"] += count
    return cleaned


def clean_value(value: Any, field: str, changes: Changes, deadline: float | None = None) -> Any:
    """Return ``value`` rebuilt from dict, list, str, int, float, bool and None.

    ``deadline`` (of ``time.monotonic``): what is reached later is left out; None: ``MAX_SECONDS`` from now.
    """
    return _Cleaner(field, changes, deadline).clean(value, 0)


def check_tame(value: Any) -> None:
    """Raise on what can not be encoded in a bounded time and space.

    JSON repeats what a value shares: of lists that each hold the next one twice, sixty would have no end.
    """
    if type(value) is dict and _LEAVES.issuperset(map(type, value.values())):
        return
    found = [value]
    for item in found:
        kind = type(item)
        if kind is dict:
            found += item.values()
        elif kind is list or kind is tuple:
            found += item
        elif hasattr(kind, "__dataclass_fields__"):
            raise TypeError(kind)
        if len(found) > MAX_NODES:
            raise ValueError("too many values")


_LEAVES: Final = frozenset((str, int, float, bool, type(None)))


def plain_items(value: Any) -> dict[str, Any]:
    """Return the items of a mapping, or the stored fields of an object, as a new dict.

    Raises TypeError on anything else, before any code of it is run.
    """
    fields = value if issubclass(type(value), Mapping) else fields_of(value)
    if fields is None:
        raise TypeError("neither a mapping nor an object with fields")
    return dict(fields)


class _Cleaner:
    """One clean-up; its caps count over the whole value."""

    __slots__ = ("changes", "deadline", "field", "nodes", "path")

    def __init__(self, field: str, changes: Changes, deadline: float | None) -> None:
        self.field, self.changes = field, changes
        self.nodes = 0
        self.deadline = time.monotonic() + MAX_SECONDS if deadline is None else deadline
        self.path: set[int] = set()

    def clean(self, value: Any, depth: int) -> Any:
        kind = type(value)
        if value is None or kind is bool:
            return value
        if kind is str:
            return clean_text(value, self.field, self.changes)
        try:
            simple = _SIMPLE.get(kind)
        except Exception:  # noqa: BLE001 - a class that can not be hashed or compared
            return self._noting(_marker(value), value)
        if simple is not None:
            return self._noting(simple(value), value)
        if self._is_too_much(value, depth):
            return self._noting(_marker(value), value)
        return self._compound(value, depth)

    def _noting(self, new: Any, old: Any) -> Any:
        if new is not old:
            self.changes[self.field, "converted"] += 1
        return new

    def _is_too_much(self, value: Any, depth: int) -> bool:
        self.nodes += 1
        if depth > MAX_DEPTH or self.nodes > MAX_NODES or id(value) in self.path:
            return True
        if self.nodes % 256 == 0 and time.monotonic() > self.deadline:
            self.nodes = MAX_NODES
        return self.nodes == MAX_NODES

    def _compound(self, value: Any, depth: int) -> Any:
        self.path.add(id(value))
        try:
            return self._parts(value, depth + 1)
        except Exception:  # noqa: BLE001 - a hostile subclass; its name must do
            return self._noting(_marker(value), value)
        finally:
            self.path.discard(id(value))

    def _parts(self, value: Any, depth: int) -> Any:
        kind = type(value)
        if issubclass(kind, str):
            return clean_text(str.__str__(value), self.field, self.changes)
        if issubclass(kind, _SEQUENCES):
            return [self.clean(item, depth) for item in items_of(value) or ()]
        if issubclass(kind, _SETS):
            base = set if issubclass(kind, set) else frozenset
            items = [self.clean(item, depth) for item in base.__iter__(value)]
            return self._noting(sorted(items, key=orjson.dumps), value)
        if issubclass(kind, enum.Enum):
            return self.clean(object.__getattribute__(value, "_value_"), depth)
        if issubclass(kind, _AS_TEXT):
            return str(value)
        fields = value if issubclass(kind, dict) else fields_of(value)
        if fields is None:
            return self._noting(_marker(value), value)
        return {self._key(key): self.clean(item, depth) for key, item in dict.items(fields)}

    def _key(self, key: Any) -> str:
        if type(key) is str:
            return clean_text(key, self.field, self.changes)
        self.changes[self.field, "converted"] += 1
        if key is None or type(key) in (bool, int, float):
            return orjson.dumps(key).decode() if not isinstance(key, int) or key in _INT64 else _marker(key)
        if type(key) is tuple:
            return "(" + ", ".join(self._key(part) for part in key[:16]) + ")"
        return _marker(key)


def _marker(value: Any) -> str:
    return f"<{type.__getattribute__(type(value), '__name__')}>"


def _int(value: int) -> Any:
    if value in _INT64:
        return value
    return str(value) if value.bit_length() < 4096 else hex(value)


def _float(value: float) -> Any:
    return value if math.isfinite(value) else None


def _blob(value: bytes | bytearray | memoryview) -> str:
    raw = bytes(value)
    if len(raw) > MAX_BLOB_BYTES:
        return f"<{type(value).__name__} of {len(raw)} bytes>"
    return "base64:" + base64.b64encode(raw).decode()


_SIMPLE: Final[dict[type, Callable[[Any], Any]]] = {
    int: _int,
    float: _float,
    bytes: _blob,
    bytearray: _blob,
}
