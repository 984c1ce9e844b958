"""Do the values and identifiers of a claim stand in the sources, and belong to the same things there?"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from functools import lru_cache

from msgspec.structs import replace

from groundwire.text.amounts import DIFFERENT, EQUAL, compare_quantities
from groundwire.text.bindings import (
    changes_rate,
    check_binding,
    clause_content,
    confuses_change,
    counts_other,
    lent_by_other_source,
    turns_anchor,
)
from groundwire.text.caseless import Caseless
from groundwire.text.claims import NUMBER
from groundwire.text.corpus import Corpus
from groundwire.text.derived import is_count_of_list, is_derived, is_multiple, may_be_multiple, words_of_sum
from groundwire.text.finding import Conflict, Finding
from groundwire.text.identifiers import (
    differs_in_numeral,
    differs_in_version,
    exchanges_identifiers,
    has_absent_identifier,
    lends_description,
    words_of_same_digits,
)
from groundwire.text.quantities import unit_codes
from groundwire.text.quantity import Quantity
from groundwire.text.reading import Reading
from groundwire.text.support import ClaimSupport, closest_sentences, settle_words
from groundwire.text.vocabulary import VOCABULARY

MIN_COVERAGE = 0.6
"""Share of a claim's plain words that a sentence must hold to be compared with it."""


def check_numbers(
    claim: Reading,
    support: ClaimSupport,
    corpus: Corpus,
    sentences: Sequence[tuple[int, Reading]],
    question: str,
) -> Finding:
    """Check every typed value of the claim against those of the sources."""
    wording = claim.text + " " + question
    settled: set[int] = set()
    for quantity in claim.quantities:
        if quantity.first == quantity.last and quantity.is_soft and quantity.relation == "=":
            continue
        if quantity.is_soft and any(q.last == quantity.first - 1 for q in claim.quantities):
            continue  # "26 days a year": a rate
        if settled.issuperset(range(quantity.first, quantity.last + 1)):
            continue
        if claim.negated[quantity.first] and _is_asked_with(quantity, claim, wording):
            settled.update(range(quantity.first, quantity.last + 1))
            continue  # "it is not 50, as you ask"
        verdict = _check_quantity(quantity, claim, support, corpus, sentences, wording)
        if isinstance(verdict, Conflict):
            same = words_of_same_digits(quantity, claim, sentences)
            if not same:
                return Finding(verdict, frozenset(settled))
            settled.update(same)
        if verdict:
            settled.update(range(quantity.first, quantity.last + 1))
            if quantity.first in support.absent:
                near = [q for i in support.sentences for q in corpus.reading(i).quantities]
                settled |= words_of_sum(claim, quantity, near)
    return Finding(_check_identifiers(claim, support, sentences, settled), frozenset(settled))


