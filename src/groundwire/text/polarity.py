"""Do a claim and the sentence that it resembles say yes and no to the same thing?

Negation, opposites and exceptions. Every check compares two texts that share
most of their words and says "these two do not say the same", never which of them is true.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from groundwire.text.alignment import Alignment, find_opposite
from groundwire.text.grammar import SHORT_SCOPE
from groundwire.text.lexicon import QUANTIFIERS_ALL
from groundwire.text.reading import Reading, is_negator

_CONVERSE = frozenset(
    "buy sell borrow lend give receive teach learn import export hire employ beat lose defeat win".split()
)
"""Verbs whose opposite says the same with the sides exchanged."""


def differs_in_polarity(claim: Reading, sentence: Reading, aligned: Alignment) -> str | None:
    """Return a reason if exactly one of the two negates what both say, else None.

    Opposite words and exceptions turn the sense too; two turns cancel out.
    """
    opposite = find_opposite(claim, sentence, aligned)
    pairs = aligned.pairs if opposite is None else (*aligned.pairs, opposite)
    if _restates_only(claim, sentence) or _restates_only(sentence, claim):
        return None
    if _affirms_neither(claim, sentence, aligned):
        return "negation"
    if "unless" in sentence.words and any(
        sentence.excepted[j] and _is_in_denied_case(claim, i) for i, j in aligned.pairs
    ):
        return None
    excepted = _falls_under_exception(claim, sentence, aligned)
    is_loose = aligned.coverage < _CLOSE
    here = _counted_negations(claim, sentence, pairs, is_loose=is_loose)
    turned = tuple((j, i) for i, j in pairs)
    there = _counted_negations(sentence, claim, turned, excepted, is_loose=is_loose)
    both = any(
        (i in here and j in there)
        or (i in here and not there and sentence.negated[j])
        or (j in there and not here and _is_denied(claim, i))
        for i, j in pairs
    )
    turns = not both and bool(here or there)
    if _lacks(claim, sentence, aligned) != _lacks(sentence, claim, aligned, turned=True):
        turns = not turns if both else True
    reason = "negation" if turns else None
    if opposite is not None and not is_turned_opposite(claim, sentence, aligned, opposite):
        turns, reason = not turns, "opposite"
    if opposite is None and _forbids(claim, sentence, pairs) != _forbids(
        sentence, claim, tuple((j, i) for i, j in pairs)
    ):
        turns, reason = not turns, "negation"
    if excepted != _falls_under_exception_of_claim(claim, sentence, aligned):
        turns, reason = not turns, "exception"
    return (reason or "negation") if turns else None


def _is_denied(reading: Reading, i: int) -> bool:
    """Return True if word ``i`` is negated, or the subject of what is."""
    clause = reading.clause[i]
    return reading.negated[i] or any(k > i and reading.clause[k] == clause for k in reading.negators)


def _affirms_neither(claim: Reading, sentence: Reading, aligned: Alignment) -> bool:
    """Return True if the claim affirms one of the two things of which the sentence says neither."""
    if "neither" not in sentence.words or "nor" not in sentence.words or not claim.has_negator:
        return False
    places = [sentence.words.index("neither") + 1, sentence.words.index("nor") + 1]
    items = {next((j for j in sentence.content if j >= at), -1) for at in places}
    denied = {i for scope in claim.negations for i in scope}
    return any(j in items and i not in denied for i, j in aligned.pairs)


def _restates_only(limited: Reading, other: Reading) -> bool:
    """Return True if one text says *only* and the other, negated, names what is then left out."""
    if ONLY.isdisjoint(limited.words) or not ONLY.isdisjoint(other.words):
        return False
    if not other.has_negator or (_OUTSIDE.isdisjoint(other.words) and len(other.negators) < 2):
        return False
    return any(other.words[i] not in SHORT_SCOPE for i in other.negators)


_OUTSIDE = frozenset(
    "without unless except other else alone non outside before if just until besides those ohne außer sans"
    " sauf".split()
)


def _lacks(mine: Reading, other: Reading, aligned: Alignment, *, turned: bool = False) -> bool:
    """Return True if *without* stands before a word before which the other text has *with*."""
    pairs = [(j, i) for i, j in aligned.pairs] if turned else aligned.pairs
    return any(
        not SHORT_SCOPE.isdisjoint(mine.words[max(0, i - 3) : i])
        and not _WITH.isdisjoint(other.words[max(0, j - 3) : j])
        for i, j in pairs
    )


_WITH = frozenset("with mit avec con com met с having".split())
_CLOSE = 0.8
"""Share of the claim's words that a sentence holds from which *without* is taken to negate both's matter."""
_FORBIDDING = frozenset(
    """
