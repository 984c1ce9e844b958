"""What became of the contexts that were retrieved."""

from __future__ import annotations

from groundwire.grade import Basis, Evidence, Grade, Outcome, Shared
from groundwire.graders.cited import read_citations
from groundwire.graders.grading import GradeMaker
from groundwire.graders.material import estimate_supports, find_named_contexts, find_obstacle, read_sources
from groundwire.graders.options import check_limit, digest_options
from groundwire.record import Expected, RetrievedContext
from groundwire.text.locate import locate_quote

_USED_COVERAGE = 0.5
_LEAST_ANSWER = 3
_OPENING_WORDS = 8


class RetrievalUse(GradeMaker):
    """Which contexts are cited, used, unused or duplicated, at which rank the evidence stands, and recall.

    *Definition*: a context is ``cited`` when a citation names it; ``used`` when the best window for a claim
    of the answer, covering at least half of the claim's weight, stands in it (in the first of several that
    hold it equally well); ``duplicate`` when its words equal those of an earlier one; else ``unused``. The
    *rank of the evidence* is the position (from 1) of the first context that is used. With
    ``expected.context_ids``: *retrieval recall* = how many of these sources are among the contexts (by id,
    URI or title) / how many there are.

    *Score*: retrieval recall where the case names sources, else used or cited contexts / contexts that are
    no duplicates; 0 to 1. *Label*: ``recall`` or ``use``, whichever the score is; ``answer_not_used`` when
    the expected answer stands in a context and the answer abstains. *Evidence*: one row a context, its
    ``score`` the rank, and a row ``missing`` for each expected source that was not retrieved. *Outcomes*:
    measured; with ``min_recall`` and named sources pass or fail; not applicable when nothing was retrieved
    and nothing was expected; unknown when the contexts were not captured. *Basis*: estimated (what is used
    is a proxy), checked for recall.

    >>> from groundwire.record import RagRecord
    >>> contexts = ["Tea is hot.", "The gate opens at nine."]
    >>> record = RagRecord(answer="The gate opens at nine.", contexts=contexts)
    >>> grade = RetrievalUse().grade(Shared(record))
    >>> grade.score, [row.label for row in grade.evidence]
    (0.5, ['unused', 'used'])
    """

    name = "retrieval_use"
    version = "1"
    basis = Basis.ESTIMATED

    def __init__(self, *, min_recall: float | None = None) -> None:
        self._min_recall = check_limit(min_recall, "graders.retrieval_use.min_recall")
        self.config_digest = digest_options({"min_recall": self._min_recall})

    def grade(self, shared: Shared) -> Grade:
        """Return the grade of ``shared.record``."""
        record = shared.record
        if record.contexts is None or "contexts" in record.completeness:
            return self.make(Outcome.UNKNOWN, "not_captured", "The contexts were not captured whole.")
        wanted = record.expected.context_ids if record.expected is not None else None
        if not record.contexts and not wanted:
            return self.make(Outcome.NOT_APPLICABLE, "no_contexts", "Nothing was retrieved.")
        rows = _read_rows(shared)
        if wanted:
            return self._judge_recall(wanted, record.contexts, rows)
        label = "answer_not_used" if _is_answer_unused(shared) else "use"
        return self.make(Outcome.MEASURED, label, _explain(rows), rows, _use_share(rows))

    def _judge_recall(
        self, wanted: tuple[str, ...], contexts: tuple[RetrievedContext, ...], rows: tuple[Evidence, ...]
    ) -> Grade:
        named = dict.fromkeys(wanted)
        missing = [name for name in named if not _is_retrieved(name, contexts)]
        recall = round(1 - len(missing) / len(named), 6)
        outcome = Outcome.MEASURED
        if self._min_recall is not None:
            outcome = Outcome.PASS if recall >= self._min_recall else Outcome.FAIL
        explanation = (
            f"{len(named) - len(missing)} of {len(named)} expected sources were retrieved. {_explain(rows)}"
        )
        rows += tuple(Evidence(label="missing") for _ in missing)
        return self.make(outcome, "recall", explanation, rows, recall, basis=Basis.CHECKED)


def _read_rows(shared: Shared) -> tuple[Evidence, ...]:
    """Return one row a context: cited, used, duplicate or unused, and its rank as score."""
    contexts = shared.record.contexts or ()
    cited = {index for citation in shared.of(read_citations) for index in citation.named or ()}
    used = _find_used(shared)
    duplicates = _find_duplicates(contexts)
    rows = []
    for index in range(len(contexts)):
        label = (
            "cited"
            if index in cited
            else "duplicate"
            if index in duplicates
            else "used"
            if index in used
            else "unused"
        )
        rows.append(Evidence(label=label, context_index=index, score=float(index + 1)))
    return tuple(rows)


def _find_duplicates(contexts: tuple[RetrievedContext, ...]) -> set[int]:
    """Return the contexts whose words equal those of an earlier one."""
    by_opening: dict[str, list[int]] = {}
    for index, context in enumerate(contexts):
        opening = " ".join((context.text or "").split(None, _OPENING_WORDS)[:_OPENING_WORDS]).casefold()
        if opening:
            by_opening.setdefault(opening, []).append(index)
    duplicates: set[int] = set()
    for alike in by_opening.values():
        seen: set[str] = set()
        for index in alike if len(alike) > 1 else ():
            words = " ".join((contexts[index].text or "").split()).casefold()
            if words in seen:
                duplicates.add(index)
            seen.add(words)
    return duplicates


def _find_used(shared: Shared) -> set[int]:
    if find_obstacle(shared) is not None:
        return set()
    owners = shared.of(read_sources).contexts
    return {
        owners[support.window.source]
        for support in shared.of(estimate_supports)
        if support.window is not None and support.claim.is_checkable and support.coverage >= _USED_COVERAGE
    }


def _use_share(rows: tuple[Evidence, ...]) -> float | None:
    distinct = [row for row in rows if row.label != "duplicate"]
    return round(sum(row.label != "unused" for row in distinct) / len(distinct), 6) if distinct else None


def _explain(rows: tuple[Evidence, ...]) -> str:
    labels = [row.label for row in rows]
    counts = ", ".join(f"{labels.count(label)} {label}" for label in ("cited", "used", "unused", "duplicate"))
    rank = next((index for index, label in enumerate(labels, 1) if label in ("cited", "used")), None)
    return f"Contexts: {counts}." + (f" The first evidence stands at rank {rank}." if rank else "")


def _is_retrieved(name: str, contexts: tuple[RetrievedContext, ...]) -> bool:
    """Tell whether a context bears the name; a bare number is a name here, never a position."""
    found = find_named_contexts(name, contexts)
    return any(name.strip().casefold() in _names(contexts[index]) for index in found)


def _names(context: RetrievedContext) -> set[str]:
    return {value.strip().casefold() for value in (context.id, context.uri, context.title) if value}


def _is_answer_unused(shared: Shared) -> bool:
    expected: Expected | None = shared.record.expected
    abstention = shared.grades.get("abstention")
    if expected is None or not expected.answer or len(expected.answer) < _LEAST_ANSWER:
        return False
    if abstention is None or abstention.label not in ("full_abstention", "policy_refusal"):
        return False
    texts = (context.text for context in shared.record.contexts or () if context.text)
    return any(locate_quote(expected.answer, text).is_found for text in texts)
