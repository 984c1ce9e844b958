"""The commonest value read directly: a whole number in digits that counts a plain word (``8 people``)."""

from __future__ import annotations

from collections.abc import Sequence

from groundwire.text.bounds import relation_of
from groundwire.text.lexicon import MULTIPLIERS
from groundwire.text.quantity import Quantity
from groundwire.text.units import CASED_UNITS, CURRENCIES, MONTHS, UNITS
from groundwire.text.vocabulary import CONTENT, kind_of
from groundwire.text.words import Token

_JOINERS = frozenset(
    "and of de to until till bis und au et al y a an in at out am pm p past after before minutes square cubic"
    " percent percentage point points hundred thousand dozen century uhr uur heure heures hora horas ore h or"
    " half quarter third thirds".split()
)
_TELLING = frozenset({*_JOINERS, *MONTHS, *MULTIPLIERS, *UNITS, *CASED_UNITS, *CURRENCIES})
"""Words that may make more than a plain number of the digits before them."""
MAX_DIGITS = 15
_ENDS = frozenset(("", ".", "!", "?"))


def read_plain_number(text: str, tokens: Sequence[Token], i: int) -> Quantity | None:
    """Return the number at ``i``, or None where its surroundings may make it anything else."""
    token, at = tokens[i], i + 1
    digits, start, end = token.text, token.start, token.end
    if len(digits) > MAX_DIGITS or not digits.isdecimal() or not digits.isascii():
        return None
    if at == len(tokens):
        if text[end:] not in _ENDS:
            return None
        key = ""
    else:
        following = tokens[at]
        word, key = following.text, following.key
        if following.start != end + 1 or text[end] != " " or not (word.isascii() and word.isalpha()):
            return None
        if not word.islower() or word in _TELLING:
            return None
    if start and not _stands_alone(text, start, tokens[i - 1]):
        return None
    noun = key if len(key) > 2 and kind_of(key) == CONTENT else ""
    significant = len(token.key[1:].lstrip("-0").rstrip("0")) or 1
    relation = relation_of(text, start, end)
    return Quantity("number", float(digits), "", start, end, i, i, noun, relation, significant)


def _stands_alone(text: str, start: int, before: Token) -> bool:
    """Return True if a plain word and a space stand before ``start``: no sign, symbol or currency code."""
    return text[start - 1] == " " and text[max(0, start - 2)].isalnum() and not before.text.isupper()
