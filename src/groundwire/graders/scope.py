"""Does what the answer cites stand in the very source that it names? A fact about the bytes."""

from __future__ import annotations

from groundwire.grade import Basis, Evidence, Grade, Outcome, Shared
from groundwire.graders.cited import Cited, Place, locate_citations, read_citations
from groundwire.graders.grading import GradeMaker, combine_outcomes, pass_share
from groundwire.graders.material import find_obstacle
from groundwire.graders.options import digest_options
from groundwire.graders.provenance import grade_uncited, place_evidence

_TEXTS = {
    "unknown_source": "The answer cites {source:%d}, and no such source was retrieved.",
    "misattributed": "{quote:%d} does not stand in {source:%d}, which it names, but in another source.",
    "unverifiable": "The text of {source:%d}, which is cited, was not captured whole.",
    "named": "Every citation names a source that holds it.",
    "unnamed": "The citations name no source.",
    "not_found": "No quotation stands in any source.",
}


class CitationScope(GradeMaker):
    """Whether the source that each citation names exists and holds the quotation.

    A source is named by a context's id, URI, title or 1-based number; a title counts as source text.
    *Labels* (also of the evidence): ``named``, ``unknown_source``, ``misattributed`` (it stands elsewhere),
    ``unverifiable`` (the source's text was not captured), ``not_found`` (nowhere: judged by
    ``citation_provenance``), ``unnamed``. *Score*: share of citations in scope, 0 to 1. *Outcomes*: pass,
    fail, unknown, not applicable (nothing cited, nothing named, nothing found). *Basis*: checked.

    >>> from groundwire.record import RagRecord
    >>> record = RagRecord(answer="It is.", contexts=[{"id": "a", "text": "It is."}],
    ...                    citations=[{"quote": "It is.", "source_id": "b"}])
    >>> CitationScope().grade(Shared(record)).label
    'unknown_source'
    """

    name = "citation_scope"
    version = "1"
    basis = Basis.CHECKED

    def __init__(self, require_citations: bool = False) -> None:
        self.require_citations = require_citations
        self.config_digest = digest_options({"require_citations": require_citations or None})

    def grade(self, shared: Shared) -> Grade:
        """Return the grade of ``shared.record``."""
        obstacle = find_obstacle(shared, of_quotes=True)
        if obstacle is not None:
            return self.make_none(obstacle)
        cited = shared.of(read_citations)
        if not cited:
            return grade_uncited(self, shared, self.require_citations)
        places = shared.of(locate_citations)
        judged = [_judge(shared, c, p) for c, p in zip(cited, places, strict=True)]
        outcomes = [outcome for outcome, _ in judged]
        evidence = [row for _, row in judged]
        outcome = combine_outcomes(outcomes)
        row = outcomes.index(outcome)
        label = evidence[row].label or ""
        text = _TEXTS[label]
        return self.make(
            outcome, label, text % ((row,) * text.count("%d")), evidence=evidence, score=pass_share(outcomes)
        )


def _judge(shared: Shared, cited: Cited, place: Place) -> tuple[Outcome, Evidence]:
    if cited.named is None:
        return Outcome.NOT_APPLICABLE, place_evidence(cited, place, "unnamed")
    if not cited.named:
        captured = shared.record.contexts is not None and "contexts" not in shared.record.completeness
        label = "unknown_source" if captured else "unverifiable"
        return (Outcome.FAIL if captured else Outcome.UNKNOWN), place_evidence(cited, place, label)
    if cited.quote is None:
        context = (shared.record.contexts or ())[cited.named[0]]
        label = "unverifiable" if context.text is None else "named"
        row = Evidence(label=label, citation_index=cited.stated_index, context_index=cited.named[0])
        return (Outcome.UNKNOWN if context.text is None else Outcome.PASS), row
    if place.located.is_found and place.is_named:
        return Outcome.PASS, place_evidence(cited, place, "named")
    if not cited.is_captured:
        return Outcome.UNKNOWN, place_evidence(cited, place, "unverifiable")
    if place.located.is_found:
        return Outcome.FAIL, place_evidence(cited, place, "misattributed")
    return Outcome.NOT_APPLICABLE, place_evidence(cited, place, "not_found")
