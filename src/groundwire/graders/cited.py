"""The citations of a record, resolved: which contexts each names, and where its quotation stands."""

from __future__ import annotations

from typing import NamedTuple

from groundwire.grade import Shared
from groundwire.graders.material import Sources, find_named_contexts, is_captured, read_sources
from groundwire.record import Citation, RagRecord
from groundwire.text.characters import blank_markup
from groundwire.text.folding import Folded
from groundwire.text.locate import NOT_FOUND, Located, is_stitched, locate_near, locate_quote
from groundwire.text.markers import parse_markers
from groundwire.text.sources import SOURCES, Source
from groundwire.text.vocabulary import VOCABULARY


class Cited(NamedTuple):
    """One citation; ``position`` counts from 0.

    ``named`` are the contexts that it names (None: it names none, empty: no such context).

    ``is_captured`` is False when the text of what it names (or of anything, when it names none) is missing.
    """

    position: int
    citation: Citation
    named: tuple[int, ...] | None
    is_captured: bool
    is_stated: bool = True

    @property
    def stated_index(self) -> int | None:
        """The citation's index in the record; None for a marker read from the answer."""
        return self.position if self.is_stated else None

    @property
    def quote(self) -> str | None:
        """The quotation, or None."""
        quote = self.citation.quote
        return quote if quote is not None and quote.strip() else None


class Place(NamedTuple):
    """Where a quotation stands: the context, ``located`` in its text (or title), and whether it is named."""

    context: int | None
    located: Located
    is_named: bool
    in_title: bool


def read_citations(shared: Shared) -> tuple[Cited, ...]:
    """Resolve every citation of the record; where none were captured, the markers in its answer."""
    record = shared.record
    contexts = record.contexts or ()
    cited = []
    is_stated = record.citations is not None
    for i, citation in enumerate(record.citations if record.citations is not None else _read_markers(record)):
        named = None
        if citation.source_id is not None and citation.source_id.strip():
            named = find_named_contexts(citation.source_id, contexts)
        looked_at = range(len(contexts)) if named is None else named
        captured = record.contexts is not None and all(
            contexts[j].text is not None and not contexts[j].truncated for j in looked_at
        )
        cited.append(
            Cited(i, citation, named, captured and (named is not None or is_captured(record)), is_stated)
        )
    return tuple(cited)


def _read_markers(record: RagRecord) -> tuple[Citation, ...]:
    """Return a citation for every source that a marker in the answer (``[1]``, ``【2†…】``) names."""
    contexts = record.contexts or ()
    names = {name for c in contexts for name in (c.id, c.title) if name}
    return tuple(
        Citation(source_id=label, answer_start=marker.start, answer_end=marker.end, resolved="marker")
        for marker in (parse_markers(record.answer, names) if record.answer and contexts else ())
        for label in marker.labels
    )


def locate_citations(shared: Shared) -> tuple[Place, ...]:
    """Say where each citation's quotation stands: in what it names, else anywhere, else near to what."""
    sources = shared.of(read_sources)
    return tuple(_locate(cited, sources) for cited in shared.of(read_citations))


def _fold(text: str) -> Folded:
    return SOURCES.get(text).folded


def _locate(cited: Cited, sources: Sources) -> Place:
    quote = cited.quote
    if quote is None:
        return Place(None, NOT_FOUND, False, False)
    order = range(len(sources.texts))
    named = [i for i in order if cited.named is None or sources.contexts[i] in cited.named]
    place = _first_found(quote, named, sources, is_named=cited.named is not None)
    if place.located.is_found or cited.named is None:
        return place if place.located.is_found else _nearest(quote, named, sources, place, cited)
    codes = frozenset(VOCABULARY.encode(blank_markup(quote)))
    others = [i for i in order if i not in named and _may_hold(quote, codes, sources.texts[i])]
    elsewhere = _first_found(quote, others, sources, is_named=False)
    if elsewhere.located.is_found:
        return elsewhere
    return _nearest(quote, named or list(order), sources, place, cited)


def _may_hold(quote: str, codes: frozenset[str], source: Source) -> bool:
    """Return False where a source lacks so many of the quotation's words that looking closer is idle."""
    return quote in source.text or sum(map(source.joined.__contains__, codes)) >= 0.6 * len(codes)


def _first_found(quote: str, indices: list[int], sources: Sources, *, is_named: bool) -> Place:
    best = Place(None, NOT_FOUND, is_named, False)
    for i in indices:
        located = locate_quote(quote, sources.texts[i].text, _fold)
        if located.is_found or (located.level != "none" and best.located.level == "none"):
            best = Place(sources.contexts[i], located, is_named, sources.titles[i])
        if located.is_found:
            break
    return best


def _nearest(quote: str, indices: list[int], sources: Sources, place: Place, cited: Cited) -> Place:
    if place.located.level != "none" or not indices:
        return place
    at, near = locate_near(quote, [sources.texts[i].text for i in indices])
    if at >= 0:
        i = indices[at]
        return Place(sources.contexts[i], near, cited.named is not None, sources.titles[i])
    if is_stitched(quote, [sources.texts[i].folded for i in indices]):
        return Place(None, Located("stitched"), cited.named is not None, False)
    return place
