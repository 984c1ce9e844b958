"""Patterns that heed no case, fast in plain text.

A pattern that ignores case compares character by character; the same pattern over text in lower case, of
which ASCII keeps the length, is found several times faster.
"""

from __future__ import annotations

import re
from collections.abc import Iterator


class Caseless:
    """A pattern, written in lower case, that matches in any case; what it matched may come in lower case.

    >>> Caseless(r"\\bsum of\\b").search("The SUM of both").span()
    (4, 10)
    """

    __slots__ = ("_any", "_lower")

    def __init__(self, pattern: str) -> None:
        self._any = re.compile(pattern, re.IGNORECASE)
        self._lower = re.compile(pattern)

    def search(self, text: str) -> re.Match[str] | None:
        """Return the first match."""
        return self._lower.search(text.lower()) if text.isascii() else self._any.search(text)

    def match(self, text: str) -> re.Match[str] | None:
        """Return the match at the beginning."""
        return self._lower.match(text.lower()) if text.isascii() else self._any.match(text)

    def finditer(self, text: str) -> Iterator[re.Match[str]]:
        """Return the matches in order."""
        return self._lower.finditer(text.lower()) if text.isascii() else self._any.finditer(text)
