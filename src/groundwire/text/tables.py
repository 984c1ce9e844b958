"""Tables in sources (pipes, commas, tabs, JSON objects): does a claim give a row another cell's value?"""

from __future__ import annotations

import re
from typing import NamedTuple

from groundwire.text.corpus import Corpus
from groundwire.text.sources import Source
from groundwire.text.support import ClaimSupport
from groundwire.text.vocabulary import VOCABULARY

_RULE = re.compile(r"[\s|:+=-]+")
_OBJECT = re.compile(r"\{[^{}]{1,2000}\}")
_PAIR = re.compile(r"[\"']?([^\"'{}:,]{1,60})[\"']?\s*:\s*(?:\"([^\"]*)\"|'([^']*)'|([^,{}]+))")
MAX_ROWS = 200
MAX_CELL_WORDS = 6
MAX_CLAIM_WORDS = 14


class Table(NamedTuple):
    """``head`` and ``rows``: the codes of each cell; ``lines``: the corpus's sentence of each row."""

    head: tuple[frozenset[str], ...]
    rows: tuple[tuple[frozenset[str], ...], ...]
    lines: tuple[int, ...]


def find_head(texts: list[str], index: int) -> int | None:
    """Return the line that heads the table in which line ``index`` stands, or None.

    >>> find_head(["Prices in crowns.", "Plan,Price", "Basic,12", "Plus,30"], 3)
    1
    """
    mark = _separator(texts[index])
    if mark is None:
        return None
    first, cells = index, len(_cells_of(texts[index], mark))
    for i in range(index - 1, max(-1, index - 1 - MAX_ROWS), -1):
        if not (_is_rule(texts[i]) or (mark in texts[i] and len(_cells_of(texts[i], mark)) == cells)):
            break
        first = i
    return first if first < index and not _is_rule(texts[first]) else None


def find_table(source: Source, sentence: int) -> tuple[int, int] | None:
    """Return the first and the last sentence of the table in which a sentence is a row, or None."""
    start, end = source.spans[sentence]
    if _separator(source.prepared[start:end]) is None:
        return None
    texts = [source.prepared[s:e] for s, e in source.spans[: sentence + MAX_ROWS]]
    head, mark = find_head(texts, sentence), _separator(texts[sentence])
    if head is None or mark is None:
        return None
    last = sentence
    while last + 1 < len(texts) and mark in texts[last + 1]:
        last += 1
    return head, last


def _is_rule(text: str) -> bool:
    return "-" in text and _RULE.fullmatch(text) is not None


def _separator(text: str) -> str | None:
    """Return what separates the cells of a line; None if it is no row."""
    if _is_rule(text):
        return None
    for mark in ("|", "\t", ";", ","):
        if mark in text.strip(" |" if mark == "|" else " "):
            cells = _cells_of(text, mark)
            plain = not text.rstrip().endswith((".", "!", "?")) and all(
                len(cell.split()) <= MAX_CELL_WORDS for cell in cells
            )
            return mark if len(cells) >= 2 and (mark == "|" or plain) else None
    return None


def _cells_of(text: str, mark: str) -> list[str]:
    return [cell.strip() for cell in text.strip().strip(mark if mark == "|" else "").split(mark)]


def _codes_of(cell: str) -> frozenset[str]:
    return frozenset(VOCABULARY.encode(cell.replace("_", " ")))


def read_table(index: int, corpus: Corpus) -> Table | None:
    """Return the table in which a sentence stands, or that it is (a list of JSON objects)."""
    text = corpus.sentence_text(index)
    if "{" in text and ":" in text:
        return _read_objects(text, index)
    mark = _separator(text)
    if mark is None:
        return None
    source, number = corpus.origins[index]
    offset = index - number
    spans, prepared = corpus.sources[source].spans, corpus.sources[source].prepared
    texts = [prepared[start:end] for start, end in spans[: number + MAX_ROWS]]
    head = find_head(texts, number)
    if head is None:
        return None
    columns = _cells_of(texts[head], mark)
    rows, lines = [], []
    for i in range(head + 1, len(texts)):
        cells = _cells_of(texts[i], mark)
        if _is_rule(texts[i]):
            continue
        if mark not in texts[i] or len(cells) != len(columns):
            break
        rows.append(tuple(map(_codes_of, cells)))
        lines.append(offset + i)
    return Table(tuple(map(_codes_of, columns)), tuple(rows), tuple(lines))


def _read_objects(text: str, index: int) -> Table | None:
    objects = [
        {key.strip().lower(): a or b or c for key, a, b, c in _PAIR.findall(match[0][1:-1])}
        for match in _OBJECT.finditer(text)
    ]
    keys = list(objects[0]) if objects else []
    alike = [o for o in objects if list(o) == keys]
    if len(keys) < 2 or len(alike) < 2:
        return None
    rows = tuple(tuple(_codes_of(o[key].strip()) for key in keys) for o in alike)
    return Table(tuple(map(_codes_of, keys)), rows, (index,) * len(rows))


def mixes_cells(support: ClaimSupport, corpus: Corpus) -> int | None:
    """Return the row of which the claim states the value of another column, or another row's, or None."""
    claim = support.claim
    if not 2 <= len(claim.content) <= MAX_CLAIM_WORDS:
        return None
    mine = {form for forms in support.forms for form in forms} | set(claim.codes)
    seen: set[int] = set()
    for i in support.sentences:
        table = None if i in seen else read_table(i, corpus)
        if table is None:
            continue
        seen.update(table.lines)
        own = [k for k, row in enumerate(table.rows) if row[0] and row[0] <= mine]
        if len(own) == 1 and _states_other_cell(table, own[0], mine):
            return table.lines[own[0]]
    return None


def _states_other_cell(table: Table, own: int, mine: set[str]) -> bool:
    """Return True if the cell of the column that is spoken of differs from the value that is stated."""
    row = table.rows[own]
    asked = [c for c in range(1, len(row)) if _own_words(table.head, c) & mine - row[0]]
    stated = [c for c in range(1, len(row)) if row[c] and row[c] <= mine - row[0]]
    if len(asked) == 1 and stated:
        return asked[0] not in stated and not table.head[asked[0]] & row[stated[0]]
    if stated:
        return False
    columns = asked if len(asked) == 1 else range(1, len(row))
    return any(
        other[c] and other[c] <= mine - row[0] and other[c] != row[c]
        for k, other in enumerate(table.rows)
        for c in columns
        if k != own
    )


def _own_words(head: tuple[frozenset[str], ...], column: int) -> frozenset[str]:
    """Return the codes of a column's head that no other head has (``Melts at``, ``Boils at``); else all."""
    others = frozenset[str]().union(*(cell for k, cell in enumerate(head) if k != column))
    return head[column] - others or head[column]
