"""Who is said to have said it? ``According to the miller``, ``said the miller``, ``the miller said that``."""

from __future__ import annotations

import re

from groundwire.text.alignment import Alignment
from groundwire.text.reading import Reading

_CUES = frozenset("according says said say told tells added explained noted argued claimed stated".split())
_WHO = r"((?:the |an? )?(?:[a-z]+\.? )?[A-Za-z][\w'-]*(?: [A-Z][\w'-]*)*)"
_VERB = r"(?:says?|said|told|tells|added|explained|noted|argued|claimed|stated)"
_SPEAKERS = (
    re.compile(rf"\b[Aa]ccording to {_WHO}"),
    re.compile(rf"[,!?.][\"”“»'’]+ (?:{_VERB} {_WHO}|{_WHO} {_VERB}\b)"),
    re.compile(rf"^\W*((?:The |An? )?(?:[A-Z]?[\w'-]+ ){{1,3}}){_VERB}\b"),
)
_PRONOUNS = frozenset("he she it they who one people i we you".split())
_LEAST_SHARE = 0.6


def changes_speaker(claim: Reading, sentence: Reading, aligned: Alignment) -> bool:
    """Return True if a claim reports of one speaker what the sentence reports of another."""
    if _CUES.isdisjoint(claim.words) or _CUES.isdisjoint(sentence.words):
        return False
    mine, theirs = _speaker(claim), _speaker(sentence)
    if not mine or not theirs or aligned.coverage < _LEAST_SHARE:
        return False
    if _is_named(claim, mine) != _is_named(sentence, theirs):
        return False
    said = {claim.codes[i] for i in mine}
    return not any(code in sentence.codes for code in said)


def _speaker(reading: Reading) -> list[int]:
    """Return the words that name who speaks; empty where nobody does, or only a pronoun."""
    for pattern in _SPEAKERS:
        match = pattern.search(reading.text)
        if match is None:
            continue
        group = next(k for k in range(1, len(match.groups()) + 1) if match[k])
        start, end = match.span(group)
        found = [i for i in reading.content if start <= reading.tokens[i].start < end]
        return [] if any(reading.words[i] in _PRONOUNS for i in found) else found
    return []


def _is_named(reading: Reading, speaker: list[int]) -> bool:
    """Return True if a speaker is given by name, False if by what he is (``the miller``)."""
    before = reading.words[speaker[0] - 1] if speaker[0] else ""
    return before not in ("the", "a", "an")
