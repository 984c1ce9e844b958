"""Small helpers with which the graders build their grades."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from groundwire.grade import Basis, Evidence, Grade, Outcome

if TYPE_CHECKING:
    from groundwire.graders.material import NoGrade


def combine_outcomes(outcomes: Iterable[Outcome]) -> Outcome:
    """Return fail if any failed, else unknown if any is, else pass if any passed, else not_applicable.

    >>> combine_outcomes([Outcome.PASS, Outcome.UNKNOWN]).value
    'unknown'
    """
    seen = set(outcomes)
    for outcome in (Outcome.FAIL, Outcome.ERROR, Outcome.UNKNOWN, Outcome.PASS):
        if outcome in seen:
            return outcome
    return Outcome.NOT_APPLICABLE


def pass_share(outcomes: Iterable[Outcome]) -> float | None:
    """Return passes over passes and fails, or None where there are neither."""
    seen = list(outcomes)
    passes, fails = seen.count(Outcome.PASS), seen.count(Outcome.FAIL)
    return round(passes / (passes + fails), 6) if passes + fails else None


class GradeMaker:
    """Base of the graders: ``name``, ``version``, ``basis``, and how a grade of theirs is made."""

    name = ""
    version = "1"
    basis = Basis.CHECKED
    config_digest = ""
    method = "deterministic"

    def make(
        self,
        outcome: Outcome,
        label: str | None,
        explanation: str,
        evidence: Iterable[Evidence] = (),
        score: float | None = None,
        *,
        basis: Basis | None = None,
    ) -> Grade:
        """Return a grade of this grader; ``basis`` where one judgment has another than the grader."""
        return Grade(
            name=self.name, outcome=outcome, basis=basis or self.basis, grader_version=self.version,
            score=score, label=label, explanation=explanation, evidence=tuple(evidence), method=self.method,
            config_digest=self.config_digest,
        )  # fmt: skip

    def make_none(self, obstacle: NoGrade) -> Grade:
        """Return the grade that says why there is no judgment."""
        return self.make(obstacle.outcome, obstacle.label, obstacle.explanation)
