"""Sentences built alike, such as a ledger's: does a claim put the words of one into another?

``In May the smith sold anchors. In June the potter lent jugs.`` does not say that the potter sold anchors.
"""

from __future__ import annotations

from groundwire.text.corpus import Corpus
from groundwire.text.support import ClaimSupport
from groundwire.text.vocabulary import CONTENT, NUMBER, VOCABULARY

_JOINING = frozenset("and or each every all both any either und oder et ou y o".split())
_LEAST_WORDS = 3
_SURE_ROWS = 3
_SAID = "\0"
_ARTICLES = "the a an der die das den dem le la les el los las il lo".split()
MAX_WORDS = 12
MAX_ROWS = 200


def mixes_sentences(support: ClaimSupport, corpus: Corpus) -> int | None:
    """Return the sentence whose words the claim has with those of others built like it, or None.

    Every word must stand in such sentences only, each in another place, and no sentence have them all.
    """
    claim = support.claim
    found = [i for i in claim.content if support.forms[i]]
    if not support.sentences or not _LEAST_WORDS <= len(found) <= MAX_WORDS:
        return None
    best = support.sentences[0]
    codes = corpus.sentences[best]
    if all(any(form in codes for form in support.forms[i]) for i in found):
        return None
    if claim.reading.has_negator or not _JOINING.isdisjoint(claim.reading.words):
        return None
    articles = _articles()
    pattern = _pattern(codes.translate(articles))
    if len(pattern) == pattern.count(_SAID):
        return None
    common: set[int] | None = None
    rows, slots = set[str](), list[int]()
    for i in found:
        places = corpus.sentences_with(support.forms[i])
        if len(places) > MAX_ROWS:
            return None
        texts = {corpus.sentences[j].translate(articles) for j in places}
        if any(_pattern(text) != pattern for text in texts):
            return None
        at = {text.index(form) for text in texts for form in support.forms[i] if form in text}
        if len(at) != 1:
            return None
        common = set(places) if common is None else common.intersection(places)
        rows |= texts
        slots += at
    if common or len(set(slots)) < len(slots) or _are_linked(rows):
        return None
    return best if len(rows) >= _SURE_ROWS or slots == sorted(slots) else None


def _are_linked(rows: set[str]) -> bool:
    """Return True if a word that says something stands in two places: one sentence takes up another."""
    kinds, at = VOCABULARY.kind, dict[str, int]()
    return any(
        at.setdefault(code, i) != i for row in rows for i, code in enumerate(row) if kinds[code] == CONTENT
    )


def _pattern(codes: str) -> str:
    """Return the grammar of a sentence, with a mark for each word that says something."""
    kinds, values = VOCABULARY.kind, _values()
    return "".join([_SAID if kinds[code] in (CONTENT, NUMBER) or code in values else code for code in codes])


def _articles() -> dict[int, None]:
    return {ord(VOCABULARY.codes[word]): None for word in _ARTICLES if word in VOCABULARY.codes}


def _values() -> frozenset[str]:
    """Return the codes of words of grammar that also name a number or a month."""
    return frozenset(VOCABULARY.codes[word] for word in ("one", "may") if word in VOCABULARY.codes)
