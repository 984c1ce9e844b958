"""Do the quotations inside the answer stand in the contexts? A fact about the bytes."""

from __future__ import annotations

from groundwire.grade import Basis, Evidence, Grade, Outcome, Shared
from groundwire.graders.grading import GradeMaker, combine_outcomes, pass_share
from groundwire.graders.material import Sources, find_obstacle, read_sources
from groundwire.graders.options import digest_options
from groundwire.graders.quoted import count_words, locate_in_sources, read_quotations
from groundwire.text.locate import locate_near, locate_quote
from groundwire.text.quotations import Quotation as Quoted


class Quotation(GradeMaker):
    """Whether what the answer puts in quotation marks stands in the contexts (or the question).

    All quotation marks count, nested and block quotes too; apostrophes, inches and code do not. Quotations
    of fewer than ``min_words`` words (scare quotes, titles) are counted as found or left out, never failed.
    *Score*: share of judged quotations that stand there, 0 to 1. *Outcomes*: pass, fail; unknown when one
    is not found and contexts are missing or cut; not applicable without quotations (``require_quotes``:
    fail). Evidence rows as in ``citation_provenance``. *Basis*: checked.

    >>> from groundwire.record import RagRecord
    >>> record = RagRecord(answer='It says "keep the gate shut".', contexts=["Please keep the gate open."])
    >>> Quotation().grade(Shared(record)).label
    'none'
    """

    name = "quotation"
    version = "1"
    basis = Basis.CHECKED

    def __init__(self, min_words: int = 3, require_quotes: bool = False) -> None:
        self.min_words, self.require_quotes = min_words, require_quotes
        self.config_digest = digest_options(
            {"min_words": None if min_words == 3 else min_words, "require_quotes": require_quotes or None}
        )

    def grade(self, shared: Shared) -> Grade:
        """Return the grade of ``shared.record``."""
        obstacle = find_obstacle(shared)
        if obstacle is not None:
            return self.make_none(obstacle)
        quoted = shared.of(read_quotations)
        sources = shared.of(read_sources)
        judged = [self._judge(quote, sources, shared) for quote in quoted]
        outcomes = [outcome for outcome, _ in judged]
        evidence = [row for _, row in judged]
        outcome = combine_outcomes(outcomes)
        if outcome == Outcome.NOT_APPLICABLE:
            if self.require_quotes:
                return self.make(
                    Outcome.FAIL, "no_quotation", "The answer quotes nothing, and quotations are required."
                )
            return self.make(outcome, "no_quotation", "The answer quotes nothing.", evidence)
        row = outcomes.index(outcome)
        label = evidence[row].label or "none"
        text = {
            Outcome.FAIL: f"{{answer:{row}}} is quoted and stands in no context.",
            Outcome.UNKNOWN: "A quotation was not found, but some contexts were not captured whole.",
        }.get(outcome, "Every quotation stands in a context.")
        return self.make(outcome, label, text, evidence, pass_share(outcomes))

    def _judge(self, quote: Quoted, sources: Sources, shared: Shared) -> tuple[Outcome, Evidence]:
        at, located = locate_in_sources(quote.text, sources)
        if located.is_found:
            start, end = located.spans[0][0], located.spans[-1][1]
            place = {} if sources.titles[at] else {"context_start": start, "context_end": end}
            return Outcome.PASS, _row(quote, located.level, sources.contexts[at], place)
        if count_words(quote.text) < self.min_words:
            return Outcome.NOT_APPLICABLE, _row(quote, "short", None, {})
        if shared.record.question and locate_quote(quote.text, shared.record.question).is_found:
            return Outcome.PASS, _row(quote, "question", None, {})
        if not sources.is_complete:
            return Outcome.UNKNOWN, _row(quote, "none", None, {})
        at, near = locate_near(quote.text, [source.text for source in sources.texts])
        if at < 0:
            return Outcome.FAIL, _row(quote, "none", None, {})
        start, end = near.spans[0]
        place = {} if sources.titles[at] else {"context_start": start, "context_end": end}
        return Outcome.FAIL, _row(quote, "near", sources.contexts[at], place)


def _row(quote: Quoted, label: str, context: int | None, place: dict[str, int]) -> Evidence:
    return Evidence(
        label=label, answer_start=quote.start, answer_end=quote.end, context_index=context, **place
    )
