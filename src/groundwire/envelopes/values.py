"""The scalars of telemetry in all their spellings: ids, times, enumerations, attribute values.

Each ``parse_`` function takes what some exporter wrote and returns the one form of
:mod:`groundwire.span`, or None for "not there". What is neither is counted in the statistics.
"""

from __future__ import annotations

import re
from base64 import b64decode, urlsafe_b64decode
from binascii import Error as Base64Error
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from hashlib import sha256
from typing import Any

from groundwire.envelopes.stats import ReadStats

is_trace_id = re.compile(r"(?!0{32})[0-9a-f]{32}").fullmatch
"""Truthy for a trace id in its final form."""
is_span_id = re.compile(r"(?!0{16})[0-9a-f]{16}").fullmatch
"""Truthy for a span id in its final form."""
_HEX = re.compile(r"[0-9a-fA-F]+")
_INT = re.compile(r"[+-]?[0-9]{1,4000}")
_ISO = re.compile(
    r"(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d:\d\d)(?:[.,](\d{1,9})\d*)?\s*(Z|z|UTC|[+-]\d\d:?\d\d)?",
)
_NO_ID = frozenset({"", "0" * 32, "0" * 16})
_KINDS = {"unspecified": 0, "internal": 1, "server": 2, "client": 3, "producer": 4, "consumer": 5}
_STATUSES = {"unset": "unset", "ok": "ok", "error": "error", "0": "unset", "1": "ok", "2": "error"}
_MAX_NS = (1 << 63) - 1
_MAX_NESTING = 100


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


def parse_int(value: Any) -> int | None:
    """Return an integer given as number or decimal text, None for anything else.

    >>> parse_int("42"), parse_int(42.0), parse_int("4_2")
    (42, 42, None)
    """
    if isinstance(value, bool):
        return None
    if isinstance(value, int):
        return value
    if isinstance(value, str):
        return int(value) if _INT.fullmatch(value) else None
    if isinstance(value, float) and value.is_integer():
        return int(value)
    return None


def parse_count(value: Any) -> int:
    """Return a number of 32 bits (flags, counts of what was dropped); 0 for anything else.

    >>> parse_count("3"), parse_count(None), parse_count(2**40)
    (3, 0, 0)
    """
    number = parse_int(value) or 0
    return number if 0 <= number < 1 << 32 else 0


def parse_time_ns(value: Any, stats: ReadStats) -> int | None:
    """Return a point in time in nanoseconds since the epoch; 0 and absent are None.

    Takes nanoseconds (number or text) and ISO 8601; without a zone it is UTC.

    >>> parse_time_ns("1970-01-01T00:00:01.5Z", ReadStats())
    1500000000
    """
    if value is None or value == "" or value == 0 or value == "0":
        return None
    time_ns = parse_int(value)
    if time_ns is None and isinstance(value, str):
        time_ns = _parse_iso_ns(value)
    if isinstance(value, datetime):
        time_ns = _datetime_ns(value)
    if time_ns is None or not 0 < time_ns <= _MAX_NS:
        stats.repaired["bad_time"] += 1
        return None
    return time_ns


def _parse_iso_ns(text: str) -> int | None:
    match = _ISO.fullmatch(text.strip())
    if match is None:
        return None
    day, clock, fraction, zone = match.groups()
    zone = "+00:00" if zone in (None, "Z", "z", "UTC") else zone
    try:
        seconds = _datetime_ns(datetime.fromisoformat(f"{day}T{clock}{zone}"))
    except ValueError:
        return None
    return seconds + int((fraction or "0").ljust(9, "0"))


def _datetime_ns(moment: datetime) -> int:
    aware = moment if moment.tzinfo else moment.replace(tzinfo=UTC)
    delta = aware - datetime(1970, 1, 1, tzinfo=UTC)
    return ((delta.days * 86_400 + delta.seconds) * 1_000_000 + delta.microseconds) * 1_000


def add_duration(start_ns: int | None, duration_ns: int | None, stats: ReadStats) -> int | None:
    """Return the end of what began at ``start_ns``; None where either is unknown or the sum is no time."""
    if start_ns is None or duration_ns is None:
        return None
    return parse_time_ns(start_ns + duration_ns, stats)


def parse_moment_ns(value: Any, stats: ReadStats) -> int | None:
    """Like :func:`parse_time_ns`, for tools whose numbers may be seconds, milli-, micro- or nanoseconds.

    >>> parse_moment_ns(1_700_000_000_000, ReadStats()) == parse_moment_ns(1_700_000_000, ReadStats())
    True
    """
    if isinstance(value, (int, float)) and not isinstance(value, bool) and 0 < value < 1e17:
        digits = len(str(int(value)))
        scale = 10**9 if digits <= 11 else 10**6 if digits <= 14 else 10**3
        value = int(value * scale) if isinstance(value, int) else round(value * scale)
    return parse_time_ns(value, stats)


def parse_kind(value: Any, stats: ReadStats) -> int:
    """Return a span kind's OTLP number from its number or any spelling of its name.

    >>> [parse_kind(kind, ReadStats()) for kind in (2, "SPAN_KIND_CLIENT", "SpanKind.SERVER", "Internal")]
    [2, 3, 2, 1]
    """
    if value is None:
        return 0
    number = parse_int(value)
    if number is None and isinstance(value, str):
        name = value.lower().removeprefix("span_kind_").removeprefix("spankind.")
        number = 0 if not name else _KINDS.get(name)
    if number is None or not 0 <= number <= 5:
        stats.repaired["unknown_kind"] += 1
        return 0
    return number


