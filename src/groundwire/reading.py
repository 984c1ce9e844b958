"""Files → RagRecords: any envelope, any dialect, in constant memory.

The glue between :mod:`groundwire.envelopes` (bytes → traces) and :mod:`groundwire.dialects` (traces →
records). Knows neither a format nor a vocabulary itself.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from hashlib import sha256
from os import fspath
from typing import Any

from msgspec import structs

from groundwire.audit import AuditLog
from groundwire.dialects import mark_citations, normalize_trace, read_feedback
from groundwire.envelopes import Limits, ReadStats, expand_sources, is_audit_folder, read_traces
from groundwire.envelopes.sources import Source
from groundwire.errors import DialectError, RecordError
from groundwire.record import Feedback, RagRecord, parse_record
from groundwire.semconv import FEEDBACK_SPAN_ID
from groundwire.span import Origin, PlainRecord, Rejected, SpanData, Trace


def read_records(
    sources: Source | Iterable[Source],
    *,
    on_reject: Callable[[Rejected], object] | None = None,
    on_progress: Callable[[ReadStats], object] | None = None,
    stats: ReadStats | None = None,
    limits: Limits | None = None,
    ref_bases: Sequence[str] = (),
) -> Iterator[RagRecord]:
    """Yield one RagRecord for each answered question in ``sources``.

    ``sources`` is a path, folder, glob pattern, ``"-"`` (stdin) or fsspec URL, or several of them, in any
    format and dialect; an audit folder gives the answers that it holds, so that they can be scored again.
    Feedback is joined to its answer, whichever trace it lies in.

    ``on_reject`` gets what could not be read, ``on_progress`` the counts so far now and then; ``stats`` is
    filled with them. ``ref_bases`` are the only places from which content that spans refer to (``*_ref``) is
    loaded. Raises EnvelopeError where a source does not exist.

    A record of a record file that has no trace id gets one derived from its line (SHA-256 of the line, a
    NUL and the number of its occurrence; 32 hex digits), and its ``provenance`` says ``derived``. Where
    no citations were captured, those that the answer's own markers (``[1]``) state are filled in.

    >>> import json, os, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = os.path.join(folder, "answers.jsonl")
    ...     with open(path, "w") as file:
    ...         _ = file.write(json.dumps({"question": "Who?", "answer": "Ada."}))
    ...     [record.answer for record in read_records(path)]
    ['Ada.']
    """
    stats = ReadStats() if stats is None else stats
    paths = expand_sources(sources)
    audits = [path for path in paths if is_audit_folder(path)]
    for audit in audits:
        yield from _read_audit(audit, stats)
    if len(audits) == len(paths):
        return
    feedback = _FeedbackByAnswer()
    found = read_traces(
        [path for path in paths if path not in audits],
        on_reject=on_reject,
        on_progress=on_progress,
        on_span=feedback.take,
        watched=FEEDBACK_SPAN_ID,
        stats=stats,
        limits=limits,
    )
    for item in found:
        try:
            if isinstance(item, PlainRecord):
                yield record_of(item)
                continue
            for record in normalize_trace(item, ref_bases=ref_bases):
                marked = mark_citations(record)
                yield marked if feedback.is_empty else feedback.join(marked)
        except (RecordError, DialectError) as problem:
            _reject(item, problem, stats, on_reject)
    if feedback.count_left:
        stats.skipped["feedback_without_answer"] += feedback.count_left


WHOLE_TRACE = "0" * 16
"""The span id of feedback that names no span: it goes to the trace's first answer."""


class _FeedbackByAnswer:
    """What people said, by the answer that it is about; its spans may lie in any trace."""

    def __init__(self) -> None:
        self._said: dict[tuple[str, str], list[Feedback]] = {}

    @property
    def is_empty(self) -> bool:
        return not self._said

    @property
    def count_left(self) -> int:
        return sum(map(len, self._said.values()))

    def take(self, span: SpanData) -> None:
        for given in read_feedback(Trace(span.trace_id, [span])):
            said = self._said.setdefault((given.trace_id, given.span_id), [])
            if given.feedback not in said:
                said.append(given.feedback)

    def join(self, record: RagRecord) -> RagRecord:
        trace_id = record.trace_id or ""
        said = self._said.pop((trace_id, record.span_id or ""), []) + self._said.pop(
            (trace_id, WHOLE_TRACE), []
        )
        if not said:
            return record
        said.sort(key=lambda feedback: feedback.given_at_ns or 0)
        return structs.replace(record, feedback=(*record.feedback, *said))


def _read_audit(folder: Source, stats: ReadStats) -> Iterator[RagRecord]:
    log = AuditLog.open(fspath(folder))
    stats.files += 1
    stats.formats["groundwire_audit"] += 1
    for graded in log.records():
        stats.plain_records += 1
        yield log.answer(graded)


def record_of(plain: PlainRecord) -> RagRecord:
    """Return the record of one row of a record file; raises RecordError where its fields do not fit.

    A row without ids gets a trace id from its line, one with a trace id alone a span id from its content:
    several rows of one trace id are several answers, and equal rows are one.
    """
    fields: dict[str, Any] = plain.fields
    derived: dict[str, str] = {}
    if fields.get("trace_id") != plain.identity:
        derived["trace_id"] = plain.identity
    elif fields.get("span_id") is None:
        row = json.dumps(fields, sort_keys=True, default=str)
        derived["span_id"] = sha256(row.encode("utf-8", "replace")).hexdigest()[:16]
    if derived:
        provenance = fields.get("provenance")
        known = provenance if isinstance(provenance, dict) else {}
        fields = {**fields, **derived, "provenance": {**known, **dict.fromkeys(derived, "derived")}}
    return mark_citations(parse_record(fields))


def _reject(
    item: Trace | PlainRecord,
    problem: RecordError | DialectError,
    stats: ReadStats,
    on_reject: Callable[[Rejected], object] | None,
) -> None:
    reason = "bad_record" if isinstance(problem, RecordError) else "bad_trace"
    stats.rejected[reason] += 1
    if on_reject is not None:
        on_reject(Rejected(_origin_of(item), reason, str(problem)))


def _origin_of(item: Trace | PlainRecord) -> Origin:
    if isinstance(item, PlainRecord):
        return item.origin or Origin("?")
    spans: list[Any] = [*item.spans, *item.logs]
    return next((span.origin for span in spans if span.origin is not None), Origin("?"))
