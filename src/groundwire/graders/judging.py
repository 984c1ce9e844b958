"""From the support of a claim to its label: supported, partly, unsupported, contradicted, not checkable."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

from groundwire.graders.profiles import Profile
from groundwire.text.additions import adds_clause, adds_tail, is_scattered, rests_on_instruction, spans_seam
from groundwire.text.amounts import EQUAL, compare_quantities
from groundwire.text.claims import NAME, NUMBER
from groundwire.text.conflicts import find_absent_name, find_conflict
from groundwire.text.corpus import Corpus
from groundwire.text.polar import find_reply_conflict
from groundwire.text.support import ClaimSupport, answer_risk, settle_words

SUPPORTED, PARTLY, UNSUPPORTED, CONTRADICTED, NOT_CHECKABLE = (
    "supported", "partly", "unsupported", "contradicted", "not_checkable",
)  # fmt: skip
DECISIVE = frozenset(
    "number_absent name quotation translated_number scattered addition seam instruction foreign".split()
)
"""Reasons for which one unsupported claim alone fails an answer."""
MIN_FOREIGN_WORDS = 4
"""A claim of fewer words that say something (a greeting, a phrase) does not fail an answer by its novelty."""
LANGUAGE = "language"
TRANSLATED = "translated"


class ClaimJudgment(NamedTuple):
    """A claim's label, and the reason where there is one (``number``, ``negation``, …).

    ``sentence`` is the corpus's sentence that it conflicts with.
    """

    support: ClaimSupport
    label: str
    reason: str | None = None
    sentence: int | None = None

    @property
    def is_decisive(self) -> bool:
        """True if this claim alone fails the answer."""
        return self.label == CONTRADICTED or (self.label == UNSUPPORTED and self.reason in DECISIVE)


def judge_claim(
    support: ClaimSupport,
    corpus: Corpus,
    profile: Profile,
    question: str = "",
    *,
    misquotes: bool = False,
    known: str = "",
) -> ClaimJudgment:
    """Label one claim.

    ``misquotes`` says that it holds a quotation that stands in no source; ``known`` are the codes of words
    whose absence from the corpus proves nothing (the question's, the rest of a cited source).
    """
    if not support.claim.is_checkable:
        return ClaimJudgment(support, NOT_CHECKABLE)
    claim = support.claim
    if 2 * len(support.absent) >= len(claim.content) > 0 and is_translated(support, corpus):
        return _judge_translated(support, corpus)
    finding = find_conflict(support, corpus, question)
    support = settle_words(support, finding.settled)
    conflict = finding.conflict or find_reply_conflict(support, question, corpus)
    conflict = conflict if profile.conflicts else None
    if conflict is not None and conflict.reason != "number_absent":
        return ClaimJudgment(support, CONTRADICTED, conflict.reason, conflict.sentence)
    if conflict is not None:
        return ClaimJudgment(support, UNSUPPORTED, conflict.reason)
    if misquotes and not support.is_verbatim:
        return ClaimJudgment(support, UNSUPPORTED, "quotation")
    return _judge_novelty(support, corpus, profile, known)


def _judge_novelty(support: ClaimSupport, corpus: Corpus, profile: Profile, known: str) -> ClaimJudgment:
    if support.is_verbatim and support.risk < profile.claim_partly:
        if rests_on_instruction(support, corpus):
            return ClaimJudgment(support, UNSUPPORTED, "instruction")
        return ClaimJudgment(support, SUPPORTED)
    if support.risk >= profile.claim_unsupported:
        return ClaimJudgment(support, UNSUPPORTED, "foreign" if _is_foreign(support, profile) else "novelty")
    if find_absent_name(support, known) is not None and support.coverage >= 0.5:
        return ClaimJudgment(support, UNSUPPORTED, "name")
    if adds_clause(support) or adds_tail(support, corpus):
        return ClaimJudgment(support, UNSUPPORTED, "addition")
    if spans_seam(support, corpus):
        return ClaimJudgment(support, UNSUPPORTED, "seam")
    if rests_on_instruction(support, corpus):
        return ClaimJudgment(support, UNSUPPORTED, "instruction")
    if is_scattered(support, corpus):
        return ClaimJudgment(support, UNSUPPORTED, "scattered")
    if support.risk >= profile.claim_partly:
        return ClaimJudgment(support, PARTLY, "novelty")
    return ClaimJudgment(support, SUPPORTED)


def _is_foreign(support: ClaimSupport, profile: Profile) -> bool:
    """Return True if nearly all of a claim of some length is new."""
    rate = support.unsupported / max(support.weight, 1.0)
    return rate >= profile.claim_foreign and len(support.claim.content) >= MIN_FOREIGN_WORDS


def is_translated(support: ClaimSupport, corpus: Corpus) -> bool:
    """Return True if the claim is in another language than every source."""
    mine = support.claim.reading.language
    if mine is None or not corpus.sources:
        return False
    theirs = corpus.languages()
    return bool(theirs) and None not in theirs and mine not in theirs


def _judge_translated(support: ClaimSupport, corpus: Corpus) -> ClaimJudgment:
    """Across languages only numbers, dates, times and weekdays can be compared."""
    quantities = support.claim.reading.quantities
    if not quantities:
        return ClaimJudgment(support, NOT_CHECKABLE, LANGUAGE)
    theirs = [q for i in range(len(corpus.sentences)) for q in corpus.reading(i).quantities]
    for quantity in quantities:
        if not any(compare_quantities(quantity, other) == EQUAL for other in theirs):
            return ClaimJudgment(support, UNSUPPORTED, "translated_number")
    return ClaimJudgment(support, SUPPORTED, TRANSLATED)


def estimate_risk(judgments: Sequence[ClaimJudgment], profile: Profile, unmet: float = 0.0) -> float:
    """Return the answer's risk under a profile, 0 and up.

    ``unmet`` is the share of the question that no source speaks of.
    """
    supports = [judgment.support for judgment in judgments]
    if profile.any_part:
        return 1 - math.prod(1 - 1 / (1 + math.exp(-12 * (s.risk - 0.6))) for s in supports)
    if profile.edit:
        return _edit_risk(judgments, profile.answer_exponent)
    conflicts = sum(judgment.label == CONTRADICTED for judgment in judgments)
    return answer_risk(supports, profile.answer_exponent, conflicts, unmet)


CONFLICT_RISK, ADDITION_RISK = 2.0, 1.0
_ADDITIONS = frozenset(("addition", "foreign"))


def _edit_risk(judgments: Sequence[ClaimJudgment], exponent: float) -> float:
    """Only what is new among numbers and names counts, every conflict, and what was added as a whole."""
    unsupported = weight = 0.0
    for judgment in judgments:
        claim = judgment.support.claim
        for value, kind in zip(judgment.support.novelty, claim.kinds, strict=True):
            if kind in (NUMBER, NAME):
                unsupported += value
                weight += 1
        unsupported += CONFLICT_RISK * (judgment.label == CONTRADICTED)
        unsupported += ADDITION_RISK * (judgment.label == UNSUPPORTED and judgment.reason in _ADDITIONS)
    return float(unsupported / max(weight, 1.0) ** exponent)
