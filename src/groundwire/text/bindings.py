"""Does a value that the sources hold belong there to what the claim says it belongs to?"""

from __future__ import annotations

import re
from collections.abc import Sequence

from groundwire.text.amounts import DIFFERENT, EQUAL
from groundwire.text.characters import is_unspaced
from groundwire.text.claims import NUMBER
from groundwire.text.clauses import subject_of
from groundwire.text.corpus import Corpus
from groundwire.text.finding import Conflict
from groundwire.text.ordering import side_in_time
from groundwire.text.quantity import Quantity
from groundwire.text.reading import Reading
from groundwire.text.similar import are_similar
from groundwire.text.support import ClaimSupport
from groundwire.text.vocabulary import CONTENT, VOCABULARY


def lent_by_other_source(
    quantity: Quantity,
    claim: Reading,
    support: ClaimSupport,
    corpus: Corpus,
    verdicts: Sequence[tuple[str, int, Reading, Quantity]],
) -> int | None:
    """Return the sentence with another value, if only the value stands in a source that lacks the rest.

    ``Unit B treats 900`` of ``Unit A … treats 900`` in one source and ``Unit B … treats 400`` in another.
    """
    equal = {corpus.origins[i][0] for verdict, i, *_ in verdicts if verdict == EQUAL}
    rivals = [
        i
        for verdict, i, _, q in verdicts
        if verdict == DIFFERENT and q.noun == quantity.noun and corpus.origins[i][0] not in equal
    ]
    if len(equal) != 1 or not rivals:
        return None
    said = [k for k in clause_content(claim, quantity, support) if support.forms[k]]
    said += [
        k
        for k in support.claim.content
        if support.claim.kinds[k] == NUMBER
        and _YEAR.fullmatch(claim.tokens[k].key)
        and not quantity.first <= k <= quantity.last
        and claim.clause[k] == claim.clause[quantity.first]
    ]
    lender = corpus.sources[next(iter(equal))].joined
    owner = corpus.sources[corpus.origins[rivals[0]][0]].joined
    missing = [k for k in said if not any(form in lender for form in support.forms[k])]
    held = all(any(form in owner for form in support.forms[k]) for k in said)
    return rivals[0] if missing and held else None


_YEAR = re.compile(r"#[12]\d{3}")
_BEFORE_IT = re.compile(r"\s*(?:before|prior to|ahead of|in advance of)\b", re.IGNORECASE)
_AFTER_IT = re.compile(r"\s*(?:after|from|following|of)\b", re.IGNORECASE)


def turns_anchor(
    quantity: Quantity, claim: Reading, verdicts: Sequence[tuple[str, int, Reading, Quantity]]
) -> int | None:
    """Return the sentence that counts a time after what the claim counts it before, or the reverse."""
    if quantity.dimension not in ("duration", "months"):
        return None
    before, after = _BEFORE_IT.match(claim.text, quantity.end), _AFTER_IT.match(claim.text, quantity.end)
    if before is None and after is None:
        return None
    against = _AFTER_IT if before is not None else _BEFORE_IT
    equal = [(i, reading, q) for verdict, i, reading, q in verdicts if verdict == EQUAL]
    turned = [i for i, reading, q in equal if against.match(reading.text, q.end)]
    return turned[0] if turned and len(turned) == len(equal) else None


_RATE = re.compile(
    r"(?:\s+\w+){0,2}?\s+(?:a|an|per|each|every)\s+"
    r"(second|minute|hour|day|night|week|month|quarter|season|year|person|kilometer|kilogram|liter)\b",
    re.IGNORECASE,
)


def changes_rate(
    quantity: Quantity, claim: Reading, verdicts: Sequence[tuple[str, int, Reading, Quantity]]
) -> int | None:
    """Return the sentence that has the value per another unit (``a day``, not ``a week``)."""
    mine = _RATE.match(claim.text, quantity.end)
    if mine is None:
        return None
    equal = [(i, _RATE.match(reading.text, q.end)) for v, i, reading, q in verdicts if v == EQUAL]
    if not equal or any(rate is None or rate[1].lower() == mine[1].lower() for _, rate in equal):
        return None
    return equal[0][0]


_CHANGES = frozenset(
    "fell fall falls fallen dropped drop drops sank shrank declined decreased reduced cut lowered rose rise"
    " rises risen grew grow grown increased increase climbed raised jumped".split()
)


def confuses_change(
    quantity: Quantity, claim: Reading, verdicts: Sequence[tuple[str, int, Reading, Quantity]]
) -> int | None:
    """Return the sentence in which something changes *to* the value by which it changes in the claim."""
    mine = _way_of_change(claim, quantity)
    if mine is None:
        return None
    equal = [(i, _way_of_change(reading, q)) for v, i, reading, q in verdicts if v == EQUAL]
    is_other = equal and all(theirs not in (mine, None) for _, theirs in equal)
    return equal[0][0] if is_other else None


def _way_of_change(reading: Reading, quantity: Quantity) -> str | None:
    """Return *to* or *by* where it stands between a verb of change and a value."""
    before = reading.words[max(0, quantity.first - 5) : quantity.first]
    ways = [word for word in before[-2:] if word in ("to", "by")]
    return None if not ways or _CHANGES.isdisjoint(before) else ways[-1]


