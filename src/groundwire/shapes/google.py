"""Gemini and Vertex answers: ``candidates`` with parts, ``groundingMetadata`` with chunks and supports.

A support's indices are UTF-8 *bytes* of one *part* of the answer, end exclusive; proto3 leaves out a zero.
"""

from __future__ import annotations

from collections import Counter
from typing import Any

from groundwire.shapes.access import Fields, fields_of, get, items_of, pick, text_of, whole_of
from groundwire.shapes.blocks import read_parts
from groundwire.shapes.cited import Citation, claimed
from groundwire.shapes.offsets import UNRESOLVED
from groundwire.shapes.passages import Context, document_of
from groundwire.shapes.plain import Result, add_common


def read_candidates(fields: Fields, candidates: Any) -> Result:
    """Read an answer with ``candidates``; of several, the first.

    >>> read_candidates({}, [{"content": {"parts": [{"text": "Ada."}]}}])
    {'answer': 'Ada.', 'provider': 'gcp.gen_ai'}
    """
    result: Result = {}
    candidate = fields_of(candidates[0]) if candidates else None
    if candidate:
        content = fields_of(get(candidate, "content")) or {}
        parts = read_parts(get(content, "parts"))
        if parts.answer is not None:
            result["answer"] = parts.answer
        grounding = fields_of(pick(candidate, "grounding_metadata", "groundingMetadata"))
        if grounding:
            add_grounding(result, grounding, _starts(get(content, "parts")), parts.answer or "")
        add_common(result, {"finish_reason": pick(candidate, "finish_reason", "finishReason")})
    add_common(result, fields)
    result["provider"] = "gcp.gen_ai"
    return result


def _starts(parts: Any) -> list[tuple[int, str]]:
    """List every part, also those without answer text, since a support counts them all."""
    starts, base = [], 0
    for part in items_of(parts) or ():
        read = read_parts([part]).answer or ""
        starts.append((base, read))
        base += len(read)
    return starts


def add_grounding(result: Result, grounding: Fields, parts: list[tuple[int, str]], answer: str) -> None:
    """Write the chunks as contexts and each (support, chunk) pair as a citation."""
    chunks = items_of(pick(grounding, "grounding_chunks", "groundingChunks"))
    supports = items_of(pick(grounding, "grounding_supports", "groundingSupports"))
    if not chunks:
        return
    contexts = [_chunk(fields_of(chunk) or {}, number) for number, chunk in enumerate(chunks, 1)]
    names = _names_of(contexts)
    result["contexts"] = contexts
    result["citations"] = [
        citation
        for support in supports or ()
        for citation in _support(fields_of(support) or {}, names, parts, answer)
    ]


def _chunk(fields: Fields, number: int) -> Context:
    inner = fields_of(pick(fields, "web", "retrieved_context", "retrievedContext", "maps", "image")) or {}
    context = document_of(inner) or {}
    if "text" not in context:
        rag = fields_of(pick(inner, "rag_chunk", "ragChunk")) or {}
        text = text_of(get(rag, "text"))
        if text is not None:
            context["text"] = text
    name = text_of(pick(inner, "document_name", "documentName"))
    if name and "id" not in context:
        context["id"] = name
    return context or {"id": str(number)}


def _names_of(contexts: list[Context]) -> list[str]:
    """Name each context unmistakably: by its id or URI where only it has that, else by its number."""
    names = [context.get("id") or context.get("uri") for context in contexts]
    counts = Counter(names)
    return [
        name if name is not None and counts[name] == 1 else str(number)
        for number, name in enumerate(names, 1)
    ]


def _support(fields: Fields, names: list[str], parts: list[tuple[int, str]], answer: str) -> list[Citation]:
    segment = fields_of(get(fields, "segment")) or {}
    ranged = _ranged(segment, parts, answer)
    indices = items_of(pick(fields, "grounding_chunk_indices", "groundingChunkIndices")) or ()
    numbers = [number for index in indices if (number := whole_of(index)) is not None]
    return [{**ranged, "source_id": names[n] if n < len(names) else str(n + 1)} for n in numbers]


def _ranged(segment: Fields, parts: list[tuple[int, str]], answer: str) -> Citation:
    start = whole_of(pick(segment, "start_index", "startIndex")) or 0
    end = whole_of(pick(segment, "end_index", "endIndex"))
    claim = text_of(get(segment, "text"))
    number = whole_of(pick(segment, "part_index", "partIndex")) or 0
    base, text = parts[number] if number < len(parts) else (0, answer)
    ranged = claimed(text, base, start, end, claim, prefer="utf8_bytes")
    if ranged.get("resolved") == UNRESOLVED and text != answer:
        whole = claimed(answer, 0, start, end, claim, prefer="utf8_bytes")
        return whole if whole.get("resolved") != UNRESOLVED else ranged
    return ranged
