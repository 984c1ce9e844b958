"""Does the cited source support the very claim that the citation is attached to? An estimate."""

from __future__ import annotations

from typing import NamedTuple

from groundwire.grade import Basis, Evidence, Grade, Outcome, Shared
from groundwire.graders.cited import Cited, Place, locate_citations, read_citations
from groundwire.graders.grading import GradeMaker, combine_outcomes, pass_share
from groundwire.graders.judging import (
    CONTRADICTED,
    NOT_CHECKABLE,
    TRANSLATED,
    UNSUPPORTED,
    ClaimJudgment,
    estimate_risk,
    judge_claim,
)
from groundwire.graders.material import find_obstacle, read_claims, read_question_codes, read_sources
from groundwire.graders.options import digest_options
from groundwire.graders.profiles import find_profile
from groundwire.graders.provenance import grade_uncited
from groundwire.graders.quoted import find_misquotations, is_reported
from groundwire.text.characters import blank_markup
from groundwire.text.claims import NUMBER, ClaimWords, split_claims
from groundwire.text.corpus import Corpus
from groundwire.text.sources import Source
from groundwire.text.support import estimate_support
from groundwire.text.tables import find_table
from groundwire.text.vocabulary import FUNCTION, VOCABULARY


class CitedClaim(NamedTuple):
    """A claim and the positions of its citations; ``stated`` is the first one's index in the record."""

    claim: ClaimWords
    citations: tuple[int, ...]
    stated: int | None


def link_claims(shared: Shared) -> tuple[CitedClaim, ...]:
    """Attach every citation to the claim that it stands at, names, or resembles most."""
    claims = list(shared.of(read_claims))
    links: dict[int, list[int]] = {}
    for cited in shared.of(read_citations):
        for at in _claims_of(cited, claims, shared):
            links.setdefault(at, []).append(cited.position)
    known = shared.of(read_citations)
    return tuple(
        CitedClaim(claims[at], tuple(links[at]), known[links[at][0]].stated_index) for at in sorted(links)
    )


def _claims_of(cited: Cited, claims: list[ClaimWords], shared: Shared) -> list[int]:
    citation = cited.citation
    if citation.claim is not None and citation.claim.strip():
        return _claims_like(citation.claim, claims, shared)
    start, end = citation.answer_start, citation.answer_end
    if start is not None:
        stop = start + 1 if end is None or end <= start else end
        found = [i for i, claim in enumerate(claims) if claim.start < stop and claim.end > start]
        before = [i for i, claim in enumerate(claims) if claim.end <= start]
        return found or before[-1:]
    if not claims:
        return []
    return [_most_alike(cited, claims, shared)]


def _claims_like(stated: str, claims: list[ClaimWords], shared: Shared) -> list[int]:
    answer = shared.record.answer or ""
    start = answer.find(stated)
    if start >= 0:
        end = start + len(stated)
        return [i for i, claim in enumerate(claims) if claim.start < end and claim.end > start]
    for claim in split_claims(stated):
        claims.append(claim._replace(start=-1, end=-1))
    return [i for i in range(len(claims)) if claims[i].start < 0 and claims[i].text in stated]


def _most_alike(cited: Cited, claims: list[ClaimWords], shared: Shared) -> int:
    quote = cited.quote
    if quote is None:
        sources = shared.of(read_sources)
        texts = [s for s, i in zip(sources.texts, sources.contexts, strict=True) if i in (cited.named or ())]
        codes = "".join(source.joined for source in texts)
    else:
        codes = VOCABULARY.encode(blank_markup(quote))

    def likeness(i: int) -> tuple[float, int]:
        claim = claims[i]
        shared_weight = sum(claim.rarities[k] for k in claim.content if claim.codes[k] in codes)
        return (round(shared_weight / (sum(claim.rarities) + 0.5), 6), -i)

    return max(range(len(claims)), key=likeness)


