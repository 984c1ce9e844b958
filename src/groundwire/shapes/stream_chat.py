"""Streams whose chunks look like small answers: chat completions, Gemini, and messages of frameworks."""

from __future__ import annotations

from typing import Any, Final

from groundwire.shapes.access import Fields, fields_of, get, items_of, pick, text_of, whole_of
from groundwire.shapes.chat import read_completion, read_message
from groundwire.shapes.google import read_candidates
from groundwire.shapes.messages import part_text
from groundwire.shapes.stream_parts import Joiner, Result, merge_known
from groundwire.shapes.usage import held_usage, with_note

_HELPER_EVENTS: Final = ("content.", "refusal.", "logprobs.", "tool_calls.function.")


class ChatJoiner(Joiner):
    """OpenAI's chat chunks and their relatives; the usage may come in a last chunk without choices.

    The client's streaming helper gives each chunk as an event, and after it further events that say the same.
    """

    def __init__(self) -> None:
        self.has_chunks = False
        self.content: list[Any] = []
        self.message: Fields = {}
        self.choice: Fields = {}
        self.outer: Fields = {}

    def take(self, fields: Fields) -> bool:
        """Take a chunk that has ``choices``, also an empty list, or an event of the streaming helper."""
        fields = fields_of(get(fields, "chunk")) or fields
        choices = items_of(get(fields, "choices"))
        if choices is None:
            return self._take_event(text_of(get(fields, "type")) or "", fields)
        self.has_chunks = True
        merge_known(self.outer, fields, ("choices", "object", "created", "id"))
        for choice in choices:
            inner = fields_of(choice)
            if inner and whole_of(get(inner, "index")) in (0, None):
                self._add(inner)
        return True

    def _take_event(self, kind: str, fields: Fields) -> bool:
        if not kind.startswith(_HELPER_EVENTS) or not kind.endswith((".delta", ".done")):
            return False
        if kind == "content.delta" and not self.has_chunks:
            self.content.append(get(fields, "delta"))
        elif kind == "content.done" and not self.content:
            self.content.append(get(fields, "content"))
        return True

    def _add(self, choice: Fields) -> None:
        delta = fields_of(pick(choice, "delta", "message")) or {}
        merge_known(self.choice, choice, ("delta", "message", "index"))
        content = get(delta, "content")
        if text_of(get(choice, "text")) is not None:
            content = get(choice, "text")
        self.content.extend([content] if items_of(content) is None else items_of(content) or ())
        for name in ("annotations", "refusal"):
            self._extend(name, get(delta, name))
        merge_known(self.message, delta, ("content", "annotations", "refusal", "tool_calls", "role"))

    def _extend(self, name: str, stored: Any) -> None:
        items, text = items_of(stored), text_of(stored)
        if items:
            self.message[name] = [*self.message.get(name, ()), *items]
        elif text:
            self.message[name] = self.message.get(name, "") + text

    def result(self) -> Result:
        """Read the chunks as one completion."""
        message = {**self.message, "role": "assistant", "content": _joined(self.content)}
        return read_completion(self.outer, [{**self.choice, "message": message}])


def _joined(content: list[Any]) -> Any:
    """Join neighboring texts; other parts keep their place between them."""
    parts: list[Any] = []
    texts: list[str] = []
    for piece in content:
        text = text_of(piece)
        if text is None and _is_bare(fields_of(piece)):
            text = part_text(piece)
        if text is not None:
            texts.append(text)
        elif piece is not None:
            parts.extend(({"type": "text", "text": "".join(texts)}, piece) if texts else (piece,))
            texts = []
    if not parts:
        return "".join(texts) if texts else None
    return [*parts, {"type": "text", "text": "".join(texts)}] if texts else parts


def _is_bare(fields: Fields | None) -> bool:
    """Tell whether a part is text and nothing else."""
    if not fields or text_of(get(fields, "type")) not in {"text", "output_text", None}:
        return False
    return not items_of(get(fields, "citations")) and not items_of(get(fields, "annotations"))


