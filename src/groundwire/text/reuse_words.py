"""Words as verbatim reuse compares them: chunks between spaces, without the punctuation around them."""

from __future__ import annotations

import re
from itertools import compress, count

from groundwire.text.characters import UNSPACED, fold_characters

_CHUNK = re.compile(r"\S+")
_PIECE = re.compile(rf"{UNSPACED.pattern}|(?:(?!{UNSPACED.pattern})\S)+")
_EDGES = " \t\"'`.,;:!?()[]{}<>*_~|\\/-=^&@…·•–—«»“”„‟‘’‚‹›「」『』《》〈〉【】（）、。，．：；！？¿¡§"


def fold_word(chunk: str) -> str:
    """Return what makes two chunks the same word; empty for mere punctuation.

    >>> fold_word("(“Café”,"), fold_word("-20"), fold_word("C++."), fold_word("—")
    ('cafe', '-20', 'c++', '')
    """
    folded = chunk.lower() if chunk.isascii() else fold_characters(chunk)
    word = folded.strip(_EDGES)
    if word and word[0].isdigit():
        before = folded[: folded.index(word)]
        sign = "-" if before.rstrip(".").endswith("-") else ""
        return sign + ("." if before.endswith(".") else "") + word
    return word


class _WordMemo(dict[str, str]):
    def __missing__(self, chunk: str) -> str:
        if len(self) > 200_000:
            self.clear()
        word = fold_word(chunk)
        if len(chunk) <= 40:
            self[chunk] = word
        return word


WORDS = _WordMemo()


def is_unspaced(text: str) -> bool:
    """Tell whether a text holds a character of a script without spaces."""
    return not text.isascii() and UNSPACED.search(text) is not None


def split_chunks(text: str, *, is_spaced: bool) -> list[str]:
    """Return the chunks between spaces; in scripts without spaces every character is one."""
    return text.split() if is_spaced else _PIECE.findall(text)


def read_words(text: str) -> list[str]:
    """Return the folded words of ``text``, in order, without their ranges."""
    chunks = split_chunks(text, is_spaced=not is_unspaced(text))
    return [word for word in map(WORDS.__getitem__, chunks) if word]


def read_word_ranges(text: str, words: int = -1) -> list[tuple[int, int]]:
    """Return the ranges of the ``words`` words that :func:`read_words` returns (-1: not counted)."""
    spans = read_chunks(text, words)
    return [(start, end) if text[start:end].isalnum() else trim(text, start, end) for start, end in spans]


def read_chunks(text: str, words: int) -> list[tuple[int, int]]:
    """Return the ranges of the chunks that hold the text's ``words`` words, with punctuation around them."""
    is_spaced = not is_unspaced(text)
    spans = [found.span() for found in (_CHUNK if is_spaced else _PIECE).finditer(text)]
    if len(spans) == words:
        return spans
    return list(compress(spans, map(WORDS.__getitem__, split_chunks(text, is_spaced=is_spaced))))


def find_word_chunks(text: str) -> list[int]:
    """Return which chunks of a text with spaces are words, by their numbers.

    >>> find_word_chunks("nine — ten")
    [0, 2]
    """
    return list(compress(count(), map(WORDS.__getitem__, text.split())))


def locate_chunks(text: str, first: int, last: int) -> tuple[tuple[int, int], tuple[int, int]]:
    """Return the ranges of two chunks of a text with spaces, without reading all others.

    >>> locate_chunks("The gate opens.", 1, 2)
    ((4, 8), (9, 15))
    """
    rest = text.split(None, first)[first] if first else text.lstrip()
    tail = rest.split(None, last - first)[last - first] if last > first else rest
    start, end = len(text) - len(rest), len(text) - len(tail)
    return (start, start + len(rest.split(None, 1)[0])), (end, end + len(tail.split(None, 1)[0]))


def trim(text: str, start: int, end: int) -> tuple[int, int]:
    """Return the range of the word inside a chunk."""
    chunk = text[start:end]
    left = len(chunk) - len(chunk.lstrip(_EDGES))
    right = len(chunk.rstrip(_EDGES))
    if left < right and chunk[left].isdigit() and left and chunk[left - 1] in "-–−.":
        left -= 1
    return (start + left, start + right) if left < right else (start, end)