def parse_status(value: Any, stats: ReadStats) -> str:
    """Return ``unset``, ``ok`` or ``error`` from a number or any spelling of its name.

    >>> [parse_status(code, ReadStats()) for code in (2, "STATUS_CODE_OK", "StatusCode.ERROR", None)]
    ['error', 'ok', 'error', 'unset']
    """
    if value is None or value == "":
        return "unset"
    name = str(value).lower().removeprefix("status_code_").removeprefix("statuscode.")
    status = _STATUSES.get(name)
    if status is None:
        stats.repaired["unknown_status"] += 1
    return status or "unset"


def parse_attributes(pairs: Any, stats: ReadStats) -> dict[str, Any]:
    """Return attributes from an OTLP list of key and value, or from a plain mapping.

    Of a key that comes twice the last value stays (as every OTLP parser has it), and is counted.
    """
    if isinstance(pairs, Mapping):
        return {str(key): value for key, value in pairs.items()}
    if not isinstance(pairs, Iterable) or isinstance(pairs, (str, bytes)):
        return {}
    return _parse_pairs(pairs, stats, 0)


def _parse_pairs(pairs: Iterable[Any], stats: ReadStats, depth: int) -> dict[str, Any]:
    found: dict[str, Any] = {}
    count = 0
    for pair in pairs:
        if isinstance(pair, Mapping) and isinstance(pair.get("key"), str):
            count += 1
            found[pair["key"]] = parse_any_value(pair.get("value"), stats, depth)
    stats.duplicate_keys += count - len(found)
    return found


def parse_any_value(value: Any, stats: ReadStats, depth: int = 0) -> Any:
    """Return the Python value of one OTLP AnyValue (either key style); a bare scalar stands for itself.

    >>> parse_any_value({"arrayValue": {"values": [{"intValue": "7"}, {"string_value": "x"}]}}, ReadStats())
    [7, 'x']
    """
    if not isinstance(value, Mapping):
        return value
    for key, inner in value.items():
        parse = _VALUE_PARSERS.get(key)
        if parse is not None and inner is not None:
            return parse(inner, stats, depth)
    return None


def _parse_string(value: Any, stats: ReadStats, depth: int) -> Any:
    return value if isinstance(value, str) else str(value)


def _parse_bool(value: Any, stats: ReadStats, depth: int) -> Any:
    return {"true": True, "false": False}.get(value, value) if isinstance(value, str) else value


def _parse_int_value(value: Any, stats: ReadStats, depth: int) -> Any:
    return exact_int(value, stats)


def exact_int(value: Any, stats: ReadStats) -> Any:
    """Return an ``intValue`` as int; text beyond 64 bits, or no number at all, stays as it is, counted."""
    number = parse_int(value)
    if number is None:
        if not isinstance(value, float):
            stats.repaired["bad_int"] += 1
        return value
    if not -(1 << 63) <= number < 1 << 64:
        stats.repaired["int_over_64_bits"] += 1
        return str(number)
    return number


def parse_double(value: Any, stats: ReadStats, depth: int = 0) -> Any:
    """Return a ``doubleValue`` as float, also from text such as ``"NaN"``, ``"-Infinity"`` or ``"1.5"``."""
    if isinstance(value, str) or (isinstance(value, int) and not isinstance(value, bool)):
        try:
            return float(value)
        except (ValueError, OverflowError):
            stats.repaired["bad_double"] += 1
    return value


def parse_bytes(value: Any, stats: ReadStats, depth: int = 0) -> Any:
    """Return a ``bytesValue`` as bytes from base64; text that is not base64 stays as it is, counted."""
    if not isinstance(value, str):
        return value
    try:
        return b64decode(value + "=" * (-len(value) % 4), validate=True)
    except (Base64Error, ValueError):
        stats.repaired["bad_base64"] += 1
        return value


def _parse_array(value: Any, stats: ReadStats, depth: int) -> Any:
    if is_too_deep(depth, stats):
        return None
    items = value.get("values") if isinstance(value, Mapping) else value
    return [parse_any_value(item, stats, depth + 1) for item in items] if isinstance(items, list) else []


def _parse_kvlist(value: Any, stats: ReadStats, depth: int) -> Any:
    if is_too_deep(depth, stats):
        return None
    items = value.get("values") if isinstance(value, Mapping) else value
    return _parse_pairs(items, stats, depth + 1) if isinstance(items, list) else {}


def is_too_deep(depth: int, stats: ReadStats) -> bool:
    """Tell whether a value at this depth is left out (counted), as protobuf parsers do at 100 levels."""
    if depth <= _MAX_NESTING:
        return False
    stats.repaired["too_deep"] += 1
    return True


_VALUE_PARSERS = {
    "stringValue": _parse_string,
    "string_value": _parse_string,
    "boolValue": _parse_bool,
    "bool_value": _parse_bool,
    "intValue": _parse_int_value,
    "int_value": _parse_int_value,
    "doubleValue": parse_double,
    "double_value": parse_double,
    "bytesValue": parse_bytes,
    "bytes_value": parse_bytes,
    "arrayValue": _parse_array,
    "array_value": _parse_array,
    "kvlistValue": _parse_kvlist,
    "kvlist_value": _parse_kvlist,
}
