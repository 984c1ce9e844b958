"""Personal data in a text: what the pattern table finds, made comparable, with published samples marked.

Values are compared in a canonical form (digits only, upper or lower case, NFKC, without invisible
characters), so that ``+44 20 7946 0958`` in an answer is found as ``+44 (0)20 7946-0958`` in a source. A
canonical form is a value: callers compare it and let it go.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection, Iterator, Sequence
from functools import cache
from importlib import import_module
from ipaddress import ip_address
from typing import Any, NamedTuple

from groundwire.errors import ConfigError, MissingExtraError
from groundwire.patterns import Match, find_matches
from groundwire.patterns.kinds import parse_context
from groundwire.patterns.numbers import find_runs
from groundwire.text.personal_samples import is_sample

_ODD = re.compile(
    "[\u00ad\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2064\ufeff\uff01-\uff5e\u0660-\u0669\u06f0-\u06f9\u0966-\u096f\u2010-\u2015\u2212\u00a0\u2007\u202f]"
)
_DROPPED = frozenset(
    "\u00ad\u061c\u180e\u200b\u200c\u200d\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2060\u2061\u2062\u2063\u2064\ufeff"
)
_DASHES = frozenset("\u2010\u2011\u2012\u2013\u2014\u2015\u2212")


class PersonalDatum(NamedTuple):
    """One value: its ``kind``, its range in the text (code points, end exclusive), its ``canonical`` form
    (the value itself: never to be stored or shown) and whether it is a published sample."""

    kind: str
    start: int
    end: int
    canonical: str
    is_sample: bool


def find_personal_data(
    text: str,
    kinds: Collection[str] | None = None,
    *,
    region: str | None = None,
    national_ids: Sequence[str] = (),
) -> list[PersonalDatum]:
    """Return the personal data in ``text``, by position.

    ``kinds`` as in :func:`groundwire.patterns.find_matches`. ``region`` (ISO 3166, as ``"DE"``) adds the
    national phone numbers of that region by its numbering plan; ``national_ids`` names identity numbers of
    python-stdnum to look for (``"nl.bsn"``), found as kind ``national_id``.

    >>> [(d.kind, d.is_sample) for d in find_personal_data("ada@example.com, ada@lovelace.net")]
    [('email', True), ('email', False)]
    """
    prepared = PlainText(text)
    plain = prepared.plain
    found = find_matches(plain, kinds)
    if region is not None and (kinds is None or "phone" in kinds):
        found += _find_regional_phones(plain, region, found)
    if national_ids:
        kept = [match for match in found if match.kind != "phone"]
        ids = list(_find_national_ids(plain, national_ids, kept))
        found = ids + [match for match in found if not _overlaps(ids, match.start, match.end)]
    return [_read_datum(prepared, match) for match in sorted(found, key=lambda match: match.start)]


def _read_datum(prepared: PlainText, match: Match) -> PersonalDatum:
    canonical = read_canonical(match.kind, prepared.plain[match.start : match.end])
    start, end = prepared.raw_range(match.start, match.end)
    return PersonalDatum(match.kind, start, end, canonical, is_sample(match.kind, canonical))


class PlainText:
    """A text without invisible characters and with plain digits, made once to be searched many times.

    ``offsets`` holds each character's raw offset, None where the text needed no change.
    """

    __slots__ = ("offsets", "plain")

    def __init__(self, text: str) -> None:
        self.plain, self.offsets = _read_plain(text)

    def raw_range(self, start: int, end: int) -> tuple[int, int]:
        """Return the raw range of a range of the plain text."""
        return (start, end) if self.offsets is None else (self.offsets[start], self.offsets[end - 1] + 1)


def _read_plain(text: str) -> tuple[str, list[int] | None]:
    """Return ``text`` without invisible characters and with plain digits, and each character's raw offset."""
    if text.isascii() or not _ODD.search(text):
        return text, None
    characters: list[str] = []
    offsets: list[int] = []
    for place, char in enumerate(text):
        plain = char if char < "\x80" else _plain_character(char)
        characters.append(plain)
        offsets.extend([place] * len(plain))
    return "".join(characters), offsets


def _plain_character(char: str) -> str:
    if char in _DROPPED:
        return ""
    if char in _DASHES:
        return "-"
    value = unicodedata.decimal(char, None)
    if value is not None:
        return str(value)
    folded = unicodedata.normalize("NFKC", char)
    return folded if len(folded) == 1 else char


def read_canonical(kind: str, value: str) -> str:
    """Return the form in which two values of ``kind`` are compared.

    >>> read_canonical("phone", "+44 (0)20 7946-0958"), read_canonical("email", "Ada@Example.org")
    ('442079460958', 'ada@example.org')
    """
    if kind == "email":
        return value.casefold()
    if kind == "phone":
        number = re.split(r"(?i)[ ,]*(?:x|ext|#)", value)[0].replace("(0)", "")
        digits = "".join(filter(str.isdigit, number))
        return digits[2:] if digits.startswith("00") else digits
    if kind == "ip":
        return ip_address(value).compressed
    if kind == "secret":
        return value
    return "".join(filter(str.isalnum, value)).upper()


