"""Small pieces that every rendering shares: width, wrapping, durations, plain columns."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence

WIDTH = 80
"""Columns that every text fits into."""


def wrap(text: str, indent: str = "", hanging: str | None = None) -> str:
    """Wrap one paragraph to WIDTH; later lines start with ``hanging`` (default: ``indent``)."""
    return textwrap.fill(
        " ".join(text.split()),
        WIDTH,
        initial_indent=indent,
        subsequent_indent=indent if hanging is None else hanging,
        break_on_hyphens=False,
    )


def shorten(text: str, width: int) -> str:
    """Return ``text`` on one line of at most ``width`` characters, cut with an ellipsis.

    >>> shorten("a long   line", 8)
    'a long …'
    """
    line = " ".join(text.split())
    return line if len(line) <= width else f"{line[: max(width - 1, 0)]}…"


def format_duration(ns: int) -> str:
    """Nanoseconds for people, three significant digits.

    >>> format_duration(8), format_duration(812_000), format_duration(1_840_000_000)
    ('8 ns', '812 µs', '1.84 s')
    """
    unit, size = next((pair for pair in _DURATIONS if ns >= pair[1]), _DURATIONS[-1])
    value = ns / size
    return f"{value:,.0f} {unit}" if value >= 1000 else f"{value:.3g} {unit}"


_DURATIONS = (("s", 1_000_000_000), ("ms", 1_000_000), ("µs", 1_000), ("ns", 1))


def format_table(rows: Sequence[Sequence[str]], *, right: Sequence[int] = ()) -> list[str]:
    """Align rows into columns two spaces apart, flush left but for the columns in ``right``."""
    widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
    lines = []
    for row in rows:
        cells = [
            cell.rjust(width) if i in right else cell.ljust(width)
            for i, (cell, width) in enumerate(zip(row, widths, strict=True))
        ]
        lines.append("  ".join(cells).rstrip())
    return lines
