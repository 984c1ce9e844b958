"""Signs that a text was cut by a backend or masked on its way: ``truncated``, ``redacted`` or None.

A value whose length is exactly a known backend limit was cut there (Tempo and Dash0 2,048 bytes, New Relic
4,095 characters, Azure Monitor 8,192, Elastic 1,024, Datadog 25,000 or 5,000 and ``...``, Cloud Trace
64 KiB), as was one that ends in the middle of a UTF-8 character.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

_CHARACTER_LIMITS = frozenset({1024, 2048, 4095, 8192, 25_000, 65_536})
_BYTE_LIMITS = frozenset({2048, 65_536})
_MARKED_LIMITS = frozenset({5000, 25_000, 5003, 25_003})
_MASK = re.compile(
    r"__REDACTED__|<REDACTED>|\[REDACTED\]|\[Scrubbed due to [^\]]{1,80}\]"
    r"|(?<![*\w])\*{4}(?![*\w])|<masked[^>]{0,40}>",
    re.IGNORECASE,
)


def is_masked(text: str) -> bool:
    """Tell whether the whole text is a mask that stands for content.

    >>> is_masked("__REDACTED__"), is_masked("see __REDACTED__")
    (True, False)
    """
    stripped = text.strip()
    return len(stripped) < 160 and _MASK.fullmatch(stripped) is not None


def text_damage(text: str | None, *, is_attribute: bool = True) -> str | None:
    """Return what happened to a text: ``redacted``, ``truncated`` or None.

    ``is_attribute``: the text was a whole attribute value, so its length can be a backend's limit; a text
    from inside a JSON value that parsed was not cut.

    >>> text_damage("a" * 4095), text_damage("Call **** now"), text_damage("fine")
    ('truncated', 'redacted', None)
    """
    if not text:
        return None
    if is_attribute and _is_cut(text):
        return "truncated"
    if _may_be_masked(text) and _MASK.search(text):
        return "redacted"
    return None


def _may_be_masked(text: str) -> bool:
    """A quick look before the pattern: single characters first, since every text comes through here."""
    if "*" in text and "****" in text:
        return True
    if "_" in text or "<" in text or "[" in text:
        return "EDACTED" in text or "edacted" in text or "Scrubbed due" in text or "<masked" in text
    return False


def _is_cut(text: str) -> bool:
    length = len(text)
    if length in _CHARACTER_LIMITS or text[-1] == "\ufffd":
        return True
    if length in _MARKED_LIMITS and text.endswith("..."):
        return True
    if text.isascii() or not 512 <= length <= 65_536:
        return False
    size = len(text.encode("utf-8", "replace"))
    return any(size == limit or (limit - 3 <= size < limit and _ends_wide(text)) for limit in _BYTE_LIMITS)


def _ends_wide(text: str) -> bool:
    """A UTF-8-safe cut stops up to three bytes early, and only where a wide character would follow."""
    return ord(text[-1]) > 0x7FF


def worst_damage(damages: Iterable[str | None]) -> str | None:
    """Return ``truncated`` before ``redacted`` before None."""
    found = {damage for damage in damages if damage is not None}
    return next((reason for reason in ("truncated", "redacted") if reason in found), None)
