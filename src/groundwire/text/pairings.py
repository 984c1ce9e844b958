"""Two lists of which the items belong together: ``Ann and Bo paid 4 and 9 euros, respectively``."""

from __future__ import annotations

from groundwire.text.reading import Reading

_CUES = frozenset("respectively beziehungsweise jeweils respectivement respectivamente".split())
_JOINERS = frozenset("and und et y e".split())


def pairs_otherwise(claim: Reading, sentence: Reading) -> bool:
    """Return True if both texts pair the same two lists, and one pairs other items.

    >>> pairs_otherwise(Reading("Ann and Bo paid 4 and 9, respectively."),
    ...                 Reading("Bo and Ann paid 4 and 9, respectively."))
    True
    """
    if _CUES.isdisjoint(claim.words) or _CUES.isdisjoint(sentence.words):
        return False
    mine, theirs = _read_pairs(claim), _read_pairs(sentence)
    return mine.keys() == theirs.keys() and set(mine.values()) == set(theirs.values()) and mine != theirs


def _read_pairs(reading: Reading) -> dict[str, str]:
    """Return by each item (code) of a text's first list the item of its second, of the same length."""
    lists: list[list[int]] = []
    for i in range(len(reading.words)):
        if reading.words[i] in _JOINERS or reading.words[i] in _CUES:
            continue
        if lists and _is_joined(reading, lists[-1][-1], i):
            lists[-1].append(i)
        else:
            lists.append([i])
    longer = [items for items in lists if len(items) > 1]
    if len(longer) != 2 or len(longer[0]) != len(longer[1]):
        return {}
    return {reading.codes[a]: reading.codes[b] for a, b in zip(*longer, strict=True)}


def _is_joined(reading: Reading, before: int, i: int) -> bool:
    """Return True if a comma or a joiner stands between two words."""
    between = reading.words[before + 1 : i]
    gap = reading.text[reading.tokens[before].end : reading.tokens[i].start]
    return _JOINERS.issuperset(between) and (bool(between) or gap.strip() == ",")
