"""The support score: equal to a slow obvious reference, and blind to the order of sources."""

from __future__ import annotations

from hypothesis import given, strategies as st

from groundwire.text.claims import split_claims
from groundwire.text.corpus import Corpus
from groundwire.text.sources import Source
from groundwire.text.support import (
    _found_threes,
    _grammar_novelty,
    answer_risk,
    estimate_support,
    unmet_share,
)
from groundwire.text.vocabulary import VOCABULARY
from groundwire.text.words import split_words, tokenize

WORDS = st.sampled_from("gate opens nine ten the of keeper harbor 5 7 not red blue Lund mill".split())
SENTENCES = st.lists(WORDS, min_size=1, max_size=9).map(lambda words: " ".join(words).capitalize() + ".")
TEXTS = st.lists(SENTENCES, min_size=1, max_size=4).map(" ".join)


def slow_grammar_novelty(i: int, codes: str, joined: str) -> float:
    """Try every run of three and of two through word ``i``."""
    runs = [codes[s:e] for s in range(len(codes)) for e in range(s, len(codes) + 1) if s <= i < e]
    longest = max(len(run) for run in runs if len(run) == 1 or run in joined)
    return 1.0 if longest == 1 else 0.5 if longest == 2 else 0.0


@given(st.text("abcd", min_size=1, max_size=12), st.text("abcd|", max_size=30))
def test_grammar_novelty_equals_the_slow_reference(codes: str, joined: str) -> None:
    """A word of grammar is found within a run of three, half found within one of two."""
    threes = _found_threes(codes, joined)
    for i in range(len(codes)):
        assert _grammar_novelty(i, codes, threes, joined) == slow_grammar_novelty(i, codes, joined)


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


def risk_of(answer: str, *texts: str) -> float:
    return estimate_support(split_claims(answer)[0], Corpus([Source(text) for text in texts])).risk


def test_the_same_words_in_another_order_weigh_more() -> None:
    """Of two claims of one sentence's words, the one that keeps their order has the smaller risk."""
    source = "The keeper of the mill opens the old gate of the harbor at nine."
    kept = risk_of("The keeper opens the gate of the harbor.", source)
    assert kept < risk_of("The gate of the harbor opens the keeper.", source)


def test_an_unfounded_yes_weighs_more_than_a_pronoun() -> None:
    """What answers the question counts, a word that stands for what was named hardly does."""
    source = "The gate opens at nine."
    plain, pronoun, yes = (risk_of(f"{word} the gate opens at nine", source) for word in ("", "it", "yes"))
    assert plain <= pronoun < yes


def test_conflicts_and_an_unmet_question_raise_the_answers_risk() -> None:
    """A contradicted claim counts like a new word; a question that no source speaks of, by three tenths."""
    support = estimate_support(split_claims("It opens at ten.")[0], Corpus([Source("It opens at nine.")]))
    risk = answer_risk([support])
    assert answer_risk([support], conflicts=1) > risk
    assert answer_risk([support], unmet=1.0) == 1.3 * risk


def test_the_share_of_a_question_that_no_source_holds() -> None:
    """Only words that say something are counted; a question without any is met."""
    corpus = Corpus([Source("The gate opens at nine.")])
    assert unmet_share(VOCABULARY.encode("When does the gate open?"), corpus) == 0.0
    assert unmet_share(VOCABULARY.encode("When does the ferry open?"), corpus) == 0.5
    assert unmet_share(VOCABULARY.encode("And how is it?"), corpus) == 0.0
