"""Does a claim tell as done, current, certain or foremost what its sentence tells otherwise?

A plan is not a deed, what was once is not now, what is denied or rumored is not proved, and one of the oldest
is not the oldest.
"""

from __future__ import annotations

from groundwire.text.alignment import Alignment
from groundwire.text.caseless import Caseless
from groundwire.text.lexicon import HEDGES, IRREGULAR, ORDINAL_WORDS
from groundwire.text.reading import Reading

_PLANS = frozenset(
    """
expect expects plan plans planned planning intend intends intended hope hopes hoped aim aims propose proposes
proposed want wants wish wishes
expected scheduled due going consider considered considering considers agreed promised promises
tries tried trying attempts attempted offers offered threatens threatened debate debates debated debating
""".split()
)
_FUTURE = frozenset("will would shall should may might could can".split())
_DONE = frozenset("has have had was were been".split())
_FORMER = frozenset("formerly previously originally former".split())
_NOW = frozenset("now currently today still nowadays presently".split())
_DENIALS = frozenset(
    "denied denies deny denying disputed disputes dispute doubted doubts doubt refuted refutes refute".split()
)
_RUMORS = frozenset(
    """
rumor rumour rumors rumours rumored rumoured allegedly alleged reportedly supposedly supposed unconfirmed
legend unproven disputed believed thought presumably suspected suspects
""".split()
)
_PROOFS = frozenset(
    "proven proved proves confirmed certain certainly definitely undoubtedly undisputed established".split()
)
_UNKNOWN = Caseless(
    r"\b(?:is|are|was|were|remains?) (?:\w+ )?(?:unknown|unclear|uncertain|undetermined|unresolved)\W*$"
)
_PONDERED = frozenset(
    """
considering weighing debating discussing examining studying reviewing hopes proposes proposed threatened
offered erwägt erwägen prüft prüfen diskutiert envisage étudie propose estudia considera propone
""".split()
)
_REQUESTED = frozenset("applied requested awaiting awaits pending beantragt demandé solicitó".split())
_OPEN = (
    _PONDERED
    | _REQUESTED
    | frozenset(
        """
considers considered weighs weighed debates debated discusses discussed suggests suggested planning expected
tries tried attempted vorgeschlagen geplant prévoit proposé propuso planea solicitado
""".split()
    )
)
"""A matter that is not settled yet, or an attempt at it."""
_UNSETTLED = _OPEN | frozenset(
    """
consider weigh debate discuss review propose plan plans apply applies request requests asked seeks
sought seeking filed submitted examine
""".split()
)
_CASE_WORDS = frozenset("if when once unless must wenn falls sobald si cuando".split())
_DECIDED = frozenset(
    """
decided decides approved adopted agreed granted received obtained got passed enacted accepted beschlossen
genehmigt entschieden erhielt erhalten décidé adopté approuvé reçu obtenu decidió aprobó aprobado adoptó
recibió obtuvo
""".split()
)
_SURE = frozenset("will shall wird va".split())
_HOLDS = frozenset("has have had holds held owns hat a tiene".split())
_LEAST_SHARE = 0.75
_LAST = Caseless(r"\b(?:last|previous|next|following) (?:year|month|week|season|summer|winter|spring)\b")
_THIS = Caseless(r"\bthis (?:year|month|week|season|summer|winter|spring)\b")


def find_other_standing(claim: Reading, sentence: Reading, aligned: Alignment) -> str | None:
    """Return why a claim that shares most words with a sentence says more than it, or None."""
    mine, theirs = set(claim.words), set(sentence.words)
    if _RUMORS & theirs and _PROOFS & mine and not (_PROOFS & theirs or _RUMORS & mine):
        said = [i for i in claim.content if claim.words[i] not in _PROOFS]
        if len(aligned.pairs) >= max(2, _LEAST_SHARE * len(said)):
            return "certainty"
    if _takes_hearsay_for_fact(claim, sentence, aligned):
        return "certainty"
    if _takes_planned_for_done(claim, sentence, aligned):
        return "plan"
    if _takes_open_for_settled(claim, sentence, aligned):
        return "plan"
    if aligned.coverage < _LEAST_SHARE:
        return None
    if _takes_plan_for_deed(claim, sentence, aligned):
        return "plan"
    if (
        _LAST.search(sentence.text)
        and _THIS.search(claim.text)
        and not (_THIS.search(sentence.text) or _LAST.search(claim.text))
    ):
        return "time"
    if _was_once(sentence) and not _tells_past(claim):
        return "time"
    if _takes_case_for_fact(claim, sentence, aligned):
        return "condition"
    is_turned = (_FORMER & theirs and _NOW & mine) or (_NOW & theirs and _FORMER & mine)
    if is_turned and not (_FORMER & theirs and _NOW & theirs) and not (_FORMER & mine and _NOW & mine):
        return "time"
    if _UNKNOWN.search(sentence.text) and not _UNKNOWN.search(claim.text) and not claim.has_negator:
        return "unknown"
    if _states_denied(claim, sentence, aligned) or _states_denied(sentence, claim, _turn(aligned)):
        return "denied"
    return "rank" if _differs_in_rank(claim, sentence, aligned) else None


