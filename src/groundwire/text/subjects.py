"""Does a claim say of one thing what the sources say of another of its kind?

``Basil survives frost`` of ``Basil tolerates no frost. Parsley survives frost.``
"""

from __future__ import annotations

from groundwire.text.clauses import is_verb, real_clauses
from groundwire.text.corpus import Corpus
from groundwire.text.reading import Reading
from groundwire.text.similar import are_similar
from groundwire.text.support import ClaimSupport, closest_sentences

_DETERMINERS = frozenset("the a an this that these those his her its their our my your".split())
_PRONOUNS = frozenset("it they he she this these there you we i who".split())
_LINKS = frozenset("of for in at from".split())
_NEARBY = 3
_LEAST_SHARED = 3
MAX_SUBJECT_WORDS = 3
MAX_WORDS = 16


def lends_predicate(support: ClaimSupport, corpus: Corpus) -> int | None:
    """Return the sentence that says of another subject, named beside the claim's, what a clause says.

    Both subjects must open sentences of one source near each other, and be written alike (both with an
    article, or both without), so that a name is not taken for another's.
    """
    claim = support.claim.reading
    if len(support.claim.content) > 2 * MAX_WORDS or _stands_together(support, corpus):
        return None
    for words in real_clauses(claim):
        subject = subject_in(claim, words)
        rest = [i for i in words if i in support.claim.content and i not in subject]
        if not subject or len(rest) < _LEAST_SHARED or any(not support.forms[i] for i in (*subject, *rest)):
            continue
        found = _owner_of(support, corpus, subject, rest, {claim.codes[i] for i in words})
        if found is not None:
            return found
    return None


def _stands_together(support: ClaimSupport, corpus: Corpus) -> bool:
    """Return True if one sentence holds all words of the claim: it lends nothing."""
    if not support.sentences:
        return True
    codes = corpus.sentences[support.sentences[0]]
    return all(any(form in codes for form in support.forms[i]) for i in support.claim.content)


def subject_in(reading: Reading, words: list[int]) -> list[int]:
    """Return the words of a clause that say something and stand before its verb; none for a pronoun."""
    subject: list[int] = []
    for i in words:
        if i > words[0] and is_verb(reading, i):
            return subject if len(subject) <= MAX_SUBJECT_WORDS else []
        word = reading.words[i]
        if word in _PRONOUNS or (subject and word in _DETERMINERS and reading.words[i - 1] not in _LINKS):
            return []
        if i in reading.content:
            subject.append(i)
    return []


def _owner_of(
    support: ClaimSupport, corpus: Corpus, subject: list[int], rest: list[int], clause: set[str]
) -> int | None:
    claim = support.claim.reading
    mine = {form for i in subject for form in support.forms[i]}
    for index in closest_sentences(rest, support.claim.rarities, support.forms, corpus, count=2):
        sentence = corpus.reading(index)
        if len(sentence.content) > MAX_WORDS or mine & set(sentence.codes):
            continue
        if not all(any(form in sentence.codes for form in support.forms[i]) for i in rest):
            continue
        theirs = subject_in(sentence, list(range(len(sentence.words))))
        if not theirs or any(sentence.codes[j] in clause for j in theirs):
            continue
        if _are_alike(claim, subject, sentence, theirs):
            continue
        if _opens_nearby(mine, index, corpus):
            return index
    return None


def _are_alike(claim: Reading, subject: list[int], sentence: Reading, theirs: list[int]) -> bool:
    """Return True if the two subjects may be one: similar words, or a name and what it is called."""
    if _has_article(claim, subject) != _has_article(sentence, theirs):
        return True
    return any(are_similar(claim.tokens[i].key, sentence.tokens[j].key) for i in subject for j in theirs)


def _has_article(reading: Reading, subject: list[int]) -> bool:
    first = subject[0]
    return first > 0 and reading.words[first - 1] in _DETERMINERS


def _opens_nearby(mine: set[str], index: int, corpus: Corpus) -> bool:
    """Return True if a sentence near by in the same source has the claim's subject."""
    source, number = corpus.origins[index]
    count = len(corpus.sources[source].codes)
    for at in range(max(0, number - _NEARBY), min(count, number + _NEARBY + 1)):
        if at == number:
            continue
        other = corpus.reading(index + at - number)
        subject = subject_in(other, list(range(len(other.words))))
        if subject and any(other.codes[j] in mine for j in subject):
            return True
    return False
