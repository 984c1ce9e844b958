"""Quotations inside a text: in every kind of quotation mark, nested, and as block quotes.

Not quotations: apostrophes, inches and minutes, code, and single words in single quotes.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from typing import NamedTuple


class Quotation(NamedTuple):
    """The text between the marks, its range, and the kind of mark that opened it."""

    text: str
    start: int
    end: int
    kind: str


_CODE = re.compile(r"```.*?(?:```|\Z)|~~~.*?(?:~~~|\Z)|`[^`\n]+`", re.DOTALL)
_CLOSERS = {
    "“": "”\"“", "”": "”", "„": "“”\"", "‟": "”", "«": "»", "»": "«»", "「": "」", "『": "』", "〝": "〞",
    "＂": "＂", "‹": "›", "›": "‹", "《": "》", '"': '"”', "‘": "’'", "‚": "‘’", "'": "'’",
}  # fmt: skip
_SINGLE = frozenset("‘‚'")
_OPENERS = re.compile("[" + "".join(_CLOSERS) + "]|``")
_BLOCK = re.compile(r"(?m)^[ \t]{0,3}>[ \t]?(?P<first>.*(?:\n[ \t]{0,3}>.*)*)")
_QUOTE_PREFIX = re.compile(r"(?m)^[ \t]{0,3}>[ \t]?")
MAX_QUOTATION_CHARACTERS = 5_000
MAX_UNCLOSED = 200
"""After so many marks that nothing closes, the text holds no further quotations."""


def find_quotations(text: str, min_words: int = 1) -> list[Quotation]:
    """Return the quotations of ``text`` with at least ``min_words`` words, outermost first, in order.

    >>> [q.text for q in find_quotations("It's 6'2\\" tall, “said ‘so’ twice” and `a 'b'`.")]
    ['said ‘so’ twice']
    """
    if not _may_quote(text):
        return []
    masked = _CODE.sub(lambda m: " " * len(m[0]), text)
    blocks = _find_blocks(masked)
    found, ends = list(blocks), [block.end for block in blocks]
    taken_until = unclosed = 0
    for match in _OPENERS.finditer(masked):
        start = match.start()
        block = bisect_right(ends, start)
        if start < taken_until or (block < len(blocks) and blocks[block].start <= start):
            continue
        end = _closing(masked, start, match[0])
        if end is None:
            unclosed += 1
            if unclosed > MAX_UNCLOSED:
                break
            continue
        inner = (start + len(match[0]), end)
        if _is_quotation(masked, match[0], *inner, min_words):
            found.append(Quotation(text[slice(*inner)], *inner, match[0]))
            taken_until = end + 1
    return sorted(found, key=lambda q: q.start)


_CLITIC = re.compile(r"['’](?:s|re|ve|ll|d|m|t)(?![\w'’])")
"""An apostrophe that a tokenizer cut off with what follows it (``the moon 's face``)."""
_MARK = re.compile("[" + "".join(_CLOSERS) + "]")


def _may_quote(text: str) -> bool:
    if _MARK.search(text) or "``" in text:
        return True
    return ">" in text and _QUOTE_PREFIX.search(text) is not None


def _find_blocks(masked: str) -> list[Quotation]:
    if ">" not in masked:
        return []
    found = []
    for match in _BLOCK.finditer(masked):
        inside = _QUOTE_PREFIX.sub("", match[0]).strip()
        if inside:
            found.append(Quotation(inside, match.start("first"), match.end("first"), ">"))
    return found


def _closing(text: str, start: int, opener: str) -> int | None:
    """Return where the quotation that opens at ``start`` closes, or None if nothing opens there."""
    if opener == "``":
        end = text.find("''", start + 2)
        return None if end < 0 else end
    before = text[start - 1] if start else " "
    after = text[start + 1] if start + 1 < len(text) else " "
    if opener in "\"'" and (before.isalnum() or after.isspace() or (before in "'\"" and after in "'\"")):
        return None
    if opener in "'’" and _CLITIC.match(text, start):
        return None
    if opener == "»" and (before.isalnum() or after.isspace()):
        return None
    if opener == "”" and (after.isspace() or not (before.isspace() or before in "([")):
        return None
    closers, depth = _CLOSERS[opener], 0
    limit = min(len(text), start + MAX_QUOTATION_CHARACTERS)
    for i in range(start + 1, limit):
        char = text[i]
        if char == "\n" and text[i : i + 2] == "\n\n":
            return None
        if char == opener and char not in closers:
            depth += 1
        elif char in closers and _can_close(text, i, opener):
            if depth == 0:
                return i
            depth -= 1
    return None


def _can_close(text: str, i: int, opener: str) -> bool:
    before = text[i - 1]
    after = text[i + 1] if i + 1 < len(text) else " "
    if opener in _SINGLE:
        # An apostrophe stands between letters, or begins a year or a clipped word.
        return not after.isalnum() and not before.isspace()
    if text[i] == '"':
        return not before.isspace() and not (after.isalnum() and opener != "“")
    if (text[i] in "“«" and opener not in "„»") or opener == "”":
        return not before.isspace() and not after.isalnum()
    return True


def _is_quotation(text: str, opener: str, start: int, end: int, min_words: int) -> bool:
    inside = text[start:end].strip()
    if not inside or not any(c.isalnum() for c in inside):
        return False
    words = len(inside.split())
    if opener in _SINGLE:
        return words >= max(2, min_words)
    return words >= min_words or opener in "「『《"
