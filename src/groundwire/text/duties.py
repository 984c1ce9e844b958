"""Must, may, must not, need not: what a text says of an act, however it is worded.

``Smoking is prohibited`` and ``you are not allowed to smoke`` say the same, ``charities are exempt`` and
``charities must pay`` do not.
"""

from __future__ import annotations

from typing import NamedTuple

from groundwire.text.alignment import Alignment
from groundwire.text.caseless import Caseless
from groundwire.text.grammar import FINAL_NEGATORS, SHORT_SCOPE
from groundwire.text.reading import Reading

OBLIGE, PERMIT, FORBID, EXEMPT = "oblige", "permit", "forbid", "exempt"
AGREE, DIFFER = "agree", "differ"

_MUST = frozenset("must shall muss müssen doit doivent debe deben deve devono devem moet moeten".split())
_NEED = frozenset(("muss", "müssen"))
"""Verbs that oblige and, negated, leave free."""
_REQUIRED = frozenset(
    "required obliged obligatory mandatory compulsory verpflichtet pflicht obligatoire obligatorio".split()
)
_MAY = frozenset(
    "may can allowed permitted permissible darf dürfen erlaubt peut peuvent permis autorisé puede pueden"
    " permitido mag mogen toegestaan kan må får tilladt tillatt tillåtet pode podem può possono permesso"
    " wolno".split()
)
_FORBIDDEN = frozenset(
    "prohibited forbidden banned disallowed verboten untersagt interdit interdite prohibido prohibida vietato"
    " vietata proibido proibida verboden forbudt förbjudet förbjuden zabronione".split()
)
_EXEMPT = frozenset(
    "exempt exempted optional voluntary needn't freiwillig facultatif opcional voluntario".split()
)
_CUES = frozenset(
    {*_MUST, *_REQUIRED, *_MAY, *_FORBIDDEN, *_EXEMPT, "have", "has", "had", "need", "needs"}
    | {"free", "welcome", "entitled"}
)
_OPPOSED = frozenset(
    (
        (FORBID, EXEMPT),
        (EXEMPT, FORBID),
        (OBLIGE, EXEMPT),
        (EXEMPT, OBLIGE),
        (OBLIGE, FORBID),
        (FORBID, OBLIGE),
        (PERMIT, FORBID),
        (FORBID, PERMIT),
    )
)
_TURNS = frozenset("only unless except without if when until but neither nor before after other than".split())
_NEGATED = {OBLIGE: EXEMPT, PERMIT: FORBID, FORBID: PERMIT, EXEMPT: OBLIGE}
_LEAST_SHARE = 0.6


_IMPERATIVE = Caseless(
    r"\W*(?:please )?(?:do not|don['’]t|never|refrain from|avoid|no (?=\w+ing\b))\b"
    r"|[\w ]{1,40}\b(?:are|is) (?:asked|requested|told|advised) (?:not to|to refrain from|to avoid)\b"
)


class Duty(NamedTuple):
    """What is said, by which word, and whether a negation is part of it."""

    kind: str
    at: int
    is_negated: bool


def read_duties(reading: Reading) -> list[Duty]:
    """Return what a text obliges, permits, forbids or leaves free, in order.

    >>> [d.kind for d in read_duties(Reading("Guests need not pay and dogs are not allowed."))]
    ['exempt', 'forbid']
    """
    known: list[Duty] | None = reading.memo.get("duties")
    if known is None:
        known = reading.memo["duties"] = _find_duties(reading)
    return known


def _find_duties(reading: Reading) -> list[Duty]:
    found = []
    words = reading.words
    order = _IMPERATIVE.match(reading.text)
    if order is not None:
        at = sum(token.end <= order.end() for token in reading.tokens) - 1
        found.append(Duty(FORBID, max(0, at), True))
    for i, word in enumerate(words):
        if word not in _CUES and not word.endswith(("n't", "not")):
            continue
        bare = word.removesuffix("n't") if word.endswith("n't") else word.removesuffix("not")
        kind = _kind_at(
            words, i, "can" if word in ("cannot", "can't") else bare if bare in _MUST | _MAY else word
        )
        if kind is None:
            continue
        is_negated = (bare != word and word not in _EXEMPT) or _is_negated(reading, i)
        if is_negated:
            forbids = (bare in _MUST or word in _MUST) and word not in _NEED
            kind = FORBID if forbids else _NEGATED[kind]
        found.append(Duty(kind, i, is_negated))
    return found


