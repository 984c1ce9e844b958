"""Words that count as the same although their keys differ: related forms, synonyms, joined words."""

from __future__ import annotations

import itertools
from functools import cache

from groundwire.text.claims import NUMBER, ClaimWords
from groundwire.text.reading import Reading
from groundwire.text.synonyms import PHRASES, SYNONYMS
from groundwire.text.vocabulary import VOCABULARY
from groundwire.text.words import key_of, word_key

MIN_PREFIX = 5
MAX_TAIL = 3


def similar_codes(claim: ClaimWords, i: int, joined: str) -> tuple[str, ...]:
    """Return the codes in ``joined`` that may stand for word ``i`` of the claim, which itself does not."""
    key = claim.tokens[i].key
    if claim.kinds[i] == NUMBER and key[:1] == "#":
        return _rounded(key, joined)
    if claim.kinds[i] == NUMBER and claim.tokens[i].text[-1:] == ")":
        return _parts_of(key, joined)
    found = [code for code in _related(key) if code in joined]
    found += [code for code in map(_known_code, _synonyms().get(key, ())) if code and code in joined]
    phrases = read_phrases(claim.reading)
    if i in phrases:
        found += [code for code in map(_known_code, phrases[i]) if code and code in joined]
    found += _joined_pairs(claim, i, joined)
    return tuple(dict.fromkeys(found))


def _parts_of(key: str, joined: str) -> tuple[str, ...]:
    """Return the codes of the parts of a numbered section: that of ``14(2)(b)`` for ``14(2)``."""
    keys = VOCABULARY.keys_by_code
    return tuple(code for code in sorted(set(joined)) if keys.get(code, "").startswith(f"{key}."))


def are_similar(key: str, other: str) -> bool:
    """Return True if two word keys are synonyms or forms of one word.

    >>> are_similar("close", "shut"), are_similar("close", "open")
    (True, False)
    """
    if are_synonyms(key, other) or (key[:1].isdigit() and other.startswith(f"{key}.")):
        return True
    shared = shared_prefix(key, other)
    return shared >= 4 and max(len(key), len(other)) - shared <= MAX_TAIL


def are_synonyms(key: str, other: str) -> bool:
    """Return True if two word keys stand in one group of synonyms."""
    return other in _synonyms().get(key, ())


def _related(key: str) -> list[str]:
    """Codes of words that share a beginning of five letters or more, with short endings."""
    if len(key) < MIN_PREFIX or not key.isalpha():
        return []
    related = []
    for code in VOCABULARY.family.get(key[:MIN_PREFIX], ""):
        other = VOCABULARY.keys_by_code[code]
        shared = shared_prefix(key, other)
        if max(len(key), len(other)) - shared <= MAX_TAIL and other != key and other.isalpha():
            related.append(code)
    return related


def shared_prefix(a: str, b: str) -> int:
    """Return how many characters two words begin with in common."""
    count = 0
    for x, y in zip(a, b, strict=False):
        if x != y:
            break
        count += 1
    return count


@cache
def _synonyms() -> dict[str, tuple[str, ...]]:
    table: dict[str, set[str]] = {}
    for group in SYNONYMS:
        keys = {word_key(word) for word in group}
        for key in keys:
            table.setdefault(key, set()).update(keys - {key})
    return {key: tuple(sorted(others)) for key, others in table.items()}


def read_phrases(reading: Reading) -> dict[int, tuple[str, ...]]:
    """Return, by the place of its first word, the keys of what a phrase of two words may stand for."""
    known: dict[int, tuple[str, ...]] | None = reading.memo.get("phrases")
    if known is None:
        known = reading.memo["phrases"] = {}
        if not _SECOND.isdisjoint(reading.words):
            for i, (token, second) in enumerate(zip(reading.tokens, reading.words[1:], strict=False)):
                if second in _SECOND:
                    keys = _phrases().get(token.key, {}).get(second, ())
                    known.update({i: keys} if keys else {})
    return known


_SECOND = frozenset(second for _, second in PHRASES)


@cache
def _phrases() -> dict[str, dict[str, tuple[str, ...]]]:
    """Return, by the key of a phrase's first word and its second word, the keys of what it may stand for."""
    table: dict[str, dict[str, tuple[str, ...]]] = {}
    for (first, second), words in PHRASES.items():
        table.setdefault(word_key(first), {})[second] = tuple(map(word_key, words))
    return table


def _known_code(key: str) -> str | None:
    return VOCABULARY.codes.get(key)


def _joined_pairs(claim: ClaimWords, i: int, joined: str) -> list[str]:
    """``day care`` for ``daycare`` and the other way round, ``PlayStation 3`` for ``PlayStation3``."""
    found = []
    codes = VOCABULARY.codes
    texts = [token.text.lower() for token in claim.tokens[max(0, i - 1) : i + 2]]
    for pair in itertools.pairwise(texts):
        code = codes.get(key_of("".join(pair)))
        if code is not None and code in joined:
            found.append(code)
    word = claim.tokens[i].text.lower()
    stem = word.rstrip("0123456789")
    if 3 <= len(stem) < len(word):
        left, right = codes.get(key_of(stem)), codes.get("#" + word[len(stem) :])
        if left and right and left + right in joined:
            found.append(left)
    if len(word) >= 6 and word.isalpha():
        for cut in range(3, len(word) - 2):
            left = codes.get(key_of(word[:cut]))
            if left and left in joined:
                right = codes.get(key_of(word[cut:]))
                if right and left + right in joined:
                    found.append(left)
                    break
    return found


def _rounded(key: str, joined: str) -> tuple[str, ...]:
    """``#12.5`` is found as ``#12.48``: equal after rounding to the digits that the claim gives."""
    number = key[1:]
    if "." not in number or not number.replace(".", "").lstrip("-").isdigit():
        return ()
    return tuple(
        code
        for prefix in (number, number[:-1])
        for code in (VOCABULARY.codes.get("#" + prefix),)
        if code is not None and prefix == number and code in joined
    )