forbid forbids forbidden prohibit prohibits prohibited ban bans banned disallow disallows disallowed against
""".split()
)
_ADVISING = frozenset(
    "advise advises advised advice warn warns warned caution cautions cautioned decide decides decided"
    " recommend recommends recommended voted vote votes".split()
)
_STATES = frozenset("is are was were be been being".split())


def _forbids(mine: Reading, other: Reading, pairs: Sequence[tuple[int, int]]) -> bool:
    """Return True if one text forbids what the other, which has no such word, speaks of."""
    if _FORBIDDING.isdisjoint(mine.words):
        return False
    for i, word in enumerate(mine.words):
        if word == "against" and _ADVISING.isdisjoint(mine.words[max(0, i - 3) : i]):
            continue
        if word not in _FORBIDDING or mine.codes[i] in other.codes or mine.negated[i]:
            continue
        if word.endswith(("ed", "en")) and _STATES.isdisjoint(mine.words[max(0, i - 3) : i]):
            continue
        said = [k for k in mine.content if mine.clause[k] == mine.clause[i] and k != i]
        found = sum(k == a for k in said for a, _ in pairs)
        if found >= 2 or (found and len(said) <= 2):
            return True
    return False


_LEAST_TWIN_WORDS = 4


def negates_twin(claim: Reading, sentence: Reading) -> bool:
    """Return True if the claim is, word for word, a part of the sentence but for one negation more or less.

    >>> negates_twin(Reading("Dogs are not allowed in here."), Reading("Dogs are allowed in here."))
    True
    """
    mine, theirs = _without_negators(claim), _without_negators(sentence)
    words, others = [word for word, _ in mine], [word for word, _ in theirs]
    length = len(words)
    if length < _LEAST_TWIN_WORDS or length > len(others):
        return False
    for at in range(len(others) - length + 1):
        if others[at : at + length] == words:
            negated = sum(count for _, count in mine) - sum(count for _, count in theirs[at : at + length])
            return negated % 2 == 1
    return False


def _without_negators(reading: Reading) -> list[tuple[str, int]]:
    """Return the words that do not negate, each with the number of negators right before it."""
    found: list[tuple[str, int]] = []
    waiting = 0
    answers = re.match(r"\W*\w+\W*[,;:.!—–]", reading.text) is not None
    skipped = answers and reading.words[:1] in (["no"], ["yes"], ["nein"], ["non"])
    for i, word in enumerate(reading.words):
        if i < skipped:
            continue
        if word == "no" and reading.tokens[i + 1 : i + 2] and reading.tokens[i + 1].text[0].isdigit():
            found.append((word, waiting))
            waiting = 0
        elif word == "cannot" or word.endswith("n't"):
            found.append(("can" if word in ("cannot", "can't") else word[:-3], waiting))
            waiting = 1
        elif is_negator(word):
            waiting += 1
        elif word in ("one", "longer") and waiting:
            continue  # "no one" is "nobody", "no longer" now not
        else:
            found.append((word, waiting))
            waiting = 0
    return found


_RELATIONS = frozenset("before after above below over under behind".split())


def is_turned_opposite(
    claim: Reading, sentence: Reading, aligned: Alignment, opposite: tuple[int, int]
) -> bool:
    """Return True if two opposite words say the same because their sides are exchanged (a < b, b > a)."""
    i, j = opposite
    is_converse = claim.tokens[i].key in _CONVERSE
    if "than" in claim.words[i:] and "than" in sentence.words[j:] and _sides_turned(claim, i, sentence, j):
        return True
    is_relation = claim.words[i] in _RELATIONS or "than" in claim.words[i : i + 4]
    return (is_converse or is_relation) and _is_order_turned(aligned, i, j, is_converse)


def _sides_turned(claim: Reading, i: int, sentence: Reading, j: int) -> bool:
    """Return True if what stands before a comparative and what stands after its *than* are exchanged."""
    before, after = _sides(claim, i)
    first, second = _sides(sentence, j)
    return bool((before - after) & (second - first)) and bool((after - before) & (first - second))


def _sides(reading: Reading, at: int) -> tuple[set[str], set[str]]:
    than = reading.words.index("than", at)
    before = {reading.codes[k] for k in reading.content if k < at}
    return before, {reading.codes[k] for k in reading.content if k > than}


def _is_order_turned(aligned: Alignment, i: int, j: int, is_converse: bool = False) -> bool:
    """Return True if what stands before and after the two opposite words is exchanged (a < b, b > a)."""
    left = [theirs for mine, theirs in aligned.pairs if i - 6 <= mine < i]
    right = [theirs for mine, theirs in aligned.pairs if i < mine <= i + 6]
    if is_converse:
        return bool(left) and max(left) > j
    return bool(left and right) and min(left) > max(right)


def _counted_negations(
    mine: Reading,
    other: Reading,
    pairs: Sequence[tuple[int, int]],
    count_all: bool = False,
    *,
    is_loose: bool = False,
) -> set[int]:
    """Return the negated words of the negations whose head the other text holds, with a word near it."""
    partners = dict(pairs)
    counted: set[int] = set()
    for scope in mine.negations:
        if is_loose and scope[0] and mine.words[scope[0] - 1] in SHORT_SCOPE:
            continue
        head = next((i for i in mine.heads_of(scope) if i in partners), None)
        if count_all and any(i in partners for i in scope):
            counted.update(scope)
        if head is None:
            continue
        coordinated = scope[0] > 1 and mine.words[scope[0] - 2] in ("but", "and")
        reach = (9 if coordinated else 5) + _length_of_aside(mine, scope[0])
        near = [
            k
            for k in partners
            if k != head and abs(k - head) <= reach and abs(partners[k] - partners[head]) <= 7
        ]
        if _speaks_of_others(mine, other, scope, head, partners) or _takes_over(mine, scope, partners):
            continue
        if near or len(mine.content) <= 2 or len(other.content) <= 2:
            counted.update(scope)
    return counted


def _length_of_aside(reading: Reading, start: int) -> int:
    """Return how many words stand between a negation's scope and the word before it that negates."""
    return min((start - i - 1 for i in reading.negators if i < start), default=0)


