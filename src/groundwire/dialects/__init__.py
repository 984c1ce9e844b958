"""Dialects: a trace, whoever wrote it → one :class:`~groundwire.record.RagRecord` per answered question.

In: :class:`groundwire.span.Trace` values (spans grouped and deduplicated, logs joined). Out: records that
say for every field which span and attribute it came from, and for what is missing why; feedback; how many
of the numbered calls arrived; for people, what a trace holds and what to switch on.

Deliberately does not know: file formats (``envelopes``), grades, where a trace was read from. Nothing in
a trace is trusted, and nothing in a trace can make this package raise. How a third party adds a dialect
stands in ``DIALECTS.md``.
"""

from __future__ import annotations

from groundwire.dialects.advice import advise
from groundwire.dialects.arrivals import ArrivalCounter, Arrivals, count_arrivals
from groundwire.dialects.citing import mark_citations
from groundwire.dialects.describe import (
    GRADER_NEEDS,
    Gap,
    RecordDescription,
    TraceDescription,
    describe_trace,
    list_gradable,
)
from groundwire.dialects.feedback import GivenFeedback, JoinedFeedback, join_feedback, read_feedback
from groundwire.dialects.form import Dialect, Reading, Role, Surroundings
from groundwire.dialects.normalize import normalize_trace
from groundwire.dialects.registry import list_dialects

__all__ = [
    "GRADER_NEEDS",
    "ArrivalCounter",
    "Arrivals",
    "Dialect",
    "Gap",
    "GivenFeedback",
    "JoinedFeedback",
    "Reading",
    "RecordDescription",
    "Role",
    "Surroundings",
    "TraceDescription",
    "advise",
    "count_arrivals",
    "describe_trace",
    "join_feedback",
    "list_dialects",
    "list_gradable",
    "mark_citations",
    "normalize_trace",
    "read_feedback",
]
