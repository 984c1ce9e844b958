"""The claims of an answer: its sentences and list items, word by word, with what each word weighs."""

from __future__ import annotations

import re
from typing import NamedTuple

from groundwire.text import vocabulary
from groundwire.text.characters import blank_markup
from groundwire.text.lexicon import HEDGES, PASSAGE_TALK
from groundwire.text.sentences import split_sentences
from groundwire.text.vocabulary import VOCABULARY
from groundwire.text.words import Token, tokenize, word_key

FUNCTION, CONTENT, NUMBER, NAME, MARKER, TALK = range(6)
FUNCTION_WEIGHT = 0.25
_TALK_KEYS = frozenset(map(word_key, PASSAGE_TALK))
_GREETING = re.compile(
    r"\W*(?:sure|certainly|of course|hello|hi|hey|thanks?|thank you|you're welcome|great question"
    r"|good question|happy to help|let me know|i hope (?:this|that) helps|feel free"
    r"|please (?:let me know|feel free)|is there anything)\b",
    re.IGNORECASE,
)


class ClaimWords(NamedTuple):
    """One claim: its range in the answer, its words, and per word its kind, weight and rarity.

    ``text`` is the range with markup blanked; the offsets of ``tokens`` are those of ``text``.

    ``content`` lists the indices of the words that can be looked up. ``is_checkable`` is False for a
    greeting, a question back, or talk about the passages.
    """

    start: int
    end: int
    text: str
    tokens: tuple[Token, ...]
    codes: str
    kinds: tuple[int, ...]
    weights: tuple[float, ...]
    rarities: tuple[float, ...]
    content: tuple[int, ...]
    is_checkable: bool


_ENUMERATOR = re.compile(r"(?:(?<=\s)|^)[*_(]*(\d{1,2})[.)]\s")


def find_enumerators(text: str) -> list[tuple[int, int]]:
    """Return the ranges of the numbers of a list, also one written inside a line (``1. … 2. …``)."""
    found = [(int(m[1]), m.start(1), m.end()) for m in _ENUMERATOR.finditer(text)]
    spans: list[tuple[int, int]] = []
    run: list[tuple[int, int, int]] = []
    for item in [*found, (0, 0, 0)]:
        if run and item[0] == run[-1][0] + 1:
            run.append(item)
            continue
        if len(run) > 1:
            spans += [(start, end) for _, start, end in run]
        run = [item] if item[0] == 1 else []
    return spans


def split_claims(answer: str) -> list[ClaimWords]:
    """Return the claims of ``answer`` in order; offsets are those of ``answer``.

    >>> [c.text for c in split_claims("It opens at 9. Really?")]
    ['It opens at 9.', 'Really?']
    """
    prepared = blank_markup(answer)
    spans = split_sentences(prepared)
    enumerators = find_enumerators(prepared) if ". " in prepared or ") " in prepared else []
    if enumerators:
        spans = [piece for span in spans for piece in _split_at(span, enumerators)]
    return [read_claim(prepared, start, end) for start, end in spans]


def _split_at(span: tuple[int, int], enumerators: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """Cut a sentence before each enumerator inside it, and leave the enumerators out."""
    pieces, at = [], span[0]
    for start, end in enumerators:
        if span[0] <= start < span[1]:
            pieces.append((at, start))
            at = min(end, span[1])
    pieces.append((at, span[1]))
    return [(s, e) for s, e in pieces if s < e]


_MARKER = re.compile(
    r"[\[【(]\s*(?:\^?\d{1,3}(?:\s*[,;–-]\s*\d{1,3})*|\d+[:†][^\]】]{0,60})\s*[\])】]"
    r"|\b(?:passage|document|doc|source|ref|reference|step|context|excerpt|section)s?\s+#?\d{1,3}\b"
    r"|^\W*\d{1,2}[.)]\s|(?<=[.:;!?\n])\s*\d{1,2}[.)]\s",
    re.I,
)


def read_claim(prepared: str, start: int, end: int) -> ClaimWords:
    """Build the claim of the range ``start:end`` of an answer whose markup is blanked."""
    text = prepared[start:end]
    markers = [m.span() for m in _MARKER.finditer(text)] if any(c.isdigit() for c in text) else []
    tokens: list[Token] = []
    kinds: list[int] = []
    weights: list[float] = []
    rarities: list[float] = []
    codes: list[str] = []
    first = True
    for token in tokenize(text):
        if not token.key:
            continue
        code = VOCABULARY.code_of(token.key)
        kind = _kind(token, code, first, markers, text)
        rarity = VOCABULARY.rarity[code]
        weight = min(1.0, max(0.25, rarity))
        if kind == NUMBER:
            weight, rarity = weight * 3, rarity * 1.5
        elif kind == NAME:
            weight, rarity = weight * 1.5, rarity * 1.5
        elif kind == FUNCTION:
            weight = FUNCTION_WEIGHT
        elif kind != CONTENT:
            weight = rarity = 0.0
        tokens.append(token)
        kinds.append(kind)
        weights.append(weight)
        rarities.append(rarity if kind in (CONTENT, NUMBER, NAME) else 0.0)
        codes.append(code)
        first = False
    content = tuple(i for i, kind in enumerate(kinds) if kind in (CONTENT, NUMBER, NAME))
    return ClaimWords(
        start, end, text, tuple(tokens), "".join(codes), tuple(kinds), tuple(weights),
        tuple(rarities), content, _is_checkable(text, kinds),
    )  # fmt: skip


def _kind(token: Token, code: str, first: bool, markers: list[tuple[int, int]], sentence: str) -> int:
    kind = VOCABULARY.kind[code]
    if kind == vocabulary.NUMBER:
        if any(start <= token.start < end for start, end in markers):
            return MARKER
        return NUMBER
    if kind == vocabulary.FUNCTION:
        return NAME if len(token.text) == 1 and _is_letter_name(token, first) else FUNCTION
    if kind == vocabulary.MULTIPLIER:
        return MARKER
    if token.key in _TALK_KEYS:
        return TALK
    text = token.text
    if not text.isalpha() and any(c.isdigit() for c in text):
        return NUMBER
    if text.islower():
        return CONTENT
    if text[0].isupper():
        opening = first or _opens_phrase(sentence, token.start)
        if not opening or (len(text) > 1 and text[1:].isupper()):
            return NAME
    return NAME if len(text) > 1 and text[1:] != text[1:].lower() else CONTENT


def _opens_phrase(text: str, start: int) -> bool:
    """Return True if a capital at ``start`` may be due to its place (after a colon, a mark, a bullet)."""
    before = text[max(0, start - 3) : start].rstrip()
    return (
        before[-1:] in (":", ".", "*", "!", "?", '"', "“", "-", "–", "•", "|", "(") if before else start < 3
    )


def _is_letter_name(token: Token, first: bool) -> bool:
    """Plan ``B``, language ``C``: a single capital letter inside a sentence."""
    return len(token.text) == 1 and "B" <= token.text <= "Z" and token.text != "I" and not first


def _is_checkable(text: str, kinds: list[int]) -> bool:
    if len(kinds) < 3 and not any(kind in (CONTENT, NUMBER, NAME) for kind in kinds):
        return False
    stripped = text.rstrip("\"'”’)] *_")
    return not (stripped.endswith(("?", "？")) or _GREETING.match(text))


def is_hedge(token: Token) -> bool:
    """Return True if the word makes a statement less sure."""
    return token.text.lower() in HEDGES
