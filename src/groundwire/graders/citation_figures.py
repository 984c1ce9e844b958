"""How many claims their citations support (recall), and how many of the citations are needed (precision).

The definitions are those of ALCE (Gao et al., 2023) and of Liu et al. (2023), with an untrained proxy in the
place of an entailment model. Plain figures let the citations of a claim support it together; ``_alone``: each
must by itself; ``_partial``: support in part counts too.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from groundwire.grade import Outcome, Shared
from groundwire.graders.citation_support import (
    CitedVerdict,
    EvidencePart,
    find_evidence,
    judge_cited,
    judge_links,
)
from groundwire.graders.cited import read_citations
from groundwire.graders.judging import PARTLY
from groundwire.graders.linking import CitedClaim, link_claims
from groundwire.graders.profiles import DEFAULT, find_profile

FULL, PART, NONE = 1.0, 0.5, 0.0
MAX_JUDGED = 100
"""Citations of claims that have several; of more, none is judged apart."""


class CitedLevels(NamedTuple):
    """How far a claim is supported by its citations ``together``, by each ``alone``, by all ``without`` each.

    FULL, PART or NONE; None where it can not be told: a text is missing, the claim can not be checked, or
    the others were not asked for since the citation suffices.
    """

    together: float | None
    alone: tuple[float | None, ...]
    without: tuple[float | None, ...]


def read_citation_levels(shared: Shared) -> tuple[CitedLevels, ...]:
    """Judge the citations of every cited claim together and apart, in the order of ``link_claims``."""
    links, verdicts = shared.of(link_claims), shared.of(judge_links)
    several = sum(len(link.citations) for link in links if len(link.citations) > 1)
    return tuple(
        _read_levels(link, _level_of(verdict), shared, apart=several <= MAX_JUDGED)
        for link, verdict in zip(links, verdicts, strict=True)
    )


def _read_levels(link: CitedClaim, together: float | None, shared: Shared, *, apart: bool) -> CitedLevels:
    count = len(link.citations)
    if count == 1:
        return CitedLevels(together, (together,), (NONE,))
    if together is None or not apart:
        return CitedLevels(together, (None,) * count, (None,) * count)
    known, profile = shared.of(read_citations), find_profile(DEFAULT)
    parts = {i: frozenset(find_evidence(link.claim, i, shared)) for i in link.citations}
    judged: dict[object, float | None] = {}

    def level(*citations: int) -> float | None:
        evidence = frozenset[EvidencePart]().union(*[parts[i] for i in citations])
        key = evidence, all(known[i].is_captured for i in citations)
        if key not in judged:
            same = citations == link.citations
            verdict = None if same else judge_cited(link.claim, citations, shared, profile)
            judged[key] = together if verdict is None else _level_of(verdict)
        return judged[key]

    level(*link.citations)
    alone = tuple([level(i) for i in link.citations])
    without = tuple(
        [
            None if own == FULL else level(*[k for k in link.citations if k != i])
            for i, own in zip(link.citations, alone, strict=True)
        ]
    )
    return CitedLevels(together, alone, without)


def _level_of(verdict: CitedVerdict) -> float | None:
    if verdict.outcome == Outcome.PASS:
        return PART if verdict.label == PARTLY else FULL
    return NONE if verdict.outcome == Outcome.FAIL else None


def measure_citations(levels: Sequence[CitedLevels], uncited: int) -> dict[str, float]:
    """Return the figures of an answer by name, 0 to 1, without those for which nothing could be told.

    ``recall``, ``recall_partial`` (support in part counts half) and ``recall_alone`` are over claims, of
    which ``uncited`` have no citation and count as not supported; ``precision``, ``precision_partial`` and
    ``precision_alone`` are over citations.

    >>> both = CitedLevels(FULL, (PART, PART), (PART, PART))  # two citations, each half of the evidence
    >>> figures = measure_citations([both], uncited=1)
    >>> [figures[name] for name in ("recall", "recall_alone", "precision", "precision_alone")]
    [0.5, 0.0, 1.0, 0.0]
    """
    bare: list[float | None] = [NONE] * uncited
    values: dict[str, list[float | None]] = {
        "recall": [_is(level.together, FULL) for level in levels] + bare,
        "recall_alone": [_is_any(level.alone) for level in levels] + bare,
        "recall_partial": [level.together for level in levels] + bare,
        "precision": [one for level in levels for one in _are_needed(level, FULL)],
        "precision_alone": [_is(one, FULL) for level in levels for one in level.alone],
        "precision_partial": [one for level in levels for one in _are_needed(level, PART)],
    }
    told = {name: [one for one in found if one is not None] for name, found in values.items()}
    return {name: round(sum(found) / len(found), 6) for name, found in told.items() if found}


def _is(level: float | None, least: float) -> float | None:
    return None if level is None else float(level >= least)


def _is_any(alone: Iterable[float | None]) -> float | None:
    seen = set(alone)
    return 1.0 if FULL in seen else None if None in seen else 0.0


def _are_needed(levels: CitedLevels, least: float) -> list[float | None]:
    """Per citation: 1 if the claim is supported and it suffices or the others do not, 0 if not."""
    if levels.together is None or levels.together < least:
        return [None if levels.together is None else 0.0] * len(levels.alone)
    needed: list[float | None] = []
    for own, others in zip(levels.alone, levels.without, strict=True):
        if own is None or own >= least:
            needed.append(None if own is None else 1.0)
        else:
            needed.append(None if others is None else float(others < least))
    return needed


def find_superfluous(levels: CitedLevels) -> list[int]:
    """Return the places of the citations without which their claim is as well supported, and not by them."""
    if not levels.together:
        return []
    return [i for i, needed in enumerate(_are_needed(levels, levels.together)) if needed == NONE]
