"""Does what the answer quotes stand in the sources, word for word? A fact about the bytes."""

from __future__ import annotations

from groundwire.grade import Basis, Evidence, Grade, Outcome, Shared
from groundwire.graders.cited import Cited, Place, locate_citations, read_citations
from groundwire.graders.grading import GradeMaker, combine_outcomes, pass_share
from groundwire.graders.material import find_obstacle
from groundwire.graders.options import digest_options

_FAULTS = {
    "none": "{quote:%d} stands in none of the captured sources.",
    "near": "{quote:%d} is not what the source says: {context:%d}.",
    "stitched": "{quote:%d} is put together from separate places.",
    "misleading": "What {quote:%d} leaves out or puts in changes what the source says.",
}


class CitationProvenance(GradeMaker):
    """Whether every quotation of the citations stands in a source, and how literally.

    *Levels* (evidence labels): ``exact``, ``folded`` (case, quotes, dashes, accents), ``layout`` (line
    breaks, hyphens, markup), ``cut`` (a long one that starts or ends inside a word), ``elided`` (honest
    ellipses and brackets) count as standing there; ``near``, ``stitched``, ``misleading`` and ``none`` do
    not. Which source is named is judged by ``citation_scope``. *Score*: share of quotations that stand
    there, 0 to 1. *Outcomes*: pass, fail; unknown when sources' texts are missing and the quotation stands
    in none of the others; not applicable when nothing is quoted. *Basis*: checked.

    ``require_citations``: an answer without citations fails. ``require_quotes``: a citation without a
    quotation fails.

    >>> from groundwire.record import RagRecord
    >>> record = RagRecord(answer="It is.", contexts=["It is so."], citations=[{"quote": "It is so."}])
    >>> CitationProvenance().grade(Shared(record)).outcome.value
    'pass'
    """

    name = "citation_provenance"
    version = "1"
    basis = Basis.CHECKED

    def __init__(self, require_citations: bool = False, require_quotes: bool = False) -> None:
        self.require_citations, self.require_quotes = require_citations, require_quotes
        self.config_digest = digest_options(
            {"require_citations": require_citations or None, "require_quotes": require_quotes or None}
        )

    def grade(self, shared: Shared) -> Grade:
        """Return the grade of ``shared.record``."""
        obstacle = find_obstacle(shared, of_quotes=True)
        if obstacle is not None:
            return self.make_none(obstacle)
        cited = shared.of(read_citations)
        if not cited:
            return grade_uncited(self, shared, self.require_citations)
        places = shared.of(locate_citations)
        judged = [self._judge(c, p) for c, p in zip(cited, places, strict=True)]
        outcomes = [outcome for outcome, _ in judged]
        evidence = [row for _, row in judged]
        outcome = combine_outcomes(outcomes)
        return self.make(
            outcome, *_describe(outcome, outcomes, evidence), evidence=evidence, score=pass_share(outcomes)
        )

    def _judge(self, cited: Cited, place: Place) -> tuple[Outcome, Evidence]:
        if cited.quote is None:
            outcome = Outcome.FAIL if self.require_quotes else Outcome.NOT_APPLICABLE
            return outcome, Evidence(label="no_quote", citation_index=cited.stated_index)
        if place.located.is_found:
            outcome = Outcome.PASS
        else:
            outcome = Outcome.FAIL if cited.is_captured else Outcome.UNKNOWN
        return outcome, place_evidence(cited, place)


def place_evidence(cited: Cited, place: Place, label: str | None = None) -> Evidence:
    """Return the evidence row of where a citation's quotation stands."""
    spans = place.located.spans if not place.in_title else ()
    return Evidence(
        label=label or place.located.level,
        citation_index=cited.stated_index,
        context_index=place.context,
        context_start=spans[0][0] if spans else None,
        context_end=spans[-1][1] if spans else None,
        answer_start=cited.citation.answer_start,
        answer_end=cited.citation.answer_end,
        score=place.located.score,
    )


def grade_uncited(grader: GradeMaker, shared: Shared, require: bool) -> Grade:
    """Return the grade of an answer without citations: not applicable, unless they are required."""
    record = shared.record
    if record.citations is None and "citations" in record.completeness:
        return grader.make(Outcome.UNKNOWN, "citations_not_captured", "The citations were not captured.")
    if require:
        return grader.make(Outcome.FAIL, "uncited", "The answer cites nothing, and citations are required.")
    return grader.make(Outcome.NOT_APPLICABLE, "uncited", "The answer cites nothing.")


def _describe(outcome: Outcome, outcomes: list[Outcome], evidence: list[Evidence]) -> tuple[str, str]:
    for row, (one, at) in enumerate(zip(outcomes, evidence, strict=True)):
        if one == outcome == Outcome.FAIL:
            label = at.label or "none"
            text = _FAULTS.get(label, "Citation without a quotation.")
            return label, text % ((row,) * text.count("%d"))
    if outcome == Outcome.UNKNOWN:
        return "unverifiable", "The text of a cited source was not captured whole."
    if outcome == Outcome.PASS:
        return "verbatim", "Every quotation stands in a source."
    return "no_quote", "The citations name sources and quote nothing."
