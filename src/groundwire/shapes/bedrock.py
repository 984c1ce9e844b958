"""Amazon Bedrock: RetrieveAndGenerate (knowledge bases) and Converse, as botocore returns them.

A knowledge base's citations index the *answer*, Converse's the *source*.
"""

from __future__ import annotations

from typing import Any

from groundwire.shapes.access import Fields, fields_of, get, items_of, text_of, whole_of
from groundwire.shapes.blocks import read_parts
from groundwire.shapes.chat import put_parts
from groundwire.shapes.cited import Citation, claimed
from groundwire.shapes.passages import Context, document_of
from groundwire.shapes.plain import Result, add_common


def read_output(fields: Fields, output: Fields) -> Result:
    """Read an answer whose ``output`` is a mapping: a Converse ``message`` or a knowledge base's ``text``.

    >>> read_output({"stopReason": "end_turn"}, {"message": {"content": [{"text": "Ada."}]}})
    {'answer': 'Ada.', 'finish_reason': 'end_turn', 'provider': 'aws.bedrock'}
    """
    message = fields_of(get(output, "message"))
    result = _read_converse(message) if message else _read_generated(fields, output)
    add_common(result, fields)
    result["provider"] = "aws.bedrock"
    return result


def _read_converse(message: Fields) -> Result:
    result: Result = {}
    put_parts(result, read_parts(get(message, "content")))
    return result


def _read_generated(fields: Fields, output: Fields) -> Result:
    answer = text_of(get(output, "text")) or ""
    result: Result = {"answer": answer}
    listed = items_of(get(fields, "citations"))
    if listed is not None:
        result.update(read_references(listed, answer))
    if text_of(get(fields, "guardrailAction")) == "INTERVENED":
        result["finish_reason"] = "guardrail_intervened"
    return result


def read_references(listed: Any, answer: str) -> Result:
    """Read a knowledge base's citations: parts of the answer, in order, each with its references.

    The passages are those that were cited: the answer names no others.
    """
    contexts: list[Context] = []
    citations: list[Citation] = []
    numbers: dict[tuple[Any, ...], int] = {}
    cursor = 0
    for item in listed:
        fields = fields_of(item) or {}
        ranged = _ranged(fields, answer, cursor)
        cursor = ranged.get("answer_end", cursor)
        for reference in items_of(get(fields, "retrievedReferences")) or ():
            number = _number(document_of(fields_of(reference) or {}) or {}, contexts, numbers)
            citations.append({**ranged, "source_id": _name(contexts, number)})
    return {"citations": citations, "contexts": contexts, "metadata": {"contexts": "cited only"}}


def _ranged(fields: Fields, answer: str, cursor: int) -> Citation:
    """Find the part's own text from where the last one ended; its span is known to be off by one."""
    part = fields_of(get(fields_of(get(fields, "generatedResponsePart")) or {}, "textResponsePart")) or {}
    span = fields_of(get(part, "span")) or {}
    text = text_of(get(part, "text"))
    start, end = whole_of(get(span, "start")), whole_of(get(span, "end"))
    ranged = claimed(answer, 0, start, end, text)
    if text and ranged.get("resolved") in {"quote", "unresolved"}:
        found = answer.find(text, cursor)
        if found >= 0:
            return {
                "claim": text,
                "answer_start": found,
                "answer_end": found + len(text),
                "resolved": "quote",
            }
    return ranged


def _number(context: Context, contexts: list[Context], numbers: dict[tuple[Any, ...], int]) -> int:
    key = (context.get("id"), context.get("uri"), context.get("text"))
    if key not in numbers:
        contexts.append(context)
        numbers[key] = len(contexts)
    return numbers[key]


def _name(contexts: list[Context], number: int) -> str:
    name = contexts[number - 1].get("id")
    return name if name is not None else str(number)
