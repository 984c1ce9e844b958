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
    stack: list[str] = []
    end, closers, open_string = 0, "", -1
    previous = ""
    for match in _TOKEN.finditer(text):
        token = match[0]
        if token == '"':
            open_string = match.start()
            break
        if token in _CLOSERS:
            stack.append(_CLOSERS[token])
            if len(stack) > _MAX_NESTING:
                return None
            end, closers = match.end(), "".join(reversed(stack))
        elif token in ("]", "}"):
            if not stack or stack.pop() != token:
                return None
            if not stack:
                return None
            end, closers = match.end(), "".join(reversed(stack))
        elif token == ",":
            end, closers = match.start(), "".join(reversed(stack))
        elif token[0] == '"' and stack and (stack[-1] == "]" or previous == ":"):
            end, closers = match.end(), "".join(reversed(stack))
        previous = token
    if open_string >= 0 and stack and (stack[-1] == "]" or previous == ":"):
        whole = _load(text[:open_string] + close_string(text[open_string:]) + "".join(reversed(stack)))
        if whole is not None:
            return whole
    return _load(text[:end] + closers) if closers else None


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
