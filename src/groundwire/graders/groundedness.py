"""Is what the answer says supported by the retrieved contexts? An estimate, claim by claim."""

from __future__ import annotations

import math
from collections.abc import Sequence

from groundwire.grade import Basis, Evidence, Grade, Outcome, Shared
from groundwire.graders.grading import GradeMaker
from groundwire.graders.judging import (
    CONTRADICTED,
    NOT_CHECKABLE,
    SUPPORTED,
    UNSUPPORTED,
    ClaimJudgment,
    judge_claim,
)
from groundwire.graders.material import Sources, estimate_supports, find_obstacle, read_sources
from groundwire.graders.options import digest_options
from groundwire.graders.profiles import Profile, find_profile
from groundwire.text.support import ClaimSupport, answer_risk

_EXPLANATIONS = {
    CONTRADICTED: "Flagged: {answer:%d} seems to contradict {context:%d}.",
    UNSUPPORTED: "Flagged: little of {answer:%d} stands in the contexts.",
}


class Groundedness(GradeMaker):
    """Whether the answer's claims are supported by the contexts, by an untrained proxy.

    *Claims* are sentences and list items; each gets a label: ``supported``, ``partly``, ``unsupported``,
    ``contradicted`` or ``not_checkable`` (greetings, questions, talk about the passages). Evidence holds one
    row a claim: label, range in the answer, the best window of a context, and the claim's risk as score.
    *Score*: 1 / (1 + risk) of the answer, in (0, 1], higher is better supported; continuous, meant for
    ranking. *Outcomes*: fail when a claim is contradicted or holds a number that no source holds, or when
    the answer's risk reaches the profile's threshold; unknown instead of fail when contexts are missing or
    cut; not applicable when nothing is claimed. *Basis*: estimated.

    ``profile`` names a row of ``profiles.toml`` (``qa``, ``rate``, ``edit``, ``any_part``).

    >>> from groundwire.record import RagRecord
    >>> record = RagRecord(answer="It opens at ten.", contexts=["It opens at nine."])
    >>> Groundedness().grade(Shared(record)).outcome.value
    'fail'
    """

    name = "groundedness"
    version = "1"
    basis = Basis.ESTIMATED

    def __init__(self, profile: str = "qa") -> None:
        self.profile = find_profile(profile)
        self.config_digest = digest_options({"profile": None if profile == "qa" else profile})

    def grade(self, shared: Shared) -> Grade:
        """Return the grade of ``shared.record``."""
        obstacle = find_obstacle(shared)
        if obstacle is not None:
            return self.make_none(obstacle)
        sources = shared.of(read_sources)
        if not sources.texts and not sources.is_complete:
            return self.make(
                Outcome.UNKNOWN, "contexts_not_captured", "The contexts' texts were not captured."
            )
        supports = shared.of(estimate_supports)
        question = shared.record.question
        judgments = [judge_claim(s, sources.corpus, self.profile, question) for s in supports]
        evidence = [_evidence(j, sources) for j in judgments]
        if all(j.label == NOT_CHECKABLE for j in judgments):
            return self.make(Outcome.NOT_APPLICABLE, NOT_CHECKABLE, "The answer makes no claim.", evidence)
        risk = estimate_risk(supports, self.profile)
        return self._conclude(judgments, risk, evidence, sources.is_complete)

    def _conclude(
        self, judgments: list[ClaimJudgment], risk: float, evidence: list[Evidence], is_complete: bool
    ) -> Grade:
        score = round(1 / (1 + risk), 6)
        worst = _worst(judgments)
        if worst is None and risk < self.profile.answer_risk:
            return self.make(Outcome.PASS, SUPPORTED, "Every claim seems supported.", evidence, score)
        row = (
            max(range(len(judgments)), key=lambda i: judgments[i].support.unsupported)
            if worst is None
            else worst
        )
        label = judgments[row].label if judgments[row].label == CONTRADICTED else UNSUPPORTED
        if not is_complete:
            text = "Claims found no support, but some contexts were not captured whole."
            return self.make(Outcome.UNKNOWN, "incomplete_evidence", text, evidence, score)
        text = _EXPLANATIONS[label]
        return self.make(Outcome.FAIL, label, text % ((row,) * text.count("%d")), evidence, score)


def estimate_risk(supports: Sequence[ClaimSupport], profile: Profile) -> float:
    """Return the answer's risk under a profile, 0 and up."""
    checkable = [s for s in supports if s.claim.is_checkable]
    if profile.any_part:
        calm = math.prod(1 - 1 / (1 + math.exp(-12 * (s.risk - 0.6))) for s in checkable)
        return 1 - calm
    return answer_risk(checkable, profile.answer_exponent)


def _worst(judgments: list[ClaimJudgment]) -> int | None:
    for label, reasons in ((CONTRADICTED, None), (UNSUPPORTED, {"number"})):
        for i, judgment in enumerate(judgments):
            if judgment.label == label and (reasons is None or judgment.reason in reasons):
                return i
    return None


def _evidence(judgment: ClaimJudgment, sources: Sources) -> Evidence:
    support = judgment.support
    window = support.window
    where: dict[str, int] = {}
    if window is not None:
        where["context_index"] = sources.contexts[window.source]
        if not sources.titles[window.source]:
            spans = sources.texts[window.source].spans
            where["context_start"] = spans[window.first][0]
            where["context_end"] = spans[window.last][1]
    return Evidence(
        label=judgment.label,
        answer_start=support.claim.start,
        answer_end=support.claim.end,
        score=round(support.risk, 4),
        **where,
    )
