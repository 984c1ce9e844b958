"""Where a quotation stands in a source, and how literally.

Levels, from the strictest: ``exact`` (the same characters), ``folded`` (case, quotes, dashes, accents),
``layout`` (line breaks, hyphens, markup, page numbers), ``cut`` (a long one that starts or ends inside a
word), ``elided`` (honest ellipses or editorial brackets),
``near`` (a few words differ: not a quotation, but worth a diff), ``stitched`` (pieces from several places),
``misleading`` (an ellipsis or a bracket that changes what is said), ``none``.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import NamedTuple

from rapidfuzz import fuzz

from groundwire.text.characters import fold_characters, is_unspaced
from groundwire.text.folding import Folded

FOUND_LEVELS = frozenset({"exact", "folded", "layout", "cut", "elided"})
"""The levels at which a quotation counts as standing in the source."""

NEAR_RATIO = 0.85


class Located(NamedTuple):
    """``level`` and, where it stands, the ``spans`` of the source (one, or several around ellipses)."""

    level: str
    spans: tuple[tuple[int, int], ...] = ()
    score: float | None = None

    @property
    def is_found(self) -> bool:
        """True if the source holds the quotation."""
        return self.level in FOUND_LEVELS


NOT_FOUND = Located("none")

_EDGE = "\"'“”„‟«»‘’‚‛「」『』`*_ \t\r\n.,;:…!?。、"
_NUMBER_JOINERS = ".,:/"


def locate_quote(quote: str, source: str, fold: Callable[[str], Folded] = Folded) -> Located:
    """Say where ``quote`` stands in ``source``; ``fold`` may be a caching constructor of Folded.

    >>> locate_quote("the office", "Go to the of-\\nfice.")
    Located(level='layout', spans=((6, 18),), score=None)
    >>> locate_quote("able to enter", "They are unable to enter.").level
    'none'
    """
    at = find_words(quote, source)
    if at is not None:
        return Located("exact", (at,))
    needle = Folded(quote).compact
    if not needle:
        return NOT_FOUND
    folded = fold(source)
    span = find_compact(needle, folded)
    if span is not None:
        return Located(_level_of(quote, source[span[0] : span[1]]), (span,))
    repaired = _locate_over_page_numbers(needle, source)
    if repaired is not None:
        return Located("layout", (repaired,))
    if "[" in quote or _has_ellipsis(quote):
        return _locate_pieces(quote, folded)
    return _locate_cut(quote, source)


MIN_CUT_WORDS = 6
_TURNING_PREFIX = re.compile(
    r"(?:^|[\W_])(?:un|in|im|ir|il|dis|non|mis|de|anti|counter|under|over|a|ab)$", re.I
)
_TURNING_SUFFIX = re.compile(r"^(?:less|free|n't)\b", re.I)


def _locate_cut(quote: str, source: str) -> Located:
    """A long quotation may cut a word at an edge, as snippets do, but never a number or a negation."""
    start = source.find(quote) if len(quote.split()) >= MIN_CUT_WORDS else -1
    if start < 0:
        return NOT_FOUND
    end = start + len(quote)
    touched = source[max(0, start - 1) : start + 1] + source[end - 1 : end + 1]
    if any(c.isdigit() or c in "+#%" for c in touched):
        return NOT_FOUND
    if _TURNING_PREFIX.search(source[max(0, start - 8) : start]) or _TURNING_SUFFIX.match(source[end:]):
        return NOT_FOUND
    return Located("cut", ((start, end),))


def find_words(quote: str, source: str) -> tuple[int, int] | None:
    """Return the first place where ``quote`` stands exactly and cuts neither a word nor a number."""
    if not quote or not quote.strip(_EDGE):
        return None
    start = source.find(quote)
    while start >= 0:
        end = start + len(quote)
        if not (cuts_before(source, start) or cuts_after(source, end)):
            return start, end
        start = source.find(quote, start + 1)
    return None


def find_compact(needle: str, folded: Folded, begin: int = 0) -> tuple[int, int] | None:
    """Return the raw span of the compact ``needle`` from compact index ``begin`` on, at word boundaries."""
    at = find_compact_at(needle, folded, begin)
    return None if at is None else folded.raw_span(at, at + len(needle))


def find_compact_at(needle: str, folded: Folded, begin: int = 0) -> int | None:
    """As :func:`find_compact`, but return the compact index."""
    start = folded.compact.find(needle, begin)
    while start >= 0:
        first = folded.canonical_index(start)
        last = folded.canonical_index(start + len(needle) - 1)
        if not (cuts_before(folded.canonical, first) or cuts_after(folded.canonical, last + 1)):
            return start
        start = folded.compact.find(needle, start + 1)
    return None


def cuts_before(text: str, start: int) -> bool:
    """Return True if a word, a number or its sign is cut when reading starts at ``start``."""
    if start == 0 or start >= len(text):
        return False
    here, before = text[start], text[start - 1]
    if here.isalnum() and before.isalnum():
        return not (is_unspaced(here) or is_unspaced(before)) or (here.isdigit() and before.isdigit())
    if not here.isdigit() or start < 2:
        return here.isdigit() and before == "-"
    if before in _NUMBER_JOINERS:
        return text[start - 2].isdigit()
    return before in "-−" and not text[start - 2].isalnum() and text[start - 2] != before


def cuts_after(text: str, end: int) -> bool:
    """Return True if a word, a number or its sign is cut when reading ends at ``end``."""
    if end <= 0 or end >= len(text):
        return False
    here, after = text[end - 1], text[end]
    if here.isalnum() and after.isalnum():
        return not (is_unspaced(here) or is_unspaced(after)) or (here.isdigit() and after.isdigit())
    if here.isdigit():
        if after == "%":
            return True
        return after in _NUMBER_JOINERS and end + 1 < len(text) and text[end + 1].isdigit()
    return here.isalpha() and after in "+#" and (end + 1 == len(text) or not text[end + 1].isalnum())


def _level_of(quote: str, found: str) -> str:
    if " ".join(fold_characters(quote).split()).strip(_EDGE) == " ".join(
        fold_characters(found).split()
    ).strip(_EDGE):
        return "folded"
    return "layout"


_PAGE_LINE = re.compile(
    r"\n[ \t]*(?:-?[ \t]*\d{1,4}[ \t]*-?|[Pp]age[ \t]+\d{1,4}(?:[ \t]+of[ \t]+\d{1,4})?)[ \t]*(?=\r?\n)"
)


_LIST_MARK = re.compile(r"\n[ \t]*(?:\(?\d{1,2}[.)]|[a-z][.)])[ \t]+")


def _locate_over_page_numbers(needle: str, source: str) -> tuple[int, int] | None:
    for line in (_PAGE_LINE, _LIST_MARK):
        if line.search(source) is not None:
            blanked = line.sub(lambda m: "\n" + " " * (len(m[0]) - 1), source)
            found = find_compact(needle, Folded(blanked))
            if found is not None:
                return found
    return None


_ELLIPSIS = re.compile(r"\s*(?:\[\s*(?:\.{2,}|…)\s*\]|\(\s*(?:\.{3,}|…)\s*\)|\.{3,}|…|\. \. \.)\s*")


def _has_ellipsis(quote: str) -> bool:
    return (".." in quote or "…" in quote or ". ." in quote) and _ELLIPSIS.search(quote) is not None


_BRACKET = re.compile(r"\[([^\[\]]{1,200})\](?![^\W\d_])")
_EDITORIAL = re.compile(r"(?:sic|emphasis (?:added|mine)|our emphasis|my emphasis|italics mine|\W*)", re.I)
_SENTENCE_END = re.compile(r"[.!?。！？]['\")\]]*(?:\s|$)|\n\s*\n")
_TURNS = re.compile(
    r"\b(?:not|n't|never|no|none|nor|neither|unless|except|only|if|but|however|until|without|cannot|nobody|nothing|"
    r"rarely|seldom|hardly|barely|scarcely|unable|fail(?:s|ed)?|refus\w+|den(?:y|ies|ied)|nicht|nie(?:mals)?|kein\w*"
    r"|ohne|außer|ne|pas|jamais|aucune?|sans|sauf|salvo|nunca|não|nessun\w*|senza|niet|geen|nooit)\b|n't\b",
    re.I,
)
_OTHERS = re.compile(r",\s*(?:but|though|although) not (?:[\w'’-]+\s?){1,6},\s*", re.I)
"""An aside that leaves others out says nothing of those who are spoken of."""
MAX_BRACKET_GAP = 60


def _locate_pieces(quote: str, folded: Folded) -> Located:
    """Locate the pieces of a quotation around its ellipses and editorial brackets, in order."""
    pieces = _split_pieces(quote)
    if not pieces:
        return NOT_FOUND
    spans: list[tuple[int, int]] = []
    begin = 0
    for text, kind in pieces:
        needle = Folded(text).compact
        at = find_compact_at(needle, folded, begin)
        if at is None:
            return NOT_FOUND
        span = folded.raw_span(at, at + len(needle))
        if spans and not _is_honest_gap(kind, folded.raw, spans[-1][1], span[0]):
            return Located("misleading", (*spans, span))
        spans.append(span)
        begin = at + len(needle)
    if not _are_brackets_honest(quote, folded, spans[-1][1]):
        return Located("misleading", tuple(spans))
    return Located("elided", tuple(spans))


def _split_pieces(quote: str) -> list[tuple[str, str]]:
    pieces: list[tuple[str, str]] = []
    for i, part in enumerate(_ELLIPSIS.split(quote)):
        kind = "ellipsis" if i else "start"
        for j, piece in enumerate(_BRACKET.split(part)[::2]):
            if piece.strip(_EDGE):
                pieces.append((piece, kind if j == 0 else "bracket"))
                kind = "bracket"
    return pieces


def _is_honest_gap(kind: str, source: str, start: int, end: int) -> bool:
    """Return True if leaving out ``source[start:end]`` does not change who does what, or whether."""
    gap = source[start:end]
    if kind == "bracket":
        return len(gap) <= MAX_BRACKET_GAP and not _SENTENCE_END.search(gap)
    ends = list(_SENTENCE_END.finditer(gap))
    if not ends:
        return _OTHERS.fullmatch(gap) is not None or not _TURNS.search(gap)
    # Over a sentence end, the next piece must start its own sentence, or it gets another subject.
    return not gap[ends[-1].end() :].strip("\"'“”‘’([-• \t\n")


def _are_brackets_honest(quote: str, folded: Folded, end: int) -> bool:
    """Return True if what is put in brackets stands in the source before ``end``, where pronouns point."""
    before = fold_characters(folded.raw[:end])
    for match in _BRACKET.finditer(quote):
        inside = match[1]
        if _EDITORIAL.fullmatch(inside.strip()) or _ELLIPSIS.fullmatch(match[0]):
            continue
        for word in re.findall(r"[^\W_]+", fold_characters(inside)):
            if (len(word) > 3 or word.isdigit()) and word[:5] not in before:
                return False
    return True


def locate_near(quote: str, sources: Sequence[str]) -> tuple[int, Located]:
    """Return which source holds the passage most like ``quote``, and where; level ``near`` or ``none``.

    >>> locate_near("the gate opens at ten", ["The gate opens at nine daily."])[1].level
    'near'
    """
    best = (-1, NOT_FOUND)
    low = quote.lower()
    for i, source in enumerate(sources):
        if len(quote) > 5_000 or len(source) > 200_000:
            continue
        cutoff = max(NEAR_RATIO, best[1].score or 0.0) * 100
        found = fuzz.partial_ratio_alignment(low, source.lower(), score_cutoff=cutoff)
        if found is None or len(low) > len(source) * 1.2:
            continue
        score = found.score / 100
        if best[1].score is None or score > best[1].score:
            span = _widen_to_words(source, found.dest_start, min(found.dest_end, len(source)))
            best = (i, Located("near", (span,), round(score, 4)))
    return best


def _widen_to_words(text: str, start: int, end: int) -> tuple[int, int]:
    while start > 0 and start < len(text) and text[start].isalnum() and text[start - 1].isalnum():
        start -= 1
    while 0 < end < len(text) and text[end].isalnum() and text[end - 1].isalnum():
        end += 1
    return start, end


def is_stitched(quote: str, folded_sources: Sequence[Folded]) -> bool:
    """Return True if ``quote`` is put together from at most three longer pieces of the sources."""
    words = [w for w in re.findall(r"[^\W_]+", fold_characters(quote)) if w]
    if not 4 <= len(words) <= 400:
        return False
    at, pieces = 0, 0
    while at < len(words):
        taken = _longest_piece(words, at, folded_sources)
        if taken < 2 and len(words) - at > 1:
            return False
        at += max(taken, 1)
        pieces += 1
        if pieces > 3:
            return False
    return pieces >= 2


def _longest_piece(words: list[str], at: int, folded_sources: Sequence[Folded]) -> int:
    taken = 0
    while at + taken < len(words):
        needle = "".join(words[at : at + taken + 1])
        if not any(needle in folded.compact for folded in folded_sources):
            break
        taken += 1
    return taken
