"""One character a word: texts as strings of codes, so that matching is done by ``str`` methods in C.

``encode`` turns ``"The fees rose."`` into three characters. Equal characters mean equal keys
(:func:`groundwire.text.words.word_key`); what a code weighs and whether it is grammar is looked up by it.
Codes mean nothing outside their process and their epoch: when the vocabulary is full it starts over, and
whatever holds codes must be made again (see :mod:`groundwire.text.sources`).
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager

from groundwire.text.characters import UNSPACED
from groundwire.text.lexicon import COMMON, FUNCTION_WORDS, MULTIPLIERS, NEGATIONS, VERY_COMMON
from groundwire.text.words import MAX_STEMMED_LETTERS, split_words, word_key

FUNCTION, CONTENT, NUMBER, MULTIPLIER = range(4)
SEPARATOR = "\x00"
_FIRST_CODE = 0x100
MAX_CODES = 900_000
MAX_CHUNKS = 400_000
MAX_CHUNK_CHARACTERS = 40

_VERY_COMMON_KEYS = frozenset(map(word_key, VERY_COMMON))
_COMMON_KEYS = frozenset(map(word_key, COMMON)) - _VERY_COMMON_KEYS
_FUNCTION_KEYS = frozenset(map(word_key, FUNCTION_WORDS)) | FUNCTION_WORDS | NEGATIONS


def rarity_of(key: str) -> float:
    """Return about how rare a word is, from .25 (grammar) to 1.5 (rare, long); a stand-in for a frequency."""
    if key in _VERY_COMMON_KEYS:
        return 0.45
    if key in _COMMON_KEYS:
        return 0.6
    if UNSPACED.match(key):
        return 0.6 if key < "\u3041" or key > "\u309f" else 0.3
    return min(1.3, 0.72 + 0.07 * max(0, len(key) - 4))


class Vocabulary(dict[str, str]):
    """A memo from a chunk (a run without white space) to its code string; fills itself on a miss."""

    def __init__(self) -> None:
        super().__init__()
        self.epoch = 0
        self._holders = 0
        self._lock = threading.RLock()
        self._start_over()

    def _start_over(self) -> None:
        self.clear()
        self.codes: dict[str, str] = {}
        self.keys_by_code: dict[str, str] = {}
        self.kind: dict[str, int] = {}
        self.numbers: set[str] = set()
        self.rarity: dict[str, float] = {}
        self.family: dict[str, str] = {}
        self._next = _FIRST_CODE
        self.epoch += 1

    @contextmanager
    def held(self) -> Iterator[None]:
        """Keep every code as it is while inside; where nobody is, a full vocabulary starts over first.

        >>> vocabulary = Vocabulary()
        >>> with vocabulary.held():
        ...     vocabulary.encode("fees rose") == vocabulary.encode("Fees rose")
        True
        """
        with self._lock:
            if not self._holders:
                self._renew_if_full()
            self._holders += 1
        try:
            yield
        finally:
            with self._lock:
                self._holders -= 1

    def _renew_if_full(self) -> None:
        if self._next > MAX_CODES:
            self._start_over()
        elif len(self) > MAX_CHUNKS:
            self.clear()

    def __missing__(self, chunk: str) -> str:
        coded = "".join([self.code_of(key) for key in split_words(chunk) if key])
        if len(chunk) <= MAX_CHUNK_CHARACTERS:
            self[chunk] = coded
        return coded

    def encode(self, text: str) -> str:
        """Return the code string of ``text``, one character a word."""
        return "".join(map(self.__getitem__, text.split()))

    def code_of(self, key: str) -> str:
        """Return the code of a word key, a new one if it was not seen."""
        code = self.codes.get(key)
        if code is None:
            with self._lock:
                code = self.codes.get(key)
                if code is None:
                    code = self._add(key)
        return code

    def _add(self, key: str) -> str:
        if self._next == 0xD800:
            self._next = 0xE000
        code = chr(self._next)
        self._next += 1
        self.keys_by_code[code] = key
        self.kind[code] = kind_of(key)
        if key[0] == "#":
            self.numbers.add(code)
        self.rarity[code] = rarity_of(key)
        if 5 <= len(key) <= MAX_STEMMED_LETTERS and key.isalpha():
            prefix = key[:5]
            self.family[prefix] = self.family.get(prefix, "") + code
        self.codes[key] = code
        return code


def kind_of(key: str) -> int:
    """Return FUNCTION, CONTENT, NUMBER or MULTIPLIER for a word key."""
    if key[0] == "#":
        return NUMBER
    if key in _FUNCTION_KEYS or (len(key) == 1 and key < "\u0e00"):
        return FUNCTION
    return MULTIPLIER if key in MULTIPLIERS else CONTENT


VOCABULARY = Vocabulary()
"""The vocabulary of this process."""
