"""Claim by claim and word by word: what :class:`Groundedness` found, for measuring and for marking up.

Made for people who hold other labels than the grade's (sentences, spans), and for reviewers who want to see
which words no source holds. The grade itself carries the claims; words are only here.
"""

from __future__ import annotations

from typing import NamedTuple

from groundwire.grade import Shared
from groundwire.graders.groundedness import Groundedness
from groundwire.graders.judging import CONTRADICTED, NOT_CHECKABLE, ClaimJudgment
from groundwire.graders.material import find_obstacle
from groundwire.graders.profiles import DEFAULT
from groundwire.record import RagRecord
from groundwire.text.claims import CONTENT, FUNCTION, NAME, NUMBER, STANCE_WEIGHT, ClaimWords

MIN_NOVELTY = 0.5
"""From this novelty on a word is new: in no source, or far from and in another order than the rest."""


class NovelSpan(NamedTuple):
    """Words that no source supports where they stand: a range of the answer, and ``novelty``, .5 to 2.

    ``novelty`` is the largest of its words': 1 and more stand nowhere, less stand elsewhere or elsewise.
    Code points, end exclusive.
    """

    start: int
    end: int
    novelty: float


class ClaimReport(NamedTuple):
    """One claim of an answer: ``start`` to ``end`` (code points, end exclusive), and what was found of it.

    ``label`` is that of the grade (supported, partly, unsupported, contradicted, not_checkable), ``reason``
    the check that decided (``number``, ``negation``, ``novelty``, …) or None. ``risk`` is 0 and up, higher
    is less supported, for ranking claims. ``spans`` are its new words, in order; of a contradicted claim
    without any, the whole claim.
    """

    start: int
    end: int
    label: str
    reason: str | None
    risk: float
    spans: tuple[NovelSpan, ...]


def report_claims(record: RagRecord, profile: str = DEFAULT) -> list[ClaimReport]:
    """Return every claim of the answer with its label, its risk and the words that no source supports.

    Empty where there is nothing to judge (no answer, an abstention) and where texts are too large; raises
    ConfigError for an unknown ``profile``.

    >>> record = RagRecord(answer="Tea is hot. It opens at ten.", contexts=["Tea is hot. It opens at nine."])
    >>> claims = report_claims(record)
    >>> [claim.label for claim in claims]
    ['supported', 'contradicted']
    >>> [record.answer[span.start:span.end] for span in claims[1].spans]
    ['ten']
    """
    grader, shared = Groundedness(profile), Shared(record)
    if find_obstacle(shared) is not None:
        return []
    return [_report(judgment) for judgment in grader.judge(shared)]


def _report(judgment: ClaimJudgment) -> ClaimReport:
    claim = judgment.support.claim
    spans = () if judgment.label == NOT_CHECKABLE else _find_spans(judgment)
    if not spans and judgment.label == CONTRADICTED:
        spans = (NovelSpan(claim.start, claim.end, 1.0),)
    risk = round(judgment.support.risk, 6)
    return ClaimReport(claim.start, claim.end, judgment.label, judgment.reason, risk, spans)


def _find_spans(judgment: ClaimJudgment) -> tuple[NovelSpan, ...]:
    claim, novelty = judgment.support.claim, judgment.support.novelty
    if len(claim.text) != claim.end - claim.start:  # a bare yes or no, read as what was asked
        return ()
    spans: list[NovelSpan] = []
    last = -2
    for i, value in enumerate(novelty):
        if value < MIN_NOVELTY or not _says_something(claim, i):
            continue
        token = claim.tokens[i]
        start, end = claim.start + token.start, claim.start + token.end
        if spans and (i == last + 1 or (i == last + 2 and claim.kinds[i - 1] == FUNCTION)):
            start, value = spans[-1].start, max(value, spans[-1].novelty)
            spans.pop()
        spans.append(NovelSpan(start, end, round(value, 6)))
        last = i
    return tuple(spans)


def _says_something(claim: ClaimWords, i: int) -> bool:
    """Return True for words that can be looked up, and for grammar that turns a statement (not, no)."""
    kind = claim.kinds[i]
    return kind in (CONTENT, NUMBER, NAME) or (kind == FUNCTION and claim.weights[i] >= STANCE_WEIGHT)
