"""A folded copy of a text in which quotations are searched, with a way back to the raw offsets.

The *canonical* form has typography, case and markup folded; the *compact* form keeps only what carries
meaning: letters, digits, symbols, and the punctuation inside and before numbers (``1.5``, ``-20``, ``9:30``,
``C++``). Between two numbers a ``-`` stays. So line breaks, spaces before punctuation, hyphens and emphasis
never hide a quotation, and ``1.5 mg`` never becomes ``15 mg``.
"""

from __future__ import annotations

import re

from groundwire.text.characters import FILLER, blank_markup, fold_characters

# What stays in the compact form, commonest first.
_KEPT = re.compile(
    r"[^\W_]+[+#]*"
    r"|(?<=[0-9])[.:/](?=[0-9])"
    r"|(?<=[0-9]),(?=[0-9])(?![0-9]{3}(?![0-9]))"
    r"|(?<![^\W_])-(?=[0-9.])"
    r"|(?<=[0-9])[\s\-](?=[\s\-]*[0-9])"
    r"|[<>](?==?\s?[0-9])"
    r"|[^\w\s!-/:-@\[-`{-~\u2026\u3001\u3002\u300c-\u301f\uff01\uff0c\uff0e\uff1a\uff1b\uff1f\u00b7\u2022\u060c\u061b\u061f\u0964\u00bf\u00a1]"
    r"|[%$&@=+\u0300-\u036f\u0900-\u0903\u093a-\u094f\u0e31\u0e34-\u0e3a\u0e47-\u0e4e]"
)
_DROPPED = dict.fromkeys(map(ord, " \t\n\r\v\f\x1c\x1d\x1e\x1f!\"'()*,-./:;?[\\]^_`{|}~<>#"))
"""What plain text loses where nothing of :data:`_IN_PLACE` stands in it."""
_IN_PLACE = re.compile(
    r"[#<>0-9\-](?:(?<=[#<>])|(?<=-)[0-9.]|(?<=[0-9])(?:[.:/,](?=[0-9])|[\s\-](?=[\s\-]*[0-9])))"
)
_ODD = re.compile(r"[\x00-\x7f]?[^\x00-\x7f]+")
_SPACE_TO_DASH = dict.fromkeys((9, 10, 11, 12, 13, 32), "-")


class Folded:
    """A text and its compact form. ``compact`` is what to search; offsets go back to the raw text.

    >>> folded = Folded("The  of-\\nfice is “open”.")
    >>> at = folded.compact.find("office")
    >>> folded.raw[slice(*folded.raw_span(at, at + 6))]
    'of-\\nfice'
    """

    __slots__ = ("_kept", "_offsets", "canonical", "compact", "raw")

    def __init__(self, raw: str) -> None:
        self.raw = raw
        self.canonical, self._offsets = fold_with_offsets(raw)
        if self.canonical.isascii() and _IN_PLACE.search(self.canonical) is None:
            self.compact = self.canonical.translate(_DROPPED)
        else:
            compact = "".join(_KEPT.findall(self.canonical))
            self.compact = compact if compact.isalnum() else compact.translate(_SPACE_TO_DASH)
        self._kept: list[int] | None = None

    def canonical_index(self, index: int) -> int:
        """Return where in ``canonical`` the ``index``-th compact character stands."""
        if self._kept is None:
            kept: list[int] = []
            for match in _KEPT.finditer(self.canonical):
                kept.extend(range(match.start(), match.end()))
            self._kept = kept
        return self._kept[index]

    def raw_span(self, start: int, end: int) -> tuple[int, int]:
        """Return the raw range of the compact range ``start:end`` (not empty)."""
        first, last = self.canonical_index(start), self.canonical_index(end - 1)
        if self._offsets is None:
            return first, last + 1
        stop = last + 1
        raw_last = self._offsets[last]
        # Several canonical characters may come from one raw character, and combining marks from more.
        raw_end = self._offsets[stop] if stop < len(self._offsets) else len(self.raw)
        raw_end = max(raw_last + 1, min(raw_end, _cluster_end(self.raw, raw_last)))
        return self._offsets[first], raw_end


_VOICING = "\u3099\u309a\uff9e\uff9f"
"""Voicing marks of kana, combining or half as wide."""


def _cluster_end(raw: str, index: int) -> int:
    end = index + 1
    while end < len(raw) and ("\u0300" <= raw[end] <= "\u036f" or raw[end] in _VOICING):
        end += 1
    return end


def fold_with_offsets(raw: str) -> tuple[str, list[int] | None]:
    """Return the canonical form and, per canonical character, its raw offset (None: they are equal).

    >>> fold_with_offsets("Oﬃce")
    ('office', [0, 1, 1, 1, 2, 3])
    """
    text = blank_markup(raw)
    if text.isascii():
        return text.lower(), None
    pieces: list[str] = []
    offsets: list[int] = []
    at = 0
    for match in _ODD.finditer(text):
        start, end = match.span()
        pieces.append(text[at:start].lower())
        offsets.extend(range(at, start))
        _fold_odd(text, start, end, pieces, offsets)
        at = end
    pieces.append(text[at:].lower())
    offsets.extend(range(at, len(text)))
    return "".join(pieces), offsets


def _fold_odd(text: str, start: int, end: int, pieces: list[str], offsets: list[int]) -> None:
    """Fold one odd run cluster by cluster: a base character and the combining marks after it."""
    while start < end:
        stop = _cluster_end(text, start)
        if text[start] == FILLER:
            start += 1
            continue
        folded = fold_characters(text[start:stop])
        pieces.append(folded)
        offsets.extend([start] * len(folded))
        start = stop
