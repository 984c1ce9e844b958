"""Streams of typed events whose citations come apart from the text: Cohere and Bedrock."""

from __future__ import annotations

from typing import Any, Final

from groundwire.shapes.access import Fields, fields_of, get, items_of, pick, text_of
from groundwire.shapes.bedrock import read_output
from groundwire.shapes.cohere import read_v1, read_v2
from groundwire.shapes.stream_parts import Blocks, Joiner, Result, merge_known, number_in

_COHERE_EVENTS: Final = frozenset(
    "message-start content-start content-delta content-end citation-start citation-end tool-plan-delta "
    "tool-call-start tool-call-delta tool-call-end message-end".split(" ")
)
_BEDROCK_EVENTS: Final = (
    "messageStart",
    "contentBlockStart",
    "contentBlockDelta",
    "contentBlockStop",
    "messageStop",
    "metadata",
)
_CITATION_EVENT: Final = ("citation", "generatedResponsePart", "retrievedReferences")


class CohereJoiner(Joiner):
    """Cohere's events, version 1 (``event_type``) and version 2 (``type`` with a dash)."""

    def __init__(self) -> None:
        self.blocks = Blocks()
        self.citations: list[Any] = []
        self.outer: Fields = {}
        self.version = 2

    def take(self, fields: Fields) -> bool:
        """Take an event of either version."""
        if text_of(get(fields, "event_type")) is not None:
            self.version = 1
            self._add_v1(fields)
            return True
        kind = text_of(get(fields, "type")) or ""
        if kind not in _COHERE_EVENTS:
            return False
        delta = fields_of(get(fields, "delta")) or {}
        message = fields_of(get(delta, "message")) or {}
        place = 0, number_in(fields, "index")
        if kind in {"content-start", "content-delta"}:
            content = fields_of(get(message, "content")) or {}
            self.blocks.add_text(place, text_of(get(content, "text")))
        elif kind == "citation-start":
            self._cite(get(message, "citations"))
        elif kind == "message-end":
            merge_known(self.outer, delta)
        return True

    def _cite(self, stored: Any) -> None:
        self.citations.extend(items_of(stored) or ([stored] if fields_of(stored) else []))

    def _add_v1(self, fields: Fields) -> None:
        if text_of(get(fields, "event_type")) == "stream-end":
            merge_known(self.outer, {"finish_reason": get(fields, "finish_reason")})
            merge_known(self.outer, fields_of(get(fields, "response")) or {})
            return
        self.blocks.add_text((0, 0), text_of(get(fields, "text")))
        self._cite(get(fields, "citations"))
        merge_known(self.outer, {"documents": get(fields, "documents")})

    def result(self) -> Result:
        """Read the events as one answer."""
        content = self.blocks.joined()
        if self.version == 2:
            return read_v2(self.outer, {"content": content, "citations": self.citations or None})
        text = "".join(text_of(get(block, "text")) or "" for block in content)
        return read_v1({"text": text, "citations": self.citations or None, **self.outer})


class BedrockJoiner(Joiner):
    """Bedrock's events, each a mapping with one key: Converse, and a knowledge base's answer."""

    def __init__(self) -> None:
        self.blocks = Blocks()
        self.outer: Fields = {}
        self.texts: list[str] = []
        self.citations: list[Any] = []
        self.is_generated = False

    def take(self, fields: Fields) -> bool:
        """Take an event of either operation."""
        if len(fields) != 1:
            return False
        for name in _BEDROCK_EVENTS:
            event = fields_of(get(fields, name))
            if event is not None:
                return self._add(name, event)
        return self._add_generated(fields)

    def _add(self, name: str, event: Fields) -> bool:
        if name == "metadata" and get(event, "usage") is None:
            return False
        if name == "contentBlockDelta":
            place = 0, number_in(event, "contentBlockIndex")
            delta = fields_of(get(event, "delta")) or {}
            if text_of(get(delta, "text")) is not None:
                self.blocks.add_text(place, text_of(get(delta, "text")))
            if fields_of(get(delta, "citation")):
                self.blocks.add_citation(place, "citations", get(delta, "citation"))
        elif name in {"messageStop", "metadata"}:
            merge_known(self.outer, event)
        return True

    def _add_generated(self, fields: Fields) -> bool:
        output, citation = fields_of(get(fields, "output")), fields_of(get(fields, "citation"))
        if output and text_of(get(output, "text")) is not None:
            self.texts.append(text_of(get(output, "text")) or "")
        elif (
            citation
            and pick(citation, "citation", "generatedResponsePart", "retrievedReferences") is not None
        ):
            self.citations.append(fields_of(get(citation, "citation")) or citation)
        else:
            return get(fields, "guardrail") is not None and self.is_generated
        self.is_generated = True
        return True

    def result(self) -> Result:
        """Read the events as one answer."""
        if self.is_generated:
            outer = {**self.outer, "citations": self.citations}
            return read_output(outer, {"text": "".join(self.texts)})
        return read_output(self.outer, {"message": {"content": self.blocks.joined()}})