class GeminiJoiner(Joiner):
    """Gemini's chunks; the grounding stands in the last ones and counts the joined text as one part."""

    def __init__(self) -> None:
        self.parts: list[tuple[bool, list[str]]] = []
        self.candidate: Fields = {}
        self.grounding: Fields = {}
        self.outer: Fields = {}

    def take(self, fields: Fields) -> bool:
        """Take a chunk that has ``candidates``, or Gemini's usage alone."""
        candidates = items_of(get(fields, "candidates"))
        if candidates is None and pick(fields, "usage_metadata", "usageMetadata") is None:
            return False
        if candidates is None and not self.parts:
            return False
        merge_known(self.outer, fields, ("candidates",))
        first = fields_of(candidates[0]) if candidates else None
        if first:
            self._add(first)
        return True

    def _add(self, candidate: Fields) -> None:
        content = fields_of(get(candidate, "content")) or {}
        for part in items_of(get(content, "parts")) or ():
            fields = fields_of(part) or {}
            text, is_thought = text_of(get(fields, "text")), get(fields, "thought") is True
            if text is not None:
                if not self.parts or self.parts[-1][0] != is_thought:
                    self.parts.append((is_thought, []))
                self.parts[-1][1].append(text)
        grounding = fields_of(pick(candidate, "grounding_metadata", "groundingMetadata"))
        if grounding:
            merge_known(self.grounding, grounding)
        merge_known(self.candidate, candidate, ("content", "grounding_metadata", "groundingMetadata"))

    def result(self) -> Result:
        """Read the chunks as one answer."""
        parts = [{"text": "".join(texts), "thought": is_thought} for is_thought, texts in self.parts]
        candidate = {**self.candidate, "content": {"parts": parts}}
        if self.grounding:
            candidate["grounding_metadata"] = self.grounding
        return read_candidates(self.outer, [candidate])


class MessageJoiner(Joiner):
    """Message chunks of LangChain (their usage adds up), Haystack, LlamaIndex and Ollama."""

    def __init__(self) -> None:
        self.content: list[Any] = []
        self.metadata: Fields = {}
        self.usage: dict[str, Any] = {}
        self.outer: Fields = {}

    def take(self, fields: Fields) -> bool:
        """Take a message chunk of a known framework."""
        if text_of(get(fields, "type")) == "AIMessageChunk":
            self._add_langchain(fields)
        elif get(fields, "component_info") is not None or fields_of(get(fields, "meta")) is not None:
            self._add_haystack(fields)
        elif text_of(get(fields, "delta")) is not None and pick(fields, "message", "raw", "text") is not None:
            self.content.append(get(fields, "delta"))
            merge_known(self.outer, {"raw": get(fields, "raw")})
        elif fields_of(get(fields, "message")) and type(get(fields, "done")) is bool:
            self.content.append(get(fields_of(get(fields, "message")) or {}, "content"))
            merge_known(self.outer, fields, ("message",))
        else:
            return False
        return True

    def _add_langchain(self, fields: Fields) -> None:
        content = get(fields, "content")
        self.content.extend([content] if items_of(content) is None else items_of(content) or ())
        for name in ("response_metadata", "additional_kwargs"):
            merge_known(self.metadata, fields_of(get(fields, name)) or {})
        found = held_usage({"usage_metadata": get(fields, "usage_metadata")})
        for name, count in (found or {}).items():
            if name != "note":
                self.usage[name] = self.usage.get(name, 0) + count

    def _add_haystack(self, fields: Fields) -> None:
        self.content.append(get(fields, "content"))
        merge_known(self.metadata, fields_of(get(fields, "meta")) or {})
        merge_known(self.metadata, {"finish_reason": get(fields, "finish_reason")})

    def result(self) -> Result:
        """Read the chunks as one message."""
        message = {"content": _joined(self.content), "response_metadata": self.metadata, **self.outer}
        result = read_message(message)
        if self.usage:
            result["usage"] = with_note(self.usage)
        return result
