"""Does a claim say more than its sentence: must for may, all for some, only, both for either, always?"""

from __future__ import annotations

import itertools
from collections.abc import Sequence

from groundwire.text.alignment import Alignment
from groundwire.text.caseless import Caseless
from groundwire.text.grammar import OBLIGE, PERMIT
from groundwire.text.lexicon import HEDGES, QUANTIFIERS_ALL, QUANTIFIERS_NONE, QUANTIFIERS_SOME
from groundwire.text.polarity import ONLY
from groundwire.text.reading import Reading, is_negator

_CONDITIONS = frozenset(
    "if unless provided when only except until subject wenn falls sofern si sauf cuando".split()
)
_UNCONDITIONAL = Caseless(
    r"\b(?:without (?:\w+ ){0,2}(?:asking|permission|approval|consent|notice|restrictions?|conditions?"
    r"|limits?|limitations?|exceptions?|agreement)|always|at any time|anytime|whenever they|regardless"
    r"|unconditionally|automatically|freely"
    r"|in any case|under all circumstances|no matter)\b"
)


def drops_condition(claim: Reading, sentence: Reading) -> bool:
    """Return True if the claim calls unconditional what the sentence ties to a condition."""
    match = _UNCONDITIONAL.search(claim.text)
    if match is None or _UNCONDITIONAL.search(sentence.text):
        return False
    return any(w in _CONDITIONS for w in sentence.words) and not any(w in _CONDITIONS for w in claim.words)


def differs_in_duty(claim: Reading, sentence: Reading) -> bool:
    """Return True if one says "must" where the other says "may"."""
    if claim.modal is None or sentence.modal is None or claim.modal == sentence.modal:
        return False
    if any(map(is_negator, claim.words)) or any(map(is_negator, sentence.words)):
        return False
    if claim.modal == OBLIGE and sentence.modal == PERMIT:
        return not any(w in ("must", "required", "shall", "need", "needs") for w in sentence.words)
    return "may" in claim.words or "allowed" in claim.words


_CERTAIN = frozenset(
    "always never certainly definitely invariably immer nie niemals toujours jamais siempre".split()
)
_DOUBTFUL = frozenset("may might possible possibly perhaps maybe probably likely".split())
_EVENTUAL = frozenset("may might could possibly perhaps maybe".split())
_POSSIBLE = frozenset(
    "may might can could sometimes usually often occasionally rarely seldom generally possible possibly"
    " perhaps maybe probably likely".split()
)


def hardens_possibility(claim: Reading, sentence: Reading, aligned: Alignment) -> bool:
    """Return True if the claim says always, never or will where the sentence that covers it says may."""
    if "will" in claim.words and aligned.coverage >= 0.9 and "will" not in sentence.words:
        return not _EVENTUAL.isdisjoint(sentence.words) and _POSSIBLE.isdisjoint(claim.words)
    partners = dict(aligned.pairs)
    return (
        (
            aligned.coverage >= 0.9
            or (
                not _DOUBTFUL.isdisjoint(sentence.words)
                and all(i in partners or claim.words[i] in _CERTAIN for i in claim.content)
            )
        )
        and any(w in _CERTAIN for w in claim.words)
        and not any(w in _CERTAIN for w in sentence.words)
        and any(w in _POSSIBLE for w in sentence.words)
        and not any(w in _POSSIBLE for w in claim.words)
    )


def differs_in_quantifier(claim: Reading, sentence: Reading, aligned: Alignment) -> bool:
    """Return True if the claim says all (or none) of what the sentence says of some."""
    partners = dict(aligned.pairs)
    for i, word in enumerate(claim.words):
        if word not in QUANTIFIERS_ALL and word not in QUANTIFIERS_NONE:
            continue
        noun = next((k for k in range(i + 1, min(i + 5, len(claim.words))) if k in partners), None)
        if noun is None:
            continue
        j = partners[noun]
        before = sentence.words[max(0, j - 4) : j]
        some = [k for k, w in enumerate(before) if w in _SOME and before[k - 1 : k] not in (["at"], ["the"])]
        if some and not any(w in QUANTIFIERS_ALL | QUANTIFIERS_NONE for w in before):
            return True
    return False


_SOME = QUANTIFIERS_SOME - {"half", "part", "generally", "various"}
_LIMITS = ONLY | frozenset("outside when just alone except other restricted limited reserved".split())


def adds_only(claim: Reading, sentence: Reading, aligned: Alignment) -> bool:
    """Return True if the claim says "only" and the sentence, which covers it, does not."""
    return (
        aligned.coverage >= 0.9
        and any(w in ONLY for w in claim.words)
        and not any(w in _LIMITS for w in sentence.words)
        and not any(map(is_negator, sentence.words))
    )


def hardens_choice(claim: Reading, sentence: Reading, aligned: Alignment) -> bool:
    """Return True if the claim joins by *and* what the sentence joins by *or*, or the other way round.

    Only where it matters: both are called for, or both are said to be had.
    """
    strict = claim.modal == OBLIGE or not _NEEDS.isdisjoint(claim.words)
    pairs = aligned.pairs
    for (a, a2), (b, b2) in itertools.pairwise(pairs):
        if not 0 < b2 - a2 <= 6:
            continue
        mine, theirs = claim.words[a + 1 : b], sentence.words[a2 + 1 : b2]
        if not {"instead", "rather"}.isdisjoint(mine) and not _PLUS.isdisjoint(theirs):
            return True
        if (
            "and" in mine
            and "or" in theirs
            and (strict or "both" in claim.words or "either" in sentence.words)
        ):
            return True
        if (
            "or" in mine
            and "and" in theirs
            and (strict or "either" in claim.words or "both" in sentence.words)
        ):
            return True
    return False


_PLUS = frozenset("and plus also".split())
_NEEDS = frozenset("need needs require requires required".split())


def adds_alternative(claim: Reading, sentence: Reading, absent: Sequence[int]) -> bool:
    """Return True if the claim hedges and offers an alternative of which no source speaks."""
    if not any(w in HEDGES for w in claim.words) or any(w in HEDGES for w in sentence.words):
        return False
    return any("or" in claim.words[max(0, i - 3) : i] for i in absent)
