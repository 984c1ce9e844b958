"""Passages in columns: Chroma's lists of lists, DataFrames, mappings of equally long lists."""

from __future__ import annotations

from typing import Any, Final

from groundwire.shapes.access import Fields, get, items_of, known_class

MAX_ROWS: Final = 1_000
"""How many rows of a DataFrame are read."""
_SINGULAR: Final = {
    "documents": "text", "texts": "text", "ids": "id", "metadatas": "metadata", "distances": "distance",
    "scores": "score", "uris": "uri", "contents": "content", "similarities": "similarity",
}  # fmt: skip


def rows_of(value: Any) -> list[Any] | None:
    """Return the rows of a pandas or polars DataFrame as dicts; None for anything else.

    >>> rows_of({"text": ["a"]}) is None
    True
    """
    for module, read in (("pandas", _pandas_rows), ("polars", _polars_rows)):
        if known_class(type(value), module) == "DataFrame":
            return read(value)
    return None


def _pandas_rows(frame: Any) -> list[Any]:
    rows: list[Any] = frame.head(MAX_ROWS).to_dict("records")
    return rows


def _polars_rows(frame: Any) -> list[Any]:
    rows: list[Any] = frame.head(MAX_ROWS).to_dicts()
    return rows


def columns_of(fields: Fields) -> list[Fields] | None:
    """Turn columns into rows; None when the fields are no columns.

    >>> columns_of({"ids": [["a"]], "documents": [["Ada"]], "distances": [[0.1]]})
    [{'text': 'Ada', 'id': 'a', 'distance': 0.1}]
    """
    if get(fields, "ids") is None and get(fields, "metadatas") is None:
        return None
    columns = {}
    for plural, name in _SINGULAR.items():
        column = items_of(get(fields, plural))
        if column is not None:
            columns[name] = _flattened(column)
    lengths = {len(column) for column in columns.values() if column}
    if len(columns) < 2 or len(lengths) > 1:
        return None
    count = lengths.pop() if lengths else 0
    filled = {name: column for name, column in columns.items() if column}
    return [{name: column[row] for name, column in filled.items()} for row in range(count)]


def _flattened(column: Any) -> list[Any]:
    if column and all(items_of(item) is not None for item in column):
        return [item for inner in column for item in items_of(inner) or ()]
    return list(column)
