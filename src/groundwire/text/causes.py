"""Which of two things is the cause, or the condition: does a claim exchange them?"""

from __future__ import annotations

import re
from typing import NamedTuple

from groundwire.text.alignment import Alignment
from groundwire.text.caseless import Caseless
from groundwire.text.corpus import Corpus
from groundwire.text.reading import Reading
from groundwire.text.support import ClaimSupport

_FORWARD = Caseless(
    r"\b(?:because(?: of)?|due to|owing to|thanks to|as a result of|resulted from|results from|results? of"
    r"|(?:was|were|is|are|been|being) (?:caused|triggered|brought about) by"
    r"|(?:stems|stemmed|arose|arises) from)\b"
)
_BACKWARD = Caseless(
    r"\b(?:caused?|causes|led to|leads to|lead to|resulted in|results in|brought about|triggered|triggers"
    r"|which is why|so that|therefore|, so)\b"
)
_LEAST_SHARE = 0.6


class Cause(NamedTuple):
    """The words that say the cause and those that say the effect (indices)."""

    cause: frozenset[int]
    effect: frozenset[int]


def read_cause(reading: Reading) -> Cause | None:
    """Return what a text calls the cause of what, or None.

    >>> found = read_cause(Reading("Because the pump failed, the cellar flooded."))
    >>> sorted(found.cause), sorted(found.effect)
    ([2, 3], [5, 6])
    """
    match = _FORWARD.search(reading.text)
    if match is not None:
        return _split(reading, match, is_forward=True)
    match = _BACKWARD.search(reading.text)
    return None if match is None else _split(reading, match, is_forward=False)


def _split(reading: Reading, match: re.Match[str], *, is_forward: bool) -> Cause | None:
    before = [i for i in reading.content if reading.tokens[i].end <= match.start()]
    after = [i for i in reading.content if reading.tokens[i].start >= match.end()]
    if is_forward and not before:
        first = next((k for k, t in enumerate(reading.tokens) if t.start >= match.end()), None)
        if first is None:
            return None
        clause = reading.clause[first]
        cause = [i for i in after if reading.clause[i] == clause]
        effect = [i for i in after if reading.clause[i] > clause]
    else:
        cause, effect = (after, before) if is_forward else (before, after)
    return Cause(frozenset(cause), frozenset(effect)) if cause and effect else None


_PREFERENCE = Caseless(r"\b(?:rather than|instead of|in preference to)\b")


def exchanges_preference(claim: Reading, sentence: Reading, aligned: Alignment) -> bool:
    """Return True if what stands on the two sides of *rather than* is exchanged."""
    mine, theirs = _PREFERENCE.search(claim.text), _PREFERENCE.search(sentence.text)
    if mine is None or theirs is None:
        return False
    here, there = _split(claim, mine, is_forward=True), _split(sentence, theirs, is_forward=True)
    if here is None or there is None:
        return False
    partners = dict(aligned.pairs)
    return bool(
        _overlap(here.cause, there.effect, partners)
        and not _overlap(here.cause, there.cause, partners)
        and _overlap(here.effect, there.cause, partners)
    )


def exchanges_cause(claim: Reading, sentence: Reading, aligned: Alignment) -> bool:
    """Return True if what the claim calls the cause is the sentence's effect, and the other way round."""
    mine = read_cause(claim)
    theirs = None if mine is None else read_cause(sentence)
    if mine is None or theirs is None:
        return False
    partners = dict(aligned.pairs)
    straight = _overlap(mine.cause, theirs.cause, partners) + _overlap(mine.effect, theirs.effect, partners)
    crossed = (
        _overlap(mine.cause, theirs.effect, partners),
        _overlap(mine.effect, theirs.cause, partners),
    )
    total = len(mine.cause) + len(mine.effect)
    return min(crossed) > 0 and straight == 0 and sum(crossed) >= _LEAST_SHARE * total


def _overlap(mine: frozenset[int], theirs: frozenset[int], partners: dict[int, int]) -> int:
    return sum(partners.get(i) in theirs for i in mine)


_CASES = frozenset("if when whenever wenn falls si se als quando если".split())


class Case(NamedTuple):
    """The words of a condition and of what follows from it (codes)."""

    condition: frozenset[str]
    consequence: frozenset[str]


def read_case(reading: Reading) -> Case | None:
    """Return what a text says of which case (``if A, B``, ``B if A``), or None."""
    at = next((i for i, word in enumerate(reading.words) if word in _CASES), None)
    if at is None:
        return None
    clause = reading.clause[at]
    inside = [i for i in reading.content if reading.clause[i] == clause and i > at]
    outside = [i for i in reading.content if reading.clause[i] != clause or i < at]
    if not inside or not outside:
        return None
    return Case(frozenset(reading.codes[i] for i in inside), frozenset(reading.codes[i] for i in outside))


def exchanges_case(support: ClaimSupport, corpus: Corpus) -> int | None:
    """Return the sentence that says something else of the case of which the claim speaks, or None.

    ``If the guest cancels, all is refunded`` of ``If the hotel cancels, all is refunded. If the guest does,
    half is refunded.``
    """
    mine = read_case(support.claim.reading)
    if mine is None or support.absent:
        return None
    cases = [
        (i, case) for i in support.sentences for case in [read_case(corpus.reading(i))] if case is not None
    ]
    own = [(i, case) for i, case in cases if mine.condition <= case.condition]
    others = [case for i, case in cases if not mine.condition <= case.condition]
    if any(mine.consequence <= case.consequence for _, case in own):
        return None
    for i, case in own:
        if (
            any(mine.consequence <= other.consequence for other in others)
            and case.consequence - mine.consequence
        ):
            return i
    return None
