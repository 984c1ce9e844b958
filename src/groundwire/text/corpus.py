"""All sources of one answer side by side, with look-ups by sentence, place and number."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence

from groundwire.text.reading import Reading
from groundwire.text.sources import Source
from groundwire.text.vocabulary import SEPARATOR

_GAP = SEPARATOR * 24
_EDGE = " \t\r\n.!?…。\"'“”*_-•"


class Corpus:
    """Sources of one answer, side by side: every sentence with its codes, and one string of all codes.

    ``joined`` separates sources so widely that no run and no neighborhood crosses a seam; ``starts`` are
    the places in it where the sentences begin.
    """

    def __init__(self, sources: Sequence[Source]) -> None:
        self.sources = sources
        self.joined = _GAP.join([source.joined for source in sources])
        self.sentences: list[str] = []
        self.origins: list[tuple[int, int]] = []
        self.starts: list[int] = []
        at = 0
        for i, source in enumerate(sources):
            self.sentences += source.codes
            self.origins += [(i, j) for j in range(len(source.codes))]
            for codes in source.codes:
                self.starts.append(at)
                at += len(codes) + 1
            at += len(_GAP) - (1 if source.codes else 0)
        self._positions: dict[str, list[int]] = {}
        self._numbered: list[int] | None = None
        self._places: dict[tuple[str, ...], list[int]] = {}

    def positions(self, code: str) -> list[int]:
        """Return where ``code`` stands in ``joined``, in order."""
        found = self._positions.get(code)
        if found is None:
            found, joined = [], self.joined
            at = joined.find(code)
            while at >= 0:
                found.append(at)
                at = joined.find(code, at + 1)
            self._positions[code] = found
        return found

    def sentences_with(self, form: tuple[str, ...]) -> list[int]:
        """Return the sentences that hold any of the codes ``form``, in order."""
        places = self._places.get(form)
        if places is None:
            places = self._places[form] = self._find_sentences(form)
        return places

    def _find_sentences(self, form: tuple[str, ...]) -> list[int]:
        starts = self.starts
        if len(form) > 1:
            return sorted({bisect_right(starts, at) - 1 for code in form for at in self.positions(code)})
        found: list[int] = []
        stop, count = -1, len(starts)
        for at in self.positions(form[0]) if form else ():
            if at >= stop:
                index = bisect_right(starts, at)
                stop = starts[index] if index < count else len(self.joined)
                found.append(index - 1)
        return found

    def reading(self, index: int) -> Reading:
        """Return the close reading of a sentence."""
        source, sentence = self.origins[index]
        return self.sources[source].reading(sentence)

    def find_sentence(self, codes: str, text: str) -> int | None:
        """Return the first sentence that is this very text, space and closing marks aside, or None."""
        if codes not in self.sentences:
            return None
        bare = text.strip(_EDGE)
        for i, own in enumerate(self.sentences):
            if own == codes:
                theirs = self.sentence_text(i)
                if theirs.strip(_EDGE) == bare and ("?" in theirs[-3:]) <= ("?" in text[-3:]):
                    return i
        return None

    def sentence_text(self, index: int) -> str:
        """Return the text of a sentence, markup blanked."""
        source, sentence = self.origins[index]
        start, end = self.sources[source].spans[sentence]
        return self.sources[source].prepared[start:end]

    def languages(self) -> frozenset[str | None]:
        """Return the languages of the sources, as far as their grammar words tell."""
        return frozenset(source.language for source in self.sources)

    def has_few_numbered(self, most: int) -> bool:
        """Return True if at most ``most`` sentences hold a number; looks no further than the one too many."""
        found = 0
        for source in self.sources:
            found += len(source.numbered)
            if found > most:
                return False
        return True

    def numbered_sentences(self) -> list[int]:
        """Return the sentences that hold a number word or digits."""
        if self._numbered is None:
            self._numbered, first = [], 0
            for source in self.sources:
                self._numbered += [first + i for i in source.numbered]
                first += len(source.codes)
        return self._numbered
