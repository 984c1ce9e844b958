"""Does a claim put two steps in the other order than the source that lists them?"""

from __future__ import annotations

import re
from bisect import bisect_right

from groundwire.text.corpus import Corpus
from groundwire.text.reading import Reading
from groundwire.text.support import ClaimSupport

_FILLERS = frozenset("first firstly then next finally lastly afterwards step steps you start begin".split())
_SEQUENCE = re.compile(
    r"\b(?:then|next|finally|lastly|afterwards?|after that|step (?:\d+|two|three|four|five|six))\b"
    r"|^\s*(?:[2-9]|\d\d)[.)]\s",
    re.IGNORECASE,
)
_TURNING = re.compile(r"\b(?:before|after)\b", re.IGNORECASE)


def reverses_steps(claim: Reading, support: ClaimSupport, corpus: Corpus) -> int | None:
    """Return the corpus's sentence whose step the claim puts too early, or None.

    Only steps whose first word stands in one place are compared.
    """
    steps = None if support.absent else _ordered_steps(claim, support)
    if steps is None:
        return None
    places = [_only_place(i, support, corpus) for i in steps]
    first, second = places
    if first is None or second is None or first <= second:
        return None
    late, early = (bisect_right(corpus.starts, at) - 1 for at in (first, second))
    if corpus.origins[late][0] != corpus.origins[early][0]:
        return None
    text = corpus.sentence_text(late)
    if late == early:
        tokens, start = corpus.reading(late).tokens, corpus.starts[late]
        if first - start >= len(tokens):
            return None
        text = text[tokens[second - start].end : tokens[first - start].start]
    return late if _SEQUENCE.search(text) and not _TURNING.search(text) else None


def _ordered_steps(claim: Reading, support: ClaimSupport) -> tuple[int, int] | None:
    """Return the first words of what the claim puts first and second."""
    words = claim.words
    at = next((i for i, w in enumerate(words) if w in ("before", "after", "then")), None)
    if at is None or len(words) != len(support.forms):
        return None
    said = [i for i in support.claim.content if words[i] not in _FILLERS]
    if at == 0:
        left = next((i for i in said if claim.clause[i] == 0), None)
        right = next((i for i in said if claim.clause[i] > 0), None)
    else:
        left = next((i for i in said if i < at), None)
        right = next((i for i in said if i > at), None)
    if left is None or right is None:
        return None
    is_turned = (words[at] == "after") != (at == 0 and words[at] != "then")
    return (right, left) if is_turned else (left, right)


def _only_place(i: int, support: ClaimSupport, corpus: Corpus) -> int | None:
    places = [at for code in support.forms[i] for at in corpus.positions(code)]
    return places[0] if len(places) == 1 else None


_BEFORE = frozenset("before beforehand previously formerly".split())
_AFTER = frozenset("after afterwards afterward thereafter".split())


def side_in_time(reading: Reading, clause: int | None) -> str | None:
    """Return ``before`` or ``after`` if a clause (or the one before it; None: the text) says just one."""
    for number in (None,) if clause is None else (clause, clause - 1):
        words = {w for k, w in enumerate(reading.words) if number in (None, reading.clause[k])}
        before, after = not _BEFORE.isdisjoint(words), not _AFTER.isdisjoint(words)
        if before or after:
            return None if before and after else "before" if before else "after"
    return None
