"""What the citation and groundedness graders share of one record: sources, claims, support, citations.

Each function takes a :class:`~groundwire.grade.Shared` and is meant for ``shared.of``, so that nothing is
analyzed twice.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from groundwire.grade import Grade, Outcome, Shared
from groundwire.graders.abstention import Abstention
from groundwire.record import RagRecord, RetrievedContext
from groundwire.text.characters import blank_markup
from groundwire.text.claims import ClaimWords, read_claim, split_claims
from groundwire.text.corpus import Corpus
from groundwire.text.polar import complete_reply
from groundwire.text.sources import SOURCES, Source
from groundwire.text.support import ClaimSupport, estimate_support
from groundwire.text.vocabulary import VOCABULARY

MAX_ANSWER_CHARACTERS = 100_000
MAX_CLAIMS = 2_000
MAX_CONTEXT_CHARACTERS = 2_000_000
NO_ANSWER_LABELS = frozenset({"full_abstention", "policy_refusal", "clarification", "empty_or_error"})


class Sources(NamedTuple):
    """The captured texts of the contexts, titles among them, and what is missing.

    ``contexts[i]`` is the context that ``texts[i]`` belongs to, ``titles[i]`` says that it is its title.
    ``is_complete`` is False when some text was not captured or was cut.
    """

    texts: tuple[Source, ...]
    contexts: tuple[int, ...]
    titles: tuple[bool, ...]
    corpus: Corpus
    is_complete: bool


def read_sources(shared: Shared) -> Sources:
    """Prepare the contexts' texts and titles."""
    texts: list[Source] = []
    owners: list[int] = []
    titles: list[bool] = []
    complete = is_captured(shared.record)
    for i, context in enumerate(shared.record.contexts or ()):
        if context.text is None or context.truncated:
            complete = False
        for text, is_title in ((context.text, False), (context.title, True)):
            if text:
                texts.append(SOURCES.get(text))
                owners.append(i)
                titles.append(is_title)
    return Sources(tuple(texts), tuple(owners), tuple(titles), Corpus(texts), complete)


def is_captured(record: RagRecord) -> bool:
    """Return True if the record's contexts were captured whole, as far as the record says."""
    return record.contexts is not None and "contexts" not in record.completeness


def read_claims(shared: Shared) -> tuple[ClaimWords, ...]:
    """Split the answer into claims, without the sentences in which it abstains."""
    answer = shared.record.answer or ""
    claims = [complete_reply(claim, shared.record.question) for claim in split_claims(answer)]
    abstaining = _abstaining_ranges(shared)
    if not abstaining:
        return tuple(claims)
    return tuple(piece for claim in claims for piece in _without(answer, claim, abstaining))


def read_abstention(shared: Shared) -> Grade:
    """Return the grade ``abstention``, made with its defaults where it was not made before."""
    return shared.grades.get("abstention") or Abstention().grade(shared)


def _abstaining_ranges(shared: Shared) -> list[tuple[int, int]]:
    grade = shared.of(read_abstention)
    if grade.label not in ("partial", "hedged_answer"):
        return []  # a mere disclaimer states nothing either
    return [
        (row.answer_start, row.answer_end)
        for row in grade.evidence
        if row.answer_start is not None and row.answer_end is not None
    ]


def _without(answer: str, claim: ClaimWords, ranges: list[tuple[int, int]]) -> list[ClaimWords]:
    """Cut the abstaining ranges out of a claim; what is left of it are claims of their own."""
    cuts = [(s, e) for s, e in ranges if s < claim.end and e > claim.start]
    if not cuts:
        return [claim]
    prepared = blank_markup(answer)
    pieces, at = [], claim.start
    for start, end in sorted(cuts):
        pieces.append((at, start))
        at = max(at, end)
    pieces.append((at, claim.end))
    joined = [(_JOINT.match(prepared, s, e).end(), e) for s, e in pieces if e > s]  # type: ignore[union-attr]
    rest = [read_claim(prepared, s, s + len(prepared[s:e].rstrip(" \t\n,;:–—-"))) for s, e in joined if e > s]
    return [piece for piece in rest if piece.content]


