"""How much of the answer is copied from the contexts word for word."""

from __future__ import annotations

from collections.abc import Callable

from groundwire.errors import ConfigError
from groundwire.grade import Basis, Evidence, Grade, Outcome, Shared
from groundwire.graders.grading import GradeMaker
from groundwire.graders.material import read_sources
from groundwire.graders.options import digest_options
from groundwire.text.reuse import DEFAULT_FLOOR, Fragment, Reuse, measure_reuse

MAX_EVIDENCE = 10
_MAX_CHARACTERS = 8_000_000


class VerbatimReuse(GradeMaker):
    """The share of the answer's words that are copied from the contexts in runs of at least ``floor`` words.

    *Definition*: see :mod:`groundwire.text.reuse`; numbers and codes are whole words, a run never crosses
    from one context into another, a character of a script without spaces weighs half a word. *Score*: copied
    words / words, 0 to 1 (neither high nor low is better by itself); None for an answer without words.
    *Label*: ``none``, ``some`` or ``all`` of the words. *Evidence*: the longest copied runs (up to ten), with
    the words of each as ``score``. *Outcomes*: measured; with ``max_ratio``, ``min_ratio`` or
    ``max_run_words``: pass within the limits, else fail; not applicable without words or without contexts;
    unknown when answer or contexts were not captured whole, or are larger than 8 million characters.
    *Basis*: checked.

    >>> from groundwire.record import RagRecord
    >>> record = RagRecord(answer="The gate opens at ten.", contexts=["The gate opens at nine."])
    >>> VerbatimReuse().grade(Shared(record)).score
    0.8
    """

    name = "verbatim_reuse"
    version = "1"
    basis = Basis.CHECKED

    def __init__(
        self,
        *,
        floor: int = DEFAULT_FLOOR,
        max_ratio: float | None = None,
        min_ratio: float | None = None,
        max_run_words: int | None = None,
    ) -> None:
        where = "graders.verbatim_reuse"
        if floor < 1:
            raise ConfigError(
                "is no floor", where=f"{where}.floor", expected="1 or more words", got=repr(floor)
            )
        for name, ratio in (("max_ratio", max_ratio), ("min_ratio", min_ratio)):
            if ratio is not None and not 0 <= ratio <= 1:
                raise ConfigError("is no ratio", where=f"{where}.{name}", expected="0 to 1", got=repr(ratio))
        self._floor = floor
        self._limits: tuple[tuple[bool, Callable[[Reuse], bool]], ...] = (
            (max_ratio is not None, lambda reuse: (reuse.matched_ratio or 0) <= (max_ratio or 0)),
            (min_ratio is not None, lambda reuse: (reuse.matched_ratio or 0) >= (min_ratio or 0)),
            (max_run_words is not None, lambda reuse: _longest(reuse) <= (max_run_words or 0)),
        )
        self.config_digest = digest_options(
            {
                "floor": None if floor == DEFAULT_FLOOR else floor,
                "max_ratio": max_ratio,
                "min_ratio": min_ratio,
                "max_run_words": max_run_words,
            }
        )

    def grade(self, shared: Shared) -> Grade:
        """Return the grade of ``shared.record``."""
        record = shared.record
        if record.answer is None or record.contexts is None:
            return self.make(Outcome.UNKNOWN, "not_captured", "The answer or the contexts were not captured.")
        if not record.contexts:
            return self.make(Outcome.NOT_APPLICABLE, "no_contexts", "There is nothing to copy from.")
        places = [index for index, context in enumerate(record.contexts) if context.text]
        texts = [record.contexts[index].text or "" for index in places]
        if len(record.answer) + sum(map(len, texts)) > _MAX_CHARACTERS:
            return self.make(Outcome.UNKNOWN, "too_large", "The answer and its contexts are too large.")
        if "answer" in record.completeness or "contexts" in record.completeness or not places:
            return self.make(
                Outcome.UNKNOWN, "not_captured", "The answer or a context was not captured whole."
            )
        sources = shared.of(read_sources)
        coded = [s.coded for s, title in zip(sources.texts, sources.titles, strict=True) if not title]
        reuse = measure_reuse(record.answer, coded, floor=self._floor, with_rouge=False)
        return self._judge(reuse, places)

    def _judge(self, reuse: Reuse, places: list[int]) -> Grade:
        if reuse.matched_ratio is None:
            return self.make(Outcome.NOT_APPLICABLE, "no_words", "The answer has no words.")
        limits = [holds(reuse) for is_set, holds in self._limits if is_set]
        outcome = Outcome.MEASURED if not limits else Outcome.PASS if all(limits) else Outcome.FAIL
        copied = sum(reuse.flags)
        label = "none" if not copied else "all" if copied == len(reuse.flags) else "some"
        explanation = (
            f"{copied} of {len(reuse.flags)} words are copied, in {len(reuse.fragments)} runs;"
            f" the longest has {_longest(reuse)} words."
        )
        longest = sorted(reuse.fragments, key=lambda fragment: -fragment.words)[:MAX_EVIDENCE]
        evidence = (_point(fragment, places) for fragment in sorted(longest))
        return self.make(outcome, label, explanation, evidence, reuse.matched_ratio)


def _longest(reuse: Reuse) -> int:
    return reuse.longest.words if reuse.longest else 0


def _point(fragment: Fragment, places: list[int]) -> Evidence:
    return Evidence(
        label="copied",
        answer_start=fragment.start,
        answer_end=fragment.end,
        context_index=places[fragment.source_index],
        context_start=fragment.source_start,
        context_end=fragment.source_end,
        score=float(fragment.words),
    )
