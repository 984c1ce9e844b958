"""Rows of tables and lists (``label: value``): does a claim give one row's label another row's value?"""

from __future__ import annotations

import re
from typing import NamedTuple

from groundwire.text.corpus import Corpus
from groundwire.text.reading import Reading
from groundwire.text.support import ClaimSupport

_LABELED = re.compile(r"\W*(?:\d{1,2}[.)]\s+)?([^\W\d_][^:|.;\n]{1,40}):\s+\S")
_MAX_WORDS = 14


class Row(NamedTuple):
    """The codes of a row's label, and of each of its other cells."""

    label: frozenset[str]
    cells: tuple[frozenset[str], ...]


def mixes_rows(support: ClaimSupport, corpus: Corpus) -> int | None:
    """Return the row whose label the claim has with the value of another row, or None."""
    claim = support.claim
    mine = {form for i in claim.content for form in support.forms[i]}
    if not 2 <= len(claim.content) <= _MAX_WORDS:
        return None
    rows = [(i, row) for i in support.sentences for row in [_read_row(i, corpus)] if row is not None]
    if len(rows) < 2:
        return None
    own = [(i, row) for i, row in rows if row.label <= mine]
    if any(cell & mine for _, row in own for cell in row.cells):
        return None
    for i, row in own:
        for _, other in rows:
            if other.label - mine and any(cell <= mine - row.label for cell in other.cells):
                return i
    return None


def _read_row(index: int, corpus: Corpus) -> Row | None:
    """Return a sentence as a row; None if it is none, or a table's head."""
    text = corpus.sentence_text(index)
    if "|" in text:
        return _read_cells(text.strip().strip("|").split("|")) if _follows_row(index, corpus) else None
    if ":" not in text:
        return None
    match = _LABELED.match(text)
    return None if match is None else _read_cells([match[1], text[match.end(1) + 1 :]])


def _follows_row(index: int, corpus: Corpus) -> bool:
    before = index - 1
    return (
        before >= 0
        and corpus.origins[before][0] == corpus.origins[index][0]
        and "|" in corpus.sentence_text(before)
    )


def _read_cells(parts: list[str]) -> Row | None:
    cells = []
    for part in parts:
        reading = Reading(part)
        cells.append(frozenset(reading.codes[i] for i in reading.content))
    if not cells[0] or len(cells[0]) > 4:
        return None
    return Row(cells[0], tuple(cell for cell in cells[1:] if cell))
