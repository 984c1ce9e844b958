"""How well a claim is supported by sources: an untrained score per word, claim and answer.

Each word of a claim is looked up in all sources, then in the best two-sentence window, then with its
neighbors in their order; words of grammar count as found within runs of three. What of the claim no sentence
has in the same order counts besides. Numbers and names weigh more than plain words, rare words more than
common ones, grammar little. The score is a proxy: it says how much of a claim is new, not whether it is
true. All values are independent of the order of the sources.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence

from msgspec import Struct
from msgspec.structs import replace
from rapidfuzz.distance import LCSseq

from groundwire.text.claims import CONTENT, FUNCTION, MARKER, NAME, NUMBER, ClaimWords
from groundwire.text.corpus import Corpus
from groundwire.text.similar import similar_codes
from groundwire.text.vocabulary import CONTENT as IS_CONTENT, NUMBER as IS_NUMBER, VOCABULARY

QUESTION_CREDIT = 0.3
WORDS_SHARE = 0.8
"""Share of the words' novelty in a claim's; the rest is how much of it stands in no sentence in its order."""
UNMET_FACTOR = 0.3
"""How much an answer's risk grows where the sources hold nothing of what was asked."""


class Window(Struct, frozen=True, gc=False):
    """Consecutive sentences of one source: ``first`` to ``last``, and the weight they cover."""

    source: int
    first: int
    last: int
    covered: float


def settle_words(support: ClaimSupport, settled: frozenset[int]) -> ClaimSupport:
    """Return the support with the words ``settled`` counted as found: their values were checked."""
    if not settled:
        return support
    claim = support.claim
    given = WORDS_SHARE * sum(support.novelty[i] * claim.weights[i] for i in settled)
    unsupported = max(0.0, support.unsupported - given)
    return replace(
        support,
        novelty=tuple(0.0 if i in settled else value for i, value in enumerate(support.novelty)),
        unsupported=unsupported,
        risk=unsupported / (support.weight + 2),
        absent=tuple(i for i in support.absent if i not in settled),
    )


class ClaimSupport(Struct, frozen=True, gc=False):
    """What was found for one claim.

    ``novelty`` per word is from 0 (well supported) to 2 (a number that stands nowhere); ``risk`` is their
    weighted mean, blended with the share of words that the best sentence does not have in this order, with
    a prior, 0 to about 2; ``unsupported`` and ``weight`` are the sums behind it.
    ``forms`` are the codes under which each word was found, ``sentences`` the corpus's sentences that
    share most with the claim, best first.
    """

    claim: ClaimWords
    novelty: tuple[float, ...]
    unsupported: float
    weight: float
    risk: float
    window: Window | None
    second: Window | None
    absent: tuple[int, ...]
    forms: tuple[tuple[str, ...], ...] = ()
    sentences: tuple[int, ...] = ()

    @property
    def is_verbatim(self) -> bool:
        """True if the claim is, word for word, a sentence of a source."""
        return self.unsupported == 0.0 and not any(self.novelty) and bool(self.sentences) and not self.absent

    @property
    def coverage(self) -> float:
        """Share of the claim's window weight that stands in the best window, 0 to 1."""
        total = sum(self.claim.rarities)
        return 0.0 if self.window is None or total <= 0 else self.window.covered / total


def estimate_support(
    claim: ClaimWords, corpus: Corpus, question_codes: str = "", credit: float = QUESTION_CREDIT
) -> ClaimSupport:
    """Score one claim against the corpus; words of the question count as given by ``credit``, 0 to 1.

    >>> from groundwire.text.claims import split_claims
    >>> from groundwire.text.sources import Source
    >>> corpus = Corpus([Source("The gate opens at nine.")])
    >>> claims = split_claims("The gate opens at nine. It sings.")
    >>> [estimate_support(claim, corpus).risk < 0.2 for claim in claims]
    [True, False]
    """
    twin = corpus.find_sentence(claim.codes, claim.text)
    if twin is not None:
        return _verbatim(claim, corpus, twin)
    forms = _forms(claim, corpus)
    window, second, in_first, in_second = _best_windows(claim, forms, corpus)
    order = _order_terms(claim, forms, corpus)
    novelty, unsupported, weight, absent = [], 0.0, 0.0, []
    threes = _found_threes(claim.codes, corpus.joined)
    for i, kind in enumerate(claim.kinds):
        if kind == FUNCTION:
            value = _grammar_novelty(i, claim.codes, threes, corpus.joined)
        elif kind in (CONTENT, NAME, NUMBER):
            value = _novelty(i, forms, in_first, in_second, order)
            if claim.codes[i] in question_codes:
                value = min(value, 1 - credit)
            if not forms[i]:
                absent.append(i)
            if kind != CONTENT:
                value *= 2 if not forms[i] else (1 if i in in_first or i in in_second else 1.5)
        else:
            value = 0.0
        novelty.append(value)
        unsupported += value * claim.weights[i]
        weight += claim.weights[i]
    sentences = _closest_sentences(claim, forms, corpus)
    out_of_order = 1 - _common_subsequence(claim.codes, sentences, corpus) / max(1, len(claim.codes))
    unsupported = WORDS_SHARE * unsupported + (1 - WORDS_SHARE) * weight * out_of_order
    risk = unsupported / (weight + 2)
    return ClaimSupport(
        claim,
        tuple(novelty),
        unsupported,
        weight,
        risk,
        window,
        second,
        tuple(absent),
        tuple(forms),
        sentences,
    )