_HEARSAY = Caseless(
    r"\b(?:is|are|was|were) (?:\w+ly )?"
    r"(?:said|thought|believed|rumou?red|reputed|assumed|supposed|suspected) to\b"
    r"|\b(?:suspects?|suspected|speculates?|speculated|rumou?rs?) that\b"
)
_HEARSAY_CUES = frozenset(
    "said thought believed rumored rumoured reputed assumed supposed suspected suspect suspects speculate"
    " speculates speculated rumor rumour".split()
)


def _takes_hearsay_for_fact(claim: Reading, sentence: Reading, aligned: Alignment) -> bool:
    """``is said to be haunted`` told as ``is haunted``."""
    if _HEARSAY_CUES.isdisjoint(sentence.words) or aligned.coverage < _ALL_SHARED:
        return False
    if not (_HEARSAY_CUES | _RUMORS | HEDGES).isdisjoint(claim.words) or claim.has_negator:
        return False
    return _HEARSAY.search(sentence.text) is not None and not _TOLD.search(claim.text)


_ALL_SHARED = 0.95
_TOLD = Caseless(r"\b(?:according|says?|claims?|believes?|thinks?|legend|story|seems?|appears?)\b")


def _was_once(reading: Reading) -> bool:
    """Return True for ``used to`` with a verb; not for ``is used to cut``."""
    words = reading.words
    return "used" in words and any(
        words[k : k + 2] == ["used", "to"] and k > 0 and words[k - 1] not in _BE for k in range(len(words))
    )


_BE = frozenset("is are was were be been being get got gets become".split())


def _tells_past(reading: Reading) -> bool:
    words = reading.words
    if not (_FORMER | {"once", "was", "were", "had", "did", "no"}).isdisjoint(words) or reading.has_negator:
        return True
    return any(word.endswith("ed") or _is_past(word) for word in words)


def _turn(aligned: Alignment) -> Alignment:
    return Alignment(tuple((j, i) for i, j in aligned.pairs), aligned.coverage)


def _takes_plan_for_deed(claim: Reading, sentence: Reading, aligned: Alignment) -> bool:
    """``plans to build`` told as ``has built``."""
    if _looks_ahead(claim):
        return False
    return any(_is_planned(sentence, j) and _is_done(claim, i) for i, j in aligned.pairs)


def _looks_ahead(reading: Reading) -> bool:
    """Return True if a text speaks of what is planned or to come; *the plan* is none of that."""
    ahead = [i for i, word in enumerate(reading.words) if word in _PLANS or word in _FUTURE]
    return any(i == 0 or reading.words[i - 1] not in _ARTICLES for i in ahead)


_ARTICLES = frozenset("the a an this that his her its their our".split())


def _takes_open_for_settled(claim: Reading, sentence: Reading, aligned: Alignment) -> bool:
    """``is considering a ban`` told as ``decided on a ban``, ``applied for a permit`` as ``has a permit``."""
    mine, theirs = claim.words, sentence.words
    will_vote = "vote" in theirs and theirs[theirs.index("vote") - 1] in _SURE
    if not will_vote and (_OPEN.isdisjoint(theirs) or not _SURE.isdisjoint(theirs)):
        return False
    if not (_UNSETTLED.isdisjoint(mine) and _DECIDED.isdisjoint(theirs)) or "whether" in mine:
        return False
    if claim.has_negator or sentence.has_negator or not _CASE_WORDS.isdisjoint(mine):
        return False
    if not _FUTURE.isdisjoint(mine) or not _SURE.isdisjoint(mine):
        return not (_SURE.isdisjoint(mine) or _PONDERED.isdisjoint(theirs))
    if not _DECIDED.isdisjoint(mine) or _is_pondered(claim, sentence, aligned):
        return True
    return not (_REQUESTED.isdisjoint(theirs) or _HOLDS.isdisjoint(mine))


def _is_pondered(claim: Reading, sentence: Reading, aligned: Alignment) -> bool:
    """Return True if the claim tells as done what the sentence ponders (``is weighing a ban``)."""
    at = next((k for k, word in enumerate(sentence.words) if word in _PONDERED), None)
    return at is not None and any(
        j > at and _is_done(claim, i) and not _is_done(sentence, j) and claim.words[i] != sentence.words[j]
        for i, j in aligned.pairs
    )


