"""Flattened lists (``retrieval.documents.0.document.id``) → lists of mappings, in numeric order."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, NamedTuple

_INDEX = re.compile(r"(\d{1,7})(?:\.(.+))?\Z", re.ASCII | re.DOTALL)
MAX_ITEMS = 10_000


class Indexed(NamedTuple):
    """The items, and whether indices are missing between them (attributes were dropped)."""

    items: list[dict[str, Any]]
    has_gaps: bool

    def __bool__(self) -> bool:
        return bool(self.items)


def read_indexed(attributes: Mapping[str, Any], prefix: str) -> Indexed:
    """Collect ``{prefix}.{i}.{rest}`` into one mapping a number; a bare ``{prefix}.{i}`` is its ``""`` key.

    >>> read_indexed({"p.10.role": "b", "p.2.role": "a", "q": 1}, "p").items
    [{'role': 'a'}, {'role': 'b'}]
    """
    start = prefix + "."
    found: dict[int, dict[str, Any]] = {}
    for key, value in attributes.items():
        match = _INDEX.match(key, len(start)) if key.startswith(start) else None
        if match is not None:
            found.setdefault(int(match[1]), {})[match[2] or ""] = value
    order = sorted(found)[:MAX_ITEMS]
    has_gaps = bool(order) and order != list(range(len(order)))
    return Indexed([found[index] for index in order], has_gaps)


def strip_prefix(item: Mapping[str, Any], prefix: str) -> dict[str, Any]:
    """Return the item with ``prefix`` taken off the keys that begin with it.

    >>> strip_prefix({"message.role": "user", "x": 1}, "message.")
    {'role': 'user', 'x': 1}
    """
    return {key.removeprefix(prefix): value for key, value in item.items()}
