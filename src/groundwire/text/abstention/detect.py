"""Finds the clauses of an answer that do not answer, and what kind each other clause is."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cached_property
from typing import NamedTuple

from groundwire.text.abstention.grammar import OTHER, load_grammar, read_languages
from groundwire.text.quotations import find_quotations
from groundwire.text.sentences import split_sentences
from groundwire.text.vocabulary import CONTENT, kind_of
from groundwire.text.words import split_words, word_key

ABSTAINING = ("unknown", "refusal", "marker")
_MAX_CLAUSE = 600
_PLAIN = {ord(mark): "'" for mark in "’‘ʼ＇"} | dict.fromkeys(map(ord, "\u00a0\u202f\n\r\t"), " ")
_CODE = re.compile(r"```.*?(?:```|\Z)|`[^`\n]+`", re.DOTALL)
_NO_NUMBER = re.compile(
    r"^\W*\d{1,2}[.):]|\[\d+\]|\+?\d[\d().\- ]{5,}(?:\d|[a-z]{3,})|\w*(?:www\.|://|@)\S+|\d+/7"
)
_WORD = re.compile(r"[^\W\d_]+")
_NUMBER = re.compile(r"\d+")
_SHORT = 6
_LEAST_SAID = 3
_KNOWING = frozenset(map(word_key, "know known clear certain sure unknown unclear uncertain".split()))
_OPEN_KEYS = frozenset(map(word_key, "unknown unclear uncertain disputed".split()))
"""Words by which a text itself says that something is not known; repeating it is an answer."""
_MARKUP = re.compile(r"[*_#>]+|(?<= ) +")


class AbstentionSpan(NamedTuple):
    """A range of the answer that does not answer (code points, end exclusive), by which rule and kind.

    ``kind`` is ``unknown`` (does not know, or the sources do not say), ``refusal`` (will not) or ``marker``
    (the whole answer is a sign such as N/A).
    """

    start: int
    end: int
    rule: str
    kind: str


class Clause(NamedTuple):
    """A clause: its range, and what it is: an abstaining kind, advice, clarify, meta, moral, or content.

    ``is_turn`` says that it opens like one that turns to an answer ("however, …"), ``is_opener`` that
    it is no more than an opening ("I'm sorry"), ``closes`` that reasons follow it, no answer. ``language``
    is that of the rule that said so (None for content).
    """

    start: int
    end: int
    kind: str = "content"
    rule: str | None = None
    language: str | None = None
    is_turn: bool = False
    is_opener: bool = False
    closes: bool = False


def lower_alike(text: str) -> str:
    """Return ``text`` in lower case with straight apostrophes and plain spaces, as long as before."""
    lowered = text.lower()
    if len(lowered) != len(text):
        lowered = "".join(low if len(low := char.lower()) == 1 else char for char in text)
    return lowered.translate(_PLAIN)


def find_abstentions(answer: str, contexts: Sequence[str] = ()) -> list[AbstentionSpan]:
    """Return the parts of ``answer`` that do not answer, in order; the rest is still to be graded.

    Quoted text and code are not looked at, nor a clause that stands in one of ``contexts``.

    >>> answer = "I do not know the fee, but a stall permit lasts one year."
    >>> [(answer[s.start:s.end], s.rule) for s in find_abstentions(answer)]
    [('I do not know the fee', 'en.know')]
    """
    reader, _ = read_clauses(answer, contexts)
    return [
        AbstentionSpan(clause.start, clause.end, clause.rule, clause.kind)
        for clause in (reader.found if reader else ())
        if clause.kind in ABSTAINING and clause.rule is not None
    ]


def read_clauses(
    answer: str, contexts: Sequence[str] = (), question: str | None = None
) -> tuple[ClauseReader | None, str | None]:
    """Return the clauses of ``answer`` with the rules found (None: it can not abstain), and its language."""
    lowered = lower_alike(answer)
    languages = read_languages(lowered)
    if not languages.candidates:
        return None, languages.guess
    return ClauseReader(answer, lowered, languages.candidates, contexts, question), languages.guess


def states_something(answer: str) -> bool:
    """Tell whether any clause of ``answer`` states something, whatever else it says.

    >>> states_something("Sorry. Please contact us."), states_something("Sorry, it costs ten coins.")
    (False, True)
    """
    lowered = lower_alike(answer)
    candidates, guess = read_languages(lowered)
    languages = candidates or ((guess,) if guess not in (None, OTHER) else ("en",))
    reader = ClauseReader(answer, lowered, languages, (), None)
    return any(clause.kind in ("content", "moral", "advice") for clause in reader.settle())


class ClauseReader:
    """The clauses of one answer; ``found`` holds those in which a rule matched.

    What the others are (:meth:`settle`) costs more and is only asked where it matters.
    """

    def __init__(
        self,
        answer: str,
        lowered: str,
        languages: Sequence[str],
        contexts: Sequence[str],
        question: str | None,
    ) -> None:
        self._asked_numbers = frozenset(_NUMBER.findall(question or ""))
        self._asked = {word for word in _WORD.findall(lower_alike(question or "")) if len(word) > 2}
        self._lowered, self._contexts, self.languages = lowered, contexts, tuple(languages)
        self._masked = _mask(answer, lowered)
        self._grammars = [load_grammar(language) for language in languages]
        self._sentences = split_sentences(answer)
        self._read = [self._find_rules(start, end) for start, end in self._sentences]
        self.found = [clause for clauses in self._read for clause in clauses or () if clause.rule is not None]

    def settle(self) -> list[Clause]:
        """Return every clause with its kind."""
        settled: list[Clause] = []
        for clauses, (start, end) in zip(self._read, self._sentences, strict=True):
            before: Clause | None = None
            for clause in clauses or [Clause(*span) for span in self._cut(start, end)]:
                kind_known = (
                    clause if clause.rule is not None else self._read_filler(clause.start, clause.end)
                )
                before = _settle_in_sentence(kind_known, before)
                settled.append(before)
        return settled

    def opens_with_content(self) -> bool:
        """Tell whether the first clause that is more than an opening states something."""
        for sentence in self._sentences:
            for span in self._cut(*sentence):
                kind = self._read_filler(*span).kind
                if kind != "meta":
                    return kind == "content"
        return True

    def _find_rules(self, start: int, end: int) -> list[Clause] | None:
        """Return the clauses of a sentence with the rules in them; None where no rule could be."""
        sentence = f" {self._masked[start:end]} "
        if not any(any(map(sentence.__contains__, grammar.triggers)) for grammar in self._grammars):
            return None
        return [self._find_rule(*span) or Clause(*span) for span in self._cut(start, end)]

    def _cut(self, start: int, end: int) -> list[tuple[int, int]]:
        """Return the clauses of one sentence."""
        borders = {start}
        for grammar in self._grammars:
            comma = self._masked.find(",", start, end) if grammar.lead.match(self._masked, start, end) else -1
            if comma > 0:
                borders.add(comma + 1)
            borders.update(cut.start() for cut in grammar.cuts.finditer(self._masked, start, end))
        ordered = sorted(borders)
        pairs = zip(ordered, [*ordered[1:], end], strict=True)
        return [span for a, b in pairs if (span := _trim(self._masked, a, b)) is not None]

    def _find_rule(self, start: int, end: int) -> Clause | None:
        clause = self._masked[start : min(end, start + _MAX_CLAUSE)]
        padded = f" {clause} "
        for grammar in self._grammars:
            if not any(map(padded.__contains__, grammar.triggers)):
                continue
            starts = grammar.opener_ends(clause)
            for rule in grammar.rules:
                if rule.phrase.is_in(clause, starts):
                    if self.is_copied(start, end):
                        return None
                    return Clause(start, end, rule.kind, rule.rule_id, grammar.language, closes=rule.closes)
        return None

    def _read_filler(self, start: int, end: int) -> Clause:
        """Return a clause in which no rule was found, with its kind."""
        clause = self._masked[start : min(end, start + _MAX_CLAUSE)]
        if _states_number(clause, self._asked_numbers) and self._is_about_question(clause):
            return Clause(start, end, is_turn=True)
        for grammar in self._grammars:
            starts = grammar.opener_ends(f"{clause} ")
            if starts[-1] >= len(clause):
                return Clause(start, end, "meta", None, grammar.language, is_opener=True)
            for kind, phrases in grammar.fillers:
                if any(phrase.is_in(clause, starts) for phrase in phrases):
                    if kind == "premise":
                        return Clause(start, end, is_turn=True)
                    return Clause(start, end, kind, None, grammar.language)
        return Clause(start, end, is_turn=any(grammar.pivots.match(clause) for grammar in self._grammars))

    def _is_about_question(self, clause: str) -> bool:
        """Tell whether a clause is short or shares a word with the question; True without a question."""
        words = _WORD.findall(clause)
        return not self._asked or len(words) <= _SHORT or not self._asked.isdisjoint(words)

    def is_copied(self, start: int, end: int) -> bool:
        """Tell whether a clause of some length stands in a context, and so is nobody's own statement."""
        words = self._lowered[start:end].strip(" .!?,;:\"'").split()
        if not self._contexts or (len(words) < 4 and end - start < 24):
            return False
        wanted = " ".join(words)
        if any(wanted in words for words in self._context_words):
            return True
        said = {key for key in split_words(wanted) if kind_of(key) == CONTENT}
        if len(said) >= _LEAST_SAID and any(said <= keys for keys in self._context_keys):
            return True
        said -= _KNOWING
        return len(said) > 1 and any(said <= keys and keys & _OPEN_KEYS for keys in self._context_keys)

    @cached_property
    def _context_keys(self) -> list[frozenset[str]]:
        """The word keys of each sentence of the contexts."""
        return [
            frozenset(split_words(context[start:end]))
            for context in self._contexts
            for start, end in split_sentences(context)
        ]

    @cached_property
    def _context_words(self) -> list[str]:
        return [" ".join(lower_alike(context).split()) for context in self._contexts]


