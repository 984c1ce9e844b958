"""What a grader says of one record, and the protocol that every grader follows.

A grade holds no text of the record: evidence is indices and offsets, and the explanation is a template
that :func:`render_explanation` fills from the record.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from enum import StrEnum
from typing import Protocol, TypeVar, runtime_checkable

from groundwire.errors import MissingExtraError
from groundwire.record import RagRecord

try:
    from msgspec import Struct
except ImportError as missing:  # pragma: no cover - the base install has no [score]
    raise MissingExtraError.of("score", module="msgspec") from missing

T = TypeVar("T")


class Outcome(StrEnum):
    """What came of grading. **Only PASS and FAIL enter a rate**; the others are counted beside it.

    ``MEASURED``: a number without a limit. ``NOT_APPLICABLE``: the question does not arise (nothing was
    cited). ``UNKNOWN``: the evidence is missing, cut, redacted or was not captured. ``ERROR``: the
    grader itself failed.
    """

    PASS = "pass"
    FAIL = "fail"
    MEASURED = "measured"
    NOT_APPLICABLE = "not_applicable"
    UNKNOWN = "unknown"
    ERROR = "error"


class Basis(StrEnum):
    """``CHECKED``: a fact about the bytes. ``ESTIMATED``: a judgment by proxy, never worded as a fact."""

    CHECKED = "checked"
    ESTIMATED = "estimated"


class Evidence(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One pointer into the record; never a copy of its text.

    ``label`` says what it shows (a match level, a claim label, a kind of personal data).
    ``answer_start``/``answer_end`` are a range of the answer. ``context_index`` counts contexts from 0,
    ``context_start``/``context_end`` are a range of that context's text; ``citation_index`` counts
    citations from 0. All offsets are code points, end exclusive; None: does not apply.
    """

    label: str | None = None
    answer_start: int | None = None
    answer_end: int | None = None
    context_index: int | None = None
    context_start: int | None = None
    context_end: int | None = None
    citation_index: int | None = None
    score: float | None = None


class Grade(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One judgment of one record; exactly one a name and record.

    ``score``'s range is the grader's (stated in its docstring; higher is better unless said there) and is
    None where there is none. ``explanation`` is a sentence template without content: ``{answer:0}``,
    ``{context:0}``, ``{quote:0}`` and ``{source:0}`` stand for what evidence row 0 points at.
    ``method`` is ``deterministic``, ``judge`` or ``user``; ``config_digest`` is a digest of the
    settings that could change the verdict.
    """

    name: str
    outcome: Outcome
    basis: Basis
    grader_version: str
    score: float | None = None
    label: str | None = None
    explanation: str = ""
    evidence: tuple[Evidence, ...] = ()
    method: str = "deterministic"
    config_digest: str = ""


class Shared:
    """What the graders of one record share, so that no analysis is made twice.

    ``record`` is the record under judgment and ``grades`` what earlier graders said, by name.

    >>> shared = Shared(RagRecord(answer="Yes."))
    >>> shared.of(lambda s: len(s.record.answer))
    4
    """

    __slots__ = ("_made", "grades", "record")

    def __init__(self, record: RagRecord) -> None:
        self.record = record
        self.grades: dict[str, Grade] = {}
        self._made: dict[object, object] = {}

    def of(self, analysis: Callable[[Shared], T]) -> T:
        """Return ``analysis(self)``, computed at most once per record and function object."""
        made = self._made
        if analysis not in made:
            made[analysis] = analysis(self)
        return made[analysis]  # type: ignore[return-value]


@runtime_checkable
class Grader(Protocol):
    """Judges one record. Pure: no clock, no file, no network, no randomness.

    ``name`` is the grade's stable identifier, ``version`` changes only when a verdict changes,
    ``config_digest`` digests the settings (``""`` when it has none). ``grade`` may raise: the caller
    turns that into an ``error`` grade and goes on.
    """

    name: str
    version: str
    basis: Basis
    config_digest: str

    def grade(self, shared: Shared) -> Grade:
        """Return the grade of ``shared.record``."""
        ...


_PLACEHOLDER = re.compile(r"\{(answer|context|quote|source):(\d+)\}")


def render_explanation(grade: Grade, record: RagRecord) -> str:
    """Return the grade's explanation with its placeholders filled from the record.

    A placeholder whose text is not at hand (not captured, erased) becomes ``[not captured]``.

    >>> grade = Grade(name="quotation", outcome=Outcome.FAIL, basis=Basis.CHECKED, grader_version="1",
    ...               explanation="{answer:0} stands in no context.",
    ...               evidence=(Evidence(answer_start=0, answer_end=3),))
    >>> render_explanation(grade, RagRecord(answer="Yes, sir."))
    '"Yes" stands in no context.'
    """

    def fill(match: re.Match[str]) -> str:
        text = _pointed_text(match[1], grade.evidence, int(match[2]), record)
        return "[not captured]" if text is None else f'"{text}"'

    return _PLACEHOLDER.sub(fill, grade.explanation)


def _pointed_text(kind: str, evidence: tuple[Evidence, ...], row: int, record: RagRecord) -> str | None:
    if row >= len(evidence):
        return None
    at = evidence[row]
    if kind == "answer":
        return None if record.answer is None else record.answer[at.answer_start : at.answer_end]
    if kind == "context":
        if at.context_index is None or not record.contexts or at.context_index >= len(record.contexts):
            return None
        text = record.contexts[at.context_index].text
        return None if text is None else text[at.context_start : at.context_end]
    if at.citation_index is None or not record.citations or at.citation_index >= len(record.citations):
        return None
    citation = record.citations[at.citation_index]
    return citation.quote if kind == "quote" else citation.source_id