_PHONE_TAIL = 9


def _value_pattern(kind: str, canonical: str) -> re.Pattern[str]:
    """Return the pattern of a canonical value as it may stand in another text."""
    if kind in ("email", "secret"):
        return re.compile(
            rf"(?<![\w.+-]){re.escape(canonical)}(?![\w-])", re.I if kind == "email" else re.NOFLAG
        )
    if kind == "ip":
        return re.compile(rf"(?<![\w.:]){re.escape(canonical)}(?![\w:])", re.I)
    wanted, before = canonical, r"(?<![0-9A-Za-z])"
    if kind == "phone" and len(canonical) > _PHONE_TAIL:
        wanted, before = canonical[-_PHONE_TAIL:], ""
    digits = r"[ \-.()/\u00a0]{0,3}".join(map(re.escape, wanted))
    return re.compile(before + digits + r"(?![0-9A-Za-z])", re.I)


def locate_value(datum: PersonalDatum, text: str | PlainText) -> tuple[int, int] | None:
    """Return where ``text`` holds the value of ``datum``, however it is written there, or None.

    Phone numbers are the same when their last nine digits are.

    >>> datum, = find_personal_data("Call +44 20 7946 0958.")
    >>> locate_value(datum, "Reception: 020 7946 0958")
    (13, 24)
    """
    prepared = PlainText(text) if isinstance(text, str) else text
    found = _value_pattern(datum.kind, datum.canonical).search(prepared.plain)
    return None if found is None else prepared.raw_range(*found.span())


def _find_regional_phones(text: str, region: str, found: Sequence[Match]) -> list[Match]:
    try:
        import phonenumbers
    except ImportError as missing:  # pragma: no cover - [score] brings it
        raise MissingExtraError.of("score", module="phonenumbers") from missing
    if region not in phonenumbers.SUPPORTED_REGIONS:
        raise ConfigError("no such region", where="region", expected="a code such as 'DE'", got=repr(region))
    phones: list[Match] = []
    for run in find_runs(text):
        if run.end - run.start > 40 or _overlaps(found, run.start, run.end):
            continue
        said = parse_context(text, run.start, "phone")
        if said is False or (said is None and len(run.groups) == 1) or _is_embedded(text, run.start, run.end):
            continue
        for number in phonenumbers.PhoneNumberMatcher(text[run.start : run.end], region):
            phones.append(Match("phone", run.start + number.start, run.start + number.end))
    return phones


def _overlaps(found: Sequence[Match], start: int, end: int) -> bool:
    return any(match.start < end and start < match.end for match in found)


def _is_embedded(text: str, start: int, end: int) -> bool:
    before, after = text[max(0, start - 1) : start], text[end : end + 1]
    return (before.isalnum() or before in {".", "_", "-"}) or after.isalnum()


_ID_CANDIDATE = re.compile(r"(?<![\w.-])[A-Za-z]{0,3}[0-9](?:[ ./-]?[0-9A-Za-z]){5,17}(?![\w-])")
_ID_WORD = re.compile(
    r"\b(?:id|ids|identity|identification|number|no|nr|nhs|tax|taxpayer|bsn|pesel|cpf|dni|nie|aadhaar|insurance"
    r"|citizen|personal|social|security|steuer\w*|identifikation\w*|nummer|n[uú]mero|num[eé]ro|codice|fiscale)\W*$",
    re.I,
)


@cache
def _load_id(name: str) -> Any:
    try:
        module = import_module(f"stdnum.{name}")
    except ImportError as cause:
        mend = "Names are those of python-stdnum: 'gb.nhs', 'nl.bsn', 'de.idnr', …"
        raise ConfigError(
            "no such identity number", where="national_ids", got=repr(name), mend=mend
        ) from cause
    if not hasattr(module, "is_valid"):
        raise ConfigError("is no identity number", where="national_ids", got=repr(name))
    return module


def _find_national_ids(text: str, names: Sequence[str], found: Sequence[Match]) -> Iterator[Match]:
    modules = [_load_id(name) for name in names]
    for candidate in _ID_CANDIDATE.finditer(text):
        value, start = candidate[0], candidate.start()
        digits = [char for char in value if char.isdigit()]
        named = _ID_WORD.search(text[max(0, start - 40) : start]) is not None
        if (
            len(set(digits)) < 3
            or (value.isdigit() and not named)
            or _overlaps(found, start, candidate.end())
        ):
            continue
        if any(module.is_valid(value) for module in modules):
            yield Match("national_id", start, candidate.end())
