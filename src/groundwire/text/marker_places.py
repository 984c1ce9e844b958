"""Where a bracket stands in a text: in code, behind an array's name, at a definition, in a list of sources.

In: a text and a place in it. Out: ranges in code points, or a yes or no. Standard library only; linear time.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from typing import Final

Range = tuple[int, int]

_ARRAYS: Final = frozenset(
    "a arr array args argv b buf cell cols column columns d data dict elem elements i idx index item items j "
    "k key keys l line lines list lists lst m map mat matrix n nums obj params r row rows s seq stack str "
    "string tmp tuple u v val vals value values vec vector w x xs y ys z".split(" ")
)
_INTERVAL: Final = re.compile(r"(?:range|interval|intervals|between|within|∈|in|scale|domain)\s*\Z", re.I)
_DEFINITION: Final = re.compile(r"[ \t>*-]{0,8}\Z")
_FOOT: Final = re.compile(
    r"^[ \t]*(?:#{1,6} )?[*_]{0,2}(?:sources|references|citations|footnotes|bibliography|works cited|quellen|"
    r"literatur|fuentes|referencias|références|参考文献|出典|来源)[*_]{0,2} ?[:：]?[*_]{0,2}[ \t]*$",
    re.I | re.M,
)
_FENCE: Final = re.compile(r"^[ \t]{0,3}(`{3,}|~{3,})[^\n]*$", re.M)
_TICKS: Final = re.compile("`+")


def is_definition(text: str, start: int, end: int, foot: int) -> bool:
    """Tell whether the bracket opens its line as a footnote's text or an entry of the list of sources."""
    line_start = text.rfind("\n", max(0, start - 10), start) + 1
    opens_line = (line_start > 0 or start < 10) and _DEFINITION.match(text[line_start:start]) is not None
    return opens_line and (start >= foot or text.startswith(":", end))


def is_interval(text: str, start: int, end: int) -> bool:
    """Tell whether the bracket is a mathematical interval: two numbers after a word that announces one."""
    bracket = text[start:end]
    if bracket.count(",") != 1 or "-" in bracket:
        return False
    return _INTERVAL.search(text[max(0, start - 20) : start]) is not None


def is_index(text: str, start: int, end: int, labels: tuple[str, ...]) -> bool:
    """Tell an array index from a marker that is glued to its word (``it[1].``)."""
    if text[start] != "[":
        return False
    before, after = text[max(0, start - 60) : start], text[end : end + 3]
    if before[-1:] in {"]", ")"}:
        return _is_call(before) or (after[:1] in {"[", "."} and after[1:2].isalpha())
    word = re.search(r"[A-Za-z_][A-Za-z0-9_]*\Z", before)
    return word is not None and _is_index_of(word[0], after, labels)


def _is_index_of(name: str, after: str, labels: tuple[str, ...]) -> bool:
    if "_" in name or any(c.isdigit() for c in name) or name.lower() in _ARRAYS or labels == ("0",):
        return True
    has_hump = name[1:] != name[1:].lower() and not name.isupper()
    is_followed = after[:2] in {" =", "++", "+=", "--"} or (after[:1] == "." and after[1:2].isalpha())
    return has_hump or is_followed


def _is_call(before: str) -> bool:
    """Tell whether the bracket before, round or square, is glued to a name: ``f(x)`` or ``d['a']``."""
    opening = before.rfind("(" if before.endswith(")") else "[")
    return opening > 0 and (before[opening - 1].isalnum() or before[opening - 1] == "_")


def is_inside(position: int, ranges: list[Range]) -> bool:
    """Tell whether ``position`` lies in one of the sorted, disjoint ``ranges``."""
    index = bisect_right(ranges, (position, 1 << 62)) - 1
    return index >= 0 and ranges[index][0] <= position < ranges[index][1]


def find_foot(answer: str) -> int:
    """Return where the list of sources at the end of the answer starts; past its end when there is none."""
    headings = [match.start() for match in _FOOT.finditer(answer)]
    return headings[-1] if headings else len(answer) + 1


def find_code(text: str) -> list[Range]:
    """Return the ranges of fenced and inline code, in order; an open fence reaches to the end.

    >>> find_code("Use `x[1]` here")
    [(4, 10)]
    """
    fenced = _find_fenced(text)
    inline = _find_inline(text, fenced)
    return sorted([*fenced, *inline])


def _find_fenced(text: str) -> list[Range]:
    ranges: list[Range] = []
    opening: re.Match[str] | None = None
    for fence in _FENCE.finditer(text):
        if opening is None:
            opening = fence
        elif fence[1].startswith(opening[1]):
            ranges.append((opening.start(), fence.end()))
            opening = None
    if opening is not None:
        ranges.append((opening.start(), len(text)))
    return ranges


def _find_inline(text: str, fenced: list[Range]) -> list[Range]:
    runs = [match.span() for match in _TICKS.finditer(text) if not is_inside(match.start(), fenced)]
    later: dict[int, list[int]] = {}
    for index in range(len(runs) - 1, -1, -1):
        later.setdefault(runs[index][1] - runs[index][0], []).append(index)
    ranges: list[Range] = []
    reached = -1
    for index, (start, end) in enumerate(runs):
        waiting = later[end - start]
        waiting.pop()
        if index > reached and waiting:
            closing = waiting[-1]
            if "\n\n" not in text[end : runs[closing][0]][:4000]:
                ranges.append((start, runs[closing][1]))
                reached = closing
    return ranges
