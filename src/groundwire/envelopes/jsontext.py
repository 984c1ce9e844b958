"""Bytes → JSON value, exact where JSON is valid, tolerant where it is nearly so.

msgspec decodes first: unlike other fast readers it keeps integers of any size exact. What it refuses
(bare NaN, lone surrogates, invalid UTF-8) the standard library reads; the damage is mended and counted.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Mapping
from typing import Any

import msgspec

_decode = msgspec.json.Decoder().decode
_BIG = re.compile(rb"\d{19}")
_MAX_DEPTH = 200
TOKEN = re.compile(rb'"[^"\\]*+(?:\\.[^"\\]*+)*+"|["{}\[\]]')
"""A whole string, a quote that begins none, or a bracket."""
_SURROGATES = re.compile("[\ud800-\udfff]")


class NotJsonError(ValueError):
    """The bytes are no JSON text; ``reason`` is the word that rejections are counted by."""

    def __init__(self, reason: str, problem: str) -> None:
        self.reason, self.problem = reason, problem
        super().__init__(reason, problem)


def parse_json(text: bytes, repaired: Counter[str]) -> Any:
    """Return the value of ``text``; what had to be mended is counted in ``repaired``.

    Raises NotJsonError.

    >>> repaired = Counter()
    >>> parse_json(b'{"a": NaN, "b": "x\\\\ud800"}', repaired)
    {'a': nan, 'b': 'x\\ufffd'}
    >>> sorted(repaired)
    ['lone_surrogate']
    """
    try:
        return _parse(text, repaired)
    except RecursionError:
        pass
    try:
        value = _parse(_prune(text), repaired)
    except RecursionError:
        raise NotJsonError("too_deep", "is nested too deeply to be telemetry") from None
    repaired["too_deep"] += 1
    return value


def _parse(text: bytes, repaired: Counter[str]) -> Any:
    try:
        value = _decode(text)
    except msgspec.DecodeError:
        value = _parse_tolerantly(text, repaired)
    return _mend_ints(value, repaired) if _BIG.search(text) else value


def _prune(text: bytes) -> bytes:
    """Return the text with null for what lies too deep, so that one value does not cost its neighbors."""
    parts: list[bytes] = []
    depth = kept = 0
    for token in TOKEN.finditer(text):
        mark = token[0]
        if mark in (b"{", b"["):
            depth += 1
            if depth == _MAX_DEPTH:
                parts.append(text[kept : token.start()])
        elif mark in (b"}", b"]"):
            if depth == _MAX_DEPTH:
                parts.append(b"null")
                kept = token.end()
            depth -= 1
    return b"".join((*parts, text[kept:]))


def parse_inner_object(value: Any, repaired: Counter[str]) -> Mapping[str, Any]:
    """Return an object that may stand as JSON text; anything else gives an empty one.

    >>> parse_inner_object('{"a": 1}', Counter()), parse_inner_object("plain", Counter())
    ({'a': 1}, {})
    """
    if isinstance(value, str) and value.lstrip().startswith("{"):
        try:
            value = parse_json(value.encode(), repaired)
        except NotJsonError:
            return {}
    return value if isinstance(value, Mapping) else {}


def _parse_tolerantly(text: bytes, repaired: Counter[str]) -> Any:
    try:
        decoded = text.decode()
    except UnicodeDecodeError:
        decoded = text.decode(errors="replace")
        value = _loads(decoded)
        repaired["invalid_utf8"] += 1
    else:
        value = _loads(decoded)
    return _mend_surrogates(value, repaired) if "\\u" in decoded else value


def _loads(text: str) -> Any:
    try:
        return json.loads(text, strict=False)
    except ValueError as cause:
        raise NotJsonError("not_json", _name(text)) from cause


_PYTHON = re.compile(r"\s*(?:[{\[]\s*['(]|[\[(]?\s*[A-Z]\w*\()")
_JAVASCRIPT = re.compile(r"\s*\{\s*[A-Za-z_$][\w$]*:\s")


def _name(text: str) -> str:
    """Say what a text is that begins like an object and is no JSON."""
    if _PYTHON.match(text, 0, 200):
        return "is Python's way to print an object and no JSON; write it with json.dumps"
    if _JAVASCRIPT.match(text, 0, 200):
        return "is JavaScript's way to print an object and no JSON; write JSON.stringify(…), or export OTLP"
    return "is not JSON"


def _mend_surrogates(value: Any, repaired: Counter[str]) -> Any:
    if isinstance(value, str):
        mended, count = _SURROGATES.subn("\ufffd", value)
        if count:
            repaired["lone_surrogate"] += 1
        return mended
    if isinstance(value, list):
        return [_mend_surrogates(item, repaired) for item in value]
    if isinstance(value, dict):
        return {
            _mend_surrogates(key, repaired): _mend_surrogates(item, repaired) for key, item in value.items()
        }
    return value


def _mend_ints(value: Any, repaired: Counter[str]) -> Any:
    """Turn integers that no 64-bit reader holds into text, digit by digit the same."""
    if type(value) is int:
        if -(1 << 63) <= value < 1 << 64:
            return value
        repaired["int_over_64_bits"] += 1
        return str(value) if value.bit_length() < 10_000 else hex(value)
    if isinstance(value, list):
        return [_mend_ints(item, repaired) for item in value]
    if isinstance(value, dict):
        return {key: _mend_ints(item, repaired) for key, item in value.items()}
    return value
