"""What a sentence calls untrue (``it is a myth that …``) or leaves open (``tested whether …``)."""

from __future__ import annotations

from groundwire.text.alignment import Alignment
from groundwire.text.caseless import Caseless
from groundwire.text.duties import AGREE, DIFFER
from groundwire.text.reading import Reading

_FALSE = (
    "(?:not true|untrue|false|wrong|incorrect|unfounded|baseless|an? (?:myth|hoax|lie|error|misconception))"
)
_OPENED = Caseless(
    rf"(?<!not )\b{_FALSE} that\b"
    r"|\b(?:stimmt nicht|ist (?:falsch|unwahr|nicht wahr|ein mythos|ein irrtum)), dass\b"
    r"|\b(?:il est faux|il n['’]est pas vrai) que\b|\b(?:es falso|no es (?:cierto|verdad)) que\b"
)
_CLOSED = Caseless(
    r"\b(?:claim|rumou?r|idea|belief|report|notion|story|allegation|assertion)s? that (.+?)"
    rf" (?:is|are|was|were|proved|turned out)(?: to be)? {_FALSE}"
)
_CUES = frozenset(
    "true untrue false wrong incorrect unfounded baseless myth hoax lie error misconception stimmt falsch"
    " unwahr wahr mythos irrtum faux vrai falso cierto verdad".split()
)


def find_untrue(reading: Reading) -> tuple[int, int] | None:
    """Return the range of what a text calls untrue, or None.

    >>> text = "It is a myth that the well is dry."
    >>> text[slice(*find_untrue(Reading(text)))]
    ' the well is dry.'
    """
    if _CUES.isdisjoint(reading.words):
        return None
    opened = _OPENED.search(reading.text)
    if opened is not None:
        return opened.end(), len(reading.text)
    closed = _CLOSED.search(reading.text)
    return None if closed is None else closed.span(1)


def compare_untrue(claim: Reading, sentence: Reading, aligned: Alignment) -> str | None:
    """Return ``differ`` if a claim states what the sentence calls untrue, ``agree`` if it denies it."""
    if _leaves_open(claim, sentence, aligned):
        return DIFFER
    untrue = find_untrue(sentence)
    if untrue is None or find_untrue(claim) is not None:
        return None
    start, end = untrue
    inside = sum(start <= sentence.tokens[j].start < end for _, j in aligned.pairs)
    if not inside or inside < min(2, len(claim.content)) or inside < len(aligned.pairs):
        return None
    return AGREE if claim.negators else DIFFER


_ASKED = frozenset(("whether", "ob"))
_CHARGED = frozenset("accused acquitted suspected cleared".split())
_OPEN_TOO = (
    _ASKED | _CHARGED | frozenset("if may might could asked charged alleged allegedly unclear".split())
)


def _leaves_open(claim: Reading, sentence: Reading, aligned: Alignment) -> bool:
    """Return True if a claim states what the sentence only asks (``tested whether``) or lays to a charge."""
    words = sentence.words
    if _ASKED.isdisjoint(words) and _CHARGED.isdisjoint(words):
        return False
    if aligned.coverage < _ALL_SHARED or not _OPEN_TOO.isdisjoint(claim.words) or claim.has_negator:
        return False
    at = next(
        (
            i
            for i, word in enumerate(words)
            if word in _ASKED or (word in _CHARGED and words[i + 1 : i + 2] == ["of"])
        ),
        None,
    )
    places = {j for _, j in aligned.pairs}
    return at is not None and len(places) >= 2 and at - 1 not in places and max(places) > at


_ALL_SHARED = 0.95
