"""Nested values ↔ the flat dotted keys of OpenInference attributes."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

_JSON_KEYS = ("metadata", "invocation_parameters", "json_schema", "arguments")
_MAX_DEPTH = 32


def flatten(values: Mapping[str, Any]) -> dict[str, Any]:
    """Return ``values`` with nested objects and lists of objects spelled as dotted keys.

    Objects under keys that hold JSON (``metadata``, …) become JSON text; lists of scalars stay lists; what
    is None is left out.

    >>> flatten({"retrieval": {"documents": [{"document.content": "a", "document.metadata": {"p": 1}}]}})
    {'retrieval.documents.0.document.content': 'a', 'retrieval.documents.0.document.metadata': '{"p": 1}'}
    """
    found: dict[str, Any] = {}
    for key, value in values.items():
        _flatten(str(key), value, found, 0)
    return found


def _flatten(key: str, value: Any, found: dict[str, Any], depth: int) -> None:
    if value is None:
        return
    if isinstance(value, Mapping):
        if key.endswith(_JSON_KEYS) or depth > _MAX_DEPTH:
            found[key] = json.dumps(value, ensure_ascii=False, default=str)
        else:
            for name, item in value.items():
                _flatten(f"{key}.{name}", item, found, depth + 1)
    elif isinstance(value, list) and any(isinstance(item, Mapping) for item in value):
        for index, item in enumerate(value):
            _flatten(f"{key}.{index}", item, found, depth + 1)
    else:
        found[key] = value
