"""Is a value worked out from the sources' values: a sum, a difference, a product, a share, a span, a count?

Only where claim or question speak of that very operation, and only over a handful of values of one kind,
since among many numbers any value is some combination.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterable, Sequence

from groundwire.text.amounts import face_value, is_close
from groundwire.text.caseless import Caseless
from groundwire.text.quantity import Quantity
from groundwire.text.reading import Reading

_SUMS = Caseless(
    r"\b(?:totals?|totale|altogether|sum|combined|together|in all|overall|plus|added|add up|both|insieme"
    r"|zusammen|insgesamt|beiden?|ensemble|juntos|juntas|ambos|ambas|entrambi|entrambe|beide|samen|razem|łącznie|вместе|всего|разом"
    r"|en tout|au total|en total|in totaal)\b|合計|合计|一共"
)
_DIFFERENCES = Caseless(
    r"\b(?:difference|more|less|fewer|longer|shorter|older|younger|higher|lower|larger|smaller|taller|heavier"
    r"|lighter|remain\w*|left|left over|between|increas\w*|decreas\w*|rise|rose|risen|fell|fallen|drop\w*"
    r"|grew|growth|gap|span|saves?|saved|saving|unsold|unused|later|earlier|cheaper|dearer|faster|slower)\b"
)
_DENIED = Caseless(r"\b(?:not|never|without|no|failed)\b|n't\b")
_PRODUCTS = Caseless(
    r"\b(?:times|twice|double\w*|triple\w*|half|average\w*|mean|per|each|every|ratio|percent|share|total)\b|%"
)
_SPANS = Caseless(
    r"\b(?:how (?:long|old|many years)|for|aged?|ago|after|old|lasted|took|takes?|years?|later)\b"
)
_MEASURES = Caseless(
    r"\bhow (?:much|many|long|far|old|big|high|large|often)\b"
    r"|\b(?:a|per|each|every) (?:day|week|month|year)\b"
    r"|\b(?:total|daily|altogether|in all)\b"
)
_TIES = re.compile(r"\b(?:of|per|each|every|times|a|equals?)\b|[x×*]", re.I)
_POINTS = frozenset(("month", "weekday", "date", "clock"))
"""Dimensions of points: their sums and differences are no such points."""
_RATES = (60, 3600, 24, 7, 12, 52, 365)
MAX_VALUES = 6


def is_derived(claim: Quantity, sources: Sequence[Quantity], wording: str, text: str = "") -> bool:
    """Return True if the value is a sum, difference, product, ratio or mean of the sources' values.

    ``wording`` are claim and question: one of them must name the operation, or ``text``, the sentences of the
    values, relates them (``12 m below it``, ``the year before``).
    """
    if claim.dimension in _POINTS:
        return False
    if _is_year_beside(claim, sources, text):
        return True
    is_span = claim.dimension in ("number", "months", "duration") and _SPANS.search(wording)
    if is_span and (_is_span_of_years(claim, sources) or _is_span_of_clocks(claim, sources)):
        return True
    if claim.dimension == "percent" and _DIFFERENCES.search(wording):
        points = [q.value for q in sources if q.dimension == "points"]
        shares = [q.value for q in sources if q.dimension == "percent"]
        if _is_among(claim, [x for a in shares for p in points for x in (a + p, a - p)]):
            return True
    kinds = {claim.dimension, "percent"} if claim.dimension == "points" else {claim.dimension}
    values = [q.value for q in sources if q.dimension in kinds or claim.dimension == "percent"]
    if values and claim.dimension not in ("percent", "number", "points"):
        bare = [q.value for q in sources if q.dimension == "number" and not q.noun]
        values += [value * claim.value / face_value(claim) for value in bare if claim.value]
    values = list(dict.fromkeys(values))[:MAX_VALUES]
    if len(values) < 2:
        return False
    found = _combinations(values, claim.dimension, wording)
    if claim.dimension != "percent" and _RELATED.search(text):
        found += [x for a, b in itertools.permutations(values, 2) for x in (a - b, a + b)]
    return _is_among(claim, found)


def words_of_sum(claim: Reading, total: Quantity, sources: Sequence[Quantity]) -> set[int]:
    """Return the words by which a claim says that it adds up values, and how many (``together the two``)."""
    summands = [q for q in sources if q.dimension == total.dimension]
    said = [match.span() for match in _SUMS.finditer(claim.text)] if len(summands) > 1 else []
    named = {i for i, t in enumerate(claim.tokens) if any(s <= t.start < e for s, e in said)}
    return named | {
        q.first for q in claim.quantities if said and q != total and 2 <= q.value <= len(summands)
    }


_RELATED = Caseless(
    r"\d[\d.,]* ?[\w°%$€£]* (?:below|above|higher|lower|deeper|taller|shorter|longer|more|less|fewer|cheaper"
    r"|dearer|older|younger|later|earlier|further)\b"
)
_YEAR_BEFORE = re.compile(
    r"\b(?:year before|previous year|year earlier|prior year|preceding year|last year)\b", re.I
)
_APART = re.compile(r"\byears? (?:before|after|later|earlier|previously)\b", re.I)
_YEAR_AFTER = re.compile(r"\b(?:year after|following year|next year|year later)\b", re.I)


def _is_year_beside(claim: Quantity, sources: Sequence[Quantity], text: str) -> bool:
    """Return True if the claim names by its number the year that a text calls the one before or after."""
    if claim.dimension != "number" or not 1000 <= claim.value <= 2999:
        return False
    years = {q.value for q in sources if q.dimension == "number"} | {
        float(q.parts[0]) for q in sources if q.parts[0]
    }
    spans = {q.value / 12 for q in sources if q.dimension == "months"}
    if _APART.search(text) and any(abs(claim.value - year) in spans for year in years):
        return True
    if _YEAR_BEFORE.search(text) and claim.value + 1 in years:
        return True
    return bool(_YEAR_AFTER.search(text)) and claim.value - 1 in years


def _is_among(claim: Quantity, values: Iterable[float]) -> bool:
    return any(
        abs(claim.value - value) <= 1e-6 * max(1.0, abs(value)) or is_close(claim.value, value, claim.digits)
        for value in values
    )


def _combinations(values: list[float], dimension: str, wording: str) -> list[float]:
    found: list[float] = []
    pairs = list(itertools.permutations(values, 2))
    if _SUMS.search(wording):
        found += [sum(values), *(a + b for a, b in pairs)]
    if dimension != "percent" and (_DIFFERENCES.search(wording) or _DENIED.search(wording)):
        found += [x for a, b in pairs for x in (a - b, a + b)]
    if _PRODUCTS.search(wording):
        found.append(sum(values) / len(values))
        if dimension == "percent":
            found += [100 * x for a, b in pairs if b for x in (a / b, (a - b) / b)]
        elif dimension == "number":
            found += [a * b for a, b in pairs] + [a / b for a, b in pairs if b and a % b == 0]
    return found


def _is_span_of_years(claim: Quantity, sources: Sequence[Quantity]) -> bool:
    years = [q.value for q in sources if q.dimension == "number" and 1000 <= q.value <= 2999]
    years += [float(q.parts[0]) for q in sources if q.parts[0]]
    span = claim.value / 12 if claim.dimension == "months" else claim.value
    return any(abs(a - b) == span for a, b in itertools.combinations(years, 2))


def _is_span_of_clocks(claim: Quantity, sources: Sequence[Quantity]) -> bool:
    """Return True if a duration is the time between two times of day."""
    if claim.dimension != "duration":
        return False
    clocks = [q.value for q in sources if q.dimension == "clock"]
    return any((b - a) % 1440 * 60 == claim.value for a, b in itertools.permutations(clocks, 2))


def may_be_multiple(mine: Reading, asked: Reading) -> bool:
    """Return True if claim and question give what a value could be multiplied by, or ask how much."""
    if len(mine.quantities) > 1 or asked.quantities or " per " in mine.text:
        return True
    return _MEASURES.search(asked.text + mine.text) is not None


def is_multiple(
    claim: Quantity, mine: Reading, asked: Reading, near: Sequence[tuple[Reading, Quantity]]
) -> bool:
    """Return True if the value is a source's value times a number that claim, question or source gives.

    ``mine`` and ``asked`` are claim and question: four tickets at 15 are 60, two adults at 14 and a child
    at 6 are 34, four quarters of 12 minutes are 48 minutes, 80 % of the 50 that was asked about are 40.
    """
    given = len(near) + len(mine.quantities) + len(asked.quantities)
    if claim.dimension in _POINTS or not near or given > 4 * MAX_VALUES:
        return False
    own = [(mine, q) for q in mine.quantities if q != claim]
    unit = [(reading, q) for reading, q in (*near, *own) if _is_same_kind(claim, q)]
    counts = [(reading, q) for reading in (mine, asked) for q in reading.quantities if q != claim]
    if len({q.value for _, q in near if q.dimension == claim.dimension}) > 1 and _SUMS.search(mine.text):
        counts = [(reading, q) for reading, q in counts if reading is asked or not _is_definite(reading, q)]
    return (
        _is_among(claim, _weighted(counts, unit))
        or _is_among(claim, _shares(claim, counts, near))
        or (bool(_MEASURES.search(asked.text + mine.text)) and _is_among(claim, _tied(unit, near)))
        or (" per " in mine.text and _is_among(claim, _rates(unit)))
    )


def _is_definite(reading: Reading, q: Quantity) -> bool:
    """Return True if the things counted are all that there are (``the two halls together``): no factor."""
    return q.first > 0 and reading.words[q.first - 1] in ("the", "these", "those", "both", "all")


def _is_same_kind(claim: Quantity, q: Quantity) -> bool:
    if claim.dimension == "currency" and q.unit != claim.unit:
        return False
    return q.dimension == claim.dimension and (claim.dimension != "number" or q.noun == claim.noun)


def _weighted(counts: list[tuple[Reading, Quantity]], unit: list[tuple[Reading, Quantity]]) -> list[float]:
    """Each number of things times the value said of them, and the sum of two such."""
    terms: list[float] = []
    said = [(q.value, _words_beside(other, q)) for other, q in unit]
    for reading, count in counts:
        if not count.is_soft and count.dimension not in (
            "number",
            "percent",
            "currency",
            "clock",
            "date",
            "weekday",
            "month",
        ):
            per = _PER_UNIT.get(count.unit)
            rated = [q for other, q in unit if per is not None and per.search(other.text, q.end)]
            terms += [face_value(count) * q.value for q in rated]
        if count.dimension != "number" or not 0 < count.value <= 1000 or count.value != int(count.value):
            continue
        thing = _thing_counted(reading, count)
        terms += [count.value * value for value, words in said if thing is None or thing in words]
    terms = list(dict.fromkeys(terms))[:MAX_VALUES]
    return [*(t for t in terms), *(a + b for a, b in itertools.combinations(terms, 2))]


_PER_UNIT = {
    unit: re.compile(rf"[^.;]{{0,20}}\b(?:per|a|an|each|every) {unit}s?\b", re.I)
    for unit in "second minute hour day week month year kilometer mile meter kilogram gram liter".split()
}


def _thing_counted(reading: Reading, count: Quantity) -> str | None:
    """Return the code of the word that is counted, or None."""
    after = count.last + 1
    is_thing = after in reading.content and not reading.tokens[after].key.startswith("#")
    return reading.codes[after] if is_thing else None


def _words_beside(reading: Reading, q: Quantity) -> set[str]:
    """The codes of the words in the clause of ``q``."""
    clause = reading.clause[q.first]
    return {code for code, other in zip(reading.codes, reading.clause, strict=True) if other == clause}


def _shares(
    claim: Quantity, counts: list[tuple[Reading, Quantity]], near: Sequence[tuple[Reading, Quantity]]
) -> list[float]:
    """A percentage of what claim or question gives."""
    percents = [q.value for _, q in (*near, *counts) if q.dimension == "percent"]
    bases = [q.value for _, q in (*counts, *near) if q.dimension == claim.dimension]
    return [base * share / 100 for base in bases for p in percents for share in (p, 100 - p, 100 + p)]


def _tied(unit: list[tuple[Reading, Quantity]], near: Sequence[tuple[Reading, Quantity]]) -> list[float]:
    """A value times a small number beside it (``four quarters of 12 minutes``, ``two months' rent``)."""
    found = []
    for (reading, q), (other, count) in itertools.product(unit, near):
        factor = face_value(count)
        if count is q or factor != int(factor) or not 1 < factor <= 100 or count.dimension == "percent":
            continue
        between = reading.text[count.end : q.start] if reading is other else ""
        if reading is other and count.noun == "time":
            found.append(q.value * factor)
            continue
        if reading is not other or _TIES.search(between) or count.dimension in ("months", "duration"):
            found.append(q.value * factor)
    return found


def _rates(unit: list[tuple[Reading, Quantity]]) -> list[float]:
    """A value per minute as one per second, and the like."""
    values = [q.value for reading, q in unit if " per " in reading.text]
    return [x for value in values for rate in _RATES for x in (value / rate, value * rate)]


_LIST = re.compile(r"(?:[^,;:.()]+,\s+)+(?:and |or |und |et |y |e |en |и )?[^,;:.()]+", re.IGNORECASE)
_LAST = re.compile(r",?\s+(?:and|or|und|et|y|e|en|и)\s+|,\s+", re.IGNORECASE)


def is_count_of_list(claim: Quantity, reading: Reading) -> bool:
    """Return True if a sentence lists as many things as the claim counts."""
    if claim.dimension != "number" or not 2 <= claim.value <= 20:
        return False
    if any(token.key == claim.noun for token in reading.tokens):
        return False
    return any(len(_LAST.split(match[0])) == claim.value for match in _LIST.finditer(reading.text))
