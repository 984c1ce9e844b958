"""Attribute values of unknown type and origin → text, numbers, structures. Nothing here raises.

Writers put ints as strings, JSON into strings (sometimes twice), Python reprs, and text that a backend
cut in the middle. Each function takes any object and returns the value or None.
"""

from __future__ import annotations

import ast
import base64
import json
import math
import re
from typing import Any, NamedTuple

import orjson

from groundwire.dialects.cutjson import close_string, recover_json

MAX_DEPTH = 64
_MAX_REPR_CHARS = 262_144
_MAX_REPR_DEPTH = 40
_SURROGATE = re.compile("[\ud800-\udfff]")
_INT = re.compile(r"[+-]?\d{1,19}\Z", re.ASCII)


class Parsed(NamedTuple):
    """A decoded value; ``complete`` is False where the text was cut and only its head was recovered."""

    value: Any
    complete: bool = True


def as_text(value: Any) -> str | None:
    """Return ``value`` if it is text (bytes are decoded, lone surrogates become U+FFFD), else None.

    >>> as_text("a"), as_text(42), as_text(None)
    ('a', None, None)
    """
    if isinstance(value, str):
        return value if value.isascii() else _SURROGATE.sub("\ufffd", value)
    if isinstance(value, bytes):
        return value.decode("utf-8", "replace")
    return None


def as_label(value: Any) -> str | None:
    """Return a short text for a name or id: numbers are spelled out, ``""`` and booleans are None."""
    if type(value) is str and value.isascii():
        return value or None
    if isinstance(value, bool) or value is None:
        return None
    if isinstance(value, (int, float)):
        return _spell_number(value)
    text = as_text(value)
    return text or None


def _spell_number(value: int | float) -> str | None:
    if isinstance(value, float):
        return format(value, "g") if math.isfinite(value) else None
    return str(value) if abs(value) < 1 << 128 else None


def as_int(value: Any) -> int | None:
    """Return an int from an int, a whole float or a decimal string; None for the rest.

    >>> as_int("143"), as_int(2.0), as_int(True), as_int("many")
    (143, 2, None, None)
    """
    if isinstance(value, bool):
        return None
    if isinstance(value, int):
        return value if abs(value) < 1 << 63 else None
    if isinstance(value, float):
        return int(value) if math.isfinite(value) and value.is_integer() and abs(value) < 1 << 63 else None
    if isinstance(value, str) and _INT.match(value.strip()):
        number = int(value)
        return number if abs(number) < 1 << 63 else None
    return None


def as_count(value: Any) -> int | None:
    """Return a count: as :func:`as_int`, but None below zero and from 2**53 on."""
    number = value if type(value) is int else as_int(value)
    return number if number is not None and 0 <= number < 1 << 53 else None


def as_float(value: Any) -> float | None:
    """Return a finite float from a number or its text; None for the rest, NaN and infinities.

    >>> as_float("0.91"), as_float("NaN"), as_float(None)
    (0.91, None, None)
    """
    if isinstance(value, bool) or not isinstance(value, (int, float, str)) or value == "":
        return None
    try:
        number = float(value) if not isinstance(value, str) or len(value) < 64 else math.nan
    except (ValueError, OverflowError):
        return None
    return number if math.isfinite(number) else None


def as_bool(value: Any) -> bool | None:
    """Return a bool from a bool or ``"true"``/``"false"`` in any case; None for the rest."""
    if isinstance(value, bool):
        return value
    return {"true": True, "false": False}.get(value.strip().lower()) if isinstance(value, str) else None


def as_texts(value: Any) -> list[str]:
    """Return the texts of a list (or of one text, or of a JSON list in a string)."""
    value = parse_json(value).value
    if isinstance(value, (list, tuple)):
        return [text for text in map(as_label, value) if text is not None]
    text = as_label(value)
    return [] if text is None else [text]


