"""Which of the seven classes an answer belongs to."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from groundwire.text.abstention.detect import (
    ABSTAINING,
    AbstentionSpan,
    Clause,
    ClauseReader,
    lower_alike,
    read_clauses,
)
from groundwire.text.abstention.grammar import OTHER, UNSPACED_LANGUAGES, load_grammar
from groundwire.text.vocabulary import FUNCTION, kind_of
from groundwire.text.words import tokenize

LABELS: tuple[str, ...] = (
    "answer",
    "full_abstention",
    "partial",
    "hedged_answer",
    "clarification",
    "policy_refusal",
    "empty_or_error",
)
"""The classes. Only ``full_abstention`` and ``policy_refusal`` abstain."""

_CITED = re.compile(
    r"\[\^?\d{1,3}(?:\s*[,–-]\s*\d{1,3})*\]|【\d+[^】]{0,40}】|\[(?:source|doc|ref)[^\]]{0,40}\]", re.I
)
_HEDGE_WORDS = 6
_LEAD_IN_CLAUSES = 3


class AnswerClass(NamedTuple):
    """The ``label`` (one of LABELS; None: no grammar for the language), the abstaining ``spans``, the ranges
    of what is left to grade (``rest``), and ``language`` (None: too short to tell, or nothing to look at)."""

    label: str | None
    spans: tuple[AbstentionSpan, ...]
    rest: tuple[tuple[int, int], ...]
    language: str | None
    is_negative_finding: bool = False


def classify_answer(
    answer: str,
    contexts: Sequence[str] = (),
    *,
    question: str | None = None,
    cited_ranges: Sequence[tuple[int, int]] = (),
) -> AnswerClass:
    """Return the class of ``answer``.

    ``contexts`` are the texts it was made from (a clause copied from one is no abstention), ``question``
    helps to tell advice from refusal, ``cited_ranges`` are the ranges of the answer that citations stand for.

    >>> classify_answer("The passages do not mention the fee.").label
    'full_abstention'
    >>> classify_answer("I do not know the fee, but a permit lasts one year.").label
    'partial'
    """
    if not any(map(str.isalnum, answer)):
        return AnswerClass("empty_or_error", (), (), None)
    reader, guess = read_clauses(answer, contexts, question)
    if reader is None or not _is_worth_settling(reader, question):
        return _without_abstention(answer, [], guess)
    clauses = _settle_reasons(_settle_advice(reader.settle(), question), question, reader)
    spans = tuple(
        AbstentionSpan(c.start, c.end, c.rule or "", c.kind) for c in clauses if c.kind in ABSTAINING
    )
    if not spans:
        return _without_abstention(answer, clauses, guess)
    content = _content_of(clauses, checkable=any(contexts))
    rest = tuple((clause.start, clause.end) for clause in content)
    language = next(clause.language for clause in clauses if clause.kind in ABSTAINING)
    if not content and _is_negative_finding(answer, spans, cited_ranges):
        return AnswerClass("answer", (), ((0, len(answer)),), language, True)
    return AnswerClass(_label(answer, spans, content, question), spans, rest, language)


def _is_worth_settling(reader: ClauseReader, question: str | None) -> bool:
    """Tell whether any rule was found, or the answer opens with reasons on a question for a way."""
    if reader.found:
        return True
    return (
        any(_asks_how(question, language) for language in reader.languages)
        and not reader.opens_with_content()
    )


def _asks_how(question: str | None, language: str | None) -> bool:
    if question is None or language is None:
        return False
    return load_grammar(language).asks_how.match(lower_alike(question)) is not None


def _settle_advice(clauses: list[Clause], question: str | None) -> list[Clause]:
    """Count opening advice against something as a refusal where the question asked how, else as reasons."""
    settled: list[Clause] = []
    for clause in clauses:
        if clause.kind == "advice":
            opens = all(before.kind != "content" for before in settled)
            refuses = opens and _asks_how(question, clause.language)
            clause = clause._replace(kind="refusal" if refuses else "moral")
        settled.append(clause)
    return settled


def _settle_reasons(clauses: list[Clause], question: str | None, reader: ClauseReader) -> list[Clause]:
    """Count an answer as a refusal that does nothing but say why what was asked for is wrong.

    What a context says is no reason of its own.
    """
    kinds = {clause.kind for clause in clauses}
    if "moral" not in kinds or not kinds <= {"moral", "meta", "clarify"}:
        return clauses
    place = next(place for place, clause in enumerate(clauses) if clause.kind == "moral")
    reason = clauses[place]
    if not _asks_how(question, reason.language) or reader.is_copied(reason.start, reason.end):
        return clauses
    refusal = reason._replace(kind="refusal", rule=f"{reason.language}.only_reasons")
    return [*clauses[:place], refusal, *clauses[place + 1 :]]


def _without_abstention(answer: str, clauses: list[Clause], language: str | None) -> AnswerClass:
    everything = ((0, len(answer)),)
    if clauses and _asks_back(clauses):
        return AnswerClass("clarification", (), (), clauses[-1].language)
    return AnswerClass(None if language == OTHER else "answer", (), everything, language)


def _asks_back(clauses: list[Clause]) -> bool:
    """Tell whether an answer ends by asking what was meant, after no more than a lead-in."""
    questions = [place for place, clause in enumerate(clauses) if clause.kind == "clarify"]
    if not questions:
        return False
    after = [clause for clause in clauses[questions[-1] + 1 :] if clause.kind == "content"]
    before = [clause for clause in clauses[: questions[-1]] if clause.kind == "content"]
    return not after and len(before) <= _LEAD_IN_CLAUSES


def _content_of(clauses: list[Clause], *, checkable: bool) -> list[Clause]:
    """Return the clauses that state something.

    After a refusal its reasons and what to do instead do not count, only what follows a turn ("however, …");
    where there are texts to check statements against (``checkable``), every statement counts.
    """
    content: list[Clause] = []
    refused = False
    refuses = any(clause.kind == "refusal" or clause.closes for clause in clauses)
    for clause in clauses:
        if clause.kind in ABSTAINING:
            refused = refused or (clause.closes and not checkable)
        elif clause.kind == "content" or (clause.kind == "moral" and not refuses):
            refused = refused and not clause.is_turn
            if not refused:
                content.append(clause)
    return content


def _label(
    answer: str, spans: tuple[AbstentionSpan, ...], content: list[Clause], question: str | None
) -> str:
    if content:
        return "hedged_answer" if _is_hedge(answer, spans, question) else "partial"
    return "policy_refusal" if any(span.kind == "refusal" for span in spans) else "full_abstention"


def _is_hedge(answer: str, spans: tuple[AbstentionSpan, ...], question: str | None) -> bool:
    """Tell a mere disclaimer ("I'm not certain, but …") from not knowing a part of what was asked."""
    if question is None or len(spans) != 1 or spans[0].kind != "unknown":
        return False
    if spans[0].rule.startswith(UNSPACED_LANGUAGES):
        return False
    said = tokenize(answer[spans[0].start : spans[0].end])
    asked = {token.key for token in tokenize(question) if kind_of(token.key) != FUNCTION}
    return len(said) <= _HEDGE_WORDS and asked.isdisjoint(token.key for token in said)


def _is_negative_finding(
    answer: str, spans: tuple[AbstentionSpan, ...], cited_ranges: Sequence[tuple[int, int]]
) -> bool:
    """Tell whether an absence is the cited finding: "The contract names no penalty [1]"."""
    if any(span.kind != "unknown" or "source" not in span.rule for span in spans):
        return False
    cited = [*cited_ranges, *(found.span() for found in _CITED.finditer(answer))]
    return any(start <= span.end + 8 and end >= span.start for start, end in cited for span in spans)
