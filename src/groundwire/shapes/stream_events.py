"""Streams of typed events: OpenAI's Responses and Assistants, Mistral's conversations, Anthropic."""

from __future__ import annotations

from typing import Any

from groundwire.shapes.access import Fields, fields_of, get, items_of, pick, text_of
from groundwire.shapes.chat import read_message
from groundwire.shapes.responses import read_items
from groundwire.shapes.stream_parts import Blocks, Joiner, Result, merge_known, number_in


class ResponsesJoiner(Joiner):
    """OpenAI's Responses (and Assistants' and Mistral's conversation) events; a whole answer wins."""

    def __init__(self) -> None:
        self.blocks = Blocks()
        self.items: list[Any] = []
        self.outer: Fields = {}
        self.whole: Result | None = None

    def take(self, fields: Fields) -> bool:
        """Take an event whose type or object says where it comes from."""
        kind = text_of(pick(fields, "type", "object")) or ""
        if kind.startswith("response."):
            self._add_response(kind, fields)
        elif kind in {"thread.message.delta", "thread.message"}:
            self._add_thread(kind, fields)
        elif kind == "thread.run":
            merge_known(self.outer, {"usage": get(fields, "usage"), "model": get(fields, "model")})
        elif kind in {"message.output.delta", "conversation.response.done", "conversation.response.started"}:
            self._add_conversation(kind, fields)
        else:
            return False
        return True

    def _add_response(self, kind: str, fields: Fields) -> None:
        place = number_in(fields, "output_index"), number_in(fields, "content_index")
        if kind == "response.output_text.delta":
            self.blocks.add_text(place, text_of(get(fields, "delta")))
        elif kind == "response.refusal.delta":
            self.blocks.blocks.setdefault(place, {"type": "text"})
            self.blocks.add_text(place, text_of(get(fields, "delta")))
        elif kind == "response.output_text.annotation.added":
            self.blocks.add_citation(place, "annotations", get(fields, "annotation"))
        elif kind == "response.output_item.done":
            self.items.append(get(fields, "item"))
        response = fields_of(get(fields, "response"))
        if response and kind in {"response.completed", "response.incomplete", "response.failed"}:
            merge_known(self.outer, response, ("output",))
            output = items_of(get(response, "output"))
            if output:
                self.whole = read_items(response, output)

    def _add_thread(self, kind: str, fields: Fields) -> None:
        if kind == "thread.message":
            if items_of(get(fields, "content")):
                self.whole = read_message(fields)
            return
        for part in items_of(get(fields_of(get(fields, "delta")) or {}, "content")) or ():
            inner = fields_of(part) or {}
            text = fields_of(get(inner, "text")) or {}
            place = 0, number_in(inner, "index")
            self.blocks.add_text(place, text_of(get(text, "value")))
            for annotation in items_of(get(text, "annotations")) or ():
                self.blocks.add_citation(place, "annotations", annotation)

    def _add_conversation(self, kind: str, fields: Fields) -> None:
        if kind == "message.output.delta":
            content = get(fields, "content")
            place = number_in(fields, "output_index"), number_in(fields, "content_index")
            if text_of(content) is not None:
                self.blocks.add_text(place, text_of(content))
            elif fields_of(content):
                self.blocks.start((place[0], place[1]), fields_of(content) or {})
            merge_known(self.outer, {"model": get(fields, "model")})
        else:
            merge_known(self.outer, fields, ("type", "created_at"))

    def result(self) -> Result:
        """Read the whole answer, else what came of it."""
        if self.whole is not None:
            for name, stored in read_items(self.outer, []).items():
                self.whole.setdefault(name, stored)
            return self.whole
        searched = [item for item in self.items if text_of(get(fields_of(item) or {}, "type")) != "message"]
        message = {"type": "message", "content": self.blocks.joined()}
        return read_items(self.outer, [*searched, message])


class AnthropicJoiner(Joiner):
    """Anthropic's message events; ``message_delta`` carries the final count of output tokens."""

    def __init__(self) -> None:
        self.blocks = Blocks()
        self.outer: Fields = {}
        self.usage: Fields = {}
        self.whole: Fields | None = None

    def take(self, fields: Fields) -> bool:
        """Take a message or content block event; helper events of the client repeat them and are dropped."""
        kind = text_of(get(fields, "type")) or ""
        place = 0, number_in(fields, "index")
        if kind == "message_start":
            self._start(fields_of(get(fields, "message")) or {})
        elif kind == "content_block_start":
            self.blocks.start(place, fields_of(get(fields, "content_block")) or {})
        elif kind == "content_block_delta":
            self._add(place, fields_of(get(fields, "delta")) or {})
        elif kind in {"message_delta", "message_stop"}:
            merge_known(self.outer, fields_of(get(fields, "delta")) or {})
            merge_known(self.usage, fields_of(get(fields, "usage")) or {})
            self.whole = fields_of(get(fields, "message")) or self.whole
        else:
            is_helper = kind in {"text", "citation", "thinking", "signature", "input_json", "ping"}
            return kind == "content_block_stop" or (is_helper and bool(self.blocks.blocks or self.outer))
        return True

    def _start(self, message: Fields) -> None:
        merge_known(self.outer, message, ("content", "usage"))
        merge_known(self.usage, fields_of(get(message, "usage")) or {})

    def _add(self, place: tuple[int, int], delta: Fields) -> None:
        kind = text_of(get(delta, "type"))
        if kind == "text_delta":
            self.blocks.add_text(place, text_of(get(delta, "text")))
        elif kind == "citations_delta":
            self.blocks.add_citation(place, "citations", get(delta, "citation"))

    def result(self) -> Result:
        """Read the events as one message."""
        message = self.whole
        if message is None:
            message = {**self.outer, "content": self.blocks.joined()}
            if self.usage:
                message["usage"] = {"cache_creation_input_tokens": None, **self.usage}
        result = read_message(message)
        result["provider"] = "anthropic"
        return result
