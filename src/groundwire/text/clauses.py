"""Clauses of a sentence: who each speaks of, and claims that mix two of them."""

from __future__ import annotations

from collections.abc import Sequence

from groundwire.text.alignment import Alignment
from groundwire.text.languages import guess_language
from groundwire.text.lexicon import IRREGULAR
from groundwire.text.reading import Reading
from groundwire.text.roles import is_verb_like

_AUXILIARIES = frozenset(
    "is are was were be been has have had does do did can may must will shall would could should".split()
)
_SUBORDINATORS = frozenset("who which whose that before after when because if since although while".split())
MAX_MIXED_WORDS = 7
MAX_COORDINATED_WORDS = 10


def is_verb(reading: Reading, i: int) -> bool:
    """Return True if word ``i`` is very likely a verb: an auxiliary, an irregular or a marked form."""
    word = reading.words[i]
    if word in _AUXILIARIES:
        return True
    if not is_verb_like(reading, i):
        return False
    return word in IRREGULAR or word.endswith(("ed", "s", "born", "en"))


def subject_of(reading: Reading) -> list[int]:
    """Return the words of the first clause that stand before its verb."""
    subject: list[int] = []
    for i in range(len(reading.words)):
        if reading.clause[i] or (i and is_verb(reading, i)) or reading.tokens[i].key.startswith("#"):
            break
        if i in reading.content:
            subject.append(i)
    return subject[: 3 if guess_language(reading.words) in (None, "en") else 1]


def real_clauses(reading: Reading) -> list[list[int]]:
    """Return the words of each clause with a verb of its own; parts without one join their neighbor."""
    parts: dict[int, list[int]] = {}
    for i, number in enumerate(reading.clause):
        parts.setdefault(number, []).append(i)
    clauses: list[list[int]] = []
    for words in parts.values():
        has_verb = any(_may_be_verb(reading, i) for i in words)
        if clauses and (not has_verb or not any(_may_be_verb(reading, i) for i in clauses[-1])):
            clauses[-1] = clauses[-1] + words
        else:
            clauses.append(words)
    return clauses


def _may_be_verb(reading: Reading, i: int) -> bool:
    """Return True for a verb, and for a word that both clauses share (``terns nest …, gulls nest …``)."""
    return is_verb(reading, i) or (
        i in reading.content and reading.codes.count(reading.codes[i]) == 2 and i > 0
    )


def mixes_clauses(claim: Reading, sentence: Reading, aligned: Alignment, indices: Sequence[int]) -> bool:
    """Return True if a short claim takes its words from two clauses that say something else.

    ``The door is white`` of ``The door is green and the shutters are white``: the clause that covers the
    claim best has a word instead of the missing one, and so has the clause that lends it.
    """
    if aligned.coverage < 0.99 or not 2 <= len(indices) <= MAX_MIXED_WORDS or len(real_clauses(claim)) != 1:
        return False
    clauses = real_clauses(sentence)
    if len(clauses) != 2 or len(sentence.content) > MAX_COORDINATED_WORDS:
        return False
    if not _SUBORDINATORS.isdisjoint(sentence.words):
        return False
    if not all(_has_sure_verb(sentence, words) for words in clauses):
        return False
    mine = {claim.codes[i] for i in indices}
    said = [{sentence.codes[j] for j in words if j in sentence.content} for words in clauses]
    if _shares_subject(sentence, clauses[1]):
        said[1] = said[1] | {sentence.codes[j] for j in subject_of(sentence)}
    best, other = sorted(said, key=lambda codes: -len(codes & mine))
    missing = mine - best
    return bool(missing) and missing <= other and bool(best - mine) and bool(other - mine - best)


def _has_sure_verb(sentence: Reading, words: list[int]) -> bool:
    return any(_may_be_verb(sentence, i) and not sentence.words[i].endswith("s") for i in words) or any(
        sentence.words[i] in _AUXILIARIES for i in words
    )


def _shares_subject(sentence: Reading, words: list[int]) -> bool:
    """Return True if a clause begins with its verb (``and raised in Tarn``)."""
    first = [i for i in words if sentence.words[i] not in ("and", "but", "or", "while", "yet")][:1]
    if not first or not is_verb(sentence, first[0]):
        return False
    others = any(_may_be_verb(sentence, i) for i in words if i > first[0])
    return not (sentence.words[first[0]].endswith("s") and others)
