"""How much of an untrusted input the readers take in before they stop and say so."""

from __future__ import annotations

from msgspec import Struct

MEBIBYTE = 1 << 20


class Limits(Struct, frozen=True, kw_only=True):
    """Bounds for one reading. All sizes are bytes.

    ``max_line_bytes``: a longer line, document or frame is skipped in chunks and counted.
    ``max_decompressed_bytes``: what one compressed source may expand to. ``max_ratio``: expanded over
    compressed size, looked at once ``ratio_grace_bytes`` came out (small files compress extremely well).
    ``max_held_bytes``: estimated memory of traces that are held open; beyond it they go to temporary
    files in ``temp_dir`` (None: the system's own), which are removed at the end.

    >>> Limits(max_line_bytes=8 * MEBIBYTE).max_line_bytes
    8388608
    """

    max_line_bytes: int = 256 * MEBIBYTE
    max_decompressed_bytes: int = 1024 * 1024 * MEBIBYTE
    max_ratio: int = 1_000
    ratio_grace_bytes: int = 64 * MEBIBYTE
    max_held_bytes: int = 48 * MEBIBYTE
    temp_dir: str | None = None
