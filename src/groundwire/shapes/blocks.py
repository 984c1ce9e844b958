"""An answer that comes in content parts, and the citations that hang on them.

Offsets of a part become offsets of the answer (all its text parts, joined as they stand). Where a provider
hangs citations on a block of text without a range (Anthropic, Bedrock Converse), the block is the claim.
"""

from __future__ import annotations

from typing import Any, Final

from groundwire.shapes.access import Fields, fields_of, get, items_of, label_of, pick, text_of
from groundwire.shapes.citations import citation_of
from groundwire.shapes.cited import Citation
from groundwire.shapes.messages import content_text, part_text
from groundwire.shapes.passages import Context, read_document

_REFERENCES: Final = frozenset({"reference", "tool_reference"})
_RESULTS: Final = frozenset(
    {"web_search_tool_result", "search_result", "file_search_call", "web_search_call", "web_search_result"}
)


class Parts:
    """The answer so far: ``answer`` is None until a text part came; ``starts`` holds each part's offset."""

    __slots__ = ("answer", "citations", "contexts", "refusal", "starts")

    def __init__(self) -> None:
        self.answer: str | None = None
        self.citations: list[Citation] = []
        self.contexts: list[Context] = []
        self.refusal = False
        self.starts: list[tuple[int, str]] = []

    def add(self, part: Any) -> None:
        """Take in the next part of the content."""
        fields = fields_of(part)
        kind = text_of(get(fields, "type")) if fields else None
        if fields is None or kind is None:
            self._add_plain(part, fields)
        elif kind in _REFERENCES:
            self._add_reference(fields)
        elif kind in _RESULTS:
            self._add_results(fields)
        elif kind == "refusal":
            self.refusal = True
            self._add_text(text_of(get(fields, "refusal")), None)
        else:
            self._add_text(part_text(part), fields)

    def _add_plain(self, part: Any, fields: Fields | None) -> None:
        cited = fields_of(pick(fields, "citationsContent", "citations_content")) if fields else None
        if cited:
            self._add_text(content_text(get(cited, "content")), cited)
        elif fields is None or get(fields, "text") is not None or get(fields, "content") is not None:
            self._add_text(part_text(part), fields)

    def _add_text(self, text: str | None, fields: Fields | None) -> None:
        if text is None:
            return
        base = len(self.answer or "")
        self.starts.append((base, text))
        self.answer = (self.answer or "") + text
        if fields is not None:
            self._cite(text, base, fields)

    def _cite(self, text: str, base: int, fields: Fields) -> None:
        nested = fields_of(get(fields, "text")) or {}
        for name in ("citations", "annotations"):
            for item in items_of(get(fields, name)) or items_of(get(nested, name)) or ():
                for citation in citation_of(item, text, base):
                    self.citations.append(_with_block(citation, text, base))

    def _add_reference(self, fields: Fields) -> None:
        """Mistral's reference stands right after the text that it supports."""
        base, text = self.starts[-1] if self.starts else (0, "")
        names = [label_of(item) for item in items_of(get(fields, "reference_ids")) or ()]
        if not names:
            names = [text_of(pick(fields, "url", "title"))]
            self._add_results(fields)
        for name in names:
            if name:
                self.citations.append(_with_block({"source_id": name}, text, base))

    def _add_results(self, fields: Fields) -> None:
        """Search results among the parts are retrieved passages (some without their text)."""
        action = fields_of(get(fields, "action")) or {}
        listed = items_of(pick(fields, "results", "content")) or items_of(get(action, "sources")) or ()
        if not listed and pick(fields, "url", "source") is not None:
            listed = [fields]
        for item in listed:
            document = read_document(item)
            if document:
                self.contexts.append(document)


def _with_block(citation: Citation, text: str, base: int) -> Citation:
    """Let a block that a citation hangs on be its claim, unless the citation has a range of its own."""
    if "answer_start" in citation or "answer_end" in citation or "claim" in citation or not text:
        return citation
    if citation.get("resolved") is not None and "source_start" not in citation:
        return citation
    return {**citation, "claim": text, "answer_start": base, "answer_end": base + len(text)}


def read_parts(content: Any) -> Parts:
    """Read a message's content, text or parts.

    >>> parts = read_parts([{"type": "text", "text": "Ada did.", "citations": [
    ...     {"type": "char_location", "cited_text": "Ada wrote it.", "document_index": 0}]}])
    >>> parts.answer, parts.citations[0]["source_id"], parts.citations[0]["claim"]
    ('Ada did.', '1', 'Ada did.')
    """
    parts = Parts()
    for part in items_of(content) or ([] if content is None else [content]):
        parts.add(part)
    return parts
