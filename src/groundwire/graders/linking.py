"""Which claim does each citation belong to?"""

from __future__ import annotations

from typing import NamedTuple

from msgspec.structs import replace

from groundwire.grade import Shared
from groundwire.graders.cited import Cited, read_citations
from groundwire.graders.material import read_claims, read_sources
from groundwire.text.characters import blank_markup
from groundwire.text.claims import ClaimWords, split_claims
from groundwire.text.vocabulary import VOCABULARY


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
        claims.append(replace(claim, start=-1, end=-1))
    return [i for i in range(len(claims)) if claims[i].start < 0 and claims[i].text in stated]


def _most_alike(cited: Cited, claims: list[ClaimWords], shared: Shared) -> int:
    quote = cited.quote
    if quote is None:
        sources = shared.of(read_sources)
        texts = [s for s, i in zip(sources.texts, sources.contexts, strict=True) if i in (cited.named or ())]
        codes = "".join(source.joined for source in texts)
    else:
        codes = VOCABULARY.encode(blank_markup(quote))

    held = set(codes)

    def likeness(i: int) -> tuple[float, int]:
        claim = claims[i]
        if held.isdisjoint(claim.codes):
            return 0.0, -i
        rarities, own = claim.rarities, claim.codes
        shared_weight = sum([rarities[k] for k in claim.content if own[k] in held])
        return round(shared_weight / (sum(rarities) + 0.5), 6), -i

    return max(range(len(claims)), key=likeness)
