"""One sentence read closely: its words with clauses, negation, exceptions, modality, and typed values.

Closer and slower than coded strings; made only for the few sentences that a claim is compared with.
"""

from __future__ import annotations

from functools import cached_property

from groundwire.text import grammar
from groundwire.text.grammar import OBLIGE, PERMIT
from groundwire.text.quantities import read_quantities
from groundwire.text.quantity import Quantity
from groundwire.text.vocabulary import CONTENT, NUMBER, VOCABULARY
from groundwire.text.words import Token, tokenize


class Reading:
    """A sentence and what stands where in it; offsets are those of ``text``.

    ``negated[i]`` says that word ``i`` stands in the scope of a negation (``negations`` are the scopes),
    ``excepted[i]`` in that of an exception; ``clause[i]`` numbers the clauses; ``modal`` is ``permit``,
    ``oblige`` or None.

    >>> reading = Reading("Dogs are allowed but not on the lawn.")
    >>> [t.text for t, n in zip(reading.tokens, reading.negated) if n]
    ['on', 'the', 'lawn']
    """

    def __init__(self, text: str, tokens: tuple[Token, ...] | None = None) -> None:
        self.text = text
        self.tokens = tuple(t for t in tokenize(text) if t.key) if tokens is None else tokens
        self.words = [token.text.lower().replace("’", "'") for token in self.tokens]
        self.codes = "".join([VOCABULARY.code_of(token.key) for token in self.tokens])
        self._gaps = self._read_gaps()
        self.clause = self._read_clauses()
        self.negated = self._read_negation()
        self.excepted = self._read_exceptions()

    @cached_property
    def quantities(self) -> list[Quantity]:
        """The typed values."""
        return read_quantities(self.text, self.tokens)

    @cached_property
    def content(self) -> list[int]:
        """Indices of the words that are neither grammar nor multipliers."""
        kinds = VOCABULARY.kind
        return [i for i, code in enumerate(self.codes) if kinds[code] in (CONTENT, NUMBER)]

    @cached_property
    def modal(self) -> str | None:
        """``oblige`` if something must be, ``permit`` if it may be, else None."""
        for i, word in enumerate(self.words):
            if word in grammar.OBLIGES or (
                word in ("have", "has", "need", "needs") and self.words[i + 1 : i + 2] == ["to"]
            ):
                return OBLIGE
            if word in grammar.PERMITS:
                return PERMIT
        return None

    def _read_gaps(self) -> list[str]:
        ends = [0, *(token.end for token in self.tokens)]
        return [self.text[ends[i] : token.start] for i, token in enumerate(self.tokens)]

    def _read_clauses(self) -> list[int]:
        clause, numbers = 0, []
        for i, word in enumerate(self.words):
            if i and (word in grammar.CLAUSE_STARTS or grammar.PUNCTUATION.search(self._gaps[i])):
                clause += 1
            numbers.append(clause)
        return numbers

    def _read_negation(self) -> list[bool]:
        flags = [False] * len(self.words)
        self.negations: list[tuple[int, ...]] = []
        self.negators: set[int] = set()
        harmless = [m.span() for m in grammar.NOT_NEGATING.finditer(self.text)] if " " in self.text else []
        left, scope = 0, list[int]()
        for i, word in enumerate(self.words):
            if is_negator(word) and self._negates(i, harmless):
                self.negators.add(i)
                left = grammar.SHORT_WORDS if word in grammar.SHORT_SCOPE else 99
                self._close_scope(scope)
                scope = []
                continue
            if left and (word in grammar.SCOPE_ENDS or grammar.SCOPE_MARK.search(self._gaps[i])):
                left = 0
            if left:
                flags[i] = True
                scope.append(i)
                left -= 1
        self._close_scope(scope)
        self._read_free_words()
        if not self.text.isascii():
            self._read_unspaced_negation(flags)
        return flags

    def _read_unspaced_negation(self, flags: list[bool]) -> None:
        """Negation in scripts without spaces, before what it negates (不, ไม่) or after it (ません, 않)."""
        for match in grammar.UNSPACED_NEGATION.finditer(self.text):
            if match.lastgroup == "before":
                scope = [i for i, t in enumerate(self.tokens) if match.end() <= t.start < match.end() + 6]
            else:
                scope = [
                    i for i, t in enumerate(self.tokens) if match.start() - 6 <= t.start < match.start()
                ][::-1]
            for i in scope:
                flags[i] = True
            self._close_scope(scope)

    def _close_scope(self, scope: list[int]) -> None:
        if scope:
            self.negations.append(tuple(scope))

    def _read_free_words(self) -> None:
        """``commission-free`` negates its first half."""
        for i, word in enumerate(self.words):
            if word == "free" and i and self._gaps[i] == "-":
                self.negations.append((i - 1,))

    def _negates(self, i: int, harmless: list[tuple[int, int]]) -> bool:
        token = self.tokens[i]
        if any(start <= token.start < end for start, end in harmless):
            return False
        if self.text[token.end : token.end + 1] == "-" and self.words[i] in ("no", "non"):
            return False
        following = self.words[i + 1 : i + 8]
        if self.words[i] in grammar.NEEDS_TO and following[:1] not in (["to"], ["of"]):
            return False
        if any(w in ("until", "till", "bis") for w in following[1:]):
            return False
        clause = self.clause[i]
        opener = next(k for k in range(i + 1) if self.clause[k] == clause)
        return not any(w in grammar.SUBORDINATE for w in self.words[opener:i])

    def heads_of(self, scope: tuple[int, ...]) -> tuple[int, ...]:
        """Return the words of a negation's scope one of which must be compared for it to count.

        After *not* the first word that says something, after *no* or *neither* the first three.
        """
        said = [i for i in scope if i in self.content] or [scope[0]]
        before = self.words[scope[0] - 1] if scope[0] else ""
        return tuple(said[: 3 if before in grammar.NOUN_NEGATORS else 1])

    def _read_exceptions(self) -> list[bool]:
        flags = [False] * len(self.words)
        for match in grammar.EXCEPTIONS.finditer(self.text):
            for i, token in enumerate(self.tokens):
                if token.start >= match.end():
                    if grammar.HARD.search(self._gaps[i]) or (
                        "," in self._gaps[i] and token.start > match.end() + 3
                    ):
                        break
                    flags[i] = True
        return flags

    @cached_property
    def has_exception(self) -> bool:
        """True if something is excepted."""
        return any(self.excepted)


def is_negator(word: str) -> bool:
    """Return True if a lower-case word negates."""
    return word in grammar.NEGATORS or word.endswith("n't")