def parse_json(value: Any) -> Parsed:
    """Return the structure in ``value``: JSON in a string is decoded (also twice), the rest is kept.

    Text that is no JSON array, object or quoted string stays text, so ``42`` stays ``"42"``. A cut
    array or object is recovered as far as it goes and marked incomplete.

    >>> parse_json('"[1, 2]"')
    Parsed(value=[1, 2], complete=True)
    >>> parse_json('[{"id": "a"}, {"id": "b')
    Parsed(value=[{'id': 'a'}, {'id': 'b'}], complete=False)
    """
    complete = True
    for _ in range(3):
        text = value if isinstance(value, str) else None
        if text is None or not _looks_like_json(text):
            break
        found = _decode(text)
        if found is None:
            break
        value, complete = found.value, complete and found.complete
    return Parsed(value, complete)


def parse_structure(value: Any) -> Parsed:
    """As :func:`parse_json`, and a Python repr of plain literals is read too (bounded in size and depth).

    >>> parse_structure("{'audio': 0, 'cache_read': 64}").value
    {'audio': 0, 'cache_read': 64}
    """
    if isinstance(value, str) and "'" in value[:4096] and value.lstrip()[:1] in ("{", "[", "("):
        whole = _load(value)
        if whole is not None:
            return Parsed(whole)
        literal = _literal(value)
        if literal is not None:
            return Parsed(literal)
    return parse_json(value)


def decode_text(value: Any) -> str | None:
    """Return text that may or may not be JSON-quoted: ``'"hi"'`` → ``hi``, ``hi`` → ``hi``.

    None where the value is no text. A string that is only JSON by accident (``42``) is kept as it is.
    """
    text = as_text(value)
    if text is None or len(text) < 2 or text[0] != '"' or text[-1] != '"':
        return text
    inner = _load(text)
    return as_text(inner) if isinstance(inner, str) else text


def plain(value: Any, depth: int = 12) -> Any:
    """Return ``value`` as JSON-encodable data: no bytes, no NaN, no lone surrogates, bounded depth."""
    if value is None or isinstance(value, (bool, int)):
        return value
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, str):
        return as_text(value)
    if isinstance(value, bytes):
        return base64.b64encode(value).decode("ascii")
    if depth <= 0:
        return None
    if isinstance(value, dict):
        return {as_text(key) or str(key): plain(item, depth - 1) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(item, depth - 1) for item in value]
    return None


def _looks_like_json(text: str) -> bool:
    head = text.lstrip()[:1] if text[:1].isspace() else text[:1]
    return head in ("{", "[") or (head == '"' and len(text) > 1)


def _decode(text: str) -> Parsed | None:
    value = _load(text)
    if value is not None:
        return Parsed(value)
    if text.lstrip()[:1] == '"':
        return _decode_cut_string(text)
    value = recover_json(text)
    return None if value is None else Parsed(value, complete=False)


def _decode_cut_string(text: str) -> Parsed | None:
    """A JSON string that holds JSON, cut before its closing quote."""
    start = text.lstrip()
    inner = _load(close_string(start)) if start[1:2] in ("{", "[") else None
    return Parsed(inner, complete=False) if isinstance(inner, str) else None


def _load(text: str) -> Any:
    """Return the decoded JSON, or None (also for ``null``)."""
    try:
        return orjson.loads(text)
    except (ValueError, RecursionError):
        pass
    try:  # bare NaN, lone surrogates, ints over 64 bits
        return json.loads(text)
    except (ValueError, RecursionError):
        return None


def _literal(text: str) -> Any:
    if len(text) > _MAX_REPR_CHARS or _nesting(text) > _MAX_REPR_DEPTH:
        return None
    try:
        value = ast.literal_eval(text.strip())
    except (ValueError, SyntaxError, TypeError, MemoryError, RecursionError):
        return None
    return value if isinstance(value, (dict, list, tuple)) else None


def _nesting(text: str) -> int:
    depth = deepest = 0
    for char in text:
        if char in "([{":
            depth += 1
            deepest = max(deepest, depth)
        elif char in ")]}":
            depth -= 1
    return deepest