def counts_other(quantity: Quantity, verdicts: Sequence[tuple[str, int, Reading, Quantity]]) -> int | None:
    """Return the sentence that has the number for other things, and another number for those of the claim."""
    if not quantity.noun or quantity.dimension != "number":
        return None
    equal = [(i, q) for verdict, i, _, q in verdicts if verdict == EQUAL and q.dimension == "number"]
    if not equal or not all(q.noun and not are_similar(q.noun, quantity.noun) for _, q in equal):
        return None
    held = {i for i, _ in equal}
    rivals = [i for v, i, _, q in verdicts if v == DIFFERENT and q.noun == quantity.noun and i in held]
    return rivals[0] if rivals else None


def check_binding(
    quantity: Quantity,
    claim: Reading,
    support: ClaimSupport,
    verdicts: Sequence[tuple[str, int, Reading, Quantity]],
) -> Conflict | None:
    """The value stands there: but does it belong to what the claim says it belongs to?"""
    mine = clause_content(claim, quantity, support)
    if not mine:
        return None
    inside = range(quantity.first, quantity.last + 1)
    numbers = [k for k in support.claim.content if support.claim.kinds[k] == NUMBER and k not in inside]
    row = _find_foreign_row(mine + numbers, verdicts, support)
    if row is not None:
        return Conflict("binding", row)
    best_equal, best_other, where = -1.0, -1.0, None
    held = {(i, reading.clause[q.first]) for verdict, i, reading, q in verdicts if verdict == EQUAL}
    sides = {side_in_time(reading, clause) for _, i, reading, q in verdicts for j, clause in held if i == j}
    side = side_in_time(claim, None)
    if side is not None and None not in sides and len(sides) == 1:
        return None if side in sides else Conflict("binding", next(i for i, _ in held))
    for verdict, i, reading, q in verdicts:
        if verdict not in (EQUAL, DIFFERENT):
            continue
        covered = _clause_coverage(mine, reading, q, support)
        if verdict == EQUAL:
            if not _has_other_owner({claim.codes[k] for k in mine}, reading, q):
                return None
            best_equal = max(best_equal, covered)
        elif (i, reading.clause[q.first]) not in held and covered > best_other and _is_rival(quantity, q):
            best_other, where = covered, i
    total = sum(support.claim.rarities[k] for k in mine)
    if best_other >= best_equal + 0.4 and best_other >= 0.35 * total:
        return Conflict("binding", where)
    return None


def _has_other_owner(mine: set[str], reading: Reading, q: Quantity) -> bool:
    """Return True if the clause of the value speaks of something that the claim's clause does not."""
    clause = reading.clause[q.first]
    inside = range(q.first, q.last + 1)
    return any(
        reading.codes[j] not in mine
        for j in reading.content
        if reading.clause[j] == clause and j not in inside and not reading.tokens[j].key.startswith("#")
    )


def _find_foreign_row(
    mine: list[int], verdicts: Sequence[tuple[str, int, Reading, Quantity]], support: ClaimSupport
) -> int | None:
    """Return a table row that holds the value but nothing of what the claim ties it to, if all do so."""
    rows = [(i, reading) for verdict, i, reading, _ in verdicts if verdict == EQUAL]
    if not rows or not all("|" in reading.text for _, reading in rows):
        return None
    for _, reading in rows:
        if any(form in reading.codes for k in mine for form in support.forms[k]):
            return None
        if not any(VOCABULARY.kind[code] == CONTENT for code in reading.codes):
            return None
    return rows[0][0]


def _is_rival(quantity: Quantity, other: Quantity) -> bool:
    if quantity.dimension == "number":
        same_kind = (1000 <= quantity.value <= 2999) == (1000 <= other.value <= 2999)
        return same_kind and quantity.noun == other.noun and other.relation == quantity.relation
    return other.relation == quantity.relation


def clause_content(reading: Reading, quantity: Quantity, support: ClaimSupport) -> list[int]:
    """Indices of the claim's words that say what the value belongs to."""
    clause = reading.clause[quantity.first]
    inside = set(range(quantity.first, quantity.last + 1))
    noun = quantity.last + 1 if quantity.noun else -1
    own = [k for k in support.claim.content if reading.clause[k] == clause and k not in inside and k != noun]
    own = [k for k in own if support.claim.kinds[k] != NUMBER]
    if clause and _lacks_subject(reading, clause, quantity.first):
        own += [k for k in subject_of(reading) if k in support.claim.content and k not in inside]
    return own


def _lacks_subject(reading: Reading, clause: int, until: int) -> bool:
    """Return True if a clause takes its subject from the first one (``and closes at six``)."""
    if is_unspaced(reading.text[:1]):
        return True
    inside = [k for k in range(until) if reading.clause[k] == clause]
    words = [reading.words[k] for k in inside if reading.words[k] not in ("and", "but", "or")]
    if any(w in ("the", "a", "an", "his", "her", "its", "their") for w in words[:1]):
        return False
    content = [k for k in inside if k in reading.content]
    return len(content) <= 1 and not any(reading.tokens[k].text[:1].isupper() for k in content)


def _clause_coverage(mine: list[int], reading: Reading, q: Quantity, support: ClaimSupport) -> float:
    clause = reading.clause[q.first]
    codes = {reading.codes[j] for j in range(len(reading.codes)) if reading.clause[j] == clause}
    if clause and _lacks_subject(reading, clause, q.first):
        codes |= {reading.codes[j] for j in subject_of(reading)}
    return sum(support.claim.rarities[k] for k in mine if any(form in codes for form in support.forms[k]))
