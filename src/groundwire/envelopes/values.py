"""Numbers, enumerations and attribute values of telemetry in all their spellings.

Each ``parse_`` function takes what some exporter wrote and returns the one form of
:mod:`groundwire.span`, or None for "not there". What is neither is counted in the statistics.
"""

from __future__ import annotations

import re
from base64 import b64decode
from binascii import Error as Base64Error
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from groundwire.envelopes.stats import ReadStats

_INT = re.compile(r"[+-]?[0-9]{1,4000}")
_KINDS = {"unspecified": 0, "internal": 1, "server": 2, "client": 3, "producer": 4, "consumer": 5}
_STATUSES = {"unset": "unset", "ok": "ok", "error": "error", "0": "unset", "1": "ok", "2": "error"}
_MAX_NESTING = 100


def parse_int(value: Any) -> int | None:
    """Return an integer of 64 bits given as number or decimal text, None for anything else.

    >>> parse_int("42"), parse_int(42.0), parse_int("4_2"), parse_int(2**64)
    (42, 42, None, None)
    """
    number = _any_int(value)
    return number if number is not None and -(1 << 63) <= number < 1 << 64 else None


def _any_int(value: Any) -> int | None:
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


def mappings(value: Any) -> Iterator[Mapping[str, Any]]:
    """Yield the objects of a list; what is no list, and items that are no objects, are passed over."""
    for item in value if isinstance(value, list) else ():
        if isinstance(item, Mapping):
            yield item


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
    if number is None and not isinstance(value, float):
        is_large = _any_int(value) is not None
        stats.repaired["int_over_64_bits" if is_large else "bad_int"] += 1
        return str(value) if is_large else value
    return value if number is None else number


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
