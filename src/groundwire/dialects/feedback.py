"""What people said of an answer: feedback spans, joined to their record also across traces."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from msgspec import structs

from groundwire import semconv
from groundwire.dialects.form import Reading, Role, Surroundings
from groundwire.dialects.values import as_float, as_label, as_text
from groundwire.record import Feedback, RagRecord
from groundwire.span import SpanData, Trace


class GivenFeedback(NamedTuple):
    """One feedback and the answer that it is about."""

    trace_id: str
    span_id: str
    feedback: Feedback


class JoinedFeedback(NamedTuple):
    """The records with their feedback, and what was said of answers that are not among them."""

    records: list[RagRecord]
    unjoined: list[GivenFeedback]


class FeedbackSpans:
    """groundwire's own feedback spans, so that no other dialect takes them for something else."""

    name = "groundwire-feedback"

    def detect(self, span: SpanData) -> str | None:
        """Return the attribute that names the answer's span."""
        return semconv.FEEDBACK_SPAN_ID if semconv.FEEDBACK_SPAN_ID in span.attributes else None

    def read(self, span: SpanData, why: str, around: Surroundings) -> Reading:
        """Return a reading without a part in any answer; :func:`read_feedback` reads the content."""
        return Reading(span=span, role=Role.DUPLICATE, dialect=self.name, why=why)


def read_feedback(trace: Trace) -> list[GivenFeedback]:
    """Return the feedback in a trace, ordered by time.

    >>> read_feedback(Trace(trace_id="ab" * 16, spans=[]))
    []
    """
    given = [item for span in trace.spans if (item := _read_span(span)) is not None]
    return sorted(given, key=lambda item: (item.feedback.given_at_ns or 0, item.span_id))


def _read_span(span: SpanData) -> GivenFeedback | None:
    attributes = span.attributes
    about = as_label(attributes.get(semconv.FEEDBACK_SPAN_ID))
    if about is None:
        return None
    trace_id = as_label(attributes.get(semconv.FEEDBACK_TRACE_ID)) or span.trace_id
    feedback = Feedback(
        score=as_float(attributes.get(semconv.FEEDBACK_SCORE)),
        label=as_label(attributes.get(semconv.FEEDBACK_LABEL)),
        comment=as_text(attributes.get(semconv.FEEDBACK_COMMENT)),
        given_at_ns=span.start_ns or None,
    )
    return GivenFeedback(trace_id.lower(), about.lower(), feedback)


def join_feedback(records: Iterable[RagRecord], given: Iterable[GivenFeedback]) -> JoinedFeedback:
    """Add each feedback to the record of its trace and span id; the order of the records stays.

    Feedback whose answer is not among the records is handed back, to be counted.

    >>> said = GivenFeedback("ab", "cd", Feedback(score=1.0))
    >>> joined = join_feedback([RagRecord(trace_id="ab", span_id="cd")], [said, said])
    >>> len(joined.records[0].feedback), joined.unjoined
    (1, [])
    """
    by_answer: dict[tuple[str, str], list[Feedback]] = {}
    for item in given:
        said = by_answer.setdefault((item.trace_id, item.span_id), [])
        if item.feedback not in said:
            said.append(item.feedback)
    joined = [_with_feedback(record, by_answer) for record in records]
    return JoinedFeedback(joined, list(_left(by_answer)))


def _with_feedback(record: RagRecord, by_answer: dict[tuple[str, str], list[Feedback]]) -> RagRecord:
    said = by_answer.pop((record.trace_id or "", record.span_id or ""), None)
    if said is None:
        return record
    return structs.replace(record, feedback=(*record.feedback, *said))


def _left(by_answer: Mapping[tuple[str, str], list[Feedback]]) -> Iterator[GivenFeedback]:
    for (trace_id, span_id), said in by_answer.items():
        for feedback in said:
            yield GivenFeedback(trace_id, span_id, feedback)
