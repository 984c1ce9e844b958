"""Do two words exchange their sides of a verb, a relation or a span?"""

from __future__ import annotations

from groundwire.text.alignment import Alignment, find_opposite
from groundwire.text.characters import is_unspaced
from groundwire.text.reading import Reading
from groundwire.text.units import MONTHS, WEEKDAYS

# Words whose two sides can not be exchanged.
_PIVOTS = frozenset("before after than to by of over under above below behind for against into onto".split())
_DETERMINERS = frozenset(
    """
the a an his her its their our my your this that these those some any each every no of in on at for with from
by to
""".split()
)
_BE = frozenset("is are was were be been being gets got".split())


def reverses_roles(claim: Reading, sentence: Reading, aligned: Alignment) -> bool:
    """Return True if two words exchange their sides of a verb or a relation, and nothing else turns it.

    ``The lender pays the borrower`` against ``The borrower pays the lender``; not against ``The borrower is
    paid by the lender``.
    """
    if aligned.coverage < 0.9 or not 2 <= len(aligned.pairs) <= 14:
        return False
    if _exchanges_agent(claim, sentence):
        return True
    if find_opposite(claim, sentence, aligned) is not None:
        return False
    if sentence.language not in (None, "en") or _are_converse(claim, sentence):
        return False
    once = tuple(p for p in aligned.pairs if _is_single(claim, p[0]))
    pairs = tuple(p for p in once if _is_single(sentence, p[1]))
    if len(pairs) < len(once) and any(
        _is_reversed_at_verb(claim, sentence, once, x, y)
        for x in range(len(once) - 1)
        for y in range(x + 1, len(once))
        if once[y][1] < once[x][1]
    ):
        return True
    for x in range(len(pairs) - 1):
        for y in range(x + 1, len(pairs)):
            (a, a2), (b, b2) = pairs[x], pairs[y]
            if b2 < a2:
                if _is_reversed_at_verb(claim, sentence, pairs, x, y) or _is_reversed_at_pivot(
                    claim, sentence, a, b, b2, a2
                ):
                    return True
            elif y == x + 2 and _turns_voice(claim, sentence, pairs, x, y):
                return True
    return False


_LINKS = frozenset(
    "and or with und oder mit et ou avec y e o con com en of met и или с between zwischen entre tra fra"
    " 和 与 と 跟 同".split()
)
_ARTICLES = frozenset(
    "der die das den dem des ein eine einen einem einer le la les l un une el los las lo gli i il uno una o"
    " os as um uma de het een du".split()
)


def exchanges_places(claim: Reading, sentence: Reading) -> bool:
    """Return True if two words have exchanged their places and nothing else differs, outside English.

    Where articles tell cases (German), only if one of them changes with the place.
    """
    if is_unspaced(claim.text[:1]):
        return _swaps_blocks(claim.codes, sentence.codes) and not _joins(claim)
    language = sentence.language
    if language in (None, "en", "ru") or len(claim.content) != len(sentence.content) or _joins(claim):
        return False
    mine, theirs = [claim.codes[i] for i in claim.content], [sentence.codes[j] for j in sentence.content]
    apart = [k for k, (a, b) in enumerate(zip(mine, theirs, strict=True)) if a != b]
    if (
        len(apart) != 2
        or len(mine) < 3
        or mine[apart[0]] != theirs[apart[1]]
        or mine[apart[1]] != theirs[apart[0]]
    ):
        return False
    if any(claim.words[claim.content[k]] in WEEKDAYS for k in apart):
        return False  # "sonntags hält der Bus"
    if [w for w in _grammar(claim) if w not in _ARTICLES] != [
        w for w in _grammar(sentence) if w not in _ARTICLES
    ]:
        return False
    if language != "de":
        return apart[1] - apart[0] > 1
    return any(
        claim.words[claim.content[a] - 1] != sentence.words[sentence.content[b] - 1]
        for a, b in (apart, apart[::-1])
    )


def _grammar(reading: Reading) -> list[str]:
    """Return the words of grammar, articles aside, in order."""
    said = set(reading.content)
    return [w for i, w in enumerate(reading.words) if i not in said and w not in _ARTICLES]


def _joins(reading: Reading) -> bool:
    return not _LINKS.isdisjoint(reading.words)


MAX_BLOCK_CODES = 40


def _swaps_blocks(mine: str, theirs: str) -> bool:
    """Return True if two stretches of one text stand in each other's place in the other."""
    if mine == theirs or len(mine) > MAX_BLOCK_CODES or sorted(mine) != sorted(theirs):
        return False
    start = next(k for k in range(len(mine)) if mine[k] != theirs[k])
    end = next(k for k in range(len(mine)) if mine[-1 - k] != theirs[-1 - k])
    a, b = mine[start : len(mine) - end], theirs[start : len(theirs) - end]
    return any(
        a == b[j:] + b[i:j] + b[:i] and j > i for i in range(1, len(b) - 1) for j in range(i + 1, len(b))
    )


