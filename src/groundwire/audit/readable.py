"""The bundle's report for people: one HTML page without scripts, links or anything loaded from elsewhere."""

from __future__ import annotations

import html
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path

from groundwire.audit.log import AuditLog
from groundwire.audit.schema import Correction, Erased, Graded, HumanReview, Record
from groundwire.grade import render_explanation
from groundwire.text.printable import printable

SHOWN = 1_000
_OUTCOMES = ("pass", "fail", "measured", "not_applicable", "unknown", "error")
_STYLE = (
    "body{font:15px/1.45 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem;color:#111;"
    "background:#fff}table{border-collapse:collapse;width:100%}td,th{border-bottom:1px solid #ccc;padding:"
    ".25rem .5rem;text-align:left;vertical-align:top}th[scope=col]{border-bottom:2px solid #111}"
    "article{border-top:2px solid #111;margin-top:1.5rem}.fail{font-weight:bold}blockquote{margin:.5rem 0;"
    "padding-left:.75rem;border-left:3px solid #999;white-space:pre-wrap}"
    "code{font-size:90%;word-break:break-all}"
)


def write_report(log: AuditLog, path: Path, *, is_selection: bool) -> int:
    """Write the page and return the number of graded answers in the log; the first thousand are shown."""
    counts, total = _count(log)
    with path.open("w", encoding="utf-8") as file:
        for part in _page(log, counts, total, is_selection):
            file.write(part)
    return total


def _count(log: AuditLog) -> tuple[dict[tuple[str, str], Counter[str]], int]:
    counts: dict[tuple[str, str], Counter[str]] = {}
    total = 0
    for record in log.records():
        total += 1
        for result in record.results:
            counts.setdefault((result.name, result.basis), Counter())[result.outcome] += 1
    return counts, total


def _page(
    log: AuditLog, counts: dict[tuple[str, str], Counter[str]], total: int, is_selection: bool
) -> Iterator[str]:
    what = "a selection of an audit log" if is_selection else "an audit log"
    yield '<!doctype html><html lang="en"><meta charset="utf-8"><title>Audit log</title>'
    yield f"<style>{_STYLE}</style>"
    yield "<h1>What was judged, and how it came out</h1>"
    yield f"<p>This page shows {what} with {total} answers. It is made for reading; what counts as evidence "
    yield "is <code>records.jsonl</code>, which <code>verify.py</code> checks. Only <b>pass</b> and "
    yield "<b>fail</b> enter a rate; the other columns say where there was nothing to judge, or not enough. "
    yield "<i>Checked</i> grades are facts about the texts, <i>estimated</i> ones judgments by a program.</p>"
    yield from _table(counts)
    yield from _notes(log.entries())
    for number, record in enumerate(log.records()):
        if number == SHOWN:
            yield f"<p>… and {total - SHOWN} more answers in records.jsonl.</p>"
            break
        yield from _article(log, record)
    yield "</html>\n"


def _table(counts: dict[tuple[str, str], Counter[str]]) -> Iterator[str]:
    heads = "".join(f'<th scope="col">{name.replace("_", " ")}</th>' for name in _OUTCOMES)
    yield f'<table><tr><th scope="col">grade</th><th scope="col">basis</th>{heads}</tr>'
    for (name, basis), row in sorted(counts.items()):
        cells = "".join(f"<td>{row[outcome]}</td>" for outcome in _OUTCOMES)
        yield f'<tr><th scope="row">{_text(name)}</th><td>{_text(basis)}</td>{cells}</tr>'
    yield "</table>"


def _notes(entries: Iterable[Record]) -> Iterator[str]:
    for entry in entries:
        if isinstance(entry, Erased):
            yield f"<p>Record {entry.seq}: content of {len(entry.targets)} records was erased "
            yield f"({_text(entry.reason)}).</p>"
        elif isinstance(entry, HumanReview):
            yield f"<p>Record {entry.seq}: {_text(entry.actor.id)} (as typed, not proved) says "
            yield f"{_text(entry.outcome)} to {_text(entry.grade)} of "
            yield f"<code>{_text(entry.about[:16])}…</code>.</p>"
        elif isinstance(entry, Correction):
            yield f"<p>Record {entry.seq}: correction, {_text(entry.reason)}, by {_text(entry.actor.id)} "
            yield "(as typed, not proved).</p>"


def _article(log: AuditLog, record: Graded) -> Iterator[str]:
    answer = log.answer(record)
    yield f"<article><h2>Record {record.seq}</h2><p><code>{_text(record.record_id)}</code><br>"
    yield f"trace <code>{_text(record.subject.trace_id)}</code>, "
    yield _text(record.subject.started_at or "no time")
    yield f"{', ' + _text(record.system.model) if record.system.model else ''}</p>"
    for title, text in (("Question", answer.question), ("Answer", answer.answer)):
        if text is not None:
            yield f"<h3>{title}</h3><blockquote>{_text(text)}</blockquote>"
    yield "<table>"
    for grade in log.explained_grades(record):
        said = render_explanation(grade, answer) if grade.explanation else ""
        score = "" if grade.score is None else f"{grade.score:g}"
        yield f'<tr class="{_text(grade.outcome)}"><th scope="row">{_text(grade.name)}</th>'
        yield f"<td>{_text(grade.outcome)}</td><td>{score}</td><td>{_text(grade.label or '')}</td>"
        yield f"<td>{_text(said)}</td></tr>"
    yield "</table></article>"


def _text(value: str) -> str:
    return html.escape(printable(str(value)))