def _takes_planned_for_done(claim: Reading, sentence: Reading, aligned: Alignment) -> bool:
    """``a study is planned`` told as ``a study has confirmed``."""
    if len(aligned.pairs) < 3 or _looks_ahead(claim):
        return False
    words = sentence.words
    is_planned = any(
        word in ("planned", "scheduled", "proposed") and words[k - 1 : k] in (["is"], ["are"])
        for k, word in enumerate(words)
    )
    return is_planned and any(
        word in ("has", "have", "had") and claim.words[k + 1 : k + 2] and _is_done(claim, k + 1)
        for k, word in enumerate(claim.words)
    )


def _is_planned(reading: Reading, j: int) -> bool:
    before = reading.words[max(0, j - 6) : j]
    for k, word in enumerate(before):
        rest = [w for w in before[k + 1 :] if w != "whether"]
        if (
            word in _PLANS
            and len(before) - k <= 4
            and (rest[:1] == ["to"] or reading.words[j].endswith("ing"))
        ):
            return True
    return before[-1:] in (["will"], ["shall"]) or before[-2:] in (["will", "be"], ["shall", "be"])


def _is_done(reading: Reading, i: int) -> bool:
    word, before = reading.words[i], reading.words[max(0, i - 3) : i]
    if before[-1:] == ["to"] or not (word.endswith("ed") or _is_past(word)):
        return False
    return not _DONE.isdisjoint(before) or _is_past(word) or i + 1 < len(reading.words)


def _is_past(word: str) -> bool:
    return IRREGULAR.get(word, word) != word and not word.endswith("s")


def _takes_case_for_fact(claim: Reading, sentence: Reading, aligned: Alignment) -> bool:
    """``if it broke, it would flood`` told as ``it broke and it flooded``, or as ``it floods``."""
    words = sentence.words
    if "if" not in words or {"would", "could"}.isdisjoint(words):
        return False
    if not {"if", "would", "could", "might", "may", "unless", "were"}.isdisjoint(claim.words):
        return False
    at = words.index("if")
    places = [sentence.clause[j] == sentence.clause[at] for _, j in aligned.pairs]
    if any(places) and not all(places):
        return True
    is_inside = any(place and j > at for place, (_, j) in zip(places, aligned.pairs, strict=True))
    if is_inside or _STATES.isdisjoint(claim.words):
        return False
    clauses = {sentence.clause[j] for _, j in aligned.pairs}
    return len(clauses) == 1 and any(
        word in ("would", "could") and sentence.clause[k] in clauses for k, word in enumerate(words)
    )


_STATES = frozenset("is are was were has have".split())


def _states_denied(claim: Reading, sentence: Reading, aligned: Alignment) -> bool:
    """Return True if the claim states what the sentence says that somebody denied."""
    at = next((k for k, word in enumerate(sentence.words) if word in _DENIALS), None)
    if at is None or not _DENIALS.isdisjoint(claim.words) or claim.has_negator or at in sentence.negators:
        return False
    if sentence.has_negator or sentence.words[at - 1 : at] in (["no"], ["without"]):
        return False
    return sum(j > at for _, j in aligned.pairs) >= 2


def _differs_in_rank(claim: Reading, sentence: Reading, aligned: Alignment) -> bool:
    """``one of the oldest`` told as ``the oldest``, ``the second largest`` as ``the largest``."""
    for i, j in aligned.pairs:
        if not (_is_superlative(claim, i) and _is_superlative(sentence, j)):
            continue
        mine, theirs = claim.words[max(0, i - 4) : i], sentence.words[max(0, j - 4) : j]
        if sentence.codes.count(sentence.codes[j]) > 1 or _is_one_of(mine):
            continue
        if (_is_one_of(theirs) and mine[-1:] == ["the"]) or _ordinal(mine) != _ordinal(theirs):
            return True
    return False


def _is_superlative(reading: Reading, i: int) -> bool:
    word, before = reading.words[i], reading.words[max(0, i - 3) : i]
    return "the" in before and (
        (word.endswith("est") and len(word) > 4) or before[-1:] in (["most"], ["least"])
    )


def _is_one_of(words: list[str]) -> bool:
    return ("one" in words and "of" in words) or "among" in words


def _ordinal(words: list[str]) -> int:
    """Return the rank that stands before a superlative; 1 where none does."""
    for word in words[-2:]:
        digits = word.rstrip("stndrh")
        if digits.isdecimal() and digits != word:
            return int(digits)
        if word in ORDINAL_WORDS:
            return ORDINAL_WORDS[word]
    return 1
