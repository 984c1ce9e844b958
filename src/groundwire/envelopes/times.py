"""Points in time in every spelling → integer nanoseconds since the epoch, UTC."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from typing import Any

from groundwire.envelopes.stats import ReadStats
from groundwire.envelopes.values import parse_int

_ISO = re.compile(
    r"(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d:\d\d)(?:[.,](\d{1,9})\d*)?\s*(Z|z|UTC|[+-]\d\d:?\d\d)?",
)
_MAX_NS = (1 << 63) - 1


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