def _kind_at(words: list[str], i: int, word: str) -> str | None:
    following = words[i + 1 : i + 3]
    if word in _MUST or word in _REQUIRED:
        return OBLIGE
    if word in ("have", "has", "had", "need", "needs") and following[:1] == ["to"]:
        return OBLIGE
    if word == "need" and following[:1] == ["not"]:
        return OBLIGE
    if word in _MAY or (word in ("free", "welcome", "entitled") and following[:1] == ["to"]):
        return PERMIT
    if word in _FORBIDDEN:
        return FORBID
    return EXEMPT if word in _EXEMPT else None


def _is_negated(reading: Reading, i: int) -> bool:
    """Return True if a negation of the same clause stands right before or after the word."""
    words, clause = reading.words, reading.clause
    if words[i + 1 : i + 2] in (["not"], ["never"], ["no"], ["pas"]):
        return True
    if any(
        words[k] in FINAL_NEGATORS and clause[k] == clause[i] for k in range(i + 1, min(i + 6, len(words)))
    ):
        return True
    before = [k for k in range(max(0, i - 7), i) if clause[k] == clause[i]]
    return sum(k in reading.negators and words[k] not in SHORT_SCOPE for k in before) % 2 == 1


def compare_duties(claim: Reading, sentence: Reading, aligned: Alignment) -> str | None:
    """Return ``agree`` or ``differ`` where both texts oblige, permit, forbid or exempt in the same matter."""
    mine = read_duties(claim)
    theirs = read_duties(sentence) if mine else []
    if not theirs:
        return None
    partners = dict(aligned.pairs)
    if not _TURNS.isdisjoint({*claim.words, *sentence.words}):
        return None
    verdicts = []
    for duty in mine:
        other = max(theirs, key=lambda d: _shared(claim, sentence, partners, duty, d))
        if (duty.kind, other.kind) in _OPPOSED:
            verdicts.append(DIFFER)
        elif duty.kind == other.kind:
            verdicts.append(AGREE)
    if AGREE in verdicts and DIFFER not in verdicts:
        return AGREE if _rest_agrees(claim, mine, sentence, theirs) else None
    if DIFFER in verdicts and AGREE not in verdicts:
        return DIFFER if _is_same_matter(claim, aligned, mine) else None
    return None


def _shared(claim: Reading, sentence: Reading, partners: dict[int, int], duty: Duty, other: Duty) -> int:
    """Return how many words the clauses of two duties share."""
    return sum(
        claim.clause[i] == claim.clause[duty.at] and sentence.clause[j] == sentence.clause[other.at]
        for i, j in partners.items()
    )


def _is_same_matter(claim: Reading, aligned: Alignment, duties: list[Duty]) -> bool:
    said = [i for i in claim.content if i not in {d.at for d in duties}]
    held = {i for i, _ in aligned.pairs}
    return len(said) >= 2 and sum(i in held for i in said) >= _LEAST_SHARE * len(said)


def _rest_agrees(claim: Reading, mine: list[Duty], sentence: Reading, theirs: list[Duty]) -> bool:
    """Return True if nothing but the duties' own words negates in either text."""
    return _other_negators(claim, mine) == _other_negators(sentence, theirs) == 0


def _other_negators(reading: Reading, duties: list[Duty]) -> int:
    """Return how many words negate beyond those of the duties; a leading *No,* answers."""
    words = reading.words
    answers = words[:1] == ["no"] and reading.text.lstrip(" \"'")[2:3] in (",", ".", ";", ":", "!")
    total = sum(i in reading.negators for i in range(answers, len(words)))
    return max(0, total - sum(d.is_negated for d in duties))
