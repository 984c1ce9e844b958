"""The quotations inside the answer, and which of them stand in no source."""

from __future__ import annotations

import re

from groundwire.grade import Shared
from groundwire.graders.material import Sources, read_sources
from groundwire.text.folding import Folded
from groundwire.text.locate import NOT_FOUND, Located, locate_quote
from groundwire.text.quotations import Quotation, find_quotations
from groundwire.text.sources import SOURCES

MAX_QUOTATIONS = 200
MIN_WORDS = 3


def read_quotations(shared: Shared) -> tuple[Quotation, ...]:
    """Return the quotations of the answer, at most ``MAX_QUOTATIONS``."""
    return tuple(find_quotations(shared.record.answer or "")[:MAX_QUOTATIONS])


def locate_in_sources(quote: str, sources: Sources) -> tuple[int, Located]:
    """Return the first source that holds the quotation, and where; -1 if none does."""
    best: tuple[int, Located] = (-1, NOT_FOUND)
    for i, source in enumerate(sources.texts):
        located = locate_quote(quote, source.text, fold_cached)
        if located.is_found:
            return i, located
        if located.level != "none":
            best = (i, located)
    return best


def find_misquotations(shared: Shared) -> tuple[Quotation, ...]:
    """Return the longer quotations that stand neither in a source nor in the question."""
    sources, question = shared.of(read_sources), shared.record.question or ""
    return tuple(
        quote
        for quote in shared.of(read_quotations)
        if count_words(quote.text) >= MIN_WORDS - is_reported(shared.record.answer or "", quote)
        and not locate_in_sources(quote.text, sources)[1].is_found
        and not locate_quote(quote.text, question).is_found
    )


_REPORTING = re.compile(
    r"\b(?:said|says?|stated|states?|wrote|writes?|reads?|told|replied|announced|declared)"
    r"(?: (?:that|it|him|her|them|the \w+|\w+ \w+ was))?[,:]?\s*$"
)


def is_reported(answer: str, quote: Quotation) -> bool:
    """Return True if a verb of saying stands right before the quotation: its words are claimed as such."""
    return _REPORTING.search(answer[max(0, quote.start - 30) : quote.start].rstrip(" \"'“‘«„")) is not None


def fold_cached(text: str) -> Folded:
    """Return the folded form of a source's text, made once a source."""
    return SOURCES.get(text).folded


def count_words(text: str) -> int:
    """Return about how many words ``text`` has; scripts without spaces count three characters as one."""
    words = len(text.split())
    return words if text.isascii() or words > 1 else max(words, len(text) // 3)
