"""One answer with its evidence, for ``groundwire show``."""

from __future__ import annotations

from collections.abc import Sequence

from groundwire.grade import Evidence, Grade, Outcome, render_explanation
from groundwire.record import RagRecord
from groundwire.report.layout import format_duration, shorten, wrap

CONTEXT_SHOWN = 400
"""Characters of a context that are shown where no evidence points into it."""

_MARK = {Outcome.PASS: "pass", Outcome.FAIL: "FAIL", Outcome.UNKNOWN: "unknown", Outcome.ERROR: "ERROR"}


def render_answer(record: RagRecord, grades: Sequence[Grade]) -> str:
    """The record and its grades as text of at most 80 columns.

    Ranges that evidence points at stand between ``⟦`` and ``⟧``, in the answer where a claim or quote was
    flagged and in the contexts where the evidence lies.
    """
    flagged = [row for grade in grades if grade.outcome is Outcome.FAIL for row in grade.evidence]
    blocks = [_render_head(record), _section("question", record.question, ())]
    blocks.append(_section("answer", record.answer, _ranges(flagged, "answer")))
    blocks += _render_contexts(record, [row for grade in grades for row in grade.evidence])
    blocks.append(_render_citations(record))
    blocks.append(_render_grades(record, grades))
    return "\n\n".join(block for block in blocks if block)


def _render_head(record: RagRecord) -> str:
    facts = [
        ("trace", record.trace_id),
        ("span", record.span_id),
        ("service", record.service),
        ("model", record.model),
        ("latency", None if record.latency_ns is None else format_duration(record.latency_ns)),
        ("error", record.error),
    ]
    return "\n".join(shorten(f"{name:<9}{value}", 80) for name, value in facts if value is not None)


def _section(title: str, text: str | None, ranges: Sequence[tuple[int, int]]) -> str:
    body = "(not captured)" if text is None else _mark(text, ranges) or "(empty)"
    return "\n".join([title, *(wrap(line, "  ") for line in body.splitlines() or [""])])


def _render_contexts(record: RagRecord, evidence: Sequence[Evidence]) -> list[str]:
    if record.contexts is None:
        return ["contexts\n  (not captured)"]
    blocks = []
    for index, context in enumerate(record.contexts):
        ranges = _ranges([row for row in evidence if row.context_index == index], "context")
        names = [part for part in (context.id, context.title, context.uri) if part]
        title = shorten(f"context {index + 1}  {' · '.join(names)}", 80)
        text = context.text if ranges or context.text is None else context.text[:CONTEXT_SHOWN]
        cut = "" if context.text is None or text == context.text else " …"
        blocks.append(_section(title, None if text is None else text + cut, ranges))
    return blocks


def _render_citations(record: RagRecord) -> str:
    if not record.citations:
        return ""
    lines = ["citations"]
    for number, citation in enumerate(record.citations, 1):
        quote = "" if citation.quote is None else f' "{citation.quote}"'
        lines.append(wrap(f"{number}. {citation.source_id or '(no source named)'}:{quote}", "  ", "     "))
    return "\n".join(lines)


def _render_grades(record: RagRecord, grades: Sequence[Grade]) -> str:
    lines = ["grades"]
    for grade in grades:
        score = "" if grade.score is None else f" {grade.score:.3g}"
        label = "" if grade.label is None else f" [{grade.label}]"
        mark = _MARK.get(grade.outcome, grade.outcome.value.replace("_", " "))
        lines.append(f"  {mark:<15}{grade.name}{score}{label} ({grade.basis.value})")
        if grade.explanation:
            lines.append(wrap(render_explanation(grade, record), " " * 17))
    return "\n".join(lines)


def _ranges(evidence: Sequence[Evidence], side: str) -> list[tuple[int, int]]:
    found = set()
    for row in evidence:
        start, end = getattr(row, f"{side}_start"), getattr(row, f"{side}_end")
        if start is not None and end is not None and end > start:
            found.add((start, end))
    return sorted(found)


def _mark(text: str, ranges: Sequence[tuple[int, int]]) -> str:
    parts, at = [], 0
    for start, end in ranges:
        if start < at or end > len(text):
            continue
        parts += [text[at:start], "⟦", text[start:end], "⟧"]
        at = end
    return "".join([*parts, text[at:]])
