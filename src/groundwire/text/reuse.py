"""How much of a text is copied from its sources, word by word.

A *word* is what stands between spaces, without the punctuation around it; numbers and codes stay whole
(``1.5`` is not ``15``, ``-20`` not ``20``, ``C++`` not ``C``), case and typography do not count. In scripts
without spaces every character is a word and weighs half (with a floor of 1 any word counts). A word is
*copied* when it lies in a run of equal words that weighs at least ``floor``; runs may come from anywhere in
a source, never across two.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from itertools import accumulate
from typing import NamedTuple

from groundwire.errors import ConfigError
from groundwire.text.characters import UNSPACED
from groundwire.text.reuse_codes import GAP, CodedText, find_table
from groundwire.text.reuse_runs import find_longest_runs
from groundwire.text.reuse_words import (
    find_word_chunks,
    locate_chunks,
    read_chunks,
    read_word_ranges,
    read_words,
    trim,
)

DEFAULT_FLOOR = 3
MAX_CELLS = 400_000_000
"""Words of text x words of source up to which subsequences and ROUGE-L are computed."""

_MAX_SEARCHES = 64
_FEW_LOOKUPS = 8


class Fragment(NamedTuple):
    """A copied run: its range in the text, which source (from 0) it stands in, its range there, its words."""

    start: int
    end: int
    source_index: int
    source_start: int
    source_end: int
    words: int


class Reuse(NamedTuple):
    """What was measured.

    ``words`` are the ranges of the text's words and ``flags`` whether each is copied. ``fragments`` are the
    fewest copied runs that hold all copied words, in order (they may overlap); in subsequence mode the pieces
    of the one alignment.
    ``matched_ratio`` (0–1) is copied words over words, None for a text without words. ``segment`` is the
    source's part from the first to the last copied word, as (source, start, end), None when nothing is or
    the copies stand in several sources. ``differing_tokens`` and ``total_tokens`` count the raw text that is
    not copied and all of it, by one counter. ``rouge_l`` (0–1) is the F1 of the longest common subsequence
    of the text and the segment (else all sources), None when there are no words or it would be too large.
    """

    words: tuple[tuple[int, int], ...]
    flags: tuple[bool, ...]
    fragments: tuple[Fragment, ...]
    matched_ratio: float | None
    segment: tuple[int, int, int] | None
    differing_tokens: int
    total_tokens: int
    rouge_l: float | None

    @property
    def longest(self) -> Fragment | None:
        """The fragment of most words, None when there is none."""
        return max(self.fragments, key=lambda fragment: fragment.words, default=None)


class TooLargeError(ValueError):
    """The text and its source are too large for the measure that was asked for."""


def measure_reuse(
    text: str,
    sources: str | Sequence[str | CodedText],
    *,
    floor: int = DEFAULT_FLOOR,
    mode: str = "contiguous",
    count_tokens: Callable[[str], int] | None = None,
    with_rouge: bool = True,
) -> Reuse:
    """Measure how much of ``text`` is copied from ``sources``, texts or such as were coded before.

    ``mode`` ``contiguous``: runs of at least ``floor`` words, in time linear in both. ``subsequence``: the
    longest common subsequence with the sources in their order, without a floor; raises TooLargeError above
    MAX_CELLS. ``count_tokens`` counts the tokens of a piece of text (default: its words).

    >>> reuse = measure_reuse("Take 15 mg twice a day.", "Take 1.5 mg twice a day.")
    >>> reuse.flags, reuse.matched_ratio
    ((False, False, True, True, True, True), 0.666667)
    """
    if mode not in ("contiguous", "subsequence"):
        raise ConfigError("no such mode", where="mode", expected="contiguous or subsequence", got=repr(mode))
    if floor < 1:
        raise ConfigError("is no floor", where="floor", expected="1 or more", got=repr(floor))
    given = [sources] if isinstance(sources, str) else sources
    coded = [CodedText(source) if isinstance(source, str) else source for source in given]
    return _Measurement(text, coded).measure(floor, mode, count_tokens, with_rouge=with_rouge)


class _Measurement:
    """One text against its sources: words as one character each, so that the work is done on strings."""

    def __init__(self, text: str, sources: list[CodedText]) -> None:
        self.text, self.texts = text, [source.text for source in sources]
        table = find_table(len(text) + sum(map(len, self.texts)))
        self.text_codes = CodedText(text).codes(table)
        self.ranges = read_word_ranges(text, len(self.text_codes)) if self.text_codes else []
        self.source_codes = [source.codes(table) for source in sources]
        self._places: list[Sequence[int] | None] = [
            range(source.chunks) if source.is_spaced else None for source in sources
        ]
        self.weights = [1.0] * len(self.ranges)
        if not text.isascii():
            self.weights = [0.5 if UNSPACED.match(word) else 1.0 for word in read_words(text)]
        self._chunks: dict[int, list[tuple[int, int]]] = {}
        self._lookups = [0] * len(sources)

    def measure(
        self, floor: int, mode: str, count_tokens: Callable[[str], int] | None, *, with_rouge: bool
    ) -> Reuse:
        runs = self._contiguous(floor) if mode == "contiguous" else self._subsequence()
        flags = [False] * len(self.ranges)
        for first, last, _, _ in runs:
            flags[first:last] = [True] * (last - first)
        segment = self._segment(runs)
        return Reuse(
            tuple(self.ranges),
            tuple(flags),
            tuple(self._fragment(run, search=len(runs) <= _MAX_SEARCHES) for run in runs),
            round(flags.count(True) / len(flags), 6) if flags else None,
            None if segment is None else self._segment_range(*segment),
            flags.count(False) if count_tokens is None else self._count_differing(flags, count_tokens),
            len(flags) if count_tokens is None else count_tokens(self.text),
            self._rouge_l(segment) if with_rouge else None,
        )

    def _contiguous(self, floor: int) -> list[tuple[int, int, int, int]]:
        """Return the maximal copied runs as (first word, end word, source, first word there)."""
        joined = GAP.join(self.source_codes)
        starts = self._source_starts()
        runs = [
            (first, first + length, place)
            for first, length, place in find_longest_runs(self.text_codes, joined, floor)
        ]
        if floor > 1 and 0.5 in self.weights:
            sums = list(accumulate(self.weights, initial=0.0))
            runs = [run for run in runs if sums[run[1]] - sums[run[0]] >= floor]
        sources = ((first, end, bisect_right(starts, place) - 1, place) for first, end, place in _cover(runs))
        return [(first, end, source, place - starts[source]) for first, end, source, place in sources]

    def _source_starts(self) -> list[int]:
        """Return where each source begins in the joined codes."""
        return list(accumulate((len(codes) + 1 for codes in self.source_codes), initial=0))[:-1]

    def _subsequence(self) -> list[tuple[int, int, int, int]]:
        from rapidfuzz.distance import LCSseq

        joined = GAP.join(self.source_codes)
        if len(joined) * len(self.text_codes) > MAX_CELLS:
            raise TooLargeError("too large for a common subsequence")
        runs = []
        starts = self._source_starts()
        for step in LCSseq.opcodes(self.text_codes, joined):
            if step.tag == "equal":
                source = bisect_right(starts, step.dest_start) - 1
                runs.append((step.src_start, step.src_end, source, step.dest_start - starts[source]))
        return runs

    def _range_there(self, source: int, first: int, last: int) -> tuple[int, int]:
        """Return the range of a source's words from ``first`` through ``last``."""
        text = self.texts[source]
        self._lookups[source] += 1
        places = self._places[source]
        if places is not None and self._lookups[source] <= _FEW_LOOKUPS:
            if len(places) != len(self.source_codes[source]):
                places = self._places[source] = find_word_chunks(text)
            start, end = locate_chunks(text, places[first], places[last])
        else:
            if source not in self._chunks:
                self._chunks[source] = read_chunks(text, len(self.source_codes[source]))
            start, end = self._chunks[source][first], self._chunks[source][last]
        return trim(text, *start)[0], trim(text, *end)[1]

    def _fragment(self, run: tuple[int, int, int, int], *, search: bool) -> Fragment:
        first, end, source, place = run
        start, stop = self.ranges[first][0], self.ranges[end - 1][1]
        found = _find_whole(self.text[start:stop], self.texts[source]) if search else None
        if found is None:
            found = self._range_there(source, place, place + end - first - 1)
        return Fragment(start, stop, source, *found, end - first)

    def _segment(self, runs: list[tuple[int, int, int, int]]) -> tuple[int, int, int] | None:
        """Return the words from the first to the last copied one, where all stand in one source."""
        if not runs or len({source for _, _, source, _ in runs}) > 1:
            return None
        first = min(place for _, _, _, place in runs)
        last = max(place + end - begin for begin, end, _, place in runs)
        return runs[0][2], first, last

    def _segment_range(self, source: int, first: int, last: int) -> tuple[int, int, int]:
        return source, *self._range_there(source, first, last - 1)

    def _rouge_l(self, segment: tuple[int, int, int] | None) -> float | None:
        from rapidfuzz.distance import LCSseq

        joined = GAP.join(self.source_codes)
        window = joined if segment is None else self.source_codes[segment[0]][segment[1] : segment[2]]
        if not self.text_codes or not window or len(window) * len(self.text_codes) > MAX_CELLS:
            return None
        common = LCSseq.similarity(self.text_codes, window)
        return round(2 * common / (len(self.text_codes) + len(window)), 6)

    def _count_differing(self, flags: list[bool], count: Callable[[str], int]) -> int:
        """Count the tokens of the raw stretches between copied words."""
        total, open_from = 0, None
        for (start, _), flag in zip(self.ranges, flags, strict=True):
            if flag and open_from is not None:
                total += count(self.text[open_from:start].strip())
                open_from = None
            elif not flag and open_from is None:
                open_from = start
        return total if open_from is None else total + count(self.text[open_from:].strip())


def _cover(runs: list[tuple[int, int, int]]) -> Iterator[tuple[int, int, int]]:
    """Yield the fewest of the runs (by rising start and end) that hold all words that the runs hold."""
    at = 0
    while at < len(runs):
        yield runs[at]
        last = at
        while last + 1 < len(runs) and runs[last + 1][0] <= runs[at][1]:
            last += 1
        at = last if last > at else at + 1


def _find_whole(piece: str, text: str) -> tuple[int, int] | None:
    """Return where ``text`` first holds ``piece`` character for character, between ends of words."""
    start = text.find(piece)
    end = start + len(piece)
    if start < 0 or (start and not text[start - 1].isspace()) or not text[end : end + 1].isspace():
        return None
    return start, end


def iter_unflagged(reuse: Reuse) -> list[tuple[int, int]]:
    """Return the ranges of the stretches of words that are not copied."""
    stretches: list[tuple[int, int]] = []
    previous = True
    for (start, end), flag in zip(reuse.words, reuse.flags, strict=True):
        if not flag:
            stretches.append((start, end) if previous else (stretches.pop()[0], end))
        previous = flag
    return stretches
