"""Codes, part numbers and versions: do they stand somewhere, as written and beside what they belong to?"""

from __future__ import annotations

import re
from collections.abc import Sequence

from groundwire.text.claims import NUMBER
from groundwire.text.numerals import ROMAN
from groundwire.text.quantity import Quantity
from groundwire.text.reading import Reading
from groundwire.text.support import ClaimSupport

_LONG = re.compile(r"\+?\d(?:[ \u00a0./()–-]{0,2}\d){6,20}")
"""A number to call or to file under, however its digits are grouped."""
_VERSIONED = frozenset("version versions v release python firmware python3 php node java ios android".split())


def has_absent_identifier(support: ClaimSupport) -> bool:
    """Return True if a part number, a code or a date as written stands nowhere."""
    claim = support.claim
    return any(claim.kinds[i] == NUMBER and claim.tokens[i].key[:1] != "#" for i in support.absent)


def exchanges_identifiers(
    claim: Reading, support: ClaimSupport, sentences: Sequence[tuple[int, Reading]]
) -> int | None:
    """Return the sentence in which two identifiers of the claim belong to others, or None.

    ``Model A-1 needs 3.1.2`` against ``Model A-1 needs 3.2.1; model A-2 needs 3.1.2``.
    """
    mine = [i for i, kind in enumerate(support.claim.kinds) if kind == NUMBER and _is_identifier(claim, i)]
    if len(mine) != 2 or len(claim.codes) != len(support.claim.codes):
        return None
    for at, sentence in sentences:
        a, b = (sentence.codes.find(claim.codes[i]) for i in mine)
        if a < 0 or b < 0 or sentence.clause[a] == sentence.clause[b]:
            continue
        if all(_has_other(sentence, place, {claim.codes[i] for i in mine}) for place in (a, b)):
            return at
    return None


def lends_description(
    claim: Reading, support: ClaimSupport, sentences: Sequence[tuple[int, Reading]]
) -> int | None:
    """Return the sentence that says of another identifier what the claim says of its own, or None.

    ``E4: the door is open`` of ``E4: the filter is blocked. E7: the door is open.``
    """
    mine = [i for i, kind in enumerate(support.claim.kinds) if kind == NUMBER and _is_identifier(claim, i)]
    rest = [i for i in support.claim.content if i not in mine]
    if len(mine) != 1 or len(rest) < 2 or support.absent:
        return None
    code = claim.codes[mine[0]]
    own = [at for at, sentence in sentences if code in sentence.codes]
    for at, sentence in sentences:
        others = [j for j in sentence.content if _is_identifier(sentence, j) and _has_digit(sentence, j)]
        if code in sentence.codes or not others or not own:
            continue
        shares = [sum(form in sentence.codes for form in support.forms[k]) for k in rest]
        if all(shares):
            return at
    return None


def _has_digit(reading: Reading, i: int) -> bool:
    return any(c.isdigit() for c in reading.tokens[i].text)


def _is_identifier(reading: Reading, i: int) -> bool:
    key = reading.tokens[i].key
    return key[:1] != "#" or key.count(".") > 1


def _has_other(sentence: Reading, place: int, mine: set[str]) -> bool:
    """Return True if the clause of a word holds an identifier that the claim has not."""
    return any(
        sentence.clause[j] == sentence.clause[place]
        and code not in mine
        and any(c.isdigit() for c in sentence.tokens[j].text)
        and _is_identifier(sentence, j)
        for j, code in enumerate(sentence.codes)
    )


def differs_in_version(claim: Reading, sentences: Sequence[tuple[int, Reading]]) -> int | None:
    """Return the sentence that has another version with the same value (``4.10`` for ``4.1``), or None."""
    for i, token in enumerate(claim.tokens):
        if not i or claim.words[i - 1] not in _VERSIONED or "." not in token.text:
            continue
        for at, sentence in sentences:
            texts = {t.text for t in sentence.tokens if t.key == token.key and "." in t.text}
            if texts and token.text not in texts:
                return at
    return None


def differs_in_numeral(claim: Reading, sentences: Sequence[tuple[int, Reading]]) -> int | None:
    """Return the sentence that has another Roman numeral after the same word, or None.

    ``Annex VI`` against ``Annex IV``.
    """
    mine = _numerals(claim) if any(token.text in ROMAN for token in claim.tokens) else {}
    for at, sentence in sentences if mine else ():
        theirs = _numerals(sentence)
        for word, numerals in mine.items():
            if word in theirs and numerals.isdisjoint(theirs[word]):
                return at
    return None


def _numerals(reading: Reading) -> dict[str, set[str]]:
    """Return the Roman numerals of a text by the word before each."""
    found: dict[str, set[str]] = {}
    for i, token in enumerate(reading.tokens):
        if i and (token.text in ROMAN or token.text in ("I", "V", "X")):
            found.setdefault(reading.tokens[i - 1].key, set()).add(token.text)
    return found


def words_of_same_digits(
    quantity: Quantity, claim: Reading, sentences: Sequence[tuple[int, Reading]]
) -> list[int]:
    """Return the words of the long number that a value is a part of, if a sentence has the same digits.

    ``+442079460991`` is ``+44 20 7946 0991``.
    """
    long = next((m for m in _LONG.finditer(claim.text) if m.start() <= quantity.start < m.end()), None)
    if long is None:
        return []
    digits = _digits(long[0])
    if not any(_digits(m[0]) == digits for _, s in sentences for m in _LONG.finditer(s.text)):
        return []
    return [i for i, token in enumerate(claim.tokens) if long.start() <= token.start < long.end()]


def _digits(text: str) -> str:
    return "".join(filter(str.isdecimal, text))