class CitationSupport(GradeMaker):
    """Whether each cited claim is supported by what is cited for it, by an untrained proxy.

    A citation belongs to the claim that the provider states, else to the one at its range in the answer,
    else to the one that its quotation resembles most. Several citations of one claim support it together.
    What counts is the sentences around the quotations in the sources that they stand in. *Score*: share of
    cited claims that are supported, 0 to 1. *Outcomes*: pass, fail; unknown when a cited source's text is
    missing; not applicable when nothing is cited. *Basis*: estimated.

    ``profile`` names a row of ``profiles.toml``; ``require_citations`` makes uncited answers fail.

    >>> from groundwire.record import RagRecord
    >>> record = RagRecord(answer="It opens at ten.", contexts=["It opens at nine."],
    ...                    citations=[{"quote": "opens at nine"}])
    >>> CitationSupport().grade(Shared(record)).outcome.value
    'fail'
    """

    name = "citation_support"
    version = "1"
    basis = Basis.ESTIMATED

    def __init__(self, profile: str = "qa", require_citations: bool = False) -> None:
        self.profile = find_profile(profile)
        self.require_citations = require_citations
        self.config_digest = digest_options(
            {"profile": None if profile == "qa" else profile, "require_citations": require_citations or None}
        )

    def grade(self, shared: Shared) -> Grade:
        """Return the grade of ``shared.record``."""
        obstacle = find_obstacle(shared)
        if obstacle is not None:
            return self.make_none(obstacle)
        if not shared.of(read_citations):
            return grade_uncited(self, shared, self.require_citations)
        links = shared.of(link_claims)
        judged = [self._judge(link, shared) for link in links]
        outcomes = [outcome for outcome, _ in judged]
        evidence = [row for _, row in judged]
        outcome = combine_outcomes(outcomes)
        return self.make(outcome, *_describe(outcome, outcomes, evidence), evidence, pass_share(outcomes))

    def _judge(self, link: CitedClaim, shared: Shared) -> tuple[Outcome, Evidence]:
        cited = [shared.of(read_citations)[i] for i in link.citations]
        places = [shared.of(locate_citations)[i] for i in link.citations]
        texts, owners = _evidence_texts(link.claim, cited, places, shared)
        if not texts:
            captured = all(c.is_captured for c in cited)
            outcome = Outcome.FAIL if captured else Outcome.UNKNOWN
            return outcome, _row(link, "no_evidence" if captured else "unverifiable", None, None)
        corpus = Corpus(texts)
        question_codes = shared.of(read_question_codes)
        support = estimate_support(link.claim, corpus, question_codes, self.profile.question_credit)
        known = question_codes + _whole_codes(cited, places, shared)
        judgment = judge_claim(
            support,
            corpus,
            self.profile,
            shared.record.question or "",
            misquotes=any(
                is_reported(shared.record.answer or "", quote)
                and quote.start < link.claim.end
                and quote.end > link.claim.start
                for quote in shared.of(find_misquotations)
            ),
            known=known,
        )
        outcome = self._outcome(judgment)
        if outcome == Outcome.FAIL and not all(c.is_captured for c in cited):
            outcome = Outcome.UNKNOWN
        return outcome, _row(link, judgment.label, owners[0], judgment)

    def _outcome(self, judgment: ClaimJudgment) -> Outcome:
        if judgment.label == NOT_CHECKABLE:
            return Outcome.NOT_APPLICABLE
        if judgment.label in (UNSUPPORTED, CONTRADICTED):
            return Outcome.FAIL
        alone = 0.0 if judgment.reason == TRANSLATED else estimate_risk([judgment], self.profile)
        return Outcome.FAIL if alone >= self.profile.answer_risk else Outcome.PASS


def _whole_codes(cited: list[Cited], places: list[Place], shared: Shared) -> str:
    """Return the codes of the cited sources as a whole: what a pronoun in the passage may refer to."""
    sources = shared.of(read_sources)
    owners = {place.context for place in places} | {i for one in cited for i in one.named or ()}
    texts = zip(sources.texts, sources.contexts, strict=True)
    return "".join(source.joined for source, owner in texts if owner in owners)


