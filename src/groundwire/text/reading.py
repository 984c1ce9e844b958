"""One sentence read closely: its words with clauses, negation, exceptions, modality, and typed values.

Closer and slower than coded strings; made only for the few sentences that a claim is compared with.
"""

from __future__ import annotations

from functools import cached_property
from typing import Any

from groundwire.text import grammar
from groundwire.text.grammar import OBLIGE, PERMIT
from groundwire.text.languages import guess_language
from groundwire.text.lexicon import IRREGULAR
from groundwire.text.quantities import read_quantities
from groundwire.text.quantity import Quantity
from groundwire.text.vocabulary import CONTENT, NUMBER, VOCABULARY
from groundwire.text.words import Token, tokenize

MAX_ASIDE = 12
_ASIDE_MARKS = {",": ",", "(": ")", "–": "–", "—": "—", "-": "-"}
_STATING = frozenset(
    "but and is are was were has have had does did will aber sondern und ist sind hat mais et est".split()
)


class Reading:
    """A sentence and what stands where in it; offsets are those of ``text``.

    ``negated[i]`` says that word ``i`` stands in the scope of a negation (``negations`` are the scopes),
    ``excepted[i]`` in that of an exception; ``clause[i]`` numbers the clauses; ``modal`` is ``permit``,
    ``oblige`` or None. ``marks`` are words that look like numbers and stand for a source or a list's item.

    >>> reading = Reading("Dogs are allowed but not on the lawn.")
    >>> [t.text for t, n in zip(reading.tokens, reading.negated) if n]
    ['on', 'the', 'lawn']
    """

    def __init__(
        self,
        text: str,
        tokens: tuple[Token, ...] | None = None,
        codes: str | None = None,
        marks: tuple[int, ...] = (),
    ) -> None:
        self.text, self.marks = text, marks
        self.tokens = tuple([t for t in tokenize(text) if t.key]) if tokens is None else tokens
        if codes is None:
            code_of = VOCABULARY.code_of
            codes = "".join([code_of(token.key) for token in self.tokens])
        self.codes = codes

    @cached_property
    def memo(self) -> dict[str, Any]:
        """What other modules worked out of it, by name."""
        return {}

    @cached_property
    def words(self) -> list[str]:
        """The words as written, in lower case; *May* keeps its capital, and *Ei* (German) beside *ei*."""
        low = [token.text.lower() for token in self.tokens]
        if "May" in self.text or "Ei" in self.text:
            low[1:] = [t.text if t.text in ("May", "Ei") else t.text.lower() for t in self.tokens[1:]]
        if " ei " in self.text and not _NORWEGIAN.isdisjoint(low):
            low = ["en" if word == "ei" else word for word in low]
        return [word.replace("’", "'") for word in low] if "’" in self.text else low

    @cached_property
    def language(self) -> str | None:
        """The language, as far as the grammar words tell."""
        return guess_language(self.words)

    @cached_property
    def keys(self) -> frozenset[str]:
        """The keys of the words."""
        return frozenset([token.key for token in self.tokens])

    @cached_property
    def places(self) -> dict[str, list[int]]:
        """Where each code stands."""
        places: dict[str, list[int]] = {}
        for i, code in enumerate(self.codes):
            places.setdefault(code, []).append(i)
        return places

    @cached_property
    def has_negator(self) -> bool:
        """True if a word negates, whatever its scope."""
        if not grammar.NEGATORS.isdisjoint(self.words):
            return True
        return "'" in "".join(self.words) and any(word.endswith("n't") for word in self.words)

    @cached_property
    def quantities(self) -> list[Quantity]:
        """The typed values."""
        found = read_quantities(self.text, self.tokens)
        return [q for q in found if q.first != q.last or q.first not in self.marks] if self.marks else found

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

    @cached_property
    def _gaps(self) -> list[str]:
        ends = [0, *(token.end for token in self.tokens)]
        return [self.text[ends[i] : token.start] for i, token in enumerate(self.tokens)]

    @cached_property
    def clause(self) -> list[int]:
        """Per word the number of its clause, from 0."""
        clause, numbers = 0, []
        for i, word in enumerate(self.words):
            gap = self._gaps[i]
            if i and (word in grammar.CLAUSE_STARTS or (gap != " " and grammar.PUNCTUATION.search(gap))):
                clause += 1
            numbers.append(clause)
        return numbers

    @cached_property
    def negated(self) -> list[bool]:
        """Per word whether it stands in the scope of a negation."""
        return self._negation[0]

    @cached_property
    def negations(self) -> list[tuple[int, ...]]:
        """The scopes of the negations, each the indices of its words."""
        return self._negation[1]

    @cached_property
    def negators(self) -> set[int]:
        """Indices of the words that negate."""
        return self._negation[2]

    @cached_property
    def _negation(self) -> tuple[list[bool], list[tuple[int, ...]], set[int]]:
        flags = [False] * len(self.words)
        scopes: list[tuple[int, ...]] = []
        negators: set[int] = set()
        is_implied = not _IMPLYING.isdisjoint(self.words)
        if not self.has_negator and self.text.isascii() and not is_implied:
            return flags, scopes, negators
        harmless = [m.span() for m in grammar.NOT_NEGATING.finditer(self.text)]
        left, resumed, scope = 0, 0, list[int]()
        for i, word in enumerate(self.words):
            if is_negator(word) and self._negates(i, harmless):
                negators.add(i)
                left = grammar.SHORT_WORDS if word in grammar.SHORT_SCOPE else 99
                scopes += [tuple(scope)] if scope else []
                scope = []
                if word in grammar.FINAL_NEGATORS and self.clause[i + 1 : i + 2] != [self.clause[i]]:
                    scopes.append(tuple([k for k in range(i - 1, 0, -1) if self.clause[k] == self.clause[i]]))
                    left = 0
                continue
            gap = self._gaps[i]
            is_end = word in grammar.SCOPE_ENDS and not (word == "because" and i - 1 in negators)
            if left and i > resumed and (is_end or (gap != " " and grammar.SCOPE_MARK.search(gap))):
                resumed = self._end_of_aside(i) if i - 1 in negators else i
                left = left if resumed > i else 0
            if i < resumed:
                continue
            if left:
                flags[i] = True
                scope.append(i)
                left -= 1
        scopes += [tuple(scope)] if scope else []
        if is_implied:
            scopes += [scope for scope in self._implied() if not flags[scope[0]]]
        if not self.text.isascii():
            scopes += self._unspaced_negations(flags)
        return flags, scopes, negators

    def _implied(self) -> list[tuple[int, ...]]:
        """What is negated without a negator: ``free of sugar``, ``has yet to open``, ``nearly won``."""
        words, found = self.words, list[tuple[int, ...]]()
        for i, word in enumerate(words):
            if word == "free" and i and self._gaps[i] == "-":
                found.append((i - 1,))
            elif word == "free" and words[i + 1 : i + 2] in (["of"], ["from"]):
                found += [(i + 2,)] if words[i + 2 : i + 3] not in ([], ["charge"], ["cost"]) else []
            elif word == "yet" and words[i - 1] in _AUXILIARIES and words[i + 1 : i + 2] == ["to"]:
                found += [tuple(range(i + 2, len(words)))] if i + 2 < len(words) else []
            elif word in ("nearly", "almost") and i + 1 < len(words) and _is_missed(words[i + 1]):
                found.append((i + 1,))
        return found

    def _end_of_aside(self, start: int) -> int:
        """Return the word after the aside that is set off at ``start``, else ``start``."""
        closing = _ASIDE_MARKS.get(self._gaps[start].strip()[:1])
        if closing is None or self.words[start - 1] in grammar.NOUN_NEGATORS | grammar.SHORT_SCOPE:
            return start
        for i in range(start, min(len(self.words), start + MAX_ASIDE + 1)):
            if i > start and closing in self._gaps[i]:
                return i
            if self.words[i] in _STATING:
                break
        return start

    def _unspaced_negations(self, flags: list[bool]) -> list[tuple[int, ...]]:
        """Negation in scripts without spaces, before what it negates (不, ไม่) or after it (ません, 않)."""
        scopes = []
        for match in grammar.UNSPACED_NEGATION.finditer(self.text):
            if match.lastgroup == "before":
                scope = [i for i, t in enumerate(self.tokens) if match.end() <= t.start < match.end() + 6]
            else:
                scope = [
                    i for i, t in enumerate(self.tokens) if match.start() - 6 <= t.start < match.start()
                ][::-1]
            for i in scope:
                flags[i] = True
            scopes += [tuple(scope)] if scope else []
        return scopes

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

        After *not* the first word that says something, but the subject where it stands before a question;
        after *no* or *neither* the first three.
        """
        said = [i for i in scope if i in self.content] or [scope[0]]
        before = self.words[scope[0] - 1] if scope[0] else ""
        if scope[0] == 1 and before == "not" and len(said) > 1:
            return tuple(said[1:3])
        return tuple(said[: 3 if before in grammar.NOUN_NEGATORS else 1])

    @cached_property
    def excepted(self) -> list[bool]:
        """Per word whether it stands in the scope of an exception."""
        flags = [False] * len(self.words)
        if grammar.EXCEPTION_WORDS.isdisjoint(self.words):
            return flags
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


def _is_missed(word: str) -> bool:
    """Return True if *nearly* before a word says that it did not come to it: a past form, or an end."""
    if word in _SCALES:
        return False
    return word in _ENDS or word.endswith("ed") or (IRREGULAR.get(word, word) != word and word[-1] != "s")


_NORWEGIAN = frozenset("er og det på til av som har".split())
"""Words beside which *ei* is an article; in Finnish it negates."""
_IMPLYING = frozenset("free yet nearly almost".split())
_AUXILIARIES = frozenset("has have had is are was were".split())
_ENDS = frozenset("full empty complete ready extinct dead".split())
_SCALES = frozenset("doubled tripled halved quadrupled unchanged more less better worse".split())


def is_negator(word: str) -> bool:
    """Return True if a lower-case word negates."""
    return word in grammar.NEGATORS or word.endswith("n't")
