"""CSV tables (Langfuse's blob export, record tables, rows of a data frame) → items, row by row.

A table is read when its first row, under its header, is something that some reader knows.
"""

from __future__ import annotations

import ast
import csv
import io
import json
import re
from collections import Counter
from collections.abc import Iterator
from typing import Any

import msgspec

from groundwire.envelopes.documents import Item, is_known, read_document
from groundwire.envelopes.jsontext import NotJsonError, parse_json
from groundwire.envelopes.lines import BOM
from groundwire.envelopes.stats import Tally
from groundwire.span import Origin

_COLUMN = re.compile(r"[A-Za-z_][\w.:/ -]{0,80}")
_WHOLE = re.compile(r"-?[0-9]{1,15}\.0")
"""A count, in a column where some rows have none."""
_DELIMITERS = ",;\t"
_EMPTY = frozenset({"", "\\N", "null", "NULL", "None", "NaN", "nan"})
_TEXTS = frozenset({
    "input", "output", "question", "answer", "response", "user_input", "reference", "ground_truth",
    "expected_output", "name", "comment", "body", "status_message", "error",
})  # fmt: skip
"""Columns whose cells are text, even where they look like JSON."""
_MAX_LITERAL = 1 << 20


def find_delimiter(head: bytes) -> str | None:
    """Return what separates the columns of a table with a header, or None where ``head`` begins no table.

    >>> find_delimiter(b"id;name\\n1;a\\n"), find_delimiter(b"Hello, world\\n")
    (';', None)
    """
    lines = head.removeprefix(BOM).decode("utf-8", "replace").splitlines()[:200]
    for delimiter in _DELIMITERS if len(lines) > 1 else "":
        try:
            rows = [row for row in csv.reader(lines, delimiter=delimiter) if row][:2]
        except csv.Error:
            continue
        if len(rows) == 2 and len(rows[0]) == len(rows[1]) > 1 and _is_header(rows[0]):
            return delimiter
    return None


def _is_header(names: list[str]) -> bool:
    """The first column may have no name: a data frame's index."""
    named = names[not names[0] :]
    return len(set(names)) == len(names) and all(_COLUMN.fullmatch(name) for name in named)


def list_columns(head: bytes, delimiter: str) -> list[str]:
    """Return the names in a table's header."""
    first = head.removeprefix(BOM).decode("utf-8", "replace").splitlines()[:1]
    return next(csv.reader(first, delimiter=delimiter), [])


def is_known_table(head: bytes, delimiter: str) -> bool:
    """Tell whether the first row is something that some reader knows."""
    lines = head.removeprefix(BOM).decode("utf-8", "replace").splitlines(keepends=True)
    row = next(csv.DictReader(lines, delimiter=delimiter), None)
    return row is not None and is_known(_fields(list(row), list(row.values()), Counter()))


def read_csv(stream: io.BufferedReader, path: str, delimiter: str, tally: Tally) -> Iterator[Item]:
    """Yield the items of a table; a row with more or fewer cells than the header is rejected."""
    limit = tally.limits.max_line_bytes
    csv.field_size_limit(max(csv.field_size_limit(), limit))
    tally.saw("csv")
    text = io.TextIOWrapper(stream, encoding="utf-8-sig", errors="replace", newline="")
    rows = csv.reader(text, delimiter=delimiter)
    try:
        names = next(rows, [])
        line = rows.line_num
        for row in rows:
            origin, line = Origin(path, line + 1), rows.line_num
            tally.stats.lines += 1
            tally.stats.bytes += sum(map(len, row)) + len(row)
            if len(row) == len(names):
                fields = _fields(names, row, tally.stats.repaired)
                yield from read_document(fields, msgspec.json.encode(fields, order="sorted"), origin, tally)
            elif row:
                tally.reject(origin, "bad_row", f"has {len(row)} cells, its table has {len(names)} columns")
    except csv.Error as cause:
        tally.reject(Origin(path, rows.line_num), "too_long", f"is no row of a table: {cause}")
    finally:
        text.detach()


def _fields(names: list[str], row: list[Any], repaired: Counter[str]) -> dict[str, Any]:
    return {
        name: _value(name, cell, repaired)
        for name, cell in zip(names, row, strict=True)
        if name and isinstance(cell, str) and cell not in _EMPTY
    }


def _value(name: str, cell: str, repaired: Counter[str]) -> Any:
    if name in _TEXTS or name.endswith(".value"):
        return cell
    if cell[0] in "[{":
        return _structure(cell, repaired)
    if name.endswith("_ns") and cell.isascii() and cell.isdigit() and len(cell) < 20:
        return int(cell)
    if name.startswith("attributes.") and len(cell) < 20 and _WHOLE.fullmatch(cell):
        return int(cell[:-2])
    return {"true": True, "false": False}.get(cell.lower(), cell)


def _structure(cell: str, repaired: Counter[str]) -> Any:
    """Cells hold JSON, or what Python and ClickHouse print for a list or a map; other text stays as it is."""
    try:
        return parse_json(cell.encode(), repaired)
    except NotJsonError:
        pass
    try:
        printed = ast.literal_eval(cell) if len(cell) < _MAX_LITERAL else cell
        return parse_json(json.dumps(printed, default=_plain).encode(), repaired)
    except (ValueError, SyntaxError, TypeError, MemoryError, RecursionError):
        return cell


def _plain(value: Any) -> Any:
    """Return what JSON has for a value that only Python can print."""
    return sorted(value, key=repr) if isinstance(value, (set, frozenset)) else str(value)
