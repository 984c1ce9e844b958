"""Does a claim take its words from two parts of a sentence that speak of different things?

``The door is white`` of ``The door is green and the shutters are white``; also where the second part has no
verb of its own (``Ms Orr manages the archive, Mr Beck the laboratory``; ``adults pay 12, children 5``).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from groundwire.text.alignment import Alignment
from groundwire.text.characters import is_unspaced
from groundwire.text.clauses import is_finite, is_repeated, is_sure_verb, is_verb, may_be_verb, subject_of
from groundwire.text.reading import Reading
from groundwire.text.vocabulary import NUMBER, VOCABULARY
from groundwire.text.words import word_key

_SUBORDINATORS = frozenset("who which whose that before after when because if since although".split())
_DETERMINERS = frozenset("the a an his her its their our my your this that these those each every no".split())
_PREPOSITIONS = frozenset("at in on for to from by with under over".split())
_JOINERS = frozenset("and but or while whereas yet".split())
_PRONOUNS = frozenset("it he she they him them this that these those one ones both".split())
_ASIDES = frozenset("():")
MAX_MIXED_WORDS = 9
_HEDGES = frozenset("approx approximately about around roughly nearly almost exactly only just some".split())
MAX_COORDINATED_WORDS = 12
MAX_PARTS = 4


class Part(NamedTuple):
    """One part of a sentence: its own words, those it shares with others, and whether it joins phrases."""

    own: frozenset[str]
    shared: frozenset[str]
    is_joined: bool

    @property
    def codes(self) -> frozenset[str]:
        """All words that the part says something with."""
        return self.own | self.shared


def mixes_parts(claim: Reading, sentence: Reading, aligned: Alignment, indices: Sequence[int]) -> bool:
    """Return True if a part of the claim takes words from two parts that each say something else.

    The part that covers it best has something else instead of what is missing, and so has the part that
    lends it.
    """
    if aligned.coverage < 0.99 or not 2 <= len(indices) <= 2 * MAX_MIXED_WORDS:
        return False
    if len(sentence.content) > MAX_COORDINATED_WORDS or not _ASIDES.isdisjoint(sentence.text):
        return False
    if any(_subordinates(sentence, i) for i in range(len(sentence.words))) or is_unspaced(sentence.text[:1]):
        return False
    if len(aligned.pairs) >= 0.8 * len(sentence.content) and _is_in_order(aligned):
        return False
    if _lists_subjects(sentence):
        return False
    theirs = split_parts(sentence)
    if not 2 <= len(theirs) <= MAX_PARTS:
        return False
    taken = {sentence.codes[j] for _, j in aligned.pairs}
    same = {claim.codes[i]: sentence.codes[j] for i, j in aligned.pairs}
    for part in split_parts(claim):
        mine = frozenset(same.get(code, code) for code in part.codes)
        if (
            2 <= len(mine) <= MAX_MIXED_WORDS
            and not part.is_joined
            and mine <= taken
            and _is_mixed(mine, theirs)
        ):
            return True
    return False


def _lists_subjects(sentence: Reading) -> bool:
    """Return True if only the last part has a verb: ``members, their guests and the staff may enter``."""
    last = sentence.clause[-1] if sentence.clause else 0
    verbs = {sentence.clause[i] for i in range(len(sentence.words)) if is_verb(sentence, i)}
    modals = [i for i, word in enumerate(sentence.words) if word in _MODALS]
    return last > 0 and verbs == {last} and any(sentence.clause[i] == last for i in modals)


_MODALS = frozenset("may can must shall will should are were have do".split())


def _subordinates(reading: Reading, i: int) -> bool:
    """Return True if a word opens a subordinate clause; *before departure* is none."""
    word = reading.words[i]
    if word not in _SUBORDINATORS:
        return False
    rest = [k for k in range(i + 1, len(reading.words)) if reading.clause[k] == reading.clause[i]]
    return word not in ("before", "after") or len(rest) > 2


def _is_in_order(aligned: Alignment) -> bool:
    places = [j for _, j in aligned.pairs]
    return places == sorted(places)


def _is_mixed(mine: frozenset[str], theirs: list[Part]) -> bool:
    best = max(theirs, key=lambda part: (len(part.codes & mine), -len(part.codes - mine)))
    missing = mine - best.codes
    if not missing:
        return False
    for other in theirs:
        if other is best or not missing <= other.codes or not (other.own - mine - best.own):
            continue
        if best.own - mine or (_has_value(best.codes & mine) and _has_value(other.own - mine)):
            return True
    return False


_VALUES = frozenset(map(word_key, "double triple half free twice nothing".split()))


def _has_value(codes: frozenset[str]) -> bool:
    return any(VOCABULARY.kind[code] == NUMBER or VOCABULARY.keys_by_code[code] in _VALUES for code in codes)


def split_parts(reading: Reading) -> list[Part]:
    """Return the parts of a sentence: clauses with a verb, and those whose verb is left out."""
    pieces: dict[int, list[int]] = {}
    for i, number in enumerate(reading.clause):
        pieces.setdefault(number, []).append(i)
    rows = list(pieces.values())
    has_verb = any(is_sure_verb(reading, i) for i in rows[0])
    groups: list[tuple[list[int], bool, str]] = []
    for words in rows:
        kind = _kind_of(reading, words, bool(groups), has_verb)
        if groups and (kind == "" or (groups[-1][2] == "" and _leans(reading, groups[-1][0]))):
            held, joined, before = groups[-1]
            joined = joined or reading.words[words[0]] in _JOINERS
            groups[-1] = (held + words, joined, before or kind)
        else:
            groups.append((words, False, kind))
    return [_part(reading, words, joined, kind, rows[0]) for words, joined, kind in groups]


def _leans(reading: Reading, words: list[int]) -> bool:
    """Return True if a piece without a verb belongs to what follows (``in capital cities, …``)."""
    return len(words) < 3 or reading.words[words[0]] in _PREPOSITIONS


def _kind_of(reading: Reading, words: list[int], follows: bool, has_verb: bool) -> str:
    """Return what a piece is: ``clause``, ``object`` or ``adjunct`` (its verb is left out), or nothing."""
    if any(is_sure_verb(reading, i) or (not has_verb and _is_shared_verb(reading, i)) for i in words):
        return "clause"
    if follows and _begins_with_verb(reading, words):
        return "clause"
    said = [i for i in words if reading.words[i] not in _JOINERS]
    content = [i for i in said if i in reading.content]
    if not follows or len(content) < 2 or reading.words[content[0]] in _HEDGES:
        return ""
    if reading.language not in (None, "en"):
        return "object"
    if reading.words[said[0]] in _PREPOSITIONS:
        return "adjunct" if any(reading.words[i] in _PREPOSITIONS for i in said[2:]) else ""
    return "object" if any(_begins_phrase(reading, i, content) for i in said[1:]) else ""


def _is_shared_verb(reading: Reading, i: int) -> bool:
    """Return True for a word that stands in both parts, were it as common as *use*."""
    return is_repeated(reading, i) or (
        i > 0 and reading.codes.count(reading.codes[i]) == 2 and is_verb(reading, i)
    )


def _begins_with_verb(reading: Reading, words: list[int]) -> bool:
    """Return True if a piece opens with a bare verb and its object (``and cost 4 crowns``)."""
    if len(words) < 3 or reading.words[words[0]] not in _JOINERS:
        return False
    verb, after = words[1], words[2]
    if (
        verb not in reading.content
        or not reading.tokens[verb].text.isalpha()
        or not reading.words[verb].islower()
    ):
        return False
    return reading.tokens[after].key.startswith("#") or reading.words[after] in _DETERMINERS


def _begins_phrase(reading: Reading, i: int, content: list[int]) -> bool:
    """Return True if word ``i`` begins a phrase right after a noun (``Mr Beck the laboratory``)."""
    if i - 1 not in content:
        return False
    if reading.words[i] in _DETERMINERS or reading.words[i] in _PREPOSITIONS:
        return i != content[-1]
    return reading.tokens[i].key.startswith("#") and reading.tokens[i - 1].text.isalpha()


def _part(reading: Reading, words: list[int], joined: bool, kind: str, first: list[int]) -> Part:
    own = frozenset(reading.codes[i] for i in words if i in reading.content)
    if words[0] == first[0]:
        return Part(own, frozenset(), joined)
    shared: set[int] = set()
    if kind in ("object", "adjunct"):
        shared.update(_left_out(reading, words, first))
    if (
        kind == "adjunct"
        or (kind == "clause" and _lacks_subject(reading, words))
        or _lacks_noun(reading, words)
    ):
        shared.update(_subject(reading, first))
    if not _PRONOUNS.isdisjoint(reading.words[i] for i in words):
        shared.update(i for i in reading.content if i < words[0] and not is_verb(reading, i))
    numbers = {i for i in shared if reading.tokens[i].key.startswith("#")}
    return Part(own, frozenset(reading.codes[i] for i in shared - numbers if i in reading.content), joined)


def _left_out(reading: Reading, words: list[int], first: list[int]) -> list[int]:
    """Return what a part without a verb takes over from the first: the verb, and the unit of its number."""
    found = [i for i in first if i and is_finite(reading, i)] or (
        [i for i in first if i and is_verb(reading, i)]
        or [i for i in first if i and may_be_verb(reading, i)]
        or [i for i in first if i in reading.content][1:2]
    )[:1]
    number = next((i for i in first if reading.tokens[i].key.startswith("#")), None)
    if number is not None and any(
        reading.tokens[i].key.startswith("#") and i + 1 not in words for i in words
    ):
        found += [i for i in first if i > number]
    return found


def _subject(reading: Reading, first: list[int]) -> list[int]:
    """Return the subject of the first part; where no verb is told, its first word that says something."""
    if any(is_verb(reading, i) for i in first):
        return subject_of(reading)
    return [i for i in first if i in reading.content][:1]


_NOUNLESS = frozenset("first second third last other former latter next previous one ones".split())


def _lacks_noun(reading: Reading, words: list[int]) -> bool:
    """Return True if a part leaves out its noun (``and the last at ten``)."""
    said = [reading.words[i] for i in words if reading.words[i] not in _JOINERS][:2]
    return len(said) == 2 and said[0] in _DETERMINERS and (said[1] in _NOUNLESS or said[1].endswith("est"))


def _lacks_subject(reading: Reading, words: list[int]) -> bool:
    """Return True if a clause begins with its verb (``and raised in Tarn``)."""
    first = next((i for i in words if reading.words[i] not in _JOINERS), None)
    if first is None or not (is_verb(reading, first) or _begins_with_verb(reading, words)):
        return False
    if not reading.words[first].endswith("s"):
        return True
    return not any(
        is_finite(reading, i)
        or (
            i in reading.content
            and reading.codes.count(reading.codes[i]) == 2
            and not reading.tokens[i - 1].key.startswith("#")
        )
        for i in words
        if i > first
    )
