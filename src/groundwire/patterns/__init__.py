"""The one table of patterns for personal data and secrets: live redaction and the offline grader share it.

In goes a text, out come kinds and ranges (code points, end exclusive); never a value. Stdlib only, so that
a decorated function can redact without the offline side. Every recognizer is guarded by a cheap test and
linear in the text. It deliberately does not know what may be said to whom (origin, allowlists, documentation
values are the grader's), names and street addresses (they need a model), nor numbering plans of countries.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator

from groundwire.errors import ConfigError
from groundwire.patterns.addresses import find_emails, find_ips
from groundwire.patterns.credentials import find_secrets
from groundwire.patterns.kinds import Match
from groundwire.patterns.numbers import find_cards, find_ibans, find_runs, find_ssns
from groundwire.patterns.phones import find_phones

__all__ = ["KINDS", "Match", "find_matches", "parse_kinds"]

KINDS: tuple[str, ...] = ("secret", "email", "iban", "card", "ssn", "ip", "phone")
"""Every kind, in the order in which a kind wins where two claim the same characters."""

_NAMES = {
    **{kind: kind for kind in KINDS},
    **{f"{kind}s": kind for kind in KINDS},
    "e-mail": "email",
    "mail": "email",
    "mails": "email",
    "api_key": "secret",
    "api_keys": "secret",
    "keys": "secret",
    "credit_card": "card",
    "credit_cards": "card",
    "telephone": "phone",
}
_ALL = frozenset(KINDS)
_NUMERIC = _ALL - {"secret", "email"}


def parse_kinds(names: str | Iterable[str]) -> frozenset[str]:
    """Return the kinds that ``names`` (a list, or a comma-separated text) stand for; ``all`` is every kind.

    Plurals and a few other names are understood. Raises ConfigError on any other name.

    >>> sorted(parse_kinds("secrets,cards"))
    ['card', 'secret']
    """
    words = names.split(",") if isinstance(names, str) else names
    kinds: set[str] = set()
    for word in (word.strip().lower() for word in words):
        if word == "all":
            kinds |= _ALL
        elif word in _NAMES:
            kinds.add(_NAMES[word])
        elif word:
            raise ConfigError(
                "unknown kind of personal data", expected=", ".join([*KINDS, "all"]), got=repr(word)
            )
    return frozenset(kinds)


def find_matches(text: str, kinds: Collection[str] | None = None) -> list[Match]:
    """Return what ``text`` holds of ``kinds`` (None: of every kind), by position, without overlaps.

    ``kinds`` holds names of :data:`KINDS`; :func:`parse_kinds` reads a setting. A range is in code points,
    end exclusive, and covers the value alone (of ``password: x7…`` the value, not the word).

    >>> find_matches("Write to ada@example.org or call +44 20 7946 0958.")
    [Match(kind='email', start=9, end=24), Match(kind='phone', start=33, end=49)]
    """
    found = list(_find_all(text, _ALL if kinds is None else frozenset(kinds)))
    return found if len(found) < 2 else _settle(found)


def _find_all(text: str, kinds: frozenset[str]) -> Iterator[Match]:
    if "secret" in kinds:
        yield from find_secrets(text)
    if "email" in kinds and "@" in text:
        yield from find_emails(text)
    if kinds & _NUMERIC:
        yield from _find_numeric(text, kinds)


def _find_numeric(text: str, kinds: frozenset[str]) -> Iterator[Match]:
    if "ip" in kinds:
        yield from find_ips(text)
    runs = find_runs(text)
    if not runs:
        return
    if "iban" in kinds:
        yield from find_ibans(text)
    if "card" in kinds:
        yield from find_cards(text, runs)
    if "ssn" in kinds:
        yield from find_ssns(text)
    if "phone" in kinds:
        yield from find_phones(text, runs)


def _settle(found: list[Match]) -> list[Match]:
    """Keep, where ranges overlap, the kind that stands first in KINDS; then sort by position."""
    kept: list[Match] = []
    last_end = 0
    for match in sorted(found, key=lambda m: (m.start, KINDS.index(m.kind), -m.end)):
        if match.start >= last_end:
            kept.append(match)
        elif KINDS.index(match.kind) < KINDS.index(kept[-1].kind):
            kept[-1] = match
        last_end = kept[-1].end
    return kept
