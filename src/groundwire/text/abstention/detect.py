"""Finds the clauses of an answer that do not answer, and what kind each other clause is."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from groundwire.text.abstention.grammar import Grammar, find_candidates, load_grammar
from groundwire.text.quotations import find_quotations
from groundwire.text.sentences import split_sentences

ABSTAINING = ("unknown", "refusal", "marker")
_QUOTE_MARKS = str.maketrans(
    {"’": "'", "‘": "'", "ʼ": "'", "＇": "'", "\u00a0": " ", "\u202f": " ", "\n": " ", "\r": " ", "\t": " "}
)
_CODE = re.compile(r"```.*?(?:```|\Z)|`[^`\n]+`", re.DOTALL)
_SPACES = re.compile(r"[*_#>]+|(?<= ) +")


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
    kind: str
    rule: str | None
    language: str | None
    is_turn: bool = False
    is_opener: bool = False
    closes: bool = False


def lower_alike(text: str) -> str:
    """Return ``text`` in lower case with straight apostrophes and plain spaces, as long as before."""
    lowered = text.lower()
    if len(lowered) != len(text):
        lowered = "".join(low if len(low := char.lower()) == 1 else char for char in text)
    return lowered.translate(_QUOTE_MARKS)


def find_abstentions(answer: str, contexts: Sequence[str] = ()) -> list[AbstentionSpan]:
    """Return the parts of ``answer`` that do not answer, in order; the rest is still to be graded.

    Quoted text and code are not looked at, nor a clause that stands in one of ``contexts``.

    >>> answer = "I do not know the fee, but a stall permit lasts one year."
    >>> [(answer[s.start:s.end], s.rule) for s in find_abstentions(answer)]
    [('I do not know the fee', 'en.know')]
    """
    return [
        AbstentionSpan(clause.start, clause.end, clause.rule, clause.kind)
        for clause in split_clauses(answer, contexts) or ()
        if clause.kind in ABSTAINING and clause.rule is not None
    ]


def split_clauses(answer: str, contexts: Sequence[str] = ()) -> list[Clause] | None:
    """Return the clauses of ``answer`` with their kinds; None when nothing in it can be an abstention."""
    lowered = lower_alike(answer)
    languages = find_candidates(lowered)
    if not languages:
        return None
    masked = _mask(answer, lowered)
    grammars = [load_grammar(language) for language in languages]
    clauses: list[Clause] = []
    for start, end in split_sentences(answer):
        before = ""
        for a, b in _cut(masked, start, end, grammars):
            clause = _read_clause(masked, lowered, a, b, grammars, contexts)
            if clause.kind == "content" and before == "meta" and not clauses[-1].is_opener:
                clause = clause._replace(kind="meta")
            if clause.is_turn and before and before not in ABSTAINING:
                clause = clause._replace(is_turn=False)
            clauses.append(clause)
            before = clause.kind
    return clauses


def _mask(answer: str, lowered: str) -> str:
    """Blank quotations of three words and more, and code, so that their words are nobody's own."""
    spans = [found.span() for found in _CODE.finditer(answer)] if "`" in answer else []
    spans += [(quotation.start, quotation.end) for quotation in find_quotations(answer, 3)]
    for start, end in spans:
        lowered = f"{lowered[:start]}{'␣' * (end - start)}{lowered[end:]}"
    return _SPACES.sub(lambda match: " " * len(match[0]), lowered)


def _cut(text: str, start: int, end: int, grammars: list[Grammar]) -> list[tuple[int, int]]:
    """Return the clauses of one sentence."""
    borders = [start]
    for grammar in grammars:
        opened = grammar.lead.match(text[start:end])
        comma = text.find(",", start, end) if opened else -1
        if comma > 0:
            borders.append(comma + 1)
        for cut in grammar.cuts.finditer(text, start, end):
            borders.append(cut.start())
    borders = sorted(set(borders))
    pairs = zip(borders, [*borders[1:], end], strict=True)
    return [span for a, b in pairs if (span := _trim(text, a, b)) is not None]


def _trim(text: str, start: int, end: int) -> tuple[int, int] | None:
    while start < end and not text[start].isalnum() and text[start] not in "([\"'¿¡":
        start += 1
    while start < end and text[end - 1] in " ,;—–-":
        end -= 1
    return (start, end) if any(map(str.isalnum, text[start:end])) else None


def _read_clause(
    masked: str, lowered: str, start: int, end: int, grammars: list[Grammar], contexts: Sequence[str]
) -> Clause:
    clause = masked[start : min(end, start + 600)]
    for grammar in grammars:
        for rule in grammar.rules:
            if rule.pattern.search(clause):
                if _is_copied(lowered[start:end], contexts):
                    break
                return Clause(start, end, rule.kind, rule.rule_id, grammar.language, closes=rule.closes)
    for grammar in grammars:
        if grammar.openers.fullmatch(clause + " "):
            return Clause(start, end, "meta", None, grammar.language, is_opener=True)
        if any(pattern.search(clause) for pattern in grammar.premise):
            return Clause(start, end, "content", None, None, is_turn=True)
        for kind, patterns in (("meta", grammar.meta), ("moral", grammar.moral)):
            if any(pattern.search(clause) for pattern in patterns):
                return Clause(start, end, kind, None, grammar.language)
    return Clause(
        start, end, "content", None, None, any(grammar.pivots.search(clause) for grammar in grammars)
    )


def _is_copied(clause: str, contexts: Sequence[str]) -> bool:
    words = clause.strip(" .!?,;:\"'").split()
    if not contexts or (len(words) < 4 and len(clause) < 24):
        return False
    wanted = " ".join(words)
    return any(wanted in " ".join(lower_alike(context).split()) for context in contexts)
