"""Is a thing needed for what two texts say? ``Nobody enters without goggles``, ``goggles are required``."""

from __future__ import annotations

from groundwire.text.alignment import Alignment
from groundwire.text.grammar import PERMITS, SHORT_SCOPE
from groundwire.text.reading import Reading

AGREE, DIFFER = "agree", "differ"
_NEEDED = frozenset(
    """
need needs needed require requires required requirement necessary mandatory compulsory obligatory
brauchen braucht benötigt nötig erforderlich faut nécessaire requis necesita necesario hace
""".split()
)
_ABLE = PERMITS | frozenset("could mag".split())
_REACH = 3


def compare_needs(claim: Reading, sentence: Reading, aligned: Alignment) -> str | None:
    """Return ``agree`` or ``differ`` where one text says *without* and both tell if a thing is needed.

    None where they speak of other things.
    """
    mine, theirs = set(claim.words), set(sentence.words)
    bare, other = SHORT_SCOPE & mine, SHORT_SCOPE & theirs
    if not (bare or other):
        return None
    here, there = _tells_need(claim), _tells_need(sentence)
    if bare and other and {here, there} == {None, True}:
        here, there = here or _does_without(claim), there or _does_without(sentence)
    if here is None or there is None:
        return None
    shared = {i for i, _ in aligned.pairs}, {j for _, j in aligned.pairs}
    if not (_names(claim, shared[0]) if bare else _names(sentence, shared[1])):
        return None
    return AGREE if here == there else DIFFER


def _tells_need(reading: Reading) -> bool | None:
    """Return True if a text says that something is needed, False if it can be done without, else None."""
    words = set(reading.words)
    bare = SHORT_SCOPE & words
    denials = [i for i in reading.negators if reading.words[i] not in SHORT_SCOPE]
    if bare:
        if _NEEDED & words or len(denials) > 1:
            return None
        return bool(denials) if denials or _ABLE & words else None
    return not denials if _NEEDED & words else None


def _does_without(reading: Reading) -> bool | None:
    """Return False for a text that states something with a *without* and denies nothing, else None."""
    is_plain = all(reading.words[i] in SHORT_SCOPE for i in reading.negators)
    return False if is_plain and _NEEDED.isdisjoint(reading.words) else None


def _names(reading: Reading, shared: set[int]) -> bool:
    """Return True if the other text holds what stands right after *without*."""
    at = next(i for i, word in enumerate(reading.words) if word in SHORT_SCOPE)
    thing = [i for i in range(at + 1, at + 1 + _REACH) if i in reading.content]
    return any(i in shared for i in thing)


def words_of_need(claim: Reading) -> list[int]:
    """Return the words by which a claim says that something is needed or not."""
    return [i for i, word in enumerate(claim.words) if word in _NEEDED or i in claim.negators]
