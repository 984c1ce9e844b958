"""Does the cited source support the very claim that the citation is attached to? An estimate."""

from __future__ import annotations

from collections.abc import Sequence
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
from groundwire.graders.linking import CitedClaim, link_claims
from groundwire.graders.material import Sources, find_obstacle, read_question_codes, read_sources
from groundwire.graders.options import digest_options
from groundwire.graders.profiles import DEFAULT, Profile, find_profile
from groundwire.graders.provenance import grade_uncited
from groundwire.graders.quoted import find_misquotations, is_reported
from groundwire.text.characters import blank_markup
from groundwire.text.claims import NUMBER, ClaimWords
from groundwire.text.corpus import Corpus
from groundwire.text.sources import Source
from groundwire.text.support import estimate_support
from groundwire.text.tables import find_table
from groundwire.text.vocabulary import FUNCTION, VOCABULARY


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

    def __init__(self, profile: str = DEFAULT, require_citations: bool = False) -> None:
        self.profile = find_profile(profile)
        self.require_citations = require_citations
        self.config_digest = digest_options(
            {
                "profile": None if profile == DEFAULT else profile,
                "require_citations": require_citations or None,
            }
        )

    def grade(self, shared: Shared) -> Grade:
        """Return the grade of ``shared.record``."""
        obstacle = find_obstacle(shared)
        if obstacle is not None:
            return self.make_none(obstacle)
        if not shared.of(read_citations):
            return grade_uncited(self, shared, self.require_citations)
        links = shared.of(link_claims)
        verdicts = self._judge(links, shared)
        outcomes = [verdict.outcome for verdict in verdicts]
        evidence = [_row(link, verdict) for link, verdict in zip(links, verdicts, strict=True)]
        outcome = combine_outcomes(outcomes)
        return self.make(outcome, *_describe(outcome, outcomes, evidence), evidence, pass_share(outcomes))

    def _judge(self, links: Sequence[CitedClaim], shared: Shared) -> Sequence[CitedVerdict]:
        if self.profile.name == DEFAULT:
            return shared.of(judge_links)
        return [judge_cited(link.claim, link.citations, shared, self.profile) for link in links]


class CitedVerdict(NamedTuple):
    """Whether citations support a claim: ``outcome`` (not applicable: it can not be checked), claim
    ``label``, ``owner`` (a context that they point at) and ``risk``, None where there is no evidence."""

    outcome: Outcome
    label: str
    owner: int | None = None
    risk: float | None = None


def judge_links(shared: Shared) -> tuple[CitedVerdict, ...]:
    """Judge every cited claim against all its citations together, under the default profile."""
    profile = find_profile(DEFAULT)
    return tuple(judge_cited(link.claim, link.citations, shared, profile) for link in shared.of(link_claims))


def judge_cited(
    claim: ClaimWords, citations: Sequence[int], shared: Shared, profile: Profile
) -> CitedVerdict:
    """Judge a claim against the citations at these positions, taken together."""
    cited = [shared.of(read_citations)[i] for i in citations]
    places = [shared.of(locate_citations)[i] for i in citations]
    found = dict.fromkeys([part for i in citations for part in find_evidence(claim, i, shared)])
    captured = all(c.is_captured for c in cited)
    sources = shared.of(read_sources)
    texts = [_read_part(part, sources) for part in found]
    owners = [sources.contexts[part.source] for part in found]
    if not texts and captured:
        return CitedVerdict(Outcome.FAIL, "no_evidence")
    if not texts:
        return CitedVerdict(Outcome.UNKNOWN, "unverifiable")
    corpus = Corpus(texts)
    question_codes = shared.of(read_question_codes)
    judgment = judge_claim(
        estimate_support(claim, corpus, question_codes, profile.question_credit),
        corpus,
        profile,
        shared.record.question or "",
        misquotes=_misquotes(claim, shared),
        known=question_codes + _whole_codes(cited, places, shared),
    )
    outcome = _outcome_of(judgment, profile)
    if outcome == Outcome.FAIL and not captured:
        outcome = Outcome.UNKNOWN
    return CitedVerdict(outcome, judgment.label, owners[0], judgment.support.risk)


def _misquotes(claim: ClaimWords, shared: Shared) -> bool:
    return any(
        quote.start < claim.end and quote.end > claim.start and is_reported(shared.record.answer or "", quote)
        for quote in shared.of(find_misquotations)
    )


