"""Options of graders: their digest, and the errors for wrong ones."""

from __future__ import annotations

import difflib
import hashlib
import json
from collections.abc import Iterable, Mapping
from typing import Any

from groundwire.errors import ConfigError


def digest_options(options: Mapping[str, Any]) -> str:
    """Return 16 hex digits that stand for ``options``, ``""`` when every option is at its default (None).

    >>> digest_options({"limit_ms": None}), digest_options({"limit_ms": 2000})
    ('', 'e7569d1f92519513')
    """
    given = {name: value for name, value in options.items() if value is not None}
    if not given:
        return ""
    text = json.dumps(given, sort_keys=True, ensure_ascii=False, default=str)
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:16]


def unknown_name(name: str, known: Iterable[str], *, what: str, where: str | None = None) -> ConfigError:
    """Build the error for a ``name`` that is none of ``known``; it proposes the nearest one."""
    known = sorted(known)
    near = difflib.get_close_matches(name, known, n=1, cutoff=0.5)
    mend = f"Did you mean {near[0]!r}?" if near else f"Known: {', '.join(known)}."
    return ConfigError(f"no such {what}", where=where, got=repr(name), mend=mend)


def check_limit(value: Any, where: str) -> float | None:
    """Return a limit as a float; raises ConfigError unless it is None or a number above zero."""
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not value > 0:
        raise ConfigError("is no limit", where=where, expected="a number above 0", got=repr(value))
    return float(value)