def _check_quantity(
    quantity: Quantity,
    claim: Reading,
    support: ClaimSupport,
    corpus: Corpus,
    sentences: Sequence[tuple[int, Reading]],
    wording: str,
) -> Conflict | bool:
    """Return the conflict of one value, True if it holds, False if nothing can be said."""
    near = [(i, reading, q) for i, reading in sentences for q in reading.quantities]
    verdicts = [(_compare(quantity, claim, q, reading), i, reading, q) for i, reading, q in near]
    verdicts = _prefer_exact(quantity, verdicts)
    exact = next((i for i, q in _equal_but_vague(quantity, claim, verdicts)), None)
    if exact is not None:
        return Conflict("number", exact)
    turned = turns_anchor(quantity, claim, verdicts)
    if turned is not None:
        return Conflict("binding", turned)
    rate = changes_rate(quantity, claim, verdicts)
    if rate is not None:
        return Conflict("unit", rate)
    changed = confuses_change(quantity, claim, verdicts)
    if changed is not None:
        return Conflict("number", changed)
    other = counts_other(quantity, verdicts)
    if other is not None:
        return Conflict("binding", other)
    lent = lent_by_other_source(quantity, claim, support, corpus, verdicts)
    if lent is not None:
        return Conflict("binding", lent)
    if any(verdict == EQUAL for verdict, *_ in verdicts):
        return check_binding(quantity, claim, support, verdicts) or True
    if quantity.dimension in ("weekday", "month") and not verdicts:
        return False
    if quantity.dimension == "weekday" and _falls_on_every_day(quantity, sentences):
        return True
    if any(is_count_of_list(quantity, reading) for _, reading in sentences):
        return True
    if _is_worked_out(quantity, claim, support, corpus, near, wording):
        return True
    is_bounded = any(q.relation[:1] in "<>" for *_, q in near)
    is_rivaled = any(v == DIFFERENT and q.noun == quantity.noun for v, *_, q in verdicts)
    is_operand = not is_rivaled and len(claim.quantities) > 1
    if (is_bounded or is_operand) and _is_asked_with(quantity, claim, wording):
        return True
    near_clause = _check_in_clause(quantity, claim, support, corpus)
    if near_clause is not None:
        return near_clause
    rival = _rival_of_kind(quantity, support, verdicts)
    for i in _sentences_to_search(quantity, support, corpus, [i for i, _ in sentences]):
        equal = [q for q in corpus.reading(i).quantities if compare_quantities(quantity, q) == EQUAL]
        if equal and rival is not None and all(q.noun != quantity.noun for q in equal):
            return Conflict("number", rival)
        if equal:
            return not _is_number(quantity, support)
    for verdict, i, reading, q in verdicts:
        if _coverage(support, reading) < MIN_COVERAGE:
            continue
        if verdict == DIFFERENT and (quantity.noun == q.noun or quantity.dimension != "number"):
            return Conflict("number", i)
        if quantity.value == q.value and quantity.dimension != q.dimension:
            return Conflict("unit", i)
    if quantity.is_soft or _is_given(quantity, claim, wording):
        return False
    return Conflict("number_absent")


def _compare(quantity: Quantity, claim: Reading, other: Quantity, reading: Reading) -> str:
    """Compare two values; ``nobody under 16`` is ``at least 16``."""
    verdict = compare_quantities(quantity, other)
    if quantity.dimension in ("month", "weekday") and verdict == DIFFERENT and _is_left_out(reading, other):
        return EQUAL
    opposed = {quantity.relation[:1], other.relation[:1]} == {"<", ">"}
    if verdict == DIFFERENT and opposed and bool(claim.negators) != bool(reading.negators):
        return compare_quantities(replace(quantity, relation="="), replace(other, relation="="))
    return verdict


def _prefer_exact(
    quantity: Quantity, verdicts: list[tuple[str, int, Reading, Quantity]]
) -> list[tuple[str, int, Reading, Quantity]]:
    """Of times of day count no bare number as equal where the very time stands in the sentence."""
    if quantity.dimension != "clock" or not any(
        verdict == EQUAL and q.dimension == "clock" and q.value == quantity.value
        for verdict, *_, q in verdicts
    ):
        return verdicts
    return [
        (DIFFERENT if verdict == EQUAL and q.dimension != "clock" else verdict, i, reading, q)
        for verdict, i, reading, q in verdicts
    ]


_ALIKE = 0.8


def _rival_of_kind(
    quantity: Quantity, support: ClaimSupport, verdicts: Sequence[tuple[str, int, Reading, Quantity]]
) -> int | None:
    """Return the sentence that holds nearly all of the claim and counts the same things otherwise."""
    if quantity.dimension != "number" or not quantity.noun:
        return None
    return next(
        (
            i
            for verdict, i, reading, q in verdicts
            if verdict == DIFFERENT and q.noun == quantity.noun and _coverage(support, reading) >= _ALIKE
        ),
        None,
    )


