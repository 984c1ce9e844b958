"""Is what the answer says supported by the retrieved contexts? An estimate, claim by claim."""

from __future__ import annotations

from groundwire.grade import Basis, Evidence, Grade, Outcome, Shared
from groundwire.graders.grading import GradeMaker
from groundwire.graders.judging import (
    CONTRADICTED,
    LANGUAGE,
    NOT_CHECKABLE,
    PARTLY,
    SUPPORTED,
    TRANSLATED,
    UNSUPPORTED,
    ClaimJudgment,
    estimate_risk,
    judge_claim,
)
from groundwire.graders.material import (
    Sources,
    estimate_supports,
    find_obstacle,
    read_claims,
    read_question_codes,
    read_sources,
)
from groundwire.graders.options import digest_options
from groundwire.graders.profiles import DEFAULT, find_profile
from groundwire.graders.quoted import find_misquotations
from groundwire.text.support import QUESTION_CREDIT, ClaimSupport, Window, estimate_support, unmet_share

_EXPLANATIONS = {
    CONTRADICTED: "Flagged: {answer:%d} seems to contradict {context:%d}.",
    UNSUPPORTED: "Flagged: little of {answer:%d} stands in the contexts.",
}


class Groundedness(GradeMaker):
    """Whether the answer's claims are supported by the contexts, by an untrained proxy.

    *Claims* are sentences and list items; each gets a label: ``supported``, ``partly``, ``unsupported``,
    ``contradicted`` or ``not_checkable`` (greetings, questions, talk about the passages). Evidence holds one
    row a claim: label, range in the answer, the best window of a context, and the claim's risk as score.
    *Score*: 1 / (1 + risk) of the whole answer, in (0, 1], higher is better supported; continuous, meant
    for ranking, and given also where the outcome is not applicable. *Outcomes*: fail when a claim is
    contradicted, holds a number, name or quotation that no source holds, puts scattered words together, or
    is new nearly as a whole, and when the answer's risk reaches the profile's threshold; unknown instead of
    fail when contexts are missing or cut, and when the contexts are in another language and no number can
    be compared; not applicable when nothing is claimed. *Basis*: estimated. Which *words* are new:
    :func:`groundwire.report_claims`.

    ``profile`` names a row of ``profiles.toml`` (``qa``, ``rate``, ``edit``, ``any_part``).

    >>> from groundwire.record import RagRecord
    >>> record = RagRecord(answer="It opens at ten.", contexts=["It opens at nine."])
    >>> Groundedness().grade(Shared(record)).outcome.value
    'fail'
    """

    name = "groundedness"
    version = "1"
    basis = Basis.ESTIMATED

    def __init__(self, profile: str = DEFAULT) -> None:
        self.profile = find_profile(profile)
        self.config_digest = digest_options({"profile": None if profile == DEFAULT else profile})

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
        judgments = self.judge(shared)
        evidence = [_evidence(j, sources) for j in judgments]
        unmet = unmet_share(shared.of(read_question_codes), sources.corpus)
        risk = estimate_risk([j for j in judgments if j.reason != TRANSLATED], self.profile, unmet)
        score = round(1 / (1 + risk), 6)
        if all(j.label == NOT_CHECKABLE for j in judgments):
            if any(j.reason == LANGUAGE for j in judgments):
                text = "The answer is in another language than the contexts, and states no number."
                return self.make(Outcome.UNKNOWN, LANGUAGE, text, evidence)
            text = "The answer makes no claim."
            return self.make(Outcome.NOT_APPLICABLE, NOT_CHECKABLE, text, evidence, score)
        checkable = [j for j in judgments if j.label != NOT_CHECKABLE and j.reason != TRANSLATED]
        fails = estimate_risk(checkable, self.profile) >= self.profile.answer_risk
        return self._conclude(judgments, fails, evidence, score, sources.is_complete)

    def judge(self, shared: Shared) -> list[ClaimJudgment]:
        """Return the judgment of every claim; for other measurements than the grade."""
        corpus = shared.of(read_sources).corpus
        misquoted = [(q.start, q.end) for q in shared.of(find_misquotations)]
        judgments = [
            judge_claim(
                support,
                corpus,
                self.profile,
                shared.record.question or "",
                misquotes=any(s < support.claim.end and e > support.claim.start for s, e in misquoted),
                known=shared.of(read_question_codes),
            )
            for support in self._supports(shared)
        ]
        if len(judgments) < 2:
            return judgments
        return [_pass_over_reply(judgment) for judgment in judgments]

    def _supports(self, shared: Shared) -> tuple[ClaimSupport, ...]:
        if self.profile.question_credit == QUESTION_CREDIT:
            return shared.of(estimate_supports)
        corpus, question = shared.of(read_sources).corpus, shared.of(read_question_codes)
        credit = self.profile.question_credit
        return tuple(estimate_support(claim, corpus, question, credit) for claim in shared.of(read_claims))

    def _conclude(
        self,
        judgments: list[ClaimJudgment],
        fails: bool,
        evidence: list[Evidence],
        score: float,
        is_complete: bool,
    ) -> Grade:
        worst = _worst(judgments)
        if worst is None and not fails:
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


def _pass_over_reply(judgment: ClaimJudgment) -> ClaimJudgment:
    """A bare yes or no that more follows is judged by what follows, unless it is contradicted."""
    claim = judgment.support.claim
    is_reply = len(claim.text) > 2 * (claim.end - claim.start)
    if is_reply and judgment.label in (UNSUPPORTED, PARTLY) and not judgment.is_decisive:
        return judgment._replace(label=NOT_CHECKABLE, reason=None)
    return judgment


def _worst(judgments: list[ClaimJudgment]) -> int | None:
    decisive = [i for i, judgment in enumerate(judgments) if judgment.is_decisive]
    contradicted = [i for i in decisive if judgments[i].label == CONTRADICTED]
    return next(iter(contradicted or decisive), None)


def _evidence(judgment: ClaimJudgment, sources: Sources) -> Evidence:
    support = judgment.support
    window = support.window
    where: dict[str, int] = {}
    if judgment.sentence is not None:
        source, sentence = sources.corpus.origins[judgment.sentence]
        window = Window(source, sentence, sentence, 0.0)
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