_JOINT = re.compile(r"[\s,;:.–—-]*(?:(?:but|however|though|yet|still|and)\b[\s,]*)?", re.IGNORECASE)
"""What joins the rest of a sentence to the abstention that was cut off before it."""


def read_question_codes(shared: Shared) -> str:
    """Return the codes of the question's words."""
    return VOCABULARY.encode(shared.record.question or "")


def estimate_supports(shared: Shared) -> tuple[ClaimSupport, ...]:
    """Score every claim of the answer against all contexts."""
    corpus, question = shared.of(read_sources).corpus, shared.of(read_question_codes)
    return tuple(estimate_support(claim, corpus, question) for claim in shared.of(read_claims))


class NoGrade(NamedTuple):
    """Why a record can not be graded: the outcome, its label and the sentence for people."""

    outcome: Outcome
    label: str
    explanation: str


def find_obstacle(shared: Shared, *, of_quotes: bool = False) -> NoGrade | None:
    """Return what keeps an answer from being judged against its contexts, or None.

    An abstention makes no claim; the quotations given with it stand in a source or do not (``of_quotes``).
    """
    return shared.of(_find_obstacle_of_quotes if of_quotes else _find_obstacle)


def _find_obstacle_of_quotes(shared: Shared) -> NoGrade | None:
    return _find_obstacle(shared, of_quotes=True)


def _find_obstacle(shared: Shared, *, of_quotes: bool = False) -> NoGrade | None:
    record = shared.record
    if record.answer is None:
        if (
            record.error is not None
            or record.status == "error"
            or record.stream_end in ("failed", "cancelled")
        ):
            return NoGrade(Outcome.NOT_APPLICABLE, "no_answer", "The call gave no answer.")
        return NoGrade(Outcome.UNKNOWN, "answer_not_captured", "The answer was not captured.")
    if not record.answer.strip():
        return NoGrade(Outcome.NOT_APPLICABLE, "no_answer", "The answer is empty.")
    quotes = of_quotes and any(citation.quote for citation in record.citations or ())
    if not quotes and shared.of(read_abstention).label in NO_ANSWER_LABELS:
        return NoGrade(Outcome.NOT_APPLICABLE, "abstained", "The answer makes no claim: it abstains.")
    if len(record.answer) > MAX_ANSWER_CHARACTERS:
        return NoGrade(Outcome.UNKNOWN, "too_large", "The answer is too large to be judged.")
    if len(record.answer) > 4 * MAX_CLAIMS and len(shared.of(read_claims)) > MAX_CLAIMS:
        return NoGrade(Outcome.UNKNOWN, "too_large", "The answer has too many sentences to be judged.")
    if sum(len(c.text or "") for c in record.contexts or ()) > MAX_CONTEXT_CHARACTERS:
        return NoGrade(Outcome.UNKNOWN, "too_large", "The contexts are too large to be judged.")
    return None


def find_named_contexts(source_id: str, contexts: tuple[RetrievedContext, ...]) -> tuple[int, ...]:
    """Return the contexts that ``source_id`` names: by id, URI, title, or 1-based number, in this order.

    >>> find_named_contexts("[2]", (RetrievedContext(id="a"), RetrievedContext(id="b")))
    (1,)
    """
    name = source_id.strip()
    for exact in (name, name.strip("[]()【】^ ")):
        for field in ("id", "uri", "title"):
            found = tuple(
                i for i, c in enumerate(contexts) if (getattr(c, field) or "").strip() == exact != ""
            )
            if found:
                return found
    low = name.strip("[]()【】^ ").casefold()
    for field in ("id", "uri", "title"):
        found = tuple(
            i for i, c in enumerate(contexts) if (getattr(c, field) or "").strip().casefold() == low != ""
        )
        if found:
            return found
    number = int(low) if low.isascii() and low.isdigit() and len(low) < 7 else 0
    return (number - 1,) if 1 <= number <= len(contexts) else ()