def _verbatim(claim: ClaimWords, corpus: Corpus, index: int) -> ClaimSupport:
    """A claim that is, word for word, a sentence of a source: nothing of it is new."""
    source, sentence = corpus.origins[index]
    covered = sum([claim.rarities[i] for i in claim.content])
    window = Window(source, sentence, sentence, covered)
    forms = tuple([(code,) for code in claim.codes])
    novelty = (0.0,) * len(claim.codes)
    return ClaimSupport(claim, novelty, 0.0, sum(claim.weights), 0.0, window, None, (), forms, (index,))


def _closest_sentences(
    claim: ClaimWords, forms: list[tuple[str, ...]], corpus: Corpus, count: int = 5
) -> tuple[int, ...]:
    """Return the sentences that share most weight with the claim, best first, ties by their codes."""
    if claim.content:
        return closest_sentences(claim.content, claim.rarities, forms, corpus, count)
    return closest_sentences(range(len(claim.codes)), claim.weights, forms, corpus, count)


def closest_sentences(
    indices: Sequence[int],
    weights: Sequence[float],
    forms: Sequence[tuple[str, ...]],
    corpus: Corpus,
    count: int = 5,
) -> tuple[int, ...]:
    """Return the sentences that share most weight with the words ``indices``, best first.

    Of equal ones the shorter comes first, then the one that holds earlier words (the subject), then by text.
    """
    single: dict[int, float] = {}
    for i in indices:
        if forms[i]:
            weight = weights[i]
            for j in corpus.sentences_with(forms[i]):
                single[j] = single.get(j, 0.0) + weight
    if not single:
        return ()
    least = 0.6 * max(single.values())
    close = [j for j, weight in single.items() if weight >= least]
    held: dict[int, list[int]] = {j: [] for j in close}
    for i in indices if len(close) > 1 else ():
        if forms[i]:
            for j in corpus.sentences_with(forms[i]):
                if j in held:
                    held[j].append(i)
    close.sort(
        key=lambda j: (-round(single[j], 6), len(corpus.sentences[j]), held[j], corpus.sentence_text(j))
    )
    return tuple(close[:count])


def _forms(claim: ClaimWords, corpus: Corpus) -> list[tuple[str, ...]]:
    """Per word: the codes under which it stands somewhere in the corpus."""
    joined = corpus.joined
    forms: list[tuple[str, ...]] = []
    for i, code in enumerate(claim.codes):
        if code in joined:
            forms.append((code,))
        elif claim.kinds[i] in (CONTENT, NAME, NUMBER):
            forms.append(similar_codes(claim, i, joined))
        else:
            forms.append(())
    return forms


def _novelty(
    i: int,
    forms: list[tuple[str, ...]],
    in_first: set[int],
    in_second: set[int],
    order: list[float],
) -> float:
    if not forms[i]:
        return 1.0
    near = 1.0 if i in in_first else (0.8 if i in in_second else 0.0)
    return 1 - (1 + near + 1.5 * order[i]) / 3.5


def _best_windows(
    claim: ClaimWords, forms: list[tuple[str, ...]], corpus: Corpus
) -> tuple[Window | None, Window | None, set[int], set[int]]:
    by_form: dict[tuple[str, ...], list[int]] = {}
    for i in claim.content:
        if forms[i]:
            by_form.setdefault(forms[i], []).append(i)
    if not by_form:
        return None, None, set(), set()
    places = {form: corpus.sentences_with(form) for form in by_form}
    gains = {form: claim.rarities[indices[0]] for form, indices in by_form.items()}
    first = _best_pair(places, gains, corpus)
    if first is None:
        return None, None, set(), set()
    in_first = {form for form, at in places.items() if _is_in(at, first)}
    rest = {form: at for form, at in places.items() if form not in in_first}
    second = _best_single(rest, gains, corpus) if rest else None
    in_second = {form for form, at in rest.items() if second is not None and _is_in(at, second)}
    return (
        _window(first, corpus),
        None if second is None else _window(second, corpus),
        {i for form in in_first for i in by_form[form]},
        {i for form in in_second for i in by_form[form]},
    )


def _is_in(places: list[int], pair: tuple[int, int, float]) -> bool:
    at = bisect_right(places, pair[1])
    return at > 0 and places[at - 1] >= pair[0]


