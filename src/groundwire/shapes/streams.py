"""The chunks of a stream, put together to one result.

Chunks of a provider are put back into the shape of its whole answer, which the same reader then reads: so a
streamed answer says what the unstreamed one says. An event that carries the whole answer wins over its parts.
"""

from __future__ import annotations

import json
from typing import Any, Final

from groundwire.shapes.access import Fields, fields_of, get, items_of, pick, text_of
from groundwire.shapes.budget import STEPS, Exhausted, budget
from groundwire.shapes.results import read_any
from groundwire.shapes.stream_chat import ChatJoiner, GeminiJoiner, MessageJoiner
from groundwire.shapes.stream_events import AnthropicJoiner, ResponsesJoiner
from groundwire.shapes.stream_grounded import BedrockJoiner, CohereJoiner
from groundwire.shapes.stream_parts import Joiner, Result
from groundwire.shapes.stream_texts import EVENT_STARTS, joined_text

_KINDS: Final[tuple[type[Joiner], ...]] = (
    ChatJoiner,
    ResponsesJoiner,
    AnthropicJoiner,
    GeminiJoiner,
    CohereJoiner,
    BedrockJoiner,
    MessageJoiner,
)
_GRAPH_MODES: Final = frozenset({"messages", "updates", "values", "custom"})
_TELLING: Final = 20
"""So many characters are not repeated by chance."""
_TOKENS: Final = (
    "delta",
    "token",
    "answer",
    "text",
    "content",
    "chunk",
    "response",
    "output",
    "completion",
    "data",
)


def join_all(chunks: Any) -> Result:
    """Put a list or tuple of chunks together; may raise (:func:`groundwire.shapes.join_chunks` does not)."""
    return _join(chunks) if type(chunks) in (list, tuple) and chunks else {}


def _join(chunks: Any) -> Result:
    joined = _Joined()
    if type(chunks[0]) is str and chunks[0].startswith(EVENT_STARTS) and all(type(c) is str for c in chunks):
        chunks = ["".join(chunks)]
    for chunk in chunks:
        budget.left = STEPS
        try:
            for value in _opened(chunk):
                joined.take(value)
        except Exhausted:
            continue
    budget.left = STEPS + 10 * len(chunks)
    return joined.result()


def _opened(chunk: Any) -> list[Any]:
    """Take a chunk out of its wrappers: server-sent events, ``(chunk, metadata)``, ``(mode, chunk)``."""
    text = text_of(chunk)
    if text is not None:
        return _events_of(text)
    items = items_of(chunk)
    if items is None:
        return [chunk]
    if len(items) in (2, 3) and text_of(items[-2]) in _GRAPH_MODES:
        return _opened(items[-1]) if text_of(items[-2]) == "messages" else [items[-1]]
    return [items[0]] if len(items) == 2 and fields_of(items[0]) else list(items)


def _events_of(text: str) -> list[Any]:
    """Read server-sent events and JSON lines; any other text is one piece of the answer."""
    if text.startswith('{"') and text.endswith("}\n"):
        return [_parsed(line) for line in text.splitlines() if line]
    if not text.startswith(EVENT_STARTS):
        return [text]
    payloads = [line[5:].removeprefix(" ") for line in text.splitlines() if line.startswith("data:")]
    if not payloads and text.startswith("data:"):
        return [text]
    return [_parsed(payload) for payload in payloads if payload != "[DONE]"]


def _parsed(payload: str) -> Any:
    try:
        return json.loads(payload) if payload[:1] in {"{", "["} else payload
    except (ValueError, RecursionError):
        return payload


class _Joined:
    """The joiners that have taken chunks so far, and what no joiner knows."""

    def __init__(self) -> None:
        self.joiners: list[Joiner] = []
        self.texts: list[str] = []
        self.length = 0
        self.further: Result = {}
        self.own: set[tuple[Any, ...]] = set()

    def take(self, value: Any) -> None:
        text = text_of(value)
        if text is not None:
            self._add(text)
            return
        fields = _inner(fields_of(value))
        if not fields or any(joiner.take(fields) for joiner in self.joiners):
            return
        signature = (text_of(get(fields, "type")), *(name for name in fields if type(name) is str))
        if signature in self.own or not self._start(fields):
            self.own.add(signature)
            self._keep(fields)

    def _start(self, fields: Fields) -> bool:
        """Let a kind of stream that has not begun yet begin with this chunk; False when none knows it."""
        for kind in _KINDS:
            if any(type(joiner) is kind for joiner in self.joiners):
                continue
            joiner = kind()
            if joiner.take(fields):
                self.joiners.append(joiner)
                return True
        return False

    def _keep(self, fields: Fields) -> None:
        """Read an application's own chunk: a piece of text, or further fields, or the whole answer."""
        piece = next((text for name in _TOKENS if (text := text_of(get(fields, name))) is not None), None)
        if piece is not None and len(fields) == 1:
            self._add(piece)
            return
        read = read_any(fields, 1)
        piece = read.pop("answer", piece)
        for name, stored in read.items():
            if stored or name not in self.further:
                self.further[name] = stored
        if piece is not None:
            self._add(piece, says_more=len(read) > 0)

    def _add(self, piece: str, *, says_more: bool = False) -> None:
        """A text that repeats everything so far is the whole answer, unless it is too short to tell."""
        if 0 < self.length <= len(piece) and (says_more or self.length >= _TELLING):
            so_far = "".join(self.texts)
            if piece.startswith(so_far):
                self.texts, self.length = [], 0
        self.texts.append(piece)
        self.length += len(piece)

    def result(self) -> Result:
        result: Result = {}
        for joiner in self.joiners:
            for name, stored in joiner.result().items():
                result.setdefault(name, stored)
        if self.texts and "answer" not in result:
            result["answer"] = joined_text(self.texts)
        for name, stored in self.further.items():
            result.setdefault(name, stored)
        return result


def _inner(fields: Fields | None) -> Fields | None:
    """Look through the envelopes that clients and frameworks put around each event."""
    if not fields:
        return None
    event = text_of(get(fields, "event"))
    data = fields_of(get(fields, "data"))
    if data and (
        event is not None or len(fields) == 1 or text_of(get(fields, "type")) == "raw_response_event"
    ):
        return fields_of(pick(data, "chunk")) or data
    if len(fields) == 1:
        update = fields_of(next(iter(fields.values())))
        if update and any(name in update for name in _UPDATES):
            return update
    return fields


_UPDATES: Final = ("messages", "context", "contexts", "documents", "answer", "generation")
"""What a step of a graph writes into its state; the step's name is the only key around it."""
