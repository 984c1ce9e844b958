"""Was one phrase of a sentence exchanged for another, or a pronoun read as someone of whom it does not speak?

``The key hangs behind the mill`` against ``The key hangs behind the organ``; ``the mayor opens the gate``
against ``the keeper, who lives on site, opens the gate``.
"""

from __future__ import annotations

import re

from groundwire.text.clauses import is_verb
from groundwire.text.corpus import Corpus
from groundwire.text.reading import Reading
from groundwire.text.roles import is_verb_like
from groundwire.text.similar import are_similar

_ASIDE = re.compile(r",\s+(?:who|which|whose|where|that|a|an|the|as)\b[^,.;]{1,120},")
_OPENERS = frozenset(
    """
the a an his her its their our my your this that these those each every no in on at by from with behind beside
under over near into onto to for of through before after between among along across around above below
""".split()
)
_BE = frozenset("is are was were".split())
_SUBJECTS = frozenset("he she it they".split())
_PREVIOUS = 3
_MAX_SUBJECT = 3
MAX_SWAPPED = 5
MIN_SHARED = 2
MAX_WORDS = 12


def swaps_phrase(claim: Reading, index: int, corpus: Corpus) -> bool:
    """Return True if claim and sentence are the same but for one phrase, which says other things."""
    sentence = corpus.reading(index)
    if max(len(claim.content), len(sentence.content)) > MAX_WORDS:
        return False
    if _is_swapped(claim, sentence) or _swaps_subject(claim, sentence, index, corpus):
        return not _is_named_before(claim, sentence, index, corpus)
    bare = _ASIDE.sub("", sentence.text)
    return bare != sentence.text and _is_swapped(claim, Reading(bare))


def _is_swapped(claim: Reading, sentence: Reading) -> bool:
    mine, theirs = claim.codes, sentence.codes
    start = 0
    while start < min(len(mine), len(theirs)) and mine[start] == theirs[start]:
        start += 1
    end = 0
    while end < min(len(mine), len(theirs)) - start and mine[-1 - end] == theirs[-1 - end]:
        end += 1
    here, there = range(start, len(mine) - end), range(start, len(theirs) - end)
    shared = [i for i in claim.content if i not in here]
    if len(shared) < MIN_SHARED or not _is_phrase(claim, here) or not _is_phrase(sentence, there):
        return False
    new = [i for i in claim.content if i in here]
    old = [j for j in sentence.content if j in there]
    if any(mine[i] in theirs for i in new) or any(theirs[j] in mine for j in old):
        return False
    if "".join(claim.words[i] for i in new) == "".join(sentence.words[j] for j in old):
        return False  # "co-operative"
    return not any(
        are_similar(a, b) or (a[:5] == b[:5] and len(a) > 4)
        for a in (claim.tokens[i].key for i in new)
        for b in (sentence.tokens[j].key for j in old)
    )


def _swaps_subject(claim: Reading, sentence: Reading, index: int, corpus: Corpus) -> bool:
    """Return True if only what stands before the verb differs, and the source says something else of it."""
    mine, theirs = claim.codes, sentence.codes
    end = 0
    while end < min(len(mine), len(theirs)) and mine[-1 - end] == theirs[-1 - end]:
        end += 1
    here, there = range(len(mine) - end), range(len(theirs) - end)
    new = [i for i in claim.content if i in here]
    old = [j for j in sentence.content if j in there]
    if not 1 <= len(new) <= _MAX_SUBJECT or not 1 <= len(old) <= _MAX_SUBJECT:
        return False
    shared = len(claim.content) - len(new)
    first = len(mine) - end
    if shared < MIN_SHARED or not is_verb_like(claim, first) or not {*claim.words[:1]} & _OPENERS:
        return False
    source, number = corpus.origins[index]
    after = "".join(corpus.sources[source].codes[number + 1 : number + 1 + _PREVIOUS])
    return all(mine[i] in after and mine[i] not in theirs for i in new) and not any(
        theirs[j] in mine for j in old
    )


def _is_phrase(reading: Reading, span: range) -> bool:
    """Return True if the words of ``span`` are a short phrase after a determiner, a preposition, nothing."""
    said = [i for i in reading.content if i in span]
    if not 1 <= len(said) <= MAX_SWAPPED or any(reading.tokens[i].key.startswith("#") for i in said):
        return False
    if any(q.first <= i <= q.last for q in reading.quantities for i in said):
        return False
    if any(i in reading.negators for i in span) or len(span) > 2 * MAX_SWAPPED:
        return False
    if any(reading.words[i].endswith(("ing", "ly", "ed")) for i in said):
        return False
    words = reading.words[span.start : span.stop]
    if not _BE.isdisjoint(words) or words == ["of", "charge"]:
        return False
    return span.start > 0 and (
        reading.words[span.start - 1] in _OPENERS or reading.words[span.start] in _OPENERS
    )


def _is_named_before(claim: Reading, sentence: Reading, index: int, corpus: Corpus) -> bool:
    """Return True if what the claim names instead stands in the sentences right before."""
    new = {claim.codes[i] for i in claim.content} - set(sentence.codes)
    source, number = corpus.origins[index]
    before = "".join(corpus.sources[source].codes[max(0, number - _PREVIOUS) : number])
    return any(code in before for code in new)


def misreads_pronoun(claim: Reading, index: int, corpus: Corpus) -> bool:
    """Return True if the claim puts for the pronoun that opens a sentence what none before it names."""
    sentence = corpus.reading(index)
    if sentence.words[:1] == [] or sentence.words[0] not in _SUBJECTS or len(sentence.codes) < 4:
        return False
    rest = sentence.codes[1:]
    if not claim.codes.endswith(rest):
        return False
    subject = [i for i in claim.content if i < len(claim.codes) - len(rest)]
    source, number = corpus.origins[index]
    before = "".join(corpus.sources[source].codes[max(0, number - _PREVIOUS) : number])
    if not 1 <= len(subject) <= _MAX_SUBJECT or not before:
        return False
    return all(claim.codes[i] in corpus.joined and claim.codes[i] not in before for i in subject)


_JOINERS = frozenset("and but or while whereas und aber während et mais y e pero ma en maar".split())


def exchanges_words(claim: Reading, sentence: Reading) -> bool:
    """Return True if a claim is the sentence with one word of each of two statements exchanged.

    ``A red lamp means full and a green one empty`` of ``A green lamp means full and a red one empty``.
    Items of a list may stand in any order: between them stands no verb.
    """
    mine, theirs = claim.words, sentence.words
    if len(mine) != len(theirs) or len(mine) > MAX_EXCHANGED_WORDS:
        return False
    odd = [k for k, (a, b) in enumerate(zip(mine, theirs, strict=True)) if a != b]
    if len(odd) != 2 or mine[odd[0]] != theirs[odd[1]] or mine[odd[1]] != theirs[odd[0]]:
        return False
    first, second = odd
    between = range(first + 1, second)
    parts = sentence.clause[first] != sentence.clause[second] or not _JOINERS.isdisjoint(theirs[first:second])
    says = any(k > second for k in sentence.content)
    return parts and says and any(_leads_on(sentence, k) for k in between)


MAX_EXCHANGED_WORDS = 60


def _leads_on(reading: Reading, i: int) -> bool:
    """Return True for a verb after which its clause goes on; an item of a list that looks like one ends."""
    following = reading.words[i + 1 : i + 2]
    return (
        is_verb(reading, i)
        and _JOINERS.isdisjoint(following)
        and reading.clause[i : i + 2] == [reading.clause[i]] * 2
    )
