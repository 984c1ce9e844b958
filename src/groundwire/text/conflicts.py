"""Does a claim contradict the sources that it resembles? Which check says so, and against which sentence."""

from __future__ import annotations

from collections.abc import Sequence

from groundwire.text.alignment import Alignment, align_words, find_opposite
from groundwire.text.causes import exchanges_case, exchanges_cause, exchanges_preference
from groundwire.text.charges import compare_charges, differs_beside_charge, words_of_charge
from groundwire.text.claims import NAME, TALK
from groundwire.text.clauses import real_clauses
from groundwire.text.comparisons import check_comparison
from groundwire.text.contrasts import compare_excluded
from groundwire.text.corpus import Corpus
from groundwire.text.denials import compare_untrue, find_untrue
from groundwire.text.duties import AGREE, DIFFER, compare_duties, read_duties
from groundwire.text.echo import echoes
from groundwire.text.finding import Conflict, Finding
from groundwire.text.ledgers import mixes_sentences
from groundwire.text.names import are_rival_names
from groundwire.text.needs import compare_needs, words_of_need
from groundwire.text.ordering import reverses_steps
from groundwire.text.overstatement import (
    adds_alternative,
    adds_only,
    differs_in_duty,
    differs_in_quantifier,
    drops_condition,
    hardens_choice,
    hardens_possibility,
)
from groundwire.text.pairings import pairs_otherwise
from groundwire.text.parts import mixes_parts
from groundwire.text.polarity import differs_in_polarity, drops_exception, negates_twin, widens_only
from groundwire.text.quantifiers import compare_quantifiers
from groundwire.text.reading import Reading, is_negator
from groundwire.text.replies import denies_reply, is_question
from groundwire.text.roles import exchanges_bounds, exchanges_places, reverses_roles, turns_direction
from groundwire.text.rows import mixes_rows
from groundwire.text.similar import are_similar
from groundwire.text.speakers import changes_speaker
from groundwire.text.standing import find_other_standing
from groundwire.text.subjects import lends_predicate
from groundwire.text.substitution import find_substitution, substitutes_kind, substitutes_name
from groundwire.text.support import ClaimSupport, closest_sentences, settle_words
from groundwire.text.swaps import exchanges_words, misreads_pronoun, swaps_phrase
from groundwire.text.tables import mixes_cells
from groundwire.text.value_conflicts import MIN_COVERAGE, check_numbers
from groundwire.text.vocabulary import CONTENT, VOCABULARY

MAX_SENTENCES = 2
MAX_CLAUSES = 4


def find_conflict(support: ClaimSupport, corpus: Corpus, question: str = "") -> Finding:
    """Return the strongest conflict of one claim with the sources, and which of its values hold.

    >>> from groundwire.text.claims import split_claims
    >>> from groundwire.text.sources import Source
    >>> from groundwire.text.support import estimate_support
    >>> corpus = Corpus([Source("Dogs are not allowed in the hall.")])
    >>> claim = split_claims("Dogs are allowed in the hall.")[0]
    >>> find_conflict(estimate_support(claim, corpus), corpus).conflict.reason
    'negation'
    """
    if support.is_verbatim:
        return Finding(None)
    reading = support.claim.reading
    asked = denies_reply(reading, support, corpus)
    if asked is not None:
        return Finding(Conflict("negation", asked[0]) if asked[1] else None)
    near = [i for i in support.sentences if not is_question(corpus.sentence_text(i))]
    if not near and len(support.claim.content) <= _BARE_WORDS:
        near = _asked_about(question, corpus)
    sentences = [(i, corpus.reading(i)) for i in near[:MAX_SENTENCES]]
    twin = next((i for i, s in sentences if _is_negated_twin(reading, s)), None)
    if twin is not None:
        return Finding(Conflict("negation", twin))
    if is_about_passages(support):
        return Finding(None)
    if sentences and echoes(reading, sentences[0][1]):
        return Finding(None, frozenset(i for q in reading.quantities for i in range(q.first, q.last + 1)))
    compared = check_comparison(reading, support, corpus)
    if compared is not None and not compared.holds:
        return Finding(Conflict("comparison", compared.sentence))
    if compared is not None and compared.is_whole:
        return Finding(None, frozenset(range(len(reading.codes))))
    numbers = check_numbers(reading, support, corpus, sentences, question)
    if numbers.conflict is not None:
        return numbers
    turned: set[int] = set()
    conflict = _find_contrast(reading, settle_words(support, numbers.settled), corpus, sentences, turned)
    row = mixes_rows(support, corpus) if conflict is None else None
    if row is None and conflict is None:
        row = mixes_cells(support, corpus)
    if row is None and conflict is None:
        row = mixes_sentences(support, corpus)
    if row is not None:
        conflict = Conflict("binding", row)
    case = exchanges_case(support, corpus) if conflict is None else None
    if case is not None:
        conflict = Conflict("condition", case)
    late = reverses_steps(reading, support, corpus) if conflict is None else None
    if late is not None:
        conflict = Conflict("order", late)
    owner = lends_predicate(support, corpus) if conflict is None else None
    if owner is not None:
        conflict = Conflict("roles", owner)
    conflict = conflict or _find_clause_contrast(reading, support, corpus)
    return Finding(conflict, numbers.settled | turned)


