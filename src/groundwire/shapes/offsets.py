"""Settles in which unit a provider counted, by trying each one against the quoted text.

Providers count characters, UTF-16 units or UTF-8 bytes, end exclusive or inclusive, and their documents
do not always say which. A unit is taken as true only when ``text[start:end]`` is the quote under it;
otherwise the quote is searched; otherwise the offsets stay unresolved. Results are code points, end
exclusive.
"""

from __future__ import annotations

from typing import Final

UNRESOLVED: Final = "unresolved"
Settled = tuple[int | None, int | None, str]
_UNITS: Final = ("code_points", "utf16", "utf8_bytes")
_ENCODINGS: Final = {"utf16": ("utf-16-le", 2), "utf8_bytes": ("utf-8", 1)}


def resolve_offsets(
    text: str, start: int | None, end: int | None, quote: str | None, *, prefer: str = "code_points"
) -> Settled:
    """Return ``(start, end, how)`` in code points, end exclusive; ``(None, None, "unresolved")`` else.

    ``how`` is one of ``code_points``, ``utf16``, ``utf8_bytes`` (with ``_inclusive`` where the end was),
    ``quote`` (found by its text: its only occurrence, or the one nearest to ``start``) or ``unresolved``.
    Without a quote nothing can be verified: then only a range in an ASCII beginning, where all units agree,
    settles.
    ``prefer`` is the unit that is tried first; it decides only where the quote stands at both places.

    >>> resolve_offsets("Zürich is big.", 0, 7, "Zürich")
    (0, 6, 'utf8_bytes')
    >>> resolve_offsets("a b a", None, None, "b")
    (2, 3, 'quote')
    >>> resolve_offsets("a b a", 7, 9, "c")
    (None, None, 'unresolved')
    """
    if quote:
        if start is not None and end is not None:
            settled = _verify_units(text, start, end, quote, prefer)
            if settled is not None:
                return settled
        return _locate(text, start, quote)
    if start is None or end is None or not 0 <= start < end <= len(text) or not text[:end].isascii():
        return None, None, UNRESOLVED
    return start, end, "code_points"


def _verify_units(text: str, start: int, end: int, quote: str, prefer: str) -> Settled | None:
    if not 0 <= start <= end:
        return None
    if prefer == "code_points" or text.isascii():
        settled = _verify_code_points(text, start, end, quote)
        if settled is not None or text.isascii():
            return settled
    for unit in (prefer, *_UNITS):
        if unit == "code_points":
            settled = _verify_code_points(text, start, end, quote)
        else:
            settled = _verify_encoded(text, start, end, quote, unit)
        if settled is not None:
            return settled
    return None


def _verify_code_points(text: str, start: int, end: int, quote: str) -> Settled | None:
    stop = start + len(quote)
    if not end <= stop <= end + 1 or not text.startswith(quote, start):
        return None
    return start, stop, "code_points" if stop == end else "code_points_inclusive"


def _verify_encoded(text: str, start: int, end: int, quote: str, unit: str) -> Settled | None:
    encoding, width = _ENCODINGS[unit]
    data = text.encode(encoding, "surrogatepass")
    wanted = quote.encode(encoding, "surrogatepass")
    if not data.startswith(wanted, start * width):
        return None
    stop = start * width + len(wanted)
    if stop not in (end * width, (end + 1) * width):
        return None
    first = _code_points(data[: start * width], encoding)
    if first is None or not text.startswith(quote, first):
        return None
    return first, first + len(quote), unit if stop == end * width else unit + "_inclusive"


def _code_points(data: bytes, encoding: str) -> int | None:
    """Count the characters of a prefix; None when it ends inside one."""
    try:
        return len(data.decode(encoding, "surrogatepass"))
    except UnicodeDecodeError:
        return None


def _locate(text: str, near: int | None, quote: str) -> Settled:
    first = text.find(quote)
    if first < 0:
        return None, None, UNRESOLVED
    second = text.find(quote, first + 1)
    if second < 0:
        return first, first + len(quote), "quote"
    if near is None:
        return None, None, UNRESOLVED
    best = _nearest(text, near, quote)
    return best, best + len(quote), "quote"


def _nearest(text: str, near: int, quote: str) -> int:
    """Return the start of the occurrence that is closest to ``near``; there is at least one."""
    near = max(0, min(near, len(text)))
    before = text.rfind(quote, 0, near + len(quote))
    after = text.find(quote, near)
    if before < 0 or after < 0:
        return max(before, after)
    return before if near - before <= after - near else after


def bytes_to_code_points(text: str, offset: int) -> int | None:
    """Turn an offset in UTF-8 bytes into one in code points; None inside a character or past the end.

    >>> bytes_to_code_points("Zürich", 3), bytes_to_code_points("Zürich", 2)
    (2, None)
    """
    if text.isascii():
        return offset if 0 <= offset <= len(text) else None
    data = text.encode("utf-8", "surrogatepass")
    return _code_points(data[:offset], "utf-8") if 0 <= offset <= len(data) else None


def slice_in_unit(text: str, start: int, end: int, unit: str) -> str | None:
    """Cut ``[start, end)`` counted in ``unit``; None where that cuts through a character.

    >>> slice_in_unit("Zürich", 0, 3, "utf8_bytes"), slice_in_unit("Zürich", 0, 2, "utf8_bytes")
    ('Zü', None)
    """
    if unit == "code_points":
        return text[start:end]
    encoding, width = _ENCODINGS[unit]
    try:
        return text.encode(encoding, "surrogatepass")[start * width : end * width].decode(encoding)
    except UnicodeDecodeError:
        return None