def _best_pair(
    places: dict[tuple[str, ...], list[int]], gains: dict[tuple[str, ...], float], corpus: Corpus
) -> tuple[int, int, float] | None:
    """Return (first, last, gain) of the best one or two consecutive sentences of one source."""
    single: dict[int, float] = {}
    pairs: dict[int, float] = {}
    for form, at in places.items():
        gain, last = gains[form], -2
        for i in at:
            single[i] = single.get(i, 0.0) + gain
            if last != i - 1:
                pairs[i - 1] = pairs.get(i - 1, 0.0) + gain
            pairs[i] = pairs.get(i, 0.0) + gain
            last = i
    origins, count = corpus.origins, len(corpus.origins)
    most = max(single.values(), default=0.0)
    least = most - 1e-6
    options: list[tuple[int, int, float]] = []
    for start, gain in pairs.items():
        if gain <= least or start < 0 or start + 1 >= count or origins[start][0] != origins[start + 1][0]:
            continue
        if gain > max(single.get(start, 0.0), single.get(start + 1, 0.0)) + 1e-9:
            options.append((start, start + 1, gain))
            most = max(most, gain)
    options += [(i, i, gain) for i, gain in single.items() if gain > least]
    best = [option for option in options if option[2] > most - 1e-6]
    if len(best) > 1:
        # Equal windows are told apart by what they say, never by where they stand.
        best.sort(key=lambda o: (o[1] - o[0], *map(corpus.sentence_text, range(o[0], o[1] + 1))))
    return best[0] if best else None


def _best_single(
    places: dict[tuple[str, ...], list[int]], gains: dict[tuple[str, ...], float], corpus: Corpus
) -> tuple[int, int, float] | None:
    """Return (index, index, gain) of the sentence that holds most of the words left over."""
    single: dict[int, float] = {}
    for form, at in places.items():
        gain = gains[form]
        for i in at:
            single[i] = single.get(i, 0.0) + gain
    if not single:
        return None
    most = max(single.values())
    best = [i for i, gain in single.items() if gain > most - 1e-6]
    chosen = best[0] if len(best) == 1 else min(best, key=corpus.sentence_text)
    return chosen, chosen, single[chosen]


def _window(pair: tuple[int, int, float], corpus: Corpus) -> Window:
    source, first = corpus.origins[pair[0]]
    return Window(source, first, corpus.origins[pair[1]][1], pair[2])


def _order_terms(claim: ClaimWords, forms: list[tuple[str, ...]], corpus: Corpus) -> list[float]:
    """Per word, how many of its four content neighbors stand near it in the same order, 0 to 1."""
    terms = [0.0] * len(claim.kinds)
    content = claim.content
    for distance, share in ((1, 0.5), (2, 0.25)):
        for k in range(len(content) - distance):
            a, b = content[k], content[k + distance]
            if forms[a] and forms[b] and _follows(forms[a], forms[b], 5 + 2 * (b - a), corpus):
                terms[a] += share
                terms[b] += share
    if len(content) == 1 and forms[content[0]]:
        terms[content[0]] = 0.5
    return [min(1.0, term) for term in terms]


def _follows(before: tuple[str, ...], after: tuple[str, ...], within: int, corpus: Corpus) -> bool:
    joined = corpus.joined
    for code in before:
        for at in corpus.positions(code):
            stretch = joined[at + 1 : at + 1 + within]
            for follower in after:
                if follower in stretch:
                    return True
    return False


def _found_threes(codes: str, joined: str) -> list[bool]:
    """Per word, whether it and the next two stand together somewhere."""
    return [codes[i : i + 3] in joined for i in range(len(codes) - 2)]


def _grammar_novelty(i: int, codes: str, threes: Sequence[bool], joined: str) -> float:
    """Return 0 for a word within a run of three that stands somewhere, .5 for one of two, else 1."""
    if any(threes[max(0, i - 2) : i + 1]):
        return 0.0
    if (i and codes[i - 1 : i + 1] in joined) or (i + 1 < len(codes) and codes[i : i + 2] in joined):
        return 0.5
    return 1.0


def _common_subsequence(codes: str, sentences: Sequence[int], corpus: Corpus) -> int:
    """Return how many of the words one of the sentences has in the same order."""
    own = corpus.sentences
    return max((LCSseq.similarity(codes, own[i]) for i in sentences), default=0)


def answer_risk(
    supports: Sequence[ClaimSupport], exponent: float = 0.8, conflicts: int = 0, unmet: float = 0.0
) -> float:
    """Return the answer's risk from its claims': the sum of novelty over a power of the sum of weights.

    0 and up, unbounded; ``exponent`` 1 gives a rate, 0 a sum. Each of ``conflicts`` counts like one new
    word; ``unmet`` is the share of the question that no source speaks of (:func:`unmet_share`).
    """
    unsupported = conflicts + sum(s.unsupported for s in supports)
    rate = unsupported / max(sum(s.weight for s in supports), 1.0) ** exponent
    return float(rate * (1 + UNMET_FACTOR * unmet))


def unmet_share(question_codes: str, corpus: Corpus) -> float:
    """Return the share of the question's words, grammar aside, that stand in no source, 0 to 1."""
    kind = VOCABULARY.kind
    asked = {code for code in question_codes if kind[code] in (IS_CONTENT, IS_NUMBER)}
    return sum(code not in corpus.joined for code in asked) / len(asked) if asked else 0.0


__all__ = ["MARKER", "ClaimSupport", "Corpus", "Window", "answer_risk", "estimate_support"]
