"""Which claims of the answer have a citation, and does it carry them?"""

from __future__ import annotations

from groundwire.grade import Basis, Evidence, Grade, Outcome, Shared
from groundwire.graders.citation_figures import find_superfluous, measure_citations, read_citation_levels
from groundwire.graders.cited import read_citations
from groundwire.graders.grading import GradeMaker
from groundwire.graders.linking import link_claims
from groundwire.graders.material import find_obstacle, read_claims
from groundwire.graders.options import digest_options
from groundwire.graders.provenance import grade_uncited


class CitationCoverage(GradeMaker):
    """The share of checkable claims that have a citation; ALCE's citation recall and precision besides.

    *Score*: cited claims over checkable claims, 0 to 1. *Outcomes*: measured; with ``minimum``, pass or
    fail; not applicable when nothing is cited or nothing can be checked (``require_citations``: fail).
    *Basis*: estimated, since citations without a position are attached to the claim that they resemble
    most, and since support is.

    *Evidence*: one row a checkable claim, ``cited`` or ``uncited``; one row a ``superfluous`` citation; and
    the answer's figures, rows with nothing but label and score (0 to 1; a row is missing where nothing
    could be told, since a cited text was not captured):

    - ``recall``: share of checkable claims that their citations, taken together, support in full
      (``recall_partial``: support in part counts half; ``recall_alone``: one citation must by itself).
      A claim without a citation is not supported.
    - ``precision``: share of citations that are needed: their claim is supported by all of its citations
      together, and either this one supports it by itself or the others without it do not
      (``precision_partial``: the same with support in part; ``precision_alone``: share of citations that
      support their claim by themselves).

    >>> from groundwire.record import RagRecord
    >>> record = RagRecord(answer="Tea is hot. Ice is cold.", contexts=["Tea is hot."],
    ...                    citations=[{"quote": "Tea is hot."}])
    >>> grade = CitationCoverage().grade(Shared(record))
    >>> figures = {row.label: row.score for row in grade.evidence if row.score is not None}
    >>> grade.score, figures["recall"], figures["precision"]
    (0.5, 0.5, 1.0)
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
        links = shared.of(link_claims)
        cited = {link.claim.start for link in links}
        evidence = [
            Evidence(
                label="cited" if claim.start in cited else "uncited",
                answer_start=claim.start,
                answer_end=claim.end,
            )
            for claim in claims
        ]
        uncited = sum(row.label == "uncited" for row in evidence)
        score = round(1 - uncited / len(evidence), 6)
        evidence += _figures(shared, uncited)
        if self.minimum is None:
            outcome = Outcome.MEASURED
        else:
            outcome = Outcome.PASS if score >= self.minimum else Outcome.FAIL
        return self.make(outcome, "coverage", "The share of claims that have a citation.", evidence, score)


def _figures(shared: Shared, uncited: int) -> list[Evidence]:
    levels = shared.of(read_citation_levels)
    known = shared.of(read_citations)
    superfluous = [
        Evidence(
            label="superfluous",
            citation_index=known[link.citations[i]].stated_index,
            context_index=next(iter(known[link.citations[i]].named or ()), None),
            answer_start=None if link.claim.start < 0 else link.claim.start,
            answer_end=None if link.claim.start < 0 else link.claim.end,
        )
        for link, level in zip(shared.of(link_claims), levels, strict=True)
        for i in find_superfluous(level)
    ]
    figures = measure_citations(levels, uncited)
    return superfluous + [Evidence(label=name, score=figure) for name, figure in figures.items()]
