"""What may stand in a record in plain form: technical names, codes, numbers and times, never a text."""

from __future__ import annotations

import hashlib
import math
import re
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from typing import Any

from groundwire.audit.canonical import MAX_INTEGER

_NAME = re.compile(r"(?!.*\S@\S+\.\S)[A-Za-z0-9_][A-Za-z0-9_.:/+@ -]{0,127}")
_WORD = re.compile(r"[A-Za-z][A-Za-z0-9_.,:+/-]{0,199}|[a-z][a-z0-9_-]{0,39} \d+(?:\.\d+){1,3}")
_ID = re.compile(r"(?!.*@)[A-Za-z0-9][A-Za-z0-9_.:#+/-]{0,127}")
_THRESHOLD = re.compile(r"[0-9a-f]{1,14}")
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_LAST_NS = 253402300799 * 10**9


def decimal_string(value: float | None) -> str | None:
    """Return the shortest decimal, without exponent, that reads back the same; None unless finite.

    >>> decimal_string(0.1), decimal_string(1e-7), decimal_string(3.0), decimal_string(float("nan"))
    ('0.1', '0.0000001', '3.0', None)
    """
    if value is None or not math.isfinite(value):
        return None
    text = repr(value)
    return format(Decimal(text), "f") if "e" in text else text


def rfc3339_ns(time_ns: int | None) -> str | None:
    """Return a point in time with nine decimals, None outside of the years 1970 to 9999.

    >>> rfc3339_ns(1_500_000_001)
    '1970-01-01T00:00:01.500000001Z'
    """
    if time_ns is None or not 0 <= time_ns <= _LAST_NS:
        return None
    seconds, rest = divmod(time_ns, 10**9)
    return f"{_EPOCH + timedelta(seconds=seconds):%Y-%m-%dT%H:%M:%S}.{rest:09d}Z"


def plain_id(text: str) -> str:
    """Return a trace or span id; one that does not look like an id becomes a digest of itself.

    >>> plain_id("0af7651916cd43dd"), plain_id("ada@example.org")[:15]
    ('0af7651916cd43dd', 'sha256:cfe00dde')
    """
    if _ID.fullmatch(text):
        return text
    return "sha256:" + hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def error_type(error: str | None) -> str | None:
    """Return the type of an error without its message (which is content).

    >>> error_type("TimeoutError: no answer for ada@example.org"), error_type("went wrong")
    ('TimeoutError', 'error')
    """
    if error is None:
        return None
    return plain_word(error.partition(":")[0].strip()) or "error"


def present(fields: dict[str, Any]) -> dict[str, Any]:
    """Return the fields that are not None."""
    return {name: value for name, value in fields.items() if value is not None}


def plain_name(value: str | None) -> str | None:
    """Return a technical name (of a service, a model), None where it does not look like one.

    >>> plain_name("claude-opus-4@20250514"), plain_name("ada@example.org")
    ('claude-opus-4@20250514', None)
    """
    return value if value is not None and _NAME.fullmatch(value) else None


def plain_word(value: str | None) -> str | None:
    """Return a code (a label, a status, a name with its version), None where it does not look like one.

    >>> plain_word("full_abstention"), plain_word("prices 0.2.3"), plain_word("Ada Lovelace")
    ('full_abstention', 'prices 0.2.3', None)
    """
    return value if value is not None and _WORD.fullmatch(value) else None


def threshold(value: str | None) -> str | None:
    """Return a sampling threshold as written, None where it is none."""
    return value if value is not None and _THRESHOLD.fullmatch(value) else None


def plain_count(value: int | None) -> int | None:
    """Return an integer that JSON holds exactly, None for any other."""
    return value if value is not None and -MAX_INTEGER <= value <= MAX_INTEGER else None