def _is_negated_twin(claim: Reading, sentence: Reading) -> bool:
    if not (claim.has_negator or sentence.has_negator) or find_untrue(sentence) is not None:
        return False
    return negates_twin(claim, sentence)


_BARE_WORDS = 2


def _asked_about(question: str, corpus: Corpus) -> list[int]:
    """Return the sentence that holds most words of the question: what a bare value answers."""
    asked = {code for code in VOCABULARY.encode(question) if VOCABULARY.kind[code] == CONTENT}
    shared = [sum(code in codes for code in asked) for codes in corpus.sentences]
    most = max(shared, default=0)
    return [shared.index(most)] if most else []


def is_about_passages(support: ClaimSupport) -> bool:
    """Return True if the claim says what the passages do not say."""
    claim = support.claim
    return any(kind == TALK for kind in claim.kinds[:6]) and any(
        is_negator(t.text.lower()) for t in claim.tokens
    )


def _find_contrast(
    claim: Reading,
    support: ClaimSupport,
    corpus: Corpus,
    sentences: Sequence[tuple[int, Reading]],
    turned: set[int],
) -> Conflict | None:
    """Compare with the sentences that cover the claim best; any good one that agrees settles it.

    ``turned`` receives the words whose opposite says the same with the sides exchanged.
    """
    first: Conflict | None = None
    best = 0.0
    indices = support.claim.content or tuple(range(len(claim.tokens)))
    weights = support.claim.rarities if support.claim.content else tuple(support.claim.weights)
    for i, sentence in sentences:
        charges = compare_charges(claim, sentence)
        spoken = words_of_charge(claim, sentence) if charges is not None else []
        said: Sequence[int] = [k for k in indices if k not in spoken] if spoken else indices
        if sentence.words[:1] and sentence.words[0] in _PRONOUNS:
            said = _without_antecedent(said, sentence, i, support, corpus)
        aligned = align_words(claim, sentence, support.forms, said, weights)
        if is_substitution(claim, i, corpus, aligned, support.claim.content):
            return Conflict("substitute", i)
        if exchanges_words(claim, sentence):
            return Conflict("mixed", i)
        if swaps_phrase(claim, i, corpus) or misreads_pronoun(claim, i, corpus):
            return Conflict("substitute", i)
        if mixes_parts(claim, sentence, aligned, support.claim.content):
            first = first or Conflict("mixed", i)
            continue
        if aligned.coverage < max(MIN_COVERAGE, best - 0.1) and not (
            len(indices) <= 3
            and len(aligned.pairs) == len(indices) - 1
            and find_opposite(claim, sentence, aligned)
        ):
            continue
        best = max(best, aligned.coverage)
        reason = "charge" if charges == DIFFER else None
        reason = reason or _contrast(claim, sentence, aligned, support, is_free=charges == AGREE)
        if reason is None:
            opposite = find_opposite(claim, sentence, aligned)
            if opposite is not None:
                turned.add(opposite[0])
            if compare_duties(claim, sentence, aligned) == AGREE:
                turned.update(duty.at for duty in read_duties(claim))
            if compare_needs(claim, sentence, aligned) == AGREE:
                turned.update(words_of_need(claim))
            turned.update(spoken)
            return None
        first = first or Conflict(reason, i)
    return first


_PRONOUNS = frozenset("it he she they er sie es il elle ils elles".split())


def _without_antecedent(
    said: Sequence[int], sentence: Reading, index: int, support: ClaimSupport, corpus: Corpus
) -> Sequence[int]:
    """Leave out the first word if the pronoun that opens the sentence may stand for it."""
    source, number = corpus.origins[index]
    first = support.forms[said[0]] if number and len(said) > 1 else ()
    before = corpus.sources[source].codes[number - 1]
    is_named = any(form in before and form not in sentence.codes for form in first)
    return said[1:] if is_named else said


