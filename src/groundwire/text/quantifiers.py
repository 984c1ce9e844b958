"""All, none, not all, some, most, few: how many of the things that two texts speak of they mean.

``None of the berths is free`` and ``all berths are taken`` say the same, ``not all rooms`` and ``no room``
do not.
"""

from __future__ import annotations

from groundwire.text.alignment import Alignment, find_opposite
from groundwire.text.grammar import SHORT_SCOPE
from groundwire.text.reading import Reading

ALL, NONE, NOT_ALL, SOME, MOST, MANY, FEW, ONLY = (
    "all",
    "none",
    "not all",
    "some",
    "most",
    "many",
    "few",
    "only",
)
AGREE, DIFFER = "agree", "differ"

_WORDS = {
    **dict.fromkeys(
        "all every each both alle jeder jede jedes tous toutes todos todas tutti tutte".split(), ALL
    ),
    **dict.fromkeys("no none neither keine keiner aucun aucune ningún ninguna nessun nessuna".split(), NONE),
    **dict.fromkeys(
        "some several certain einige manche quelques algunos algunas alcuni alcune".split(), SOME
    ),
    **dict.fromkeys("most majority meisten plupart mayoría".split(), MOST),
    **dict.fromkeys("many numerous viele".split(), MANY),
    **dict.fromkeys("few wenige".split(), FEW),
    **dict.fromkeys("half third quarter hälfte moitié mitad metà".split(), SOME),
    "only": ONLY,
}
_PRONOUNS = {
    **dict.fromkeys("everyone everybody anyone anybody everything".split(), ALL),
    **dict.fromkeys("nobody nothing".split(), NONE),
    **dict.fromkeys("someone somebody something".split(), SOME),
}
_TURNED = {ALL: NONE, NONE: ALL, NOT_ALL: SOME, SOME: NOT_ALL, MOST: FEW}
_CONFLICTS = frozenset(
    (mine, theirs)
    for theirs, others in {
        ALL: (NONE, NOT_ALL, FEW),
        NONE: (ALL, SOME, MOST, MANY),
        NOT_ALL: (ALL, NONE),
        SOME: (ALL, NONE, MOST),
        MOST: (ALL, NONE, FEW),
        MANY: (ALL, NONE, FEW),
        FEW: (ALL, NONE, MOST, MANY),
        ONLY: (ALL,),
    }.items()
    for mine in others
)
_REACH = 4
MAX_WORDS = 14


def _quantifier_before(reading: Reading, noun: int) -> tuple[str, int] | None:
    """Return how many of word ``noun`` are meant, and by which word."""
    words = reading.words
    for k in range(noun - 1, max(-1, noun - 1 - _REACH), -1):
        if reading.clause[k] != reading.clause[noun]:
            return None
        kind = _WORDS.get(words[k])
        if kind == NONE and k not in reading.negators:
            return None
        if kind is None or (kind == MOST and words[k - 1 : k] in (["the"], ["of"], ["a"])):
            continue
        if kind == ONLY and k:
            return None
        if words[k - 1 : k] == ["not"] and kind == ALL:
            return NOT_ALL, k
        if words[k - 1 : k] == ["a"] and kind == FEW:
            return SOME, k
        return kind, k
    return None


def _pronoun(reading: Reading) -> tuple[str, int] | None:
    """Return how many are meant by a pronoun that opens the text (``everyone``, ``not everyone``)."""
    for k, word in enumerate(reading.words[:2]):
        kind = _PRONOUNS.get(word)
        if word == "no" and reading.words[k + 1 : k + 2] == ["one"]:
            kind = NONE
        if (
            kind == ALL
            and reading.words[k - 1 : k]
            and reading.words[k - 1] in ("hardly", "scarcely", "barely")
        ):
            kind = NONE
        if kind is not None:
            return (NOT_ALL if kind == ALL and reading.words[k - 1 : k] == ["not"] else kind), k
    return None


def compare_quantifiers(claim: Reading, sentence: Reading, aligned: Alignment) -> str | None:
    """Return ``agree`` or ``differ`` where both texts say how many of the same things, else None."""
    if max(len(claim.content), len(sentence.content)) > MAX_WORDS or _holds_exception(claim, sentence):
        return None
    mine = theirs = None
    for i, j in aligned.pairs:
        here, there = _quantifier_before(claim, i), _quantifier_before(sentence, j)
        if here is not None and here[0] == ALL and here[1] == i - 1 and _is_limited(claim, sentence, j):
            return DIFFER
        is_single = claim.codes.count(claim.codes[i]) == sentence.codes.count(sentence.codes[j]) == 1
        if here is not None and there is not None and is_single:
            mine, theirs = here, there
            break
    else:
        mine = _pronoun(claim)
        theirs = _pronoun(sentence) or _opening(sentence)
        if mine is None or theirs is None:
            return None
    kind = mine[0]
    if _is_turned(claim, mine[1], aligned) != _is_turned(sentence, theirs[1], aligned):
        if kind not in _TURNED:
            return None
        kind = _TURNED[kind]
    if find_opposite(claim, sentence, aligned) is not None:
        if kind not in _TURNED:
            return None
        kind = _TURNED[kind]
    if kind == theirs[0]:
        return AGREE
    return DIFFER if (kind, theirs[0]) in _CONFLICTS else None


def _is_limited(claim: Reading, sentence: Reading, noun: int) -> bool:
    """Return True if the sentence speaks only of a kind of those of which the claim says all."""
    before = noun - 1
    return (
        before in sentence.content
        and sentence.codes.count(sentence.codes[noun]) == 1
        and sentence.clause[before] == sentence.clause[noun]
        and sentence.codes[before] not in claim.codes
        and not sentence.tokens[before].key.startswith("#")
        and sentence.words[before].endswith(_COMPARED)
    )


_COMPARED = ("er", "est", "al", "ic", "ary", "ous", "ive", "able", "less", "ful", "n", "ed")


def _opening(reading: Reading) -> tuple[str, int] | None:
    """Return the quantifier that opens the text (``only members``, ``all visitors``)."""
    kind = _WORDS.get(reading.words[0]) if reading.words else None
    return None if kind is None or (kind == NONE and 0 not in reading.negators) else (kind, 0)


def _is_turned(reading: Reading, quantifier: int, aligned: Alignment) -> bool:
    """Return True if a further word of the text negates."""
    words = reading.words
    skipped = {quantifier, quantifier - 1}
    answers = (
        words[:1] in (["no"], ["yes"]) and reading.text.lstrip()[len(words[0]) : len(words[0]) + 1] in ",.;:!"
    )
    negators = [
        k
        for k in reading.negators
        if k not in skipped
        and not (answers and k == 0)
        and reading.clause[k] == reading.clause[quantifier]
        and words[k] not in SHORT_SCOPE
    ]
    return len(negators) % 2 == 1


def _holds_exception(claim: Reading, sentence: Reading) -> bool:
    return claim.has_exception or sentence.has_exception