def _outcome_of(judgment: ClaimJudgment, profile: Profile) -> Outcome:
    if judgment.label == NOT_CHECKABLE:
        return Outcome.NOT_APPLICABLE
    if judgment.label in (UNSUPPORTED, CONTRADICTED):
        return Outcome.FAIL
    alone = 0.0 if judgment.reason == TRANSLATED else estimate_risk([judgment], profile)
    return Outcome.FAIL if alone >= profile.answer_risk else Outcome.PASS


def _whole_codes(cited: list[Cited], places: list[Place], shared: Shared) -> str:
    """Return the codes of the cited sources as a whole: what a pronoun in the passage may refer to."""
    sources = shared.of(read_sources)
    owners = {place.context for place in places} | {i for one in cited for i in one.named or ()}
    texts = zip(sources.texts, sources.contexts, strict=True)
    return "".join(source.joined for source, owner in texts if owner in owners)


class EvidencePart(NamedTuple):
    """Sentences ``first`` to ``last`` (None: all) of the source at the place ``source`` among the texts."""

    source: int
    first: int = 0
    last: int | None = None


def _parts_by_claim(shared: Shared) -> dict[tuple[str, int], list[EvidencePart]]:
    return {}


def find_evidence(claim: ClaimWords, position: int, shared: Shared) -> list[EvidencePart]:
    """Return what a citation of a claim points at: the passage around its quotation, else whole sources."""
    known, key = shared.of(_parts_by_claim), (claim.text, position)
    if key not in known:
        known[key] = _find_evidence(claim, position, shared)
    return known[key]


def _find_evidence(claim: ClaimWords, position: int, shared: Shared) -> list[EvidencePart]:
    sources, one = shared.of(read_sources), shared.of(read_citations)[position]
    place = shared.of(locate_citations)[position]
    if one.quote is not None and not _says_something(one.quote):
        return []
    found = []
    for i, source in enumerate(sources.texts):
        owner, is_title = sources.contexts[i], sources.titles[i]
        if place.located.spans and not place.in_title and owner == place.context and not is_title:
            found.append(EvidencePart(i, *_touched_sentences(source, place.located.spans, claim)))
        elif (one.quote is None and owner in (one.named or ())) or (is_title and owner == place.context):
            found.append(EvidencePart(i))
    return found


def _read_part(part: EvidencePart, sources: Sources) -> Source:
    source = sources.texts[part.source]
    return source if part.last is None else source.part(part.first, part.last)


def _says_something(quote: str) -> bool:
    """Return False for a quotation of grammar words alone, which is evidence for nothing."""
    return any(VOCABULARY.kind[code] != FUNCTION for code in VOCABULARY.encode(blank_markup(quote)))


def _touched_sentences(
    source: Source, spans: tuple[tuple[int, int], ...], claim: ClaimWords
) -> tuple[int, int]:
    """Return the sentences that the spans touch, and the one before, to which they may refer.

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
    is_row = "<tr" in source.text[source.spans[before][1] : source.spans[touched[0]][0]].lower()
    return (before if is_row or _needs(claim, source, before, touched) else touched[0]), touched[-1]


_ANAPHORS = frozenset(
    """
it its they them their he him his she her hers this that these those there here such both one then also
er sie es ihr sein dies diese dieser dieses dort il elle ils elles ce cette ces celui él ella ellos esto este
esta lui lei essi questo questa ele ela eles isso isto hij zij het deze dit он она оно они это этот эта его ее
их
""".split()
)


def _needs(claim: ClaimWords, source: Source, before: int, touched: list[int]) -> bool:
    """Return True if a passage says a part of the claim itself and may lean on the sentence before it.

    A passage that does not refer back says two words or a third of the claim, and all its numbers.
    """
    quoted, earlier = "".join([source.codes[i] for i in touched]), source.codes[before]
    own = [i for i in claim.content if claim.codes[i] in quoted and claim.codes[i] not in earlier]
    if not own or not _ANAPHORS.isdisjoint(source.reading(touched[0]).words[:5]):
        return bool(own)
    lends_number = any(
        claim.kinds[i] == NUMBER and claim.codes[i] in earlier and claim.codes[i] not in quoted
        for i in claim.content
    )
    return len(own) >= min(2, len(claim.content) / 3) and not lends_number


def _row(link: CitedClaim, verdict: CitedVerdict) -> Evidence:
    claim = link.claim
    return Evidence(
        label=verdict.label,
        citation_index=link.stated,
        answer_start=None if claim.start < 0 else claim.start,
        answer_end=None if claim.start < 0 else claim.end,
        context_index=verdict.owner,
        score=None if verdict.risk is None else round(verdict.risk, 4),
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
