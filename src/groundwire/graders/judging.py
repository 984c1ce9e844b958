"""From the support of a claim to its label: supported, partly, unsupported, contradicted, not checkable."""

from __future__ import annotations

from typing import NamedTuple

from groundwire.graders.profiles import Profile
from groundwire.text.support import ClaimSupport, Corpus

SUPPORTED, PARTLY, UNSUPPORTED, CONTRADICTED, NOT_CHECKABLE = (
    "supported", "partly", "unsupported", "contradicted", "not_checkable",
)  # fmt: skip


class ClaimJudgment(NamedTuple):
    """A claim's label, and the reason where there is one (``number``, ``negation``, …)."""

    support: ClaimSupport
    label: str
    reason: str | None = None


def judge_claim(
    support: ClaimSupport, corpus: Corpus, profile: Profile, question: str | None
) -> ClaimJudgment:
    """Label one claim."""
    claim = support.claim
    if not claim.is_checkable:
        return ClaimJudgment(support, NOT_CHECKABLE)
    if any(claim.tokens[i].key[0] == "#" for i in support.absent):
        return ClaimJudgment(support, UNSUPPORTED, "number")
    if support.risk >= profile.claim_unsupported:
        return ClaimJudgment(support, UNSUPPORTED, "novelty")
    if support.risk >= profile.claim_partly:
        return ClaimJudgment(support, PARTLY, "novelty")
    return ClaimJudgment(support, SUPPORTED)