_LEFT_OUT = frozenset("outside except but besides außer sauf excepto".split())


def _is_left_out(reading: Reading, q: Quantity) -> bool:
    """Return True if a sentence speaks of other times than this one (``outside July and August``)."""
    return not _LEFT_OUT.isdisjoint(reading.words[max(0, q.first - 4) : q.first])


_EVERY_DAY = Caseless(r"\b(?:every day|daily|all week|each day|seven days a week|open all)\b")


def _falls_on_every_day(quantity: Quantity, sentences: Sequence[tuple[int, Reading]]) -> bool:
    """Return True if a sentence speaks of every day and does not except this one."""
    return any(
        _spans_day(reading, quantity.value)
        or (
            _EVERY_DAY.search(reading.text) is not None
            and all(q.value != quantity.value for q in reading.quantities if q.dimension == "weekday")
        )
        for _, reading in sentences
    )


_TO = Caseless(r"\s*(?:[–—-]|to|through|till|until|bis|au|a|al|tot|до|do)\s*\Z")


def _spans_day(reading: Reading, day: float) -> bool:
    """Return True if a day of the week lies within a stretch of them (``Monday to Friday``)."""
    days = [q for q in reading.quantities if q.dimension == "weekday"]
    return any(
        (day - a.value) % 7 <= (b.value - a.value) % 7
        and _TO.match(reading.text[a.end : b.start]) is not None
        for a, b in itertools.pairwise(days)
    )


_EXACTLY = frozenset("exactly precisely genau exactement exactamente esattamente".split())


def _equal_but_vague(
    quantity: Quantity, claim: Reading, verdicts: Sequence[tuple[str, int, Reading, Quantity]]
) -> list[tuple[int, Quantity]]:
    """Return the equal values if the claim says *exactly* and each of them is only about or bounded."""
    if quantity.first == 0 or claim.words[quantity.first - 1] not in _EXACTLY:
        return []
    equal = [(i, q) for verdict, i, _, q in verdicts if verdict == EQUAL]
    return equal if all(q.relation != "=" for _, q in equal) else []


MAX_WORKED_SENTENCES = 4


def _is_worked_out(
    quantity: Quantity,
    claim: Reading,
    support: ClaimSupport,
    corpus: Corpus,
    near: Sequence[tuple[int, Reading, Quantity]],
    wording: str,
) -> bool:
    """Return True if the value is derived from those of the sentences near by, or of a short source's."""
    values = [(r, q) for r in map(corpus.reading, support.sentences) for q in r.quantities]
    if len({i for i, *_ in near}) < MAX_WORKED_SENTENCES and corpus.has_few_numbered(MAX_WORKED_SENTENCES):
        numbered = corpus.numbered_sentences()
        values = [(r, q) for i in numbered for r in [corpus.reading(i)] for q in r.quantities]
    text = " ".join(dict.fromkeys(reading.text for reading, _ in values))
    if is_derived(quantity, [q for _, q in values], wording, text):
        return True
    asked = _read_question(wording[len(claim.text) + 1 :])
    if not may_be_multiple(claim, asked):
        return False
    far = _sentences_to_search(quantity, support, corpus, [i for i, *_ in near])[:MAX_WORKED_SENTENCES]
    seen = {id(r) for r, _ in values}
    values += [(r, q) for i in far for r in [corpus.reading(i)] if id(r) not in seen for q in r.quantities]
    return is_multiple(quantity, claim, asked, values)


def _read_question(text: str) -> Reading:
    return _read_in_epoch(text, VOCABULARY.epoch)


@lru_cache(maxsize=64)
def _read_in_epoch(text: str, epoch: int) -> Reading:
    """Read a question once; codes mean nothing outside their epoch."""
    return Reading(text)


