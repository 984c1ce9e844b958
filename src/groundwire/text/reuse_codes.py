"""Words as one character each, so that copied runs are found by ``str`` methods in C.

Equal characters of one table mean equal words (:func:`groundwire.text.reuse_words.fold_word`). A table
serves all texts of the process until it is large; then a new one takes its place, and whoever still holds the
old one goes on with it.
"""

from __future__ import annotations

import threading

from groundwire.text.reuse_words import fold_word, is_unspaced, split_chunks

GAP = "\x00"
"""No word's code: stands between sources."""

_MAX_CODES = 200_000
_MAX_CHUNKS = 200_000
_MAX_CHUNK_CHARACTERS = 40
_LARGE = 2_000_000


class WordTable(dict[str, str]):
    """A memo from a chunk to the code of its word, empty for mere punctuation; fills itself on a miss."""

    def __init__(self) -> None:
        super().__init__()
        self.codes: dict[str, str] = {}
        self._lock = threading.Lock()

    def __missing__(self, chunk: str) -> str:
        word = fold_word(chunk)
        code = self._code_of(word) if word else ""
        if len(chunk) <= _MAX_CHUNK_CHARACTERS:
            if len(self) > _MAX_CHUNKS:
                self.clear()
            self[chunk] = code
        return code

    def _code_of(self, word: str) -> str:
        with self._lock:
            code = self.codes.get(word)
            if code is None:
                number = len(self.codes) + 1
                code = self.codes[word] = chr(number if number < 0xD800 else number + 0x800)
            return code


_shared = WordTable()


def find_table(characters: int) -> WordTable:
    """Return the table for a measurement of so many characters: a new one where they could fill it."""
    global _shared
    if characters > _LARGE:
        return WordTable()
    if len(_shared.codes) > _MAX_CODES:
        _shared = WordTable()
    return _shared


class CodedText:
    """A text and the codes of its words, made once a table.

    >>> text, table = CodedText("The gate, the gate."), WordTable()
    >>> codes = text.codes(table)
    >>> len(codes), codes[:2] == codes[2:], text.chunks
    (4, True, 4)
    """

    __slots__ = ("_coded", "chunks", "is_spaced", "text")

    def __init__(self, text: str) -> None:
        self.text = text
        self.is_spaced = not is_unspaced(text)
        self.chunks = 0
        self._coded: tuple[WordTable, str] | None = None

    def codes(self, table: WordTable) -> str:
        """Return one character a word; ``chunks`` is then the number of the text's chunks."""
        coded = self._coded
        if coded is None or coded[0] is not table:
            chunks = split_chunks(self.text, is_spaced=self.is_spaced)
            self.chunks = len(chunks)
            coded = self._coded = (table, "".join(map(table.__getitem__, chunks)))
        return coded[1]
