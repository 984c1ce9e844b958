"""May two names be one, otherwise written? ``Hartman`` and ``Hartmann``, not ``Paul`` and ``Paula``."""

from __future__ import annotations

import re

from groundwire.text.characters import fold_characters
from groundwire.text.reading import Reading
from groundwire.text.similar import are_synonyms, shared_prefix

_LEAST_SHARED = 3
_MAX_INFLECTED = 3
_DOUBLED = re.compile(r"(.)\1+")
_POSSESSIVES = frozenset(("", "s", "es"))
_PLACES = frozenset(("", "a", "e", "o", "y", "ia", "ay", "in", "ce", "ly", "land", "gal", "um"))
_DEMONYMS = frozenset("n an ian ean ish ese nese uese ch sh nish ic egian s ns ans ians".split())


def is_name(reading: Reading, i: int) -> bool:
    """Return True for a capital word, but not for one that merely opens a sentence."""
    text = reading.tokens[i].text
    if not (text[:1].isupper() and text[1:].islower()):
        return False
    following = reading.tokens[i + 1].text if i + 1 < len(reading.tokens) else ""
    return i > 0 or reading.text[0] == "|" or (following[:1].isupper() and following[1:].islower())


def are_rival_names(claim: Reading, i: int, sentence: Reading, j: int) -> bool:
    """Return True if two words are names, begin alike, and are not forms of one name.

    >>> are_rival_names(Reading("Marek Holt"), 0, Reading("Maren Holt"), 0)
    True
    """
    mine, theirs = _plain(claim, i), _plain(sentence, j)
    return (
        is_name(claim, i)
        and is_name(sentence, j)
        and shared_prefix(mine, theirs) >= _LEAST_SHARED
        and not may_be_one_name(claim, i, sentence, j)
    )


def may_be_one_name(claim: Reading, i: int, sentence: Reading, j: int) -> bool:
    """Return True if two names are the same, inflected, an adjective of one another or spelled otherwise."""
    if are_synonyms(claim.tokens[i].key, sentence.tokens[j].key):
        return True
    mine, theirs = _plain(claim, i), _plain(sentence, j)
    if _DOUBLED.sub(r"\1", mine) == _DOUBLED.sub(r"\1", theirs):
        return True
    shared = shared_prefix(mine, theirs)
    tails = mine[shared:], theirs[shared:]
    if shared < _LEAST_SHARED:
        return False
    if _POSSESSIVES.issuperset(tails):
        return True
    if any(a in _PLACES and b in _DEMONYMS for a, b in (tails, tails[::-1])):
        return True
    inflects = claim.language not in _UNINFLECTED and not (claim.text.isascii() and sentence.text.isascii())
    return inflects and max(map(len, tails)) <= _MAX_INFLECTED


_UNINFLECTED = frozenset("en de fr es it pt nl".split())


def _plain(reading: Reading, i: int) -> str:
    return fold_characters(reading.tokens[i].text).split("'")[0]
