"""Which words of a claim stand where in a sentence, and which are opposites in the same slot."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache, lru_cache
from typing import NamedTuple

from groundwire.text.lexicon import ANTONYMS, QUANTIFIERS_NONE
from groundwire.text.reading import Reading
from groundwire.text.similar import read_phrases
from groundwire.text.words import word_key


class Alignment(NamedTuple):
    """Pairs (word of the claim, word of the sentence) that are the same, in the claim's order."""

    pairs: tuple[tuple[int, int], ...]
    coverage: float


def align_words(
    claim: Reading,
    sentence: Reading,
    forms: Sequence[tuple[str, ...]],
    indices: Sequence[int],
    weights: Sequence[float],
) -> Alignment:
    """Pair the words ``indices`` of the claim with words of the sentence, keeping order where both can."""
    places = sentence.places
    pairs: list[tuple[int, int]] = []
    used: set[int] = set()
    found = total = 0.0
    last = -1
    for i in indices:
        total += weights[i]
        options = [j for code in forms[i] if code in places for j in places[code] if j not in used]
        if not options:
            continue
        j = options[0]
        if len(options) > 1:
            after = [j for j in options if j > last]
            j = min(after) if after else min(options, key=lambda j: abs(j - last))
        used.add(j)
        last = j
        found += weights[i]
        pairs.append((i, j))
    share = len(pairs) / len(indices) if indices else 0.0
    return Alignment(tuple(pairs), max(share, found / total if total else 0.0))


@cache
def _opposites() -> dict[str, frozenset[str]]:
    table: dict[str, set[str]] = {}
    for a, b in ANTONYMS:
        for x, y in ((a, b), (b, a)):
            table.setdefault(word_key(x), set()).add(word_key(y))
    return {key: frozenset(others) for key, others in table.items()}


_AROUND = frozenset(("before", "after"))
_PREFIXES = ("un", "non", "dis", "in", "im", "ir", "il", "de", "mis")


def find_opposite(claim: Reading, sentence: Reading, aligned: Alignment) -> tuple[int, int] | None:
    """Return a pair of opposite words in the same slot, neither of which the other text holds."""
    phrases = read_phrases(sentence)
    if _all_opposites(claim).isdisjoint(sentence.keys.union(*phrases.values()) if phrases else sentence.keys):
        return None
    mine, theirs = set(claim.codes), set(sentence.codes)
    partners = dict(aligned.pairs)
    places: dict[str, list[int]] = {}
    for j, other in enumerate(sentence.tokens):
        if sentence.codes[j] not in mine and j not in sentence.negators:
            for key in (other.key, *phrases.get(j, ())):
                places.setdefault(key, []).append(j)
    own_phrases = read_phrases(claim)
    for i, token in enumerate(claim.tokens):
        opposites = _opposites_of(token.key)
        if i in own_phrases:
            opposites = opposites.union(*map(_opposites_of, own_phrases[i]))
        if opposites.isdisjoint(places):
            continue
        if token.key in _AROUND and any(w.startswith(token.key) for w in sentence.words):
            continue
        if claim.codes[i] in theirs or i in claim.negators or claim.words[i] in QUANTIFIERS_NONE:
            continue
        for j in sorted(j for key in opposites for j in places.get(key, ())):
            if "free" in (token.key, sentence.tokens[j].key) and (_is_gratis(claim) or _is_gratis(sentence)):
                continue
            if (
                is_same_slot(i, j, partners, len(claim.tokens), len(sentence.tokens))
                or (_is_predicate(claim, i) and _is_predicate(sentence, j))
                or _is_only_difference(claim, sentence, partners, i, j)
            ):
                return i, j
    return None


def _all_opposites(claim: Reading) -> frozenset[str]:
    """Return the keys that may stand for the opposite of any word of a claim."""
    known: frozenset[str] | None = claim.memo.get("opposites")
    if known is None:
        keys = claim.keys.union(*read_phrases(claim).values())
        known = claim.memo["opposites"] = frozenset().union(*map(_opposites_of, keys))
    return known


@lru_cache(maxsize=20_000)
def _opposites_of(key: str) -> frozenset[str]:
    """Return the keys that may stand for the opposite of a word: from the table, and by negating prefixes."""
    longer = {prefix + key for prefix in _PREFIXES} if len(key) >= 4 else set()
    shorter = {key[len(p) :] for p in _PREFIXES if key.startswith(p) and len(key) - len(p) >= 4}
    return _opposites().get(key, frozenset()) | longer | shorter


def _is_gratis(reading: Reading) -> bool:
    """Return True if a text says by a negation that something is free (``costs nothing``, ``no fee``)."""
    words = reading.words
    return "nothing" in words or any(
        word == "no" and not _PRICES.isdisjoint(words[i + 1 : i + 3]) for i, word in enumerate(words)
    )


_PRICES = frozenset("cost costs fee fees charge charges payment price toll fare".split())


_BE = frozenset("is are was were be been being remains remain stays stay".split())


def _is_predicate(reading: Reading, i: int) -> bool:
    return i > 0 and reading.words[i - 1] in _BE


def _is_only_difference(claim: Reading, sentence: Reading, partners: dict[int, int], i: int, j: int) -> bool:
    """Return True if ``i`` and ``j`` are the only words that say something and have no partner."""
    taken = set(partners.values())
    mine = [k for k in claim.content if k not in partners]
    theirs = [k for k in sentence.content if k not in taken]
    return mine == [i] and theirs == [j] and len(partners) >= 2


def is_same_slot(i: int, j: int, partners: dict[int, int], count: int, others: int) -> bool:
    """Return True if the nearest paired words on a side of ``i`` stand near ``j`` on the same side."""
    left = next((partners[k] for k in range(i - 1, max(-1, i - 5), -1) if k in partners), None)
    right = next((partners[k] for k in range(i + 1, min(count, i + 5)) if k in partners), None)
    if left is not None and 0 < j - left <= 4:
        return True
    if right is not None and 0 < right - j <= 4:
        return True
    return left is None and right is None and count <= 3 and others <= 12
