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
    if len(claim.words) != len(support.forms) or any(claim.words[i] not in _FILLERS for i in support.absent):
        return None
    for first, second in _ordered_steps(claim, support):
        late = _late_step(_only_place(first, support, corpus), _only_place(second, support, corpus), corpus)
        if late is not None:
            return late
    return None


def _late_step(first: int | None, second: int | None, corpus: Corpus) -> int | None:
    """Return the sentence of the place ``first`` if the source puts it after ``second``."""
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


def _ordered_steps(claim: Reading, support: ClaimSupport) -> list[tuple[int, int]]:
    """Return pairs of the first words of what the claim puts first and second."""
    words = claim.words
    said = [i for i in support.claim.content if words[i] not in _FILLERS]
    found = []
    for at, word in enumerate(words):
        if word not in ("before", "after", "then"):
            continue
        if at == 0:
            left = next((i for i in said if claim.clause[i] == 0), None)
            right = next((i for i in said if claim.clause[i] > 0), None)
        else:
            before = [i for i in said if i < at]
            clause = claim.clause[before[-1]] if before else 0
            left = next((i for i in before if claim.clause[i] == clause), None)
            right = next((i for i in said if i > at), None)
        if left is None or right is None:
            continue
        is_turned = (word == "after") != (at == 0 and word != "then")
        found.append((right, left) if is_turned else (left, right))
    return found


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
