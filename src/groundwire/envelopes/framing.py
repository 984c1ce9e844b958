"""Where one JSON document ends and the next begins, when lines do not say so.

JSON strings can not hold a raw newline, so a line that ends inside a string is damaged: what is open is
given up there, and reading goes on with the next line.
"""

from __future__ import annotations

from typing import NamedTuple

from msgspec import Struct, field

from groundwire.envelopes.jsontext import TOKEN
from groundwire.envelopes.lines import Line

_PAIRS = {ord("}"): ord("{"), ord("]"): ord("[")}
_QUOTE, _BRACE, _BRACKET = ord('"'), ord("{"), ord("[")
_BEFORE_VALUE = b"[,:"


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


class Framer:
    """Finds documents over lines. A top-level array is opened, so that its items are documents.

    After a problem call :meth:`give_up`.
    """

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._stack: list[int] = []
        self._base = 0
        self._kept: list[Line] = []
        self._size = 0
        self._start = Line(0, 0, b"", True)
        self._begin = 0

    @property
    def is_open(self) -> bool:
        """True inside a document, and between the items of a top-level array."""
        return bool(self._stack)

    @property
    def is_between(self) -> bool:
        """True between the items of a top-level array."""
        return len(self._stack) == self._base == 1

    @property
    def expects_value(self) -> bool:
        """True where JSON lets a value begin on the next line."""
        return not self._kept or self._kept[-1].text[-1] in _BEFORE_VALUE

    def give_up(self) -> tuple[Line, list[Line]]:
        """Leave the open document (not an open array); return where it began and the lines kept of it."""
        start, kept = self._start, self._kept
        self._stack = [_BRACKET] if self._base else []
        self._kept, self._size = [], 0
        return start, kept

    def feed(self, line: Line) -> Found:
        """Take in one line; return the documents that end on it."""
        found = Found()
        self._begin = 0
        if not self._stack:
            self._start = line
        saw_any = bool(self._stack)
        for token in TOKEN.finditer(line.text):
            mark, at = line.text[token.start()], token.start()
            if mark == _QUOTE:
                if token.end() - at == 1:
                    found.problem, found.is_cut = "is cut inside a string", True
                    break
            else:
                saw_any = True
                if not self._take(mark, at, token.end(), line, found):
                    found.problem = "is not JSON: a bracket closes that was not opened"
                    break
        if not saw_any and found.problem is None:
            found.problem = "is not JSON"
        if len(self._stack) > self._base:
            self._keep(line, found)
        return found

    def _take(self, mark: int, at: int, end: int, line: Line, found: Found) -> bool:
        """Take in one bracket; return False where it does not fit."""
        if mark in (_BRACE, _BRACKET):
            if len(self._stack) == self._base:
                self._open(mark, at, line)
            self._stack.append(mark)
            return True
        if not self._stack or self._stack.pop() != _PAIRS[mark]:
            return False
        if not self._stack:
            is_array_end = self._base == 1
            self._base = 0
            if is_array_end:
                return True
        if len(self._stack) == self._base:
            found.documents.append(self._close(line.text[self._begin : end]))
        return True

    def _open(self, mark: int, at: int, line: Line) -> None:
        self._start = Line(line.number, line.byte + at, line.text, line.is_ended)
        if mark == _BRACKET and self._base == 0:
            self._base = 1
        else:
            self._begin = at

    def _close(self, last: bytes) -> Document:
        parts = [line.text for line in self._kept]
        if parts:
            parts[0] = parts[0][self._start.byte - self._kept[0].byte :]
        self._kept, self._size = [], 0
        return Document(b"\n".join((*parts, last)), self._start.number, self._start.byte)

    def _keep(self, line: Line, found: Found) -> None:
        self._kept.append(line)
        self._size += len(line.text)
        if self._size > self._limit and found.problem is None:
            found.problem, found.reason = f"a document has more than {self._limit} bytes", "too_long"