def _find_clause_contrast(claim: Reading, support: ClaimSupport, corpus: Corpus) -> Conflict | None:
    """Compare each clause of a compound claim with the sentence that it alone resembles most."""
    clauses = real_clauses(claim)
    if not 2 <= len(clauses) <= MAX_CLAUSES:
        return None
    for words in clauses:
        indices = [i for i in words if i in support.claim.content]
        if len(indices) < 2:
            continue
        for i in closest_sentences(indices, support.claim.rarities, support.forms, corpus, count=1):
            sentence = corpus.reading(i)
            aligned = align_words(claim, sentence, support.forms, indices, support.claim.rarities)
            opposite = find_opposite(claim, sentence, aligned)
            shared = len(aligned.pairs) + (opposite is not None and opposite[0] in words)
            if shared >= 0.75 * len(indices) and len(sentence.content) <= 2 * len(indices) + 2:
                if compare_duties(claim, sentence, aligned) is not None:
                    continue
                reason = differs_in_polarity(claim, sentence, aligned)
                if reason is not None:
                    return Conflict(reason, i)
    return None


def is_substitution(
    claim: Reading, index: int, corpus: Corpus, aligned: Alignment, indices: Sequence[int]
) -> bool:
    """Return True if one word of an otherwise parallel sentence was exchanged for another thing.

    Not where the sentence's word may stand for the claim's (``the company`` for a name given before).
    """
    sentence = corpus.reading(index)
    found = find_substitution(claim, sentence, aligned, indices)
    if found is None:
        return False
    if are_similar(claim.tokens[found.mine].key, sentence.tokens[found.theirs].key):
        return are_rival_names(claim, found.mine, sentence, found.theirs)
    mine, theirs = claim.codes[found.mine], sentence.codes[found.theirs]
    if mine not in corpus.joined:
        return True
    source, number = corpus.origins[index]
    for before in range(max(0, number - 3), number):
        codes = corpus.sources[source].codes[before]
        if mine in codes and theirs not in codes:
            return False
    return True


def _contrast(
    claim: Reading, sentence: Reading, aligned: Alignment, support: ClaimSupport, *, is_free: bool
) -> str | None:
    needs = compare_needs(claim, sentence, aligned)
    if needs == DIFFER:
        return "negation"
    duties = compare_duties(claim, sentence, aligned) if needs is None else None
    if duties == DIFFER:
        return "duty"
    amounts = compare_quantifiers(claim, sentence, aligned) if duties is needs is None else None
    if amounts == DIFFER:
        return "quantifier"
    excluded = compare_excluded(claim, sentence, aligned)
    untrue = compare_untrue(claim, sentence, aligned)
    if DIFFER in (excluded, untrue):
        return "negation"
    is_settled = AGREE in (needs, duties, amounts, excluded, untrue)
    if is_free:
        reason = "opposite" if differs_beside_charge(claim, sentence, aligned) else None
    else:
        reason = None if is_settled else differs_in_polarity(claim, sentence, aligned)
    if reason is not None:
        return reason
    if drops_exception(claim, sentence, aligned):
        return "exception"
    if drops_condition(claim, sentence):
        return "condition"
    if differs_in_duty(claim, sentence):
        return "duty"
    if hardens_possibility(claim, sentence, aligned) or differs_in_quantifier(claim, sentence, aligned):
        return "quantifier"
    if adds_only(claim, sentence, aligned) or widens_only(claim, sentence, aligned, support.absent):
        return "only"
    standing = find_other_standing(claim, sentence, aligned)
    if standing is not None:
        return standing
    if exchanges_cause(claim, sentence, aligned):
        return "cause"
    if pairs_otherwise(claim, sentence):
        return "binding"
    if exchanges_preference(claim, sentence, aligned):
        return "choice"
    if hardens_choice(claim, sentence, aligned):
        return "choice"
    if turns_direction(claim, sentence, aligned):
        return "roles"
    if (not is_free and reverses_roles(claim, sentence, aligned)) or exchanges_places(claim, sentence):
        return "roles"
    if substitutes_kind(claim, sentence, aligned) or changes_speaker(claim, sentence, aligned):
        return "substitute"
    if substitutes_name(claim, sentence, aligned):
        return "name_swap"
    if exchanges_bounds(claim, sentence):
        return "bounds"
    if adds_alternative(claim, sentence, support.absent):
        return "alternative"
    return None


def find_absent_name(support: ClaimSupport, known: str = "") -> int | None:
    """Return the first name of the claim that neither a source nor ``known`` (codes) holds, or None."""
    claim = support.claim
    return next(
        (
            i
            for i in support.absent
            if claim.kinds[i] == NAME
            and claim.codes[i] not in known
            and not _is_acronym(claim.tokens[i].text)
        ),
        None,
    )


def _is_acronym(text: str) -> bool:
    return 2 <= len(text) <= 5 and text.isupper()
