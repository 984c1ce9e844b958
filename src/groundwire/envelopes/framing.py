"""Where one JSON document ends and the next begins, when lines do not say so.

JSON strings can not hold a raw newline, so a line that ends inside a string is damaged: what is open is
given up there, and reading goes on with the next line.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from msgspec import Struct, field

from groundwire.envelopes.lines import Line

_TOKEN = re.compile(rb'"[^"\\]*+(?:\\.[^"\\]*+)*+"|["{}\[\]]')
_PAIRS = {ord("}"): ord("{"), ord("]"): ord("[")}
_OPEN_STRING, _BRACE, _BRACKET = ord('"'), ord("{"), ord("[")


class Document(NamedTuple):
    """The bytes of one document, and where it began."""

    text: bytes
    line: int
    byte: int


class Found(Struct):
    """What one line brought: whole documents, and what was wrong (``problem`` None: nothing)."""

    documents: list[Document] = field(default_factory=list)
    problem: str | None = None
    reason: str = "not_json"
    is_cut: bool = False
    line: int = 0
    byte: int = 0


class Framer:
    """Finds documents over lines. A top-level array is opened, so that its items are documents."""

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._stack: list[int] = []
        self._parts: list[bytes] = []
        self._size = 0
        self._base = 0
        self._start = (0, 0)

    @property
    def is_open(self) -> bool:
        """True inside a document, and between the items of a top-level array."""
        return bool(self._stack)

    @property
    def is_between(self) -> bool:
        """True between the items of a top-level array."""
        return len(self._stack) == self._base == 1

    @property
    def is_inside(self) -> bool:
        """True when a document began that did not end."""
        return len(self._stack) > self._base or self.is_between

    def reset(self) -> tuple[int, int]:
        """Give up what is open; return line and byte of where it began."""
        self._stack, self._parts, self._size, self._base = [], [], 0, 0
        return self._start

    def feed(self, line: Line) -> Found:
        """Take in one line; return the documents that end on it."""
        found = Found(line=line.number, byte=line.byte)
        text, begin = line.text, 0
        had_any = bool(self._stack)
        if not had_any:
            self._start = (line.number, line.byte)
        for token in _TOKEN.finditer(text):
            mark, at = text[token.start()], token.start()
            if mark == _OPEN_STRING:
                if token.end() - at == 1:
                    return self._give_up(found, "is cut inside a string", is_cut=True)
            elif mark in (_BRACE, _BRACKET):
                had_any = True
                begin = self._open(mark, at, line, begin)
            elif not self._stack or self._stack.pop() != _PAIRS[mark]:
                return self._give_up(found, "is not JSON: a bracket closes that was not opened")
            elif len(self._stack) == self._base and (self._base == 0 or self._stack):
                found.documents.append(self._close(text[begin : token.end()]))
                begin = token.end()
            elif not self._stack:
                self._base, begin = 0, token.end()
        if not had_any:
            found.problem = "is not JSON"
        elif len(self._stack) > self._base:
            self._keep(text[begin:], found)
        return found

    def _open(self, mark: int, at: int, line: Line, begin: int) -> int:
        if len(self._stack) == self._base:
            if mark == _BRACKET and self._base == 0:
                self._base = 1
            else:
                begin = at
            self._start = (line.number, line.byte + at)
        self._stack.append(mark)
        return begin

    def _close(self, last: bytes) -> Document:
        text = b"\n".join((*self._parts, last))
        self._parts, self._size = [], 0
        return Document(text, *self._start)

    def _keep(self, part: bytes, found: Found) -> None:
        self._parts.append(part)
        self._size += len(part)
        if self._size > self._limit:
            found.problem, found.reason = f"a document has more than {self._limit} bytes", "too_long"
            found.line, found.byte = self.reset()

    def _give_up(self, found: Found, problem: str, *, is_cut: bool = False) -> Found:
        found.problem, found.is_cut = problem, is_cut
        found.line, found.byte = self.reset()
        return found
