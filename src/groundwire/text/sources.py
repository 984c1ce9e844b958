"""A source made ready for matching: its sentences, their code strings, and a folded form on demand.

Sources are cached by their text, so that a passage which many answers share is prepared once.
"""

from __future__ import annotations

import re
import threading
from collections import OrderedDict
from functools import cached_property

from groundwire.text.characters import blank_markup
from groundwire.text.folding import Folded
from groundwire.text.languages import guess_language
from groundwire.text.reading import Reading
from groundwire.text.reuse_codes import CodedText
from groundwire.text.sentences import split_sentences
from groundwire.text.vocabulary import SEPARATOR, VOCABULARY

MAX_CACHED_CHARACTERS = 32_000_000


_ROW = r"[^,\n]{1,60}(?:,[^\s,][^,\n]{0,60})+"
_ROWS = re.compile(rf"(?m)^{_ROW}(?:\r?\n{_ROW})+$")


def mark_rows(text: str) -> str:
    """Return ``text`` with the commas of comma-separated rows as bars, so that ``3,25`` is two cells there.

    >>> mark_rows("Room,Floor,Seats\\nBirch,2,40")
    'Room|Floor|Seats\\nBirch|2|40'
    """
    if "," not in text or "\n" not in text:
        return text
    return _ROWS.sub(_bar_rows, text)


def _bar_rows(match: re.Match[str]) -> str:
    counts = {line.count(",") for line in match[0].splitlines()}
    return match[0].replace(",", "|") if len(counts) == 1 else match[0]


class Source:
    """One text: ``spans`` of its sentences, ``codes`` per sentence, ``joined`` codes with separators.

    >>> source = Source("The gate opens. It is old.")
    >>> [source.text[s:e] for s, e in source.spans], [len(c) for c in source.codes]
    (['The gate opens.', 'It is old.'], [3, 3])
    """

    def __init__(self, text: str) -> None:
        self.text = text
        self.prepared = mark_rows(blank_markup(text))
        self.spans = split_sentences(self.prepared)
        prepared, memo = self.prepared, VOCABULARY.__getitem__
        self.codes = ["".join(map(memo, prepared[start:end].split())) for start, end in self.spans]
        self._readings: dict[int, Reading] = {}
        self.joined = SEPARATOR.join(self.codes)

    @cached_property
    def language(self) -> str | None:
        """The language, as far as the grammar words of its beginning tell."""
        return guess_language(self.prepared[:1500].lower().split())

    @cached_property
    def numbered(self) -> tuple[int, ...]:
        """The sentences that hold a number word or digits."""
        numbers = VOCABULARY.numbers
        return tuple([i for i, codes in enumerate(self.codes) if not numbers.isdisjoint(codes)])

    @cached_property
    def folded(self) -> Folded:
        """The text folded for quotation search."""
        return Folded(self.text)

    @cached_property
    def coded(self) -> CodedText:
        """The text coded for the search of copied runs."""
        return CodedText(self.text)

    def part(self, first: int, last: int) -> Source:
        """Return the source of sentences ``first`` to ``last`` alone, sharing what was prepared."""
        made = Source.__new__(Source)
        start, end = self.spans[first][0], self.spans[last][1]
        made.text, made.prepared = self.text[start:end], self.prepared[start:end]
        made.spans = [(s - start, e - start) for s, e in self.spans[first : last + 1]]
        made.codes = self.codes[first : last + 1]
        made._readings = {i - first: r for i, r in self._readings.items() if first <= i <= last}
        made.joined = SEPARATOR.join(made.codes)
        return made

    def reading(self, sentence: int) -> Reading:
        """Return the close reading of a sentence, made once."""
        made = self._readings.get(sentence)
        if made is None:
            start, end = self.spans[sentence]
            made = Reading(self.prepared[start:end], codes=self.codes[sentence])
            self._readings[sentence] = made
        return made


class SourceCache:
    """Sources by text, least recently used out first; emptied when the vocabulary starts over."""

    def __init__(self, max_characters: int = MAX_CACHED_CHARACTERS) -> None:
        self.max_characters = max_characters
        self._sources: OrderedDict[str, Source] = OrderedDict()
        self._characters = 0
        self._epoch = VOCABULARY.epoch
        self._lock = threading.Lock()

    def get(self, text: str) -> Source:
        """Return the prepared source of ``text``."""
        with self._lock:
            if self._epoch != VOCABULARY.epoch:
                self._sources.clear()
                self._characters, self._epoch = 0, VOCABULARY.epoch
            source = self._sources.get(text)
            if source is not None:
                self._sources.move_to_end(text)
                return source
        source = Source(text)
        with self._lock:
            if text not in self._sources:
                self._sources[text] = source
                self._characters += len(text)
            while self._characters > self.max_characters and len(self._sources) > 1:
                self._characters -= len(self._sources.popitem(last=False)[0])
        return source

    def clear(self) -> None:
        """Forget every source."""
        with self._lock:
            self._sources.clear()
            self._characters = 0

    def __len__(self) -> int:
        return len(self._sources)


SOURCES = SourceCache()
"""The cache of this process."""
