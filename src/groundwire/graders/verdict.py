"""The one verdict on an answer, from the grades that decide."""

from __future__ import annotations

from collections.abc import Iterable

from groundwire.grade import Basis, Grade, Outcome, Shared
from groundwire.graders.grading import GradeMaker
from groundwire.graders.options import digest_options

DECIDING: tuple[str, ...] = (
    "completed",
    "citation_accuracy",
    "groundedness",
    "quotation",
    "abstention",
    "pii_leak",
)
"""The grades that decide by default; a suite's checks (``check.*``) always do."""


class Verdict(GradeMaker):
    """Whether the answer can be stood by.

    *Definition*: fail when one deciding grade fails; else unknown when one is unknown or an error; else pass
    when one passes; else not applicable. So nothing passes on no evidence. Deciding are ``deciding``
    (default: completed, citation_accuracy, groundedness, quotation, abstention, pii_leak) and every
    ``check.*``. ``completed`` alone is no evidence that an answer is right: it can fail a verdict but not
    pass one. *Score*: None. *Label*: the grades that made it fail or unknown, joined by commas.
    *Basis*: estimated as soon as an estimated grade decided, else checked.

    >>> from groundwire.record import RagRecord
    >>> shared = Shared(RagRecord(answer="Yes."))
    >>> Verdict().grade(shared).outcome
    <Outcome.NOT_APPLICABLE: 'not_applicable'>
    """

    name = "verdict"
    version = "1"
    basis = Basis.ESTIMATED

    def __init__(self, *, deciding: Iterable[str] | None = None) -> None:
        self._deciding = frozenset(DECIDING if deciding is None else deciding)
        self.config_digest = digest_options(
            {"deciding": None if deciding is None else sorted(self._deciding)}
        )

    def grade(self, shared: Shared) -> Grade:
        """Return the verdict over ``shared.grades``."""
        decided = [
            g for g in shared.grades.values() if g.name in self._deciding or g.name.startswith("check.")
        ]
        failed = [grade for grade in decided if grade.outcome is Outcome.FAIL]
        if failed:
            return self._decide(Outcome.FAIL, failed, "One or more deciding grades fail.")
        open_ones = [grade for grade in decided if grade.outcome in (Outcome.UNKNOWN, Outcome.ERROR)]
        if open_ones:
            return self._decide(
                Outcome.UNKNOWN, open_ones, "No deciding grade fails, but one or more are unknown."
            )
        passed = [grade for grade in decided if grade.outcome is Outcome.PASS]
        if any(grade.name != "completed" for grade in passed):
            return self._decide(Outcome.PASS, passed, "Every deciding grade passes.")
        return self._decide(Outcome.NOT_APPLICABLE, [], "No grade says anything of what the answer states.")

    def _decide(self, outcome: Outcome, reasons: list[Grade], explanation: str) -> Grade:
        estimated = any(grade.basis is Basis.ESTIMATED for grade in reasons)
        names = ",".join(grade.name for grade in reasons) if outcome is not Outcome.PASS else ""
        basis = Basis.ESTIMATED if estimated else Basis.CHECKED
        return self.make(outcome, names or None, explanation, basis=basis)