def _evidence_texts(
    claim: ClaimWords, cited: list[Cited], places: list[Place], shared: Shared
) -> tuple[list[Source], list[int]]:
    """Return what the citations of one claim point at: the passages around quotations, else whole sources."""
    sources = shared.of(read_sources)
    texts: dict[tuple[int, int, int], tuple[Source, int]] = {}
    for one, place in zip(cited, places, strict=True):
        if one.quote is not None and not _says_something(one.quote):
            continue
        for i, source in enumerate(sources.texts):
            owner = sources.contexts[i]
            if (
                place.located.spans
                and not place.in_title
                and owner == place.context
                and not sources.titles[i]
            ):
                first, last = _touched_sentences(source, place.located.spans, claim)
                texts.setdefault((i, first, last), (source.part(first, last), owner))
            elif (one.quote is None and owner in (one.named or ())) or (
                sources.titles[i] and owner == place.context
            ):
                texts.setdefault((i, 0, -1), (source, owner))
    return [source for source, _ in texts.values()], [owner for _, owner in texts.values()]


def _says_something(quote: str) -> bool:
    """Return False for a quotation of grammar words alone, which is evidence for nothing."""
    return any(VOCABULARY.kind[code] != FUNCTION for code in VOCABULARY.encode(blank_markup(quote)))


def _touched_sentences(
    source: Source, spans: tuple[tuple[int, int], ...], claim: ClaimWords
) -> tuple[int, int]:
    """Return the sentences that the spans touch, and the one before, to which pronouns may refer.

    Of a table, every row: only with its head does a row say anything.
    """
    start, end = spans[0][0], spans[-1][1]
    touched = [i for i, (s, e) in enumerate(source.spans) if s < end and e > start]
    if not touched:
        return 0, len(source.spans) - 1
    table = find_table(source, touched[-1])
    if table is not None:
        return table
    before = max(0, touched[0] - 1)
    return (touched[0] if _leans_on(claim, source, before, touched) else before), touched[-1]


_ANAPHORS = frozenset(
    """
it its they them their he him his she her hers this that these those there here such both one then also
er sie es ihr sein dies diese dieser dieses dort il elle ils elles ce cette ces celui él ella ellos esto este
esta lui lei essi questo questa ele ela eles isso isto hij zij het deze dit он она оно они это этот эта его ее
их
""".split()
)


def _leans_on(claim: ClaimWords, source: Source, before: int, touched: list[int]) -> bool:
    """Return True if a number of the claim stands only before the passage, which does not refer back."""
    if before == touched[0] or not _ANAPHORS.isdisjoint(source.reading(touched[0]).words[:5]):
        return False
    quoted = "".join(source.codes[i] for i in touched)
    numbers = [claim.codes[i] for i in claim.content if claim.kinds[i] == NUMBER]
    return any(code in source.codes[before] and code not in quoted for code in numbers)


def _row(link: CitedClaim, label: str, owner: int | None, judgment: ClaimJudgment | None) -> Evidence:
    claim = link.claim
    return Evidence(
        label=label,
        citation_index=link.stated,
        answer_start=None if claim.start < 0 else claim.start,
        answer_end=None if claim.start < 0 else claim.end,
        context_index=owner,
        score=None if judgment is None else round(judgment.support.risk, 4),
    )


def _describe(outcome: Outcome, outcomes: list[Outcome], evidence: list[Evidence]) -> tuple[str, str]:
    if outcome == Outcome.FAIL:
        row = outcomes.index(Outcome.FAIL)
        return evidence[
            row
        ].label or "", f"Flagged: what is cited for {{answer:{row}}} does not seem to support it."
    if outcome == Outcome.UNKNOWN:
        return "unverifiable", "The text of a cited source was not captured whole."
    if outcome == Outcome.PASS:
        return "supported", "Every cited claim seems supported by what is cited for it."
    return NOT_CHECKABLE, "No cited claim can be checked."
