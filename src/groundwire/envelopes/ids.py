"""Trace and span ids in every spelling → lower-case hex of fixed length."""

from __future__ import annotations

import re
from base64 import b64decode, urlsafe_b64decode
from binascii import Error as Base64Error
from hashlib import sha256
from typing import Any

from groundwire.envelopes.stats import ReadStats

is_trace_id = re.compile(r"(?!0{32})[0-9a-f]{32}").fullmatch
"""Truthy for a trace id in its final form."""
is_span_id = re.compile(r"(?!0{16})[0-9a-f]{16}").fullmatch
"""Truthy for a span id in its final form."""
are_ids = re.compile(r"(?!0{32})[0-9a-f]{32} (?!0{16})[0-9a-f]{16}").fullmatch
"""Truthy for a trace id and a span id in their final form, a space between them."""
_HEX = re.compile(r"[0-9a-fA-F]+")
_NO_ID = frozenset({"", "0" * 32, "0" * 16})


def parse_trace_id(value: Any, stats: ReadStats) -> str | None:
    """Return a trace id as 32 lower-case hex digits.

    Takes hex (any case, ``0x``, dashes, ``tr-``; shorter than 128 bits: padded on the left) and base64 of 16
    bytes. Anything else becomes a digest of itself, counted as ``derived_ids``: equal ids stay equal.

    >>> stats = ReadStats()
    >>> parse_trace_id("5B8EFFF798038103D269B633813FC60C", stats)
    '5b8efff798038103d269b633813fc60c'
    >>> parse_trace_id("aYQql5kRA2zz6CIIbsqgBw==", stats)
    '69842a979911036cf3e822086ecaa007'
    """
    if type(value) is str and is_trace_id(value):
        return value
    return _parse_id(value, 16, stats)


def parse_span_id(value: Any, stats: ReadStats) -> str | None:
    """Return a span id as 16 lower-case hex digits; the same forms as :func:`parse_trace_id`.

    >>> parse_span_id("0xEEE19B7EC3C1B174", ReadStats())
    'eee19b7ec3c1b174'
    """
    if type(value) is str and is_span_id(value):
        return value
    return _parse_id(value, 8, stats)


def _parse_id(value: Any, size: int, stats: ReadStats) -> str | None:
    if isinstance(value, (bytes, bytearray)):
        hexed: str | None = value.hex().rjust(2 * size, "0") if 0 < len(value) <= size else None
        text = value.hex()
    elif isinstance(value, (str, int)) and not isinstance(value, bool):
        text = str(value).strip()
        hexed = _hex_of(text, size)
    else:
        return None
    if hexed is None and text.strip("0") and text:
        stats.derived_ids += 1
        hexed = sha256(text.encode("utf-8", "replace")).hexdigest()[: 2 * size]
    return None if hexed is None or hexed in _NO_ID else hexed


def _hex_of(text: str, size: int) -> str | None:
    bare = text.rpartition("/")[2] if text.startswith("trace:/") else text
    bare = bare.removeprefix("tr-").removeprefix("0x").removeprefix("0X").replace("-", "")
    if _HEX.fullmatch(bare) and len(bare) <= 2 * size:
        return bare.lower().rjust(2 * size, "0")
    if len(text.rstrip("=")) == (4 * size + 2) // 3:
        return _hex_of_base64(text, size)
    return None


def _hex_of_base64(text: str, size: int) -> str | None:
    padded = text.rstrip("=") + "=" * (-len(text.rstrip("=")) % 4)
    decode = urlsafe_b64decode if "-" in text or "_" in text else b64decode
    try:
        raw = decode(padded)
    except (Base64Error, ValueError):
        return None
    return raw.hex() if len(raw) == size else None
