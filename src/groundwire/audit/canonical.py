"""Canonical JSON (RFC 8785): one value, one sequence of bytes.

Records of ours hold ASCII keys, no floats and no integer beyond 2**53 - 1; for these, and for most foreign
metadata, orjson with sorted keys writes the bytes of RFC 8785 at a fraction of the time. Everything else
goes through ``rfc8785``. A property test holds the two together.
"""

from __future__ import annotations

import base64
import re
from typing import Any

import orjson
import rfc8785

from groundwire.errors import AuditError

MAX_INTEGER = 2**53 - 1
_OPTIONS = orjson.OPT_SORT_KEYS | orjson.OPT_STRICT_INTEGER
_MAX_DEPTH = 64
_SURROGATES = re.compile("[\ud800-\udfff]")


def canonical_bytes(value: Any) -> bytes:
    """Return the RFC 8785 bytes of a JSON value.

    Raises AuditError for what JSON can not say: NaN, infinities, integers beyond 2**53 - 1, lone
    surrogates, keys that are no strings, other types.

    >>> canonical_bytes({"b": 1, "a": [True, None, "é"]}).decode()
    '{"a":[true,null,"é"],"b":1}'
    """
    try:
        if is_plain(value):
            return orjson.dumps(value, option=_OPTIONS)
        return rfc8785.dumps(value)
    except (orjson.JSONEncodeError, rfc8785.CanonicalizationError, UnicodeError, RecursionError) as cause:
        raise AuditError("a value has no canonical JSON form", got=type(cause).__name__) from cause


def plain_bytes(value: Any) -> bytes:
    """Return the canonical bytes of a value that is known to be plain (see :func:`is_plain`)."""
    return orjson.dumps(value, option=_OPTIONS)


def join_members(members: dict[str, bytes]) -> bytes:
    """Return a canonical object from the canonical bytes of its members (ASCII names).

    >>> join_members({"b": b"1", "a": b"[]"})
    b'{"a":[],"b":1}'
    """
    return b"{%b}" % b",".join([b'"%b":%b' % (name.encode(), members[name]) for name in sorted(members)])


def kept_bytes(value: Any) -> bytes:
    """Return the canonical bytes of a value, or of the nearest one that reads back as it was written.

    >>> kept_bytes({"n": float("nan"), "big": 1e16}).decode()
    '{"big":"1e+16","n":"nan"}'
    """
    try:
        if is_plain(value):
            return orjson.dumps(value, option=_OPTIONS)
        written = canonical_bytes(value)
        if canonical_bytes(orjson.loads(written)) == written:
            return written
    except (AuditError, orjson.JSONEncodeError):
        pass
    return canonical_bytes(to_json_value(value))


def is_plain(value: Any) -> bool:
    """Say whether orjson's sorted output is canonical.

    It is for JSON types whose keys sort alike by code points and by UTF-16 units, and for reals that
    ECMAScript prints neither as integers nor with an exponent.

    >>> is_plain({"a": 1.5}), is_plain({"a": 1e-9}), is_plain({"\U0001f642": 1})
    (True, False, False)
    """
    kind = type(value)
    if kind is str or kind is int or kind is bool or value is None:
        return True
    if kind is dict:
        for key, item in value.items():
            if type(key) is not str or not (key.isascii() or max(key) < "\ud800"):
                return False
            if type(item) is not str and not is_plain(item):
                return False
        return True
    if kind is float:
        return 1e-3 < abs(value) < 1e15 and not value.is_integer()
    return (kind is list or kind is tuple) and all(map(is_plain, value))


def to_json_value(value: Any, depth: int = 0) -> Any:
    """Return the nearest value that has a canonical form.

    Lone surrogates become U+FFFD (one for one: offsets stay), bytes base64, and numbers that JSON can not
    hold exactly (NaN, infinities, beyond 2**53 - 1) their text; below 64 levels everything is ``None``.

    >>> to_json_value({1: float("nan"), "b": 2**60, "c": b"x"})
    {'1': 'nan', 'b': '1152921504606846976', 'c': 'eA=='}
    """
    if depth > _MAX_DEPTH or value is None or isinstance(value, bool):
        return None if depth > _MAX_DEPTH else value
    if isinstance(value, str):
        return _SURROGATES.sub("\ufffd", value)
    if isinstance(value, int):
        return value if abs(value) <= MAX_INTEGER else str(value)
    if isinstance(value, float):
        return value if abs(value) <= MAX_INTEGER else str(value)
    if isinstance(value, (bytes, bytearray)):
        return base64.b64encode(value).decode()
    if isinstance(value, dict):
        return {to_json_value(str(key)): to_json_value(item, depth + 1) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [to_json_value(item, depth + 1) for item in value]
    return f"<{type(value).__name__}>"
