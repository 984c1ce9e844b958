"""Was one word of an otherwise parallel sentence exchanged for another of its kind?"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from groundwire.text.alignment import Alignment, is_same_slot
from groundwire.text.names import are_rival_names, is_name, may_be_one_name
from groundwire.text.reading import Reading
from groundwire.text.roles import is_verb_like
from groundwire.text.units import UNITS
from groundwire.text.words import word_key

_GROUPS = [
    frozenset(map(word_key, group.split()))
    for group in (
        "spring summer autumn fall winter",
        "morning afternoon evening night noon midnight",
        "red orange yellow green blue purple violet brown black white gray pink golden silver",
        "north south east west",
        "northern southern eastern western",
        "father mother brother sister son daughter uncle aunt husband wife grandfather grandmother nephew"
        " niece",
        "adult adults child children senior seniors student students infant infants teenager teenagers",
        "english french german spanish italian dutch russian chinese japanese polish portuguese swedish"
        " danish greek",
        "gold silver bronze copper iron steel wood glass plastic concrete brick stone",
        "daily weekly monthly quarterly yearly annually",
        "ground first second third fourth fifth top",
        "left right",
        "second minute hour day week month quarter year",
        "first last",
        "breakfast lunch dinner supper",
        "plumber electrician carpenter caretaker janitor manager director clerk warden keeper guard driver"
        " pilot captain mayor teacher nurse doctor chef cook librarian curator gardener treasurer"
        " secretary chairman president",
        "january february march april may june july august september october november december",
        "monday tuesday wednesday thursday friday saturday sunday",
        "car bus train tram ferry bicycle bike boat plane taxi",
        "dog dogs cat cats horse horses bird birds cow cows sheep pig pigs",
    )
]


def substitutes_kind(claim: Reading, sentence: Reading, aligned: Alignment) -> bool:
    """Return True if a word stands where the sentence has another of its kind (a color, a season)."""
    mine, theirs = {t.key for t in claim.tokens}, {t.key for t in sentence.tokens}
    partners = dict(aligned.pairs)
    for group in _GROUPS:
        here, there = (group & mine) - theirs, (group & theirs) - mine
        if not here or not there:
            continue
        for i, token in enumerate(claim.tokens):
            if token.key in here and not _is_turned(i, aligned) and not _is_in_quantity(claim, i):
                for j, other in enumerate(sentence.tokens):
                    if (
                        other.key in there
                        and not _are_units(claim, i, sentence, j)
                        and is_same_slot(i, j, partners, len(claim.tokens), len(sentence.tokens))
                    ):
                        return True
    return False


def _is_turned(i: int, aligned: Alignment) -> bool:
    """Return True if what stands before and after a word is exchanged (a is the mother of b)."""
    left = [theirs for mine, theirs in aligned.pairs if mine < i]
    right = [theirs for mine, theirs in aligned.pairs if mine > i]
    return bool(left and right) and min(left) > max(right)


def substitutes_name(claim: Reading, sentence: Reading, aligned: Alignment) -> bool:
    """Return True if the claim has one name where the sentence has another."""
    if len(sentence.content) > 20:
        return False
    partners = dict(aligned.pairs)
    mine, theirs = _own_names(claim, sentence), _own_names(sentence, claim)
    pairs = [(i, j) for i in mine for j in theirs]
    same = [(i, j) for i, j in pairs if may_be_one_name(claim, i, sentence, j)]
    here, there = {i for i, _ in same}, {j for _, j in same}
    return any(
        i not in here
        and j not in there
        and is_same_slot(i, j, partners, len(claim.tokens), len(sentence.tokens))
        and _is_code(claim, i) == _is_code(sentence, j)
        and ((_is_inside(claim, i) and _is_inside(sentence, j)) or are_rival_names(claim, i, sentence, j))
        for i, j in pairs
    )


def _own_names(reading: Reading, other: Reading) -> list[int]:
    """Return the names and words in capitals that the other text does not hold."""
    return [
        i
        for i in reading.content
        if reading.codes[i] not in other.codes
        and (is_name(reading, i) or _is_code(reading, i))
        and not _is_in_quantity(reading, i)
    ]


def _is_inside(reading: Reading, i: int) -> bool:
    """Return False for a word that may be written large only because it opens a sentence."""
    return i > 0 or reading.text[0] == "|" or _is_code(reading, i)


def _is_code(reading: Reading, i: int) -> bool:
    """Return True for a word all in capitals (``PATCH``)."""
    text = reading.tokens[i].text
    return len(text) > 2 and text.isupper() and text.isalpha()


class Substitution(NamedTuple):
    """The claim has word ``mine`` where the sentence has word ``theirs``."""

    mine: int
    theirs: int


def find_substitution(
    claim: Reading, sentence: Reading, aligned: Alignment, indices: Sequence[int]
) -> Substitution | None:
    """Return the one word that differs between two otherwise parallel texts, or None.

    Both neighbors (among the words that are not grammar) must be the same, or the texts begin or end there.
    """
    apart = _one_word_apart(claim, sentence)
    if apart is not None:
        return apart
    mine, theirs = indices, sentence.content
    partners = dict(aligned.pairs)
    if not 3 <= len(mine) <= 9 or len(theirs) > len(mine) + 3 or len(partners) != len(mine) - 1:
        return None
    taken = set(partners.values())
    places = {j: k for k, j in enumerate(theirs)}
    for k, i in enumerate(mine):
        if i in partners or _is_in_quantity(claim, i) or claim.codes[i] in sentence.codes:
            continue
        left = partners.get(mine[k - 1]) if k else -1
        right = partners.get(mine[k + 1]) if k + 1 < len(mine) else -1
        place = _slot_between(left, right, places, len(theirs))
        if place is None or theirs[place] in taken:
            continue
        j = theirs[place]
        if sentence.tokens[j].key[:1] == "#" or sentence.codes[j] in claim.codes:
            continue
        if _are_units(claim, i, sentence, j):
            continue
        if _is_noun_head(claim, i) and _is_noun_head(sentence, j):
            return Substitution(i, j)
    return None


def _is_in_quantity(reading: Reading, i: int) -> bool:
    return reading.tokens[i].key[:1] == "#" or any(q.first <= i <= q.last for q in reading.quantities)


def _are_units(claim: Reading, i: int, sentence: Reading, j: int) -> bool:
    """Return True if a unit stands where the sentence has a value (``the first year``, ``12 months``)."""
    return claim.words[i] in UNITS and claim.words[i] != "second" and _is_in_quantity(sentence, j)


MAX_PARALLEL_WORDS = 12


def _one_word_apart(claim: Reading, sentence: Reading) -> Substitution | None:
    """Return the only word in which two short texts of one length differ, if it says something."""
    count = len(claim.codes)
    if count != len(sentence.codes) or not 4 <= count <= MAX_PARALLEL_WORDS:
        return None
    differing = [i for i in range(count) if claim.codes[i] != sentence.codes[i]]
    if len(differing) != 1:
        return None
    i = differing[0]
    if i not in claim.content or i not in sentence.content or _is_in_quantity(claim, i):
        return None
    return Substitution(i, i)


_NOUN_OPENERS = frozenset(
    "the a an his her its their our my your this that these those each every no only der die das dem den des"
    " le la les au aux du el los las al del il lo gli alla allo della dal dalla het de".split()
)


def _is_noun_head(reading: Reading, i: int) -> bool:
    """Return True if a word follows a determiner and ends its phrase, or opens the text."""
    after = i + 1
    ends = after >= len(reading.tokens) or after not in reading.content or reading.words[i].endswith("'s")
    if i and reading.words[i - 1] in _NOUN_OPENERS:
        return ends or is_verb_like(reading, after)
    return i == 0 and ends


def _slot_between(left: int | None, right: int | None, places: dict[int, int], count: int) -> int | None:
    """Return the index among the sentence's words of the single word between two paired ones."""
    if left is None or right is None or left not in {-1, *places} or right not in {-1, *places}:
        return None
    if left == -1:
        return places[right] - 1 if right != -1 and places[right] == 1 else None
    slot = places[left] + 1
    if right == -1:
        return slot if slot == count - 1 else None
    return slot if places[right] == slot + 1 else None
