"""The longest run from each place of a text that also stands in a source, in linear time.

Both are strings of one character a word. Small inputs go through ``str.find``, larger ones through a suffix
automaton of the text through which the source is streamed; both give the same runs.
"""

from __future__ import annotations

from collections.abc import Iterator

_SMALL = 4_000_000


def find_longest_runs(text: str, source: str, least: int = 1) -> Iterator[tuple[int, int, int]]:
    """Yield (start, length, place in source) for every run of ``least`` words or more that no run contains.

    >>> list(find_longest_runs("abcxbcd", "bcdabc"))
    [(0, 3, 3), (4, 3, 0)]
    """
    if len(text) * len(source) <= _SMALL:
        yield from find_runs_by_search(text, source, least)
    else:
        yield from find_runs_by_automaton(text, source, least)


def find_runs_by_search(text: str, source: str, least: int = 1) -> Iterator[tuple[int, int, int]]:
    """Yield the runs by extending a window while the source holds it."""
    reach, size = 0, len(text)
    for start in range(size - least + 1):
        end = start + least
        if end <= reach:
            end = reach + 1
            if end > size:
                return
        if text[start:end] in source:
            reach, place = _extend_run(text, source, start, end)
            yield start, reach - start, place


def _extend_run(text: str, source: str, start: int, end: int) -> tuple[int, int]:
    """Return where the longest run from ``start`` ends and first stands; ``source`` holds it to ``end``."""
    place = source.find(text[start:end])
    while end < len(text):
        there = place + end - start
        while end < len(text) and source[there : there + 1] == text[end]:
            end, there = end + 1, there + 1
        further = source.find(text[start : end + 1], place + 1) if end < len(text) else -1
        if further < 0:
            break
        end, place = end + 1, further
    return end, place


def find_runs_by_automaton(text: str, source: str, least: int = 1) -> Iterator[tuple[int, int, int]]:
    """Yield the runs by matching statistics: the longest suffix of each prefix that the source holds."""
    automaton = _Automaton(text)
    ends = automaton.match(source)
    for index, (length, place) in enumerate(ends):
        next_length = ends[index + 1][0] if index + 1 < len(ends) else 0
        if length >= least and next_length != length + 1:
            yield index + 1 - length, length, place - length


class _Automaton:
    """The suffix automaton of a text: one state a class of end positions."""

    def __init__(self, text: str) -> None:
        self.steps: list[dict[str, int]] = [{}]
        self.links: list[int] = [-1]
        self.lengths: list[int] = [0]
        self.prefixes: list[int] = []
        last = 0
        for char in text:
            last = self._extend(last, char)
            self.prefixes.append(last)

    def _extend(self, last: int, char: str) -> int:
        state = self._add({}, self.lengths[last] + 1)
        at = last
        while at != -1 and char not in self.steps[at]:
            self.steps[at][char] = state
            at = self.links[at]
        if at == -1:
            self.links[state] = 0
            return state
        target = self.steps[at][char]
        if self.lengths[at] + 1 == self.lengths[target]:
            self.links[state] = target
            return state
        clone = self._add(dict(self.steps[target]), self.lengths[at] + 1)
        self.links[clone] = self.links[target]
        while at != -1 and self.steps[at].get(char) == target:
            self.steps[at][char] = clone
            at = self.links[at]
        self.links[target] = self.links[state] = clone
        return state

    def _add(self, steps: dict[str, int], length: int) -> int:
        self.steps.append(steps)
        self.links.append(0)
        self.lengths.append(length)
        return len(self.steps) - 1

    def match(self, source: str) -> list[tuple[int, int]]:
        """Return, per end in the text, the longest run that ends there and where it ends in ``source``."""
        best = self._stream(source)
        order = sorted(range(1, len(self.lengths)), key=self.lengths.__getitem__)
        for state in reversed(order):
            link = self.links[state]
            if best[state][0] and link > 0 and best[link][0] < self.lengths[link]:
                best[link] = (self.lengths[link], best[state][1])
        for state in order:
            if best[self.links[state]][0] > best[state][0]:
                best[state] = best[self.links[state]]
        return [best[state] for state in self.prefixes]

    def _stream(self, source: str) -> list[tuple[int, int]]:
        """Return, per state, the longest match that ended in it and where."""
        best = [(0, 0)] * len(self.lengths)
        state = length = 0
        for place, char in enumerate(source, 1):
            while state and char not in self.steps[state]:
                state = self.links[state]
                length = self.lengths[state]
            if char in self.steps[state]:
                state = self.steps[state][char]
                length += 1
            if state and length > best[state][0]:
                best[state] = (length, place)
        return best
