"""Numbers with a structure: payment cards, IBANs, US social security numbers; and the runs they stand in.

Everything starts from *runs*: digits with at most three separators between neighbors. One pass finds
them, and each recognizer looks at a bounded number of digits from each group on.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import accumulate
from typing import NamedTuple

from groundwire.patterns.kinds import Match, parse_context

_RUN = re.compile(r"[0-9](?:[ ().\-/\u00a0\u2010-\u2015]{0,3}[0-9])+")
_GROUP = re.compile(r"[0-9]+")


class Run(NamedTuple):
    """Digits with separators: range in the text, and the ranges of its digit groups."""

    start: int
    end: int
    groups: list[tuple[int, int]]


def find_runs(text: str, least_digits: int = 7) -> list[Run]:
    """Return the runs of at least ``least_digits`` digits, in order."""
    runs = []
    for found in _RUN.finditer(text):
        if found.end() - found.start() >= least_digits:
            groups = [group.span() for group in _GROUP.finditer(text, found.start(), found.end())]
            if sum(end - start for start, end in groups) >= least_digits:
                runs.append(Run(found.start(), found.end(), groups))
    return runs


_DOUBLED = {str(digit): digit * 2 % 10 + digit // 5 for digit in range(10)}


def is_luhn(digits: str) -> bool:
    """Tell whether the last of ``digits`` is their Luhn check digit.

    >>> is_luhn("4111111111111111"), is_luhn("4111111111111112")
    (True, False)
    """
    total = sum(map(int, digits[::-2])) + sum(map(_DOUBLED.__getitem__, digits[-2::-2]))
    return total % 10 == 0


_ISSUERS: tuple[tuple[int, int, frozenset[int]], ...] = tuple(
    (int(low.ljust(6, "0")), int(high.ljust(6, "9")), frozenset(lengths))
    for low, high, lengths in (
        ("4", "4", (13, 16, 19)),
        ("51", "55", (16,)),
        ("2221", "2720", (16,)),
        ("34", "34", (15,)),
        ("37", "37", (15,)),
        ("6011", "6011", range(16, 20)),
        ("644", "659", range(16, 20)),
        ("300", "305", range(14, 20)),
        ("36", "36", range(14, 20)),
        ("38", "39", range(14, 20)),
        ("3528", "3589", range(16, 20)),
        ("1800", "1800", (15,)),
        ("2131", "2131", (15,)),
        ("62", "62", range(16, 20)),
        ("2200", "2204", range(16, 20)),
        ("50", "50", range(12, 20)),
        ("56", "58", range(12, 20)),
        ("6304", "6304", range(12, 20)),
        ("6390", "6390", range(12, 20)),
        ("67", "67", range(12, 20)),
        ("60", "60", (16,)),
        ("81", "82", (16,)),
        ("9792", "9792", (16,)),
    )
)


def find_cards(text: str, runs: list[Run]) -> Iterator[Match]:
    """Yield card numbers: 12 to 19 digits with a right Luhn digit that are called a card, or fit an issuer.

    Without a word such as "card" before them the digits need a known issuer's prefix and length, and to be
    grouped like on a card or at least 15; a word such as "invoice" rules them out.
    """
    for run in runs:
        named = parse_context(text, run.start, "card")
        first = 0 if named is not False and run.end - run.start >= _LEAST_CARD else len(run.groups)
        while first < len(run.groups):
            taken = _card_groups(text, run, first, named=named is True)
            if taken:
                yield Match("card", run.groups[first][0], run.groups[first + taken - 1][1])
            first += taken or 1


_LEAST_CARD, _MOST_CARD, _MOST_GROUPS = 12, 19, 7
_CARD_GROUPS = ((4, 4, 4, 4, 3), (4, 4, 4, 4), (4, 6, 5), (4, 6, 4))
"""How the digits of a card are grouped, longest first."""


def _card_groups(text: str, run: Run, first: int, *, named: bool) -> int:
    """Return how many groups from ``first`` make a card number, 0 for none; the longest wins."""
    for count in _named_counts(run, first) if named else _unnamed_counts(run, first):
        digits = "".join([text[start:end] for start, end in run.groups[first : first + count]])
        if is_luhn(digits) and len(set(digits)) > 1 and (named or _has_issuer(digits)):
            return count
    return 0


def _named_counts(run: Run, first: int) -> Iterator[int]:
    """Yield the numbers of groups that hold 12 to 19 digits, the most first."""
    groups = run.groups[first : first + _MOST_GROUPS]
    totals = list(accumulate(end - start for start, end in groups))
    for count in range(len(groups), 0, -1):
        if _LEAST_CARD <= totals[count - 1] <= _MOST_CARD:
            yield count


def _unnamed_counts(run: Run, first: int) -> Iterator[int]:
    """Yield the numbers of groups that are grouped as on a card, or 1 for at least 15 digits in one."""
    start, end = run.groups[first]
    if end - start == _CARD_GROUPS[0][0]:
        lengths = tuple([end - start for start, end in run.groups[first : first + len(_CARD_GROUPS[0])]])
        yield from (len(shape) for shape in _CARD_GROUPS if lengths[: len(shape)] == shape)
    elif _LEAST_CARD + 2 < end - start <= _MOST_CARD:
        yield 1


def _has_issuer(digits: str) -> bool:
    head = int(digits[:6])
    return any(low <= head <= high and len(digits) in fits for low, high, fits in _ISSUERS)


_SSN = re.compile(r"(?<![\w.-])[0-9]{3}([-\u2010-\u2013 ]?)[0-9]{2}\1[0-9]{4}(?![\w-]|\.[0-9])")


def find_ssns(text: str) -> Iterator[Match]:
    """Yield US social security numbers by the rules of their parts; without hyphens only where named."""
    for found in _SSN.finditer(text):
        digits = "".join(filter(str.isdigit, found[0]))
        if digits[:3] in ("000", "666") or digits[0] == "9" or digits[3:5] == "00" or digits[5:] == "0000":
            continue
        said = parse_context(text, found.start(), "ssn")
        if said or (said is None and found[1] not in ("", " ")):
            yield Match("ssn", found.start(), found.end())


_IBAN_START = re.compile(r"(?<![A-Za-z0-9])[A-Za-z]{2}[0-9]{2}(?=[ \u00a0-]?[A-Za-z0-9])")
_IBAN_GAP = " \u00a0-"
_IBAN_LENGTHS = {
    country: length
    for length, countries in {
        15: "NO", 16: "BE", 18: "DK FI FO GL NL SD FK", 19: "MK SI", 20: "AT BA EE KZ LT LU MN XK",
        21: "CH HR LI LV", 22: "BG BH CR DE GB GE IE ME RS VA", 23: "AE GI IL IQ OM SO TL",
        24: "AD CZ ES MD PK RO SA SE SK TN VG", 25: "LY PT ST", 26: "IS TR", 27: "BI DJ FR GR IT MC MR SM",
        28: "AL AZ BY CY DO GT HU LB NI PL SV", 29: "BR EG PS QA UA", 30: "JO KW MU YE", 31: "MT SC",
        32: "LC", 33: "RU",
    }.items()
    for country in countries.split()
}  # fmt: skip


def find_ibans(text: str) -> Iterator[Match]:
    """Yield IBANs: a known country, its length, and the ISO 7064 mod 97 check."""
    for found in _IBAN_START.finditer(text):
        length = _IBAN_LENGTHS.get(found[0][:2].upper())
        end = _iban_end(text, found.start(), length) if length else 0
        if end:
            yield Match("iban", found.start(), end)


def _iban_end(text: str, start: int, length: int) -> int:
    """Return where ``length`` letters and digits end, 0 where they are not one IBAN."""
    taken, position = "", start
    while len(taken) < length and position < len(text):
        char = text[position]
        if char.isascii() and char.isalnum():
            taken += char
        elif char not in _IBAN_GAP or text[position - 1] in _IBAN_GAP:
            return 0
        position += 1
    open_ended = position < len(text) and text[position].isalnum()
    return 0 if len(taken) < length or open_ended or not is_mod_97(taken.upper()) else position


def is_mod_97(iban: str) -> bool:
    """Tell whether a compact upper-case IBAN's check digits are right.

    >>> is_mod_97("GB82WEST12345698765432"), is_mod_97("GB82WEST12345698765433")
    (True, False)
    """
    return int("".join(str(int(char, 36)) for char in iban[4:] + iban[:4])) % 97 == 1