_PRO_VERBS = frozenset("does do did is are was were has have had can will must may".split())


def _takes_over(mine: Reading, scope: Sequence[int], partners: dict[int, int]) -> bool:
    """Return True if another subject takes over what is negated here (``rain does not, snow does``)."""
    words, last = mine.words, len(mine.words) - 1
    return any(
        k < last
        and words[k + 1] in _PRO_VERBS
        and mine.clause[k] != mine.clause[scope[0]]
        and (k + 1 == last or mine.clause[k + 2] != mine.clause[k])
        for k in partners
    )


def _speaks_of_others(
    mine: Reading, other: Reading, scope: Sequence[int], head: int, partners: dict[int, int]
) -> bool:
    """Return True if the other text says of something else what is negated here of its subject."""
    clause = mine.clause[head]
    subject = [k for k in mine.content if k < scope[0] and mine.clause[k] == clause and k in partners]
    if not subject:
        return False
    place = other.clause[partners[head]]
    return all(other.clause[partners[k]] != place for k in subject) and len(set(other.clause)) > 1


def _falls_under_exception(claim: Reading, sentence: Reading, aligned: Alignment) -> bool:
    """Return True if the claim is about what the sentence excepts."""
    if not sentence.has_exception or claim.has_exception:
        return False
    excepted = {sentence.codes[j] for j in sentence.content if sentence.excepted[j]}
    plain = {sentence.codes[j] for j in sentence.content if not sentence.excepted[j]}
    mine = {claim.codes[i] for i in claim.content}
    if "unless" in sentence.words:
        mine = {claim.codes[i] for i in claim.content if not _is_in_denied_case(claim, i)}
    if not (excepted - plain) & mine:
        return False
    trailing = _after_exception(sentence)
    said = {claim.codes[i] for i in claim.content} - excepted - {claim.codes[i] for i in _subject_like(claim)}
    return not (trailing and said and said <= trailing)


def _is_in_denied_case(reading: Reading, i: int) -> bool:
    """Return True if a word stands in a clause such as *if it does not rain* (or *provided nobody …*)."""
    inside = [w for k, w in enumerate(reading.words) if reading.clause[k] == reading.clause[i]]
    return any(map(is_negator, inside)) and not _CASES.isdisjoint(inside)


_CASES = frozenset("if provided when long wenn falls si se".split())


def _subject_like(reading: Reading) -> list[int]:
    """Return the words that the sentence's last clause takes over by a pronoun: those before the verb."""
    return [i for i in reading.content if i < len(reading.words) // 2]


def _after_exception(sentence: Reading) -> set[str]:
    """Return what a clause says of what is excepted (``except on Fridays, when it opens at noon``)."""
    last = max((j for j in sentence.content if sentence.excepted[j]), default=None)
    if last is None or "when" not in sentence.words[last:]:
        return set()
    return {sentence.codes[j] for j in sentence.content if j > last}


def _falls_under_exception_of_claim(claim: Reading, sentence: Reading, aligned: Alignment) -> bool:
    return _falls_under_exception(sentence, claim, aligned) if claim.has_exception else False


def drops_exception(claim: Reading, sentence: Reading, aligned: Alignment) -> bool:
    """Return True if the claim says "all" of what the sentence limits by an exception."""
    if not sentence.has_exception or claim.has_exception:
        return False
    return any(word in QUANTIFIERS_ALL for word in claim.words)


ONLY = frozenset("only solely exclusively nur seulement solo sólo somente".split())


def widens_only(claim: Reading, sentence: Reading, aligned: Alignment, absent: Sequence[int]) -> bool:
    """Return True if the sentence says "only a" and the claim "a and b", where no source speaks of b."""
    partners = dict(aligned.pairs)
    for i in absent:
        if i >= 2 and claim.words[i - 1] in ("and", "or") and i - 2 in partners:
            j = partners[i - 2]
            if any(w in ONLY for w in sentence.words[max(0, j - 2) : j]):
                return True
    return False