def _check_in_clause(
    quantity: Quantity, claim: Reading, support: ClaimSupport, corpus: Corpus
) -> Conflict | bool | None:
    """Check a value of a compound claim in the sentence that its clause alone resembles most."""
    if not claim.clause or claim.clause[-1] == 0:
        return None
    mine = clause_content(claim, quantity, support)
    if len(mine) < 2:
        return None
    for i in closest_sentences(mine, support.claim.rarities, support.forms, corpus, count=1):
        reading = corpus.reading(i)
        if not all(any(form in reading.codes for form in support.forms[k]) for k in mine):
            return None
        verdicts = [compare_quantities(quantity, q) for q in reading.quantities]
        if len(reading.content) > 2 * len(mine) + 2:
            return None
        if EQUAL in verdicts:
            return True
        if len(verdicts) == 1 and verdicts[0] == DIFFERENT and quantity.noun == reading.quantities[0].noun:
            return Conflict("number", i)
    return None


_DEFINITE = frozenset(
    "the these those both all other die der den diese les ces los las estos estas i gli le os as de".split()
)


def _is_given(quantity: Quantity, claim: Reading, wording: str) -> bool:
    """Return True for a number of the question, and for a count of things just named (``the two``)."""
    before = claim.words[quantity.first - 1] if quantity.first else ""
    if quantity.value <= 5 and before in _DEFINITE:
        return True
    return _is_asked_with(quantity, claim, wording)


def _is_asked_with(quantity: Quantity, claim: Reading, wording: str) -> bool:
    """Return True if the question gives the value."""
    asked = _read_question(wording[len(claim.text) + 1 :])
    return claim.text[quantity.start : quantity.end] in asked.text or any(
        (q.dimension, q.value) == (quantity.dimension, quantity.value) for q in asked.quantities
    )


def _is_number(quantity: Quantity, support: ClaimSupport) -> bool:
    """Return True if every word of the value is found as it is written, far from the claim's sentence."""
    return not any(i in support.absent for i in range(quantity.first, quantity.last + 1))


def _coverage(support: ClaimSupport, reading: Reading) -> float:
    """Return the share of the claim's plain words that a sentence holds; 1 where it has none."""
    claim = support.claim
    plain = [k for k in claim.content if claim.kinds[k] != NUMBER]
    total = sum(claim.rarities[k] for k in plain)
    found = sum(claim.rarities[k] for k in plain if any(form in reading.codes for form in support.forms[k]))
    return found / total if total else 1.0


MAX_SEARCHED_SENTENCES = 6


def _sentences_to_search(
    quantity: Quantity, support: ClaimSupport, corpus: Corpus, near: list[int]
) -> list[int]:
    """Return other sentences that may hold the value: with its words, then with a unit of its kind."""
    words = [i for i in range(quantity.first, quantity.last + 1) if support.claim.kinds[i] == NUMBER]
    forms = [form for i in words for form in support.forms[i]]
    units = tuple([code for code in unit_codes(quantity.dimension) if code in corpus.joined])
    spread = len(words) > 1 or quantity.dimension in ("date", "clock")
    with_words = set(corpus.sentences_with(tuple(forms)))
    found = with_words.union(corpus.sentences_with(units)).difference(near)
    if spread and not found:
        found = set(corpus.numbered_sentences()).difference(near)
    ordered = sorted(found, key=lambda i: (i not in with_words, corpus.sentence_text(i), i))
    return ordered[:MAX_SEARCHED_SENTENCES]


def _check_identifiers(
    claim: Reading, support: ClaimSupport, sentences: Sequence[tuple[int, Reading]], settled: set[int]
) -> Conflict | None:
    if has_absent_identifier(settle_words(support, frozenset(settled))):
        return Conflict("number_absent")
    at = exchanges_identifiers(claim, support, sentences) or lends_description(claim, support, sentences)
    if at is not None:
        return Conflict("binding", at)
    at = differs_in_version(claim, sentences)
    if at is None:
        at = differs_in_numeral(claim, sentences)
    return None if at is None else Conflict("number", at)
