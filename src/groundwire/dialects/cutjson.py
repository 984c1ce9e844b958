"""A JSON array or object whose end was cut off → as much of it as can be trusted."""

from __future__ import annotations

import re
from typing import Any

import orjson

_TOKEN = re.compile(r'"[^"\\]*(?:\\.[^"\\]*)*"|"|[\[\]{},:]|[^\s\[\]{},:"]+', re.DOTALL)
_CLOSERS = {"[": "]", "{": "}"}
_PARTIAL_ESCAPE = re.compile(r"\\(?:u[0-9a-fA-F]{0,3})?\Z")
_LONE_HIGH = re.compile(r"\\u[dD][89abAB][0-9a-fA-F]{2}\Z")
_MAX_NESTING = 200


def recover_json(text: str) -> Any:
    """Return the structure that ``text`` began, or None where there is nothing to recover.

    A text that was cut inside a string value keeps that part; a cut number, literal or key is dropped,
    since half a number is another number. Backends' cut marks (``...``, ``…``) at the end are ignored.

    >>> recover_json('[{"id": "a", "score": 0.9}, {"id": "b", "score": 0.')
    [{'id': 'a', 'score': 0.9}, {'id': 'b'}]
    """
    scan = _Scan(text)
    for match in _TOKEN.finditer(text):
        if match[0] == '"':
            return scan.with_cut_string(match.start()) or scan.up_to_last_value()
        if not scan.take(match[0], match.start(), match.end()):
            return None
    return scan.up_to_last_value()


class _Scan:
    """Where a cut text can be closed: after the last whole value, with the brackets then open."""

    __slots__ = ("_closers", "_end", "_previous", "_stack", "_text")

    def __init__(self, text: str) -> None:
        self._text = text
        self._stack: list[str] = []
        self._end, self._closers, self._previous = 0, "", ""

    def take(self, token: str, start: int, end: int) -> bool:
        """Note one token; False where the text is no cut structure: whole, unbalanced or too deep."""
        if token in _CLOSERS:
            self._stack.append(_CLOSERS[token])
            self._mark(end)
        elif token in ("]", "}"):
            if not self._stack or self._stack.pop() != token or not self._stack:
                return False
            self._mark(end)
        elif token == ",":
            self._mark(start)
        elif token[0] == '"' and self._expects_value():
            self._mark(end)
        self._previous = token
        return len(self._stack) <= _MAX_NESTING

    def _mark(self, end: int) -> None:
        self._end, self._closers = end, "".join(reversed(self._stack))

    def _expects_value(self) -> bool:
        """A string in an object is a key unless a colon stands before it."""
        return bool(self._stack) and (self._stack[-1] == "]" or self._previous == ":")

    def with_cut_string(self, start: int) -> Any:
        """Return the structure with the string that begins at ``start`` closed, if it is a value."""
        if not self._expects_value():
            return None
        return _load(self._text[:start] + close_string(self._text[start:]) + "".join(reversed(self._stack)))

    def up_to_last_value(self) -> Any:
        """Return the structure without what came after the last whole value."""
        return _load(self._text[: self._end] + self._closers) if self._closers else None


def close_string(tail: str) -> str:
    """Return a cut JSON string with its quote closed; half an escape and a backend's cut mark are dropped.

    >>> close_string('"Gr\\\\u00f'), close_string('"cut...')
    ('"Gr"', '"cut"')
    """
    tail = tail.rstrip("\ufffd")
    for mark in ("...", "…"):
        tail = tail.removesuffix(mark)
    tail = _PARTIAL_ESCAPE.sub("", tail)
    return _LONE_HIGH.sub("", tail) + '"'


def _load(text: str) -> Any:
    try:
        return orjson.loads(text)
    except (ValueError, RecursionError):
        return None
