"""The citation family: provenance, scope and support, their conjunction, and coverage."""

from __future__ import annotations

from groundwire.grade import Basis, Grade, Outcome, Shared
from groundwire.graders.citation_support import CitationSupport
from groundwire.graders.coverage import CitationCoverage
from groundwire.graders.grading import GradeMaker, combine_outcomes
from groundwire.graders.options import digest_options
from groundwire.graders.provenance import CitationProvenance
from groundwire.graders.scope import CitationScope

__all__ = ["CitationAccuracy", "CitationCoverage", "CitationProvenance", "CitationScope", "CitationSupport"]

_PARTS = ("citation_provenance", "citation_scope", "citation_support")


class CitationAccuracy(GradeMaker):
    """Provenance and scope and support: are the citations right?

    *Outcomes*: fail when one of the three fails, error when one erred, unknown when one is unknown, pass
    when one passes and the others do or do not apply, not applicable when none applies. *Score*: the
    smallest of the three scores, 0 to 1. The label names the part that decided. *Basis*: estimated, since
    support is. It reads the three grades where they were made before, else makes them itself.

    >>> from groundwire.record import RagRecord
    >>> CitationAccuracy().grade(Shared(RagRecord(answer="Yes.", contexts=[], citations=[]))).outcome.value
    'not_applicable'
    """

    name = "citation_accuracy"
    version = "1"
    basis = Basis.ESTIMATED

    def __init__(self, require_citations: bool = False) -> None:
        self.require_citations = require_citations
        self.config_digest = digest_options({"require_citations": require_citations or None})
        self._makers = {
            grader.name: grader for grader in (CitationProvenance(), CitationScope(), CitationSupport())
        }

    def grade(self, shared: Shared) -> Grade:
        """Return the grade of ``shared.record``."""
        parts = [shared.grades.get(name) or self._makers[name].grade(shared) for name in _PARTS]
        outcome = combine_outcomes(part.outcome for part in parts)
        deciding = next(
            part for part in parts if part.outcome == outcome or outcome == Outcome.NOT_APPLICABLE
        )
        if outcome == Outcome.NOT_APPLICABLE and self.require_citations and deciding.label == "uncited":
            text = "The answer cites nothing, and citations are required."
            return self.make(Outcome.FAIL, "uncited", text)
        scores = [part.score for part in parts if part.score is not None]
        label = "right" if outcome == Outcome.PASS else deciding.label or deciding.name
        text = "The citations are right." if outcome == Outcome.PASS else deciding.explanation
        return self.make(outcome, label, text, deciding.evidence, min(scores) if scores else None)
