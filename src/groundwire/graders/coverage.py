"""Which claims of the answer have a citation, and does it carry them?"""

from __future__ import annotations

from groundwire.grade import Basis, Evidence, Grade, Outcome, Shared
from groundwire.graders.citation_support import link_claims
from groundwire.graders.cited import read_citations
from groundwire.graders.grading import GradeMaker
from groundwire.graders.material import find_obstacle, read_claims
from groundwire.graders.options import digest_options
from groundwire.graders.provenance import grade_uncited


class CitationCoverage(GradeMaker):
    """The share of checkable claims to which a citation is attached.

    *Score*: cited claims over checkable claims, 0 to 1. *Outcomes*: measured; with ``minimum``, pass or
    fail; not applicable when nothing is cited or nothing can be checked (``require_citations``: fail).
    Evidence: one row a checkable claim, ``cited`` or ``uncited``. *Basis*: estimated, since citations
    without a position are attached to the claim that they resemble most.

    >>> from groundwire.record import RagRecord
    >>> record = RagRecord(answer="Tea is hot. Ice is cold.", contexts=["Tea is hot."],
    ...                    citations=[{"quote": "Tea is hot."}])
    >>> CitationCoverage().grade(Shared(record)).score
    0.5
    """

    name = "citation_coverage"
    version = "1"
    basis = Basis.ESTIMATED

    def __init__(self, minimum: float | None = None, require_citations: bool = False) -> None:
        self.minimum, self.require_citations = minimum, require_citations
        self.config_digest = digest_options(
            {"minimum": minimum, "require_citations": require_citations or None}
        )

    def grade(self, shared: Shared) -> Grade:
        """Return the grade of ``shared.record``."""
        obstacle = find_obstacle(shared)
        if obstacle is not None:
            return self.make_none(obstacle)
        if not shared.of(read_citations):
            return grade_uncited(self, shared, self.require_citations)
        claims = [claim for claim in shared.of(read_claims) if claim.is_checkable]
        if not claims:
            return self.make(Outcome.NOT_APPLICABLE, "not_checkable", "The answer makes no claim.")
        cited = {link.claim.start for link in shared.of(link_claims)}
        evidence = [
            Evidence(
                label="cited" if claim.start in cited else "uncited",
                answer_start=claim.start,
                answer_end=claim.end,
            )
            for claim in claims
        ]
        score = round(sum(row.label == "cited" for row in evidence) / len(evidence), 6)
        if self.minimum is None:
            outcome = Outcome.MEASURED
        else:
            outcome = Outcome.PASS if score >= self.minimum else Outcome.FAIL
        return self.make(outcome, "coverage", "The share of claims that have a citation.", evidence, score)
