"""Clauses of a sentence: where each begins, whether it has a verb, who it speaks of."""

from __future__ import annotations

from groundwire.text.lexicon import IRREGULAR
from groundwire.text.reading import Reading
from groundwire.text.roles import is_verb_like

_AUXILIARIES = frozenset(
    "is are was were be been has have had does do did can may must will shall would could should".split()
)


def is_verb(reading: Reading, i: int) -> bool:
    """Return True if word ``i`` is very likely a verb: an auxiliary, an irregular or a marked form."""
    word = reading.words[i]
    if word in _AUXILIARIES:
        return True
    if not is_verb_like(reading, i):
        return False
    return word in IRREGULAR or word.endswith(("ed", "s", "born", "en"))


def is_finite(reading: Reading, i: int) -> bool:
    """Return True if word ``i`` is surely a verb, not a plural: an auxiliary, an irregular or a past form."""
    word = reading.words[i]
    return word in _AUXILIARIES or (is_verb(reading, i) and (word in IRREGULAR or word.endswith("ed")))


_AFTER_VERB = frozenset(
    "the a an his her its their our my your this that these those no all every each at in on for to from"
    " with by about only not it them him".split()
)


def is_sure_verb(reading: Reading, i: int) -> bool:
    """Return True for a finite verb, and for a form in -s between a noun and what can follow a verb."""
    if is_finite(reading, i):
        return True
    if not reading.words[i].endswith("s") or not is_verb(reading, i) or i + 1 >= len(reading.words):
        return False
    if reading.clause[i - 1] != reading.clause[i]:
        return False
    if reading.words[i - 1] in ("it", "he", "she"):
        return True
    return reading.words[i + 1] in _AFTER_VERB or reading.tokens[i + 1].key.startswith("#")


def subject_of(reading: Reading) -> list[int]:
    """Return the words of the first clause that stand before its verb."""
    subject: list[int] = []
    for i in range(len(reading.words)):
        if reading.clause[i] or (i and is_verb(reading, i)) or reading.tokens[i].key.startswith("#"):
            break
        if i in reading.content:
            subject.append(i)
    return subject[: 3 if reading.language in (None, "en") else 1]


def real_clauses(reading: Reading) -> list[list[int]]:
    """Return the words of each clause with a verb of its own; parts without one join their neighbor."""
    known: list[list[int]] | None = reading.memo.get("clauses")
    if known is None:
        known = reading.memo["clauses"] = _read_clauses(reading)
    return known


def _read_clauses(reading: Reading) -> list[list[int]]:
    if not reading.clause or reading.clause[-1] == 0:
        return [list(range(len(reading.clause)))] if reading.clause else []
    parts: dict[int, list[int]] = {}
    for i, number in enumerate(reading.clause):
        parts.setdefault(number, []).append(i)
    clauses: list[list[int]] = []
    has_verb = True
    for words in parts.values():
        adds_verb = any(may_be_verb(reading, i) for i in words)
        if clauses and not (adds_verb and has_verb):
            clauses[-1] = clauses[-1] + words
            has_verb = has_verb or adds_verb
        else:
            clauses.append(words)
            has_verb = adds_verb
    return clauses


def may_be_verb(reading: Reading, i: int) -> bool:
    """Return True for a verb, and for a word that both clauses share (``terns nest …, gulls nest …``)."""
    return is_verb(reading, i) or is_repeated(reading, i)


def is_repeated(reading: Reading, i: int) -> bool:
    """Return True if a word that says something stands in the text twice."""
    return i > 0 and i in reading.content and reading.codes.count(reading.codes[i]) == 2
