"""What a sentence leaves out beside what it states.

``Of wood, not of bone``; ``by sea rather than by land``.
"""

from __future__ import annotations

from groundwire.text.alignment import Alignment
from groundwire.text.duties import AGREE, DIFFER
from groundwire.text.reading import Reading

_NOTS = frozenset("not nicht non pas no não nao niet".split())
_JOINERS = frozenset("and but und et y e".split())
_INSTEAD = frozenset(
    "rather than|instead of|anstatt|statt|plutôt que|lieu de|lugar de|vez de|invece di".split("|")
)
_CUES = _NOTS | {name.split()[0] for name in _INSTEAD}


def compare_excluded(claim: Reading, sentence: Reading, aligned: Alignment) -> str | None:
    """Return ``differ`` if a claim states what the sentence leaves out, ``agree`` if it denies it, or None.

    Only where the claim does not name what the sentence states instead.
    """
    if _CUES.isdisjoint(sentence.words):
        return None
    taken = {j for _, j in aligned.pairs}
    partners_out = _partners_left_out(claim, aligned)
    for start, first in _phrases(sentence):
        left_out = _left_out(sentence, start, first)
        if not left_out or not taken.issuperset(left_out):
            continue
        if not partners_out.isdisjoint(left_out):
            return AGREE
        stated = [j for j in sentence.content if j < start or j > left_out[-1]]
        before = [j for j in stated if j < start]
        rival = before[-1] if before else stated[0] if stated else None
        if rival is not None and rival not in taken:
            return AGREE if claim.negators else DIFFER
    return None


def _partners_left_out(claim: Reading, aligned: Alignment) -> set[int]:
    """Return the words of the sentence that the claim leaves out too."""
    if _CUES.isdisjoint(claim.words):
        return set()
    mine = {i for start, first in _phrases(claim) for i in _left_out(claim, start, first)}
    return {j for i, j in aligned.pairs if i in mine}


def _phrases(sentence: Reading) -> list[tuple[int, int]]:
    """Return, of each phrase that leaves something out, its first word and the first after its cue."""
    words, found = sentence.words, []
    for i, word in enumerate(words):
        if word in _INSTEAD:
            found.append((i, i + 1))
        elif " ".join(words[i : i + 2]) in _INSTEAD:
            found.append((i, i + 2))
        elif word in _NOTS and i in sentence.negators and i and _is_set_off(sentence, i):
            found.append((i, i + 1))
    return found


def _is_set_off(sentence: Reading, i: int) -> bool:
    """Return True if a comma or a joiner stands before a negator."""
    gap = sentence.text[sentence.tokens[i - 1].end : sentence.tokens[i].start]
    return "," in gap or "—" in gap or sentence.words[i - 1] in _JOINERS


def _left_out(sentence: Reading, start: int, first: int) -> list[int]:
    """Return the first words of a phrase that say something and stand nowhere else in the sentence."""
    found: list[int] = []
    for j in range(first, len(sentence.words)):
        if sentence.clause[j] != sentence.clause[start] or (found and j > found[-1] + 1):
            break
        if j in sentence.content and sentence.codes.count(sentence.codes[j]) == 1:
            found.append(j)
    return found