_CONVERSES = (
    (frozenset(("mother", "father", "parent")), frozenset(("son", "daughter", "child"))),
    (frozenset(("brother", "sister")), frozenset(("brother", "sister"))),
    (frozenset(("husband",)), frozenset(("wife",))),
    (frozenset(("employer",)), frozenset(("employee",))),
    (frozenset(("aunt", "uncle")), frozenset(("niece", "nephew"))),
)


def _are_converse(claim: Reading, sentence: Reading) -> bool:
    """Return True if the texts name one relation from its two ends (``mother of``, ``son of``)."""
    mine, theirs = set(claim.words) - set(sentence.words), set(sentence.words) - set(claim.words)
    return any((mine & a and theirs & b) or (mine & b and theirs & a) for a, b in _CONVERSES)


def _stands_only(reading: Reading, i: int, pivot: int, *, before: bool) -> bool:
    """Return True if every occurrence of word ``i`` is on one side of the pivot."""
    places = [j for j, code in enumerate(reading.codes) if code == reading.codes[i]]
    return all(j < pivot for j in places) if before else all(j > pivot for j in places)


def _is_single(reading: Reading, i: int) -> bool:
    return reading.codes.count(reading.codes[i]) == 1


def _is_reversed_at_verb(
    claim: Reading, sentence: Reading, pairs: tuple[tuple[int, int], ...], x: int, y: int
) -> bool:
    (a, a2), (b, b2) = pairs[x], pairs[y]
    for v, v2 in pairs[x + 1 : y]:
        if not b2 < v2 < a2 or max(v - a, b - v, v2 - b2, a2 - v2) > 5:
            continue
        if _is_listed(claim, a, v, b) and _is_listed(sentence, b2, v2, a2):
            continue
        if not _RELATIVES.isdisjoint(claim.words[a:b]):
            continue
        if not (_stands_only(sentence, b2, v2, before=True) and _stands_only(sentence, a2, v2, before=False)):
            continue
        if is_verb_like(claim, v) and is_verb_like(sentence, v2):
            if _is_participle(claim, v) != _is_participle(sentence, v2):
                return False
            return _is_passive(claim, v, b) == _is_passive(sentence, v2, a2)
    return False


def _is_listed(reading: Reading, first: int, middle: int, last: int) -> bool:
    """Return True if three words are items of one enumeration, in which no order is a role."""
    return reading.clause[first] != reading.clause[middle] != reading.clause[last]


_OPPOSED = frozenset((("from", "to"), ("to", "from"), ("before", "after"), ("after", "before")))


_LATER = frozenset("afterwards afterward thereafter later beforehand previously then".split())
_WAYS = frozenset(way for pair in _OPPOSED for way in pair)


def turns_direction(claim: Reading, sentence: Reading, aligned: Alignment) -> bool:
    """Return True if the way that one text says leads to a place leads from it in the other."""
    if _WAYS.isdisjoint(claim.words) or claim.has_negator or sentence.has_negator:
        return False
    if not _LATER.isdisjoint((*claim.words, *sentence.words)):
        return False
    for i, j in aligned.pairs:
        if not any(
            0 < abs(a - i) <= 4 and 0 < abs(b - j) <= 4 and sentence.clause[b] == sentence.clause[j]
            for a, b in aligned.pairs
        ):
            continue
        mine, theirs = _preposition(claim, i), _preposition(sentence, j)
        if (mine, theirs) in _OPPOSED and not {mine, theirs} <= set(claim.words):
            return True
        if (mine, theirs) in _OPPOSED and _leads_same_way(claim, sentence, aligned, j):
            return True
    return False


def _leads_same_way(claim: Reading, sentence: Reading, aligned: Alignment, j: int) -> bool:
    """Return True if the sentence names no other place that the claim also names for the way back."""
    places = [b for a, b in aligned.pairs if b != j and _preposition(sentence, b) in ("from", "to", "into")]
    return not places


def _preposition(reading: Reading, i: int) -> str:
    """Return the word before word ``i`` and its article."""
    before = reading.words[max(0, i - 2) : i]
    return next((word for word in reversed(before) if word not in ("the", "a", "an")), "")


def _exchanges_agent(claim: Reading, sentence: Reading) -> bool:
    """Return True if another of the names in the sentence stands after the *by* of one verb."""
    mine, theirs = _agents(claim), _agents(sentence)
    return any(
        verb in theirs
        and bool(names - theirs[verb])
        and bool(theirs[verb] - names)
        and names <= set(sentence.codes)
        for verb, names in mine.items()
    )