def _states_number(clause: str, asked: frozenset[str]) -> bool:
    """Tell whether a clause states a number that was not asked with, is no list item's and none to call."""
    return any(map(str.isdigit, clause)) and not asked.issuperset(_NUMBER.findall(_NO_NUMBER.sub("", clause)))


def _settle_in_sentence(clause: Clause, before: Clause | None) -> Clause:
    """Let a clause be what the one before it in the sentence is, where it only goes on from there."""
    if before is None or clause.kind != "content":
        return clause
    if before.kind == "meta" and not before.is_opener:
        return clause._replace(kind="meta", is_turn=False)
    if clause.is_turn and before.kind not in ABSTAINING and not before.is_opener:
        return clause._replace(is_turn=False)
    return clause


def _mask(answer: str, lowered: str) -> str:
    """Blank quotations of three words and more, and code, so that their words are nobody's own."""
    spans = [found.span() for found in _CODE.finditer(answer)] if "`" in answer else []
    spans += [(quotation.start, quotation.end) for quotation in find_quotations(answer, 3)]
    pieces, at = [], 0
    for start, end in sorted(spans):
        if start >= at:
            pieces += [lowered[at:start], "␣" * (end - start)]
            at = end
    lowered = "".join([*pieces, lowered[at:]])
    return _MARKUP.sub(lambda match: " " * len(match[0]), lowered)


def _trim(text: str, start: int, end: int) -> tuple[int, int] | None:
    while start < end and not text[start].isalnum() and text[start] not in "([\"'¿¡":
        start += 1
    while start < end and text[end - 1] in " ,;—–-":
        end -= 1
    return (start, end) if any(map(str.isalnum, text[start:end])) else None
