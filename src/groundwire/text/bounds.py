"""How the words around a value bound it: ``at least``, ``below``, ``about``, ``or more``."""

from __future__ import annotations

import re

_RELATIONS = {
    phrase: relation
    for relation, phrases in {
        ">": "over|above|exceeding|exceeds|exceed|beyond|über|more than|greater than|higher than"
        "|larger than|longer than|older than|later than|better than|>|more than the|more than a",
        "<": "below|under|beneath|unter|less than|fewer than|lower than|smaller than|shorter than"
        "|younger than|earlier than|<|less than the|less than a",
        "~": "about|around|approximately|roughly|nearly|almost|circa|ca|ca.|approx|approx.|some|etwa|rund|~",
        ">=": "minimum|mindestens|at least|no less than|no fewer than|not less than|minimum of|starting at|≥"
        "|>=|at least a|at least the",
        "<=": "maximum|höchstens|within|at most|no more than|not more than|up to|maximum of|no later than|≤"
        "|<=|not exceed|not exceeding|up to a|up to the",
    }.items()
    for phrase in phrases.split("|")
}
_AFTER = re.compile(
    r"\s*(?:or (?:more|above|over|older|higher|later)|and (?:over|above|up)|\+)", re.IGNORECASE
)
_AHEAD = re.compile(r"[^.;,]{0,20}\b(?:before|prior|in advance|ahead)\b", re.IGNORECASE)
_NEGATED = re.compile(
    r"(?:\b(?:not|never|cannot)|n't)(?: \w+){0,3} (?:more|less|fewer|longer|later|older|higher) than"
    r"(?: the| a)?\s*$"
)
_EXCEEDS = re.compile(r"(?:\b(?:not|never|cannot)|n't)(?: \w+){0,2} exceed(?:s|ing|ed)?\s*$")
_LESS_THAN = re.compile(r"(?:less|fewer) than")
_AGE = re.compile(r"(?:the )?ages? (?:of )?$")
_AGES = ("age ", "ages ", "age of ", "ages of ")
_ENDS = frozenset(
    {phrase.rpartition(" ")[2] for phrase in _RELATIONS}
    | set("than the a exceed exceeds exceeding exceeded age ages of".split())
)
"""Every word that may stand right before a bounded value."""
_AFTER_LESS = re.compile(r"\s*or (?:less|fewer|below|under|younger|lower|earlier)", re.IGNORECASE)


def relation_of(text: str, start: int, end: int) -> str:
    """Return how the words around a value bound it: ``at least``, ``below``, ``or more``; else ``=``."""
    following = text[end : end + 4].lstrip()[:2].lower()
    if following in ("or", "an") or following[:1] == "+":
        if _AFTER.match(text, end):
            return ">="
        if _AFTER_LESS.match(text, end):
            return "<="
    before = text[max(0, start - 48) : start].lower()
    words = before[-24:].rstrip("( $£€¥").rsplit(None, 1)
    if not words or words[-1] not in _ENDS:
        return "="
    if "than" in before and _NEGATED.search(before):
        return ">=" if _LESS_THAN.search(before, max(0, len(before) - 16)) else "<="
    if "exceed" in before and _EXCEEDS.search(before):
        return "<="
    if before.endswith(_AGES):
        before = _AGE.sub("", before)
    words = before[-24:].rstrip("( $£€¥").split()
    for count in (3, 2, 1):
        relation = _RELATIONS.get(" ".join(words[-count:])) if len(words) >= count else None
        if relation is not None:
            if "later" in words[-count:] and _AHEAD.match(text, end):
                return {"<=": ">=", ">": "<"}.get(relation, relation)
            return relation
    return "="
