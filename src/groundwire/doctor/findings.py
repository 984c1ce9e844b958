"""What a check found."""

from __future__ import annotations

from typing import Any, Literal

from msgspec import Struct, field

Level = Literal["ok", "note", "bad"]


class Finding(Struct, frozen=True):
    """One finding. ``check`` is a stable word (``endpoint``, ``limits``, ``clock``, ``arrival``, …).

    ``bad``: answers are or will be lost, cut or weighted wrongly; ``note``: worth knowing. ``mend`` says what
    to do, None where nothing is needed. ``data`` holds the numbers behind ``text``.

    >>> Finding("clock", "ok", "The clocks agree.").mend is None
    True
    """

    check: str
    level: Level
    text: str
    mend: str | None = None
    data: dict[str, Any] = field(default_factory=dict)