def _agents(reading: Reading) -> dict[str, set[str]]:
    """Return, by verb, the names right after its *by*."""
    found: dict[str, set[str]] = {}
    for i in range(1, len(reading.words)):
        if reading.words[i] == "by" and reading.words[i - 1].endswith(("ed", "en", "t", "n")):
            names: set[str] = set()
            for k in range(i + 1, len(reading.tokens)):
                if not reading.tokens[k].text[0].isupper() or reading.clause[k] != reading.clause[i]:
                    break
                names.add(reading.codes[k])
            if names:
                found[reading.codes[i - 1]] = names
    return found


_RELATIVES = frozenset("which who whom whose".split())


def is_verb_like(reading: Reading, i: int) -> bool:
    """Return True if word ``i`` may be the verb of its clause, by its ending and what stands before it."""
    word = reading.words[i]
    if i and reading.words[i - 1] in _DETERMINERS and reading.words[i - 1] != "to":
        return False
    if i == 0 or reading.tokens[i].key.startswith("#") or reading.tokens[i - 1].key.startswith("#"):
        return False
    if i + 1 < len(reading.words) and reading.words[i + 1] in ("of", "is", "are", "was", "were"):
        return False
    text = reading.tokens[i].text
    return text.islower() and (
        word.endswith(("s", "ed", "en", "t", "d", "e", "n", "y", "w", "k", "l", "m", "p", "r"))
    )


def _is_participle(reading: Reading, verb: int) -> bool:
    """Return True if the verb follows a form of *be*: what stands before it is not the one who acts."""
    return any(word in _BE for word in reading.words[max(0, verb - 3) : verb])


def _is_passive(reading: Reading, verb: int, agent: int) -> bool:
    """Return True if ``by`` stands between the verb and its agent, after a form of *be*."""
    return "by" in reading.words[verb + 1 : agent] and any(
        w in _BE for w in reading.words[max(0, verb - 4) : verb]
    )


def _is_reversed_at_pivot(claim: Reading, sentence: Reading, a: int, b: int, b2: int, a2: int) -> bool:
    if b - a > 6 or a2 - b2 > 6:
        return False
    here = [w for w in claim.words[a + 1 : b] if w in _PIVOTS]
    there = [w for w in sentence.words[b2 + 1 : a2] if w in _PIVOTS]
    if len(here) != 1 or here != there:
        return False
    if not (_is_beside_pivot(claim, here[0], a, b) and _is_beside_pivot(sentence, here[0], b2, a2)):
        return False
    if here[0] in ("by",):
        return _is_by_passive(claim, a, b) and _is_by_passive(sentence, b2, a2)
    return True


def _is_beside_pivot(reading: Reading, pivot: str, start: int, end: int) -> bool:
    """Return True if at most a determiner stands between the pivot and the word after it."""
    at = reading.words.index(pivot, start + 1, end)
    return end - at <= 2


def _is_by_passive(reading: Reading, start: int, end: int) -> bool:
    return any(w in _BE for w in reading.words[start + 1 : end])


def _turns_voice(
    claim: Reading, sentence: Reading, pairs: tuple[tuple[int, int], ...], x: int, y: int
) -> bool:
    """Same order around the same verb, but only one of the two is passive."""
    (_, a2), (v, v2), (b, b2) = pairs[x], pairs[x + 1], pairs[y]
    if not a2 < v2 < b2 or not (is_verb_like(claim, v) and is_verb_like(sentence, v2)):
        return False
    if b - v > 5 or b2 - v2 > 5:
        return False
    here, there = _is_passive(claim, v, b), _is_passive(sentence, v2, b2)
    if here == there:
        return False
    active, verb = (sentence, v2) if here else (claim, v)
    return not any(w in _BE or w == "by" for w in active.words[max(0, verb - 3) : verb + 4])


_STARTS = frozenset("from since after starting beginning ab von seit desde depuis dès с".split())
_ENDS = frozenset("until till to before by through bis hasta jusqu'à до".split())


_CALENDAR = frozenset({*MONTHS, *WEEKDAYS, "May"})


def exchanges_bounds(claim: Reading, sentence: Reading) -> bool:
    """Return True if a value that starts a span in one text ends it in the other."""
    bounds: dict[str, set[str]] = {}
    for i, code in enumerate(sentence.codes):
        if i and (sentence.tokens[i].key[:1] == "#" or sentence.words[i] in _CALENDAR):
            bounds.setdefault(code, set()).add(sentence.words[i - 1])
    for i, code in enumerate(claim.codes):
        if i and code in bounds:
            mine, theirs = claim.words[i - 1], bounds[code]
            if (mine in _STARTS and theirs <= _ENDS) or (mine in _ENDS and theirs <= _STARTS):
                return True
    return False
