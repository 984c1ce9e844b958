"""The support score: equal to a slow obvious reference, and blind to the order of sources."""

from __future__ import annotations

from hypothesis import given, strategies as st

from groundwire.text.claims import split_claims
from groundwire.text.corpus import Corpus
from groundwire.text.sources import Source
from groundwire.text.support import _run_lengths, answer_risk, estimate_support
from groundwire.text.vocabulary import VOCABULARY
from groundwire.text.words import split_words, tokenize

WORDS = st.sampled_from("gate opens nine ten the of keeper harbor 5 7 not red blue Lund mill".split())
SENTENCES = st.lists(WORDS, min_size=1, max_size=9).map(lambda words: " ".join(words).capitalize() + ".")
TEXTS = st.lists(SENTENCES, min_size=1, max_size=4).map(" ".join)


def slow_run_lengths(codes: str, joined: str) -> list[int]:
    """For every word try every run through it."""
    lengths = [0] * len(codes)
    for start in range(len(codes)):
        for end in range(start + 1, len(codes) + 1):
            if codes[start:end] in joined:
                for i in range(start, end):
                    lengths[i] = max(lengths[i], end - start)
    return lengths


@given(st.text("abcd", max_size=12), st.text("abcd|", max_size=30))
def test_runs_equal_the_slow_reference(codes: str, joined: str) -> None:
    """The two-pointer search finds exactly the longest runs."""
    assert _run_lengths(codes, joined) == slow_run_lengths(codes, joined)


@given(TEXTS)
def test_places_equal_a_scan_of_the_sentences(text: str) -> None:
    """A code's positions, mapped to sentences, are the sentences that hold it."""
    corpus = Corpus([Source(text), Source("The keeper of the mill."), Source("")])
    for code in set("".join(corpus.sentences)):
        estimate_support(split_claims(text)[0], corpus)
        for at in corpus.positions(code):
            assert corpus.joined[at] == code
    for i, start in enumerate(corpus.starts):
        assert corpus.joined.startswith(corpus.sentences[i], start)


@given(TEXTS, st.lists(TEXTS, min_size=1, max_size=4), st.randoms())
def test_the_order_of_sources_changes_nothing(answer: str, texts: list[str], dice: object) -> None:
    """Permuting the sources leaves every claim's risk as it is."""
    turned = list(texts)
    dice.shuffle(turned)  # type: ignore[attr-defined]
    risks = [
        [estimate_support(claim, Corpus([Source(t) for t in order])).risk for claim in split_claims(answer)]
        for order in (texts, turned)
    ]
    assert risks[0] == risks[1]


@given(TEXTS)
def test_an_answer_copied_from_its_source_carries_no_risk(text: str) -> None:
    """Every sentence that stands in the source, word for word, is fully supported."""
    corpus = Corpus([Source(text)])
    assert answer_risk([estimate_support(claim, corpus) for claim in split_claims(text)]) == 0.0


@given(st.text(max_size=80))
def test_encoding_equals_tokenizing(text: str) -> None:
    """Chunk by chunk or word by word, a text has the same codes."""
    words = [token.key for chunk in text.split() for token in tokenize(chunk) if token.key]
    assert [k for chunk in text.split() for k in split_words(chunk) if k] == words
    assert VOCABULARY.encode(text) == "".join(map(VOCABULARY.code_of, words))


def test_a_seam_between_sources_is_no_neighborhood() -> None:
    """Words that stand together only across two sources get no credit for their order."""
    claim = split_claims("The kiosk sells maps and coins.")[0]
    apart = Corpus([Source("The kiosk sells maps"), Source("and coins.")])
    whole = Corpus([Source("The kiosk sells maps and coins today.")])
    assert estimate_support(claim, apart).risk > estimate_support(claim, whole).risk
