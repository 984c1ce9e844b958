"""Did the answer answer, and was that right?"""

from __future__ import annotations

import re

from groundwire.grade import Basis, Evidence, Grade, Outcome, Shared
from groundwire.graders.grading import GradeMaker
from groundwire.graders.options import digest_options
from groundwire.record import RagRecord
from groundwire.text.abstention import AnswerClass, classify_answer, states_something
from groundwire.text.vocabulary import FUNCTION, kind_of
from groundwire.text.words import tokenize, word_key

ABSTAINING_LABELS: frozenset[str] = frozenset({"full_abstention", "policy_refusal"})
"""The labels of an answer that gives no part of what was asked for."""

MAX_EVIDENCE = 100
_SENTINEL_REASONS = frozenset({"refusal", "content_filter", "content_filtered", "safety"})


class Abstention(GradeMaker):
    """Whether the answer abstains, and whether it should have.

    *Definition*: the label is one of answer, full_abstention, partial (does not know a part, answers the
    rest), hedged_answer (disclaims, then answers), clarification (asks back), policy_refusal and
    empty_or_error. Looked at in order: an error or an empty answer; a refusal as finish reason; what the
    application itself said (``abstained``); ``fallbacks`` (texts that the application gives instead of an
    answer); the phrase grammars of the answer's language, outside quotations, code and text copied from a
    context. An application's "abstained" on a text that states things is ``partial``: what it states is
    still graded. *Score*: None. *Evidence*: the abstaining ranges of the answer, each with its rule.

    *Outcomes*: with ``expected.answerable`` known, pass when an answerable question got an answer (partial
    and hedged count) and an unanswerable one an abstention or a question back, else fail; the explanation
    says over-abstention or under-abstention, and the two are never one number. Without it, retrieval
    evidence speaks only where it is clear: abstaining though one passage holds all words of the question is a
    fail, abstaining where nothing was retrieved a pass, answering where nothing was retrieved a fail;
    otherwise not applicable. Unknown when the answer was not captured, or is in a language without a grammar.
    *Basis*: estimated.

    >>> from groundwire.record import RagRecord
    >>> record = RagRecord(answer="The documents do not say.", expected={"answerable": False})
    >>> grade = Abstention().grade(Shared(record))
    >>> grade.label, grade.outcome
    ('full_abstention', <Outcome.PASS: 'pass'>)
    """

    name = "abstention"
    version = "1"
    basis = Basis.ESTIMATED

    def __init__(self, *, fallbacks: list[str] | tuple[str, ...] | None = None) -> None:
        self._fallbacks = tuple(" ".join(text.casefold().split()) for text in fallbacks or ())
        self.config_digest = digest_options({"fallbacks": list(self._fallbacks) or None})

    def grade(self, shared: Shared) -> Grade:
        """Return the grade of ``shared.record``."""
        record = shared.record
        if record.answer is None and record.error is None and record.status != "error":
            return self.make(Outcome.UNKNOWN, None, "The answer was not captured.")
        found = self._classify(record)
        evidence = tuple(
            Evidence(label=s.rule, answer_start=s.start, answer_end=s.end) for s in found.spans[:MAX_EVIDENCE]
        )
        if found.label is None:
            return self.make(Outcome.UNKNOWN, None, "No grammar covers the language of the answer.")
        outcome, explanation = _judge(found.label, record)
        return self.make(outcome, found.label, explanation, evidence)

    def _classify(self, record: RagRecord) -> AnswerClass:
        answer = record.answer or ""
        if record.error is not None or record.status == "error" or not answer.strip():
            return AnswerClass("empty_or_error", (), (), None)
        found = classify_record(record)
        if (record.finish_reason or "").lower() in _SENTINEL_REASONS:
            return found._replace(label="policy_refusal")
        if self._fallbacks and self._is_fallback(answer):
            return found._replace(label="full_abstention")
        if record.abstained and found.label not in ABSTAINING_LABELS:
            states = states_something(answer) or bool(record.citations)
            return found._replace(label="partial" if states else "full_abstention")
        return found

    def _is_fallback(self, answer: str) -> bool:
        from rapidfuzz.fuzz import ratio

        text = " ".join(answer.casefold().split())
        return any(ratio(text, fallback, score_cutoff=95) for fallback in self._fallbacks)


def classify_record(record: RagRecord) -> AnswerClass:
    """Return the class of the record's answer by its text alone."""
    contexts = [context.text for context in record.contexts or () if context.text]
    cited = [
        (citation.answer_start, citation.answer_end)
        for citation in record.citations or ()
        if citation.answer_start is not None and citation.answer_end is not None
    ]
    return classify_answer(record.answer or "", contexts, question=record.question, cited_ranges=cited)


_LEAST_ASKED = 2
_THANKS_WORDS = 3
_ASKING = frozenset(
    map(
        word_key, "tell say mention explain describe list give show please name state answer question".split()
    )
)
_HOW = re.compile(r"\bhow \w+", re.IGNORECASE)
_OVER = "Over-abstention: "
_UNDER = "Under-abstention: "


def _judge(label: str, record: RagRecord) -> tuple[Outcome, str]:
    abstains = label in ABSTAINING_LABELS
    answerable = record.expected.answerable if record.expected is not None else None
    if label == "empty_or_error":
        return Outcome.NOT_APPLICABLE, "There is no answer; see completed."
    if answerable is None:
        return _judge_by_evidence(abstains, label, record)
    if answerable:
        if abstains or label == "clarification":
            return Outcome.FAIL, f"{_OVER}the question is labeled answerable, and no part of it is answered."
        return Outcome.PASS, "The question is labeled answerable and is answered."
    if abstains or label == "clarification":
        return Outcome.PASS, "The question is labeled unanswerable and is not answered."
    return Outcome.FAIL, f"{_UNDER}the question is labeled unanswerable, and an answer is given."


def _judge_by_evidence(abstains: bool, label: str, record: RagRecord) -> tuple[Outcome, str]:
    """Judge by what was retrieved, and only where that is clear."""
    if record.contexts is None or label == "policy_refusal":
        return Outcome.NOT_APPLICABLE, "Whether the question could be answered is not known."
    if not record.contexts:
        if abstains:
            return Outcome.PASS, "Nothing was retrieved, and no answer is given (by retrieval evidence)."
        if label == "clarification":
            return Outcome.NOT_APPLICABLE, "Whether the question could be answered is not known."
        if not _is_request(record.question):
            return Outcome.NOT_APPLICABLE, "Nothing was asked."
        return Outcome.FAIL, f"{_UNDER}nothing was retrieved, and an answer is given (by retrieval evidence)."
    if abstains and _holds_question(record):
        return Outcome.FAIL, f"{_OVER}one passage holds every word of the question (by retrieval evidence)."
    return Outcome.NOT_APPLICABLE, "Whether the question could be answered is not known."


def _is_request(question: str | None) -> bool:
    """Tell a question from a mere "Thank you!"."""
    return question is not None and (
        "?" in question or "？" in question or len(question.split()) > _THANKS_WORDS
    )


def _holds_question(record: RagRecord) -> bool:
    """Tell whether one passage, with its title, holds every content word of the question (two at least)."""
    question = _HOW.sub(" ", record.question or "")
    asked = {token.key for token in tokenize(question) if kind_of(token.key) != FUNCTION}
    asked -= _ASKING
    if len(asked) < _LEAST_ASKED:
        return False
    texts = (f"{context.title or ''} {context.text}" for context in record.contexts or () if context.text)
    return any(asked <= {token.key for token in tokenize(text)} for text in texts)
