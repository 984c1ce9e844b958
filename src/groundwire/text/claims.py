"""The claims of an answer: its sentences and list items, word by word, with what each word weighs."""

from __future__ import annotations

import re

from msgspec import Struct

from groundwire.text import vocabulary
from groundwire.text.caseless import Caseless
from groundwire.text.characters import blank_markup
from groundwire.text.lexicon import AFFIRMATIONS, FIRST_PERSON, NEGATIONS, PASSAGE_TALK, PRONOUNS
from groundwire.text.reading import Reading
from groundwire.text.sentences import split_sentences
from groundwire.text.vocabulary import VOCABULARY
from groundwire.text.words import Token, tokenize, word_key

FUNCTION, CONTENT, NUMBER, NAME, MARKER, TALK = range(6)
GRAMMAR_WEIGHT = 0.25
POINTING_WEIGHT = 0.0
"""Of a pronoun: it stands for what was named and says nothing of its own."""
STANCE_WEIGHT = 0.5
"""Of yes, no and negations, which turn a statement, and of a speaker's I, of whom no source tells."""
_TALK_KEYS = frozenset(map(word_key, PASSAGE_TALK))
_POINTING_KEYS = frozenset(map(word_key, PRONOUNS))
_STANCE_KEYS = frozenset(map(word_key, AFFIRMATIONS | NEGATIONS | FIRST_PERSON)) | {"n't"}
_GREETING = Caseless(
    r"\W*(?:sure|certainly|of course|hello|hi|hey|thanks?|thank you|you're welcome|great question"
    r"|good question|happy to help|let me know|i hope (?:this|that) helps|feel free"
    r"|please (?:let me know|feel free)|is there anything)\b"
)


_REPLY = re.compile(
    r"\W*(?:true|correct|right|exactly|indeed|absolutely|definitely|certainly|sure|richtig|stimmt|genau)\s?[,:;.!–—]",
    re.IGNORECASE,
)
"""A word of assent that opens a reply and states nothing of its own."""


class ClaimWords(Struct, frozen=True, gc=False):
    """One claim: its range in the answer, its words, and per word its kind, weight and rarity.

    ``text`` is the range with markup blanked; the offsets of ``tokens`` are those of ``text``.

    ``content`` lists the indices of the words that can be looked up. ``is_checkable`` is False for a
    greeting, a question back, or talk about the passages. ``reading`` is the same read closely.
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
    reading: Reading


_ENUMERATOR = re.compile(r"(?<![^\s*_(])\d{1,2}[.)]\s")


def _is_set_off(text: str, at: int) -> bool:
    """Return True if nothing but marks of emphasis or a bracket stands between a space and ``at``."""
    while at and text[at - 1] in "*_(":
        at -= 1
    return at == 0 or text[at - 1].isspace()


def find_enumerators(text: str) -> list[tuple[int, int]]:
    """Return the ranges of the numbers of a list, also one written inside a line (``1. … 2. …``)."""
    found = [
        (int(m[0][:-2]), m.start(), m.end())
        for m in _ENUMERATOR.finditer(text)
        if _is_set_off(text, m.start())
    ]
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
    may_list = "1." in prepared or "1)" in prepared or not prepared.isascii()
    enumerators = find_enumerators(prepared) if may_list else []
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


_DIGIT = re.compile(r"\d")
_BRACKETED = re.compile(r"[\[【(]\s*(?:\^?\d{1,3}(?:\s*[,;–-]\s*\d{1,3})*|\d+[:†][^\]】]{0,60})\s*[\])】]")
_MARKED_NOUNS = frozenset(
    "passage passages document documents doc docs source sources ref refs reference references step steps "
    "context contexts excerpt excerpts section sections".split()
)


def _is_marker(text: str, token: Token, before: str) -> bool:
    """Return True if a number is a citation's, a passage's or a list's, not a value of the claim."""
    start, end = token.start, token.end
    if before in _MARKED_NOUNS and end - start <= 3:
        return True
    head = text[max(0, start - 12) : start].rstrip()
    last = head[-1:]
    if end - start <= 2 and text[end : end + 1] in (".", ")") and text[end + 1 : end + 2].isspace():
        return not head.strip("*_(- ") or last in (".", ":", ";", "!", "?", "\n")
    if last in ("[", "【", "(", "^", ",", ";", "-", "–"):
        base = max(0, start - 40)
        near = _BRACKETED.finditer(text[base : end + 70])
        return any(m.start() <= start - base < m.end() for m in near)
    return False


class _WordInfo(Struct, frozen=True, gc=False):
    """What is known of a word wherever it stands: code, kind, weight, rarity, and how it is written.

    ``kind``, ``claim_weight`` and ``claim_rarity`` hold where its place in a sentence changes nothing;
    ``may_vary`` says that it may.
    """

    code: str
    kind: int
    claim_weight: float
    claim_rarity: float
    may_vary: bool
    weight: float
    rarity: float
    shape: int


_LOWER, _CAPITAL, _UPPER, _LETTER = range(4)


class _WordMemo(dict[str, _WordInfo]):
    """Word infos by surface; emptied when the vocabulary starts over."""

    epoch = 0

    def __missing__(self, surface: str) -> _WordInfo:
        info = _read_word(surface)
        if len(surface) <= 40 and len(self) < 300_000:
            self[surface] = info
        return info


_WORDS = _WordMemo()


def _read_word(surface: str) -> _WordInfo:
    key = word_key(surface)
    code = VOCABULARY.code_of(key)
    base, rarity = VOCABULARY.kind[code], VOCABULARY.rarity[code]
    if base == vocabulary.NUMBER or (not surface.isalpha() and _DIGIT.search(surface)):
        kind = NUMBER
    elif base == vocabulary.FUNCTION:
        kind = FUNCTION
    elif base == vocabulary.MULTIPLIER:
        kind = MARKER
    else:
        kind = TALK if key in _TALK_KEYS else CONTENT
    weight, shape = min(1.0, max(0.25, rarity)), _shape_of(surface)
    claim_weight = _grammar_weight(key) if kind == FUNCTION else weight * _FACTORS[kind]
    return _WordInfo(
        code, kind, claim_weight, rarity * _RARITIES[kind], shape != _LOWER or kind == NUMBER,
        weight, rarity, shape,
    )  # fmt: skip


_RARITIES = {FUNCTION: 0.0, CONTENT: 1.0, NUMBER: 1.5, NAME: 1.5, MARKER: 0.0, TALK: 0.0}
_FACTORS = {CONTENT: 1.0, NUMBER: 3.0, NAME: 1.5, MARKER: 0.0, TALK: 0.0}


def _grammar_weight(key: str) -> float:
    if key in _STANCE_KEYS or key.endswith("n't"):
        return STANCE_WEIGHT
    return POINTING_WEIGHT if key in _POINTING_KEYS else GRAMMAR_WEIGHT


def _shape_of(surface: str) -> int:
    if len(surface) == 1:
        return _LETTER if "B" <= surface <= "Z" and surface != "I" else _LOWER
    if surface.islower():
        return _LOWER
    if surface[1:] == surface[1:].lower():
        return _CAPITAL if surface[0].isupper() else _LOWER
    return _UPPER


def read_claim(prepared: str, start: int, end: int) -> ClaimWords:
    """Build the claim of the range ``start:end`` of an answer whose markup is blanked."""
    text = prepared[start:end]
    if _WORDS.epoch != VOCABULARY.epoch:
        _WORDS.clear()
        _WORDS.epoch = VOCABULARY.epoch
    tokens = tuple([token for token in tokenize(text) if token.key])
    infos = [_WORDS[token.text] for token in tokens]
    kinds = [info.kind for info in infos]
    weights = [info.claim_weight for info in infos]
    rarities = [info.claim_rarity for info in infos]
    for i, info in enumerate(infos):
        if info.may_vary:
            kind = _kind(info, i, tokens, text)
            if kind == NAME and i == 0 and info.shape in (_CAPITAL, _LETTER):
                continue
            if kind != info.kind:
                kinds[i] = kind
                weights[i] = info.weight * _FACTORS[kind]
                rarities[i] = info.rarity * _RARITIES[kind]
    if kinds and kinds[0] == CONTENT and _REPLY.match(text):
        kinds[0], weights[0], rarities[0] = TALK, 0.0, 0.0
    content = tuple([i for i, kind in enumerate(kinds) if kind in _LOOKED_UP])
    codes = "".join([info.code for info in infos])
    marks = tuple([i for i, kind in enumerate(kinds) if kind == MARKER]) if MARKER in kinds else ()
    return ClaimWords(
        start, end, text, tokens, codes, tuple(kinds), tuple(weights), tuple(rarities), content,
        _is_checkable(text, kinds), Reading(text, tokens, codes, marks),
    )  # fmt: skip


_LOOKED_UP = frozenset((CONTENT, NUMBER, NAME))


def _kind(info: _WordInfo, i: int, tokens: tuple[Token, ...], sentence: str) -> int:
    """Return the kind of a word in its sentence: a name by its capital, a marker by its place."""
    kind, token = info.kind, tokens[i]
    if kind == NUMBER:
        before = tokens[i - 1].text.lower() if i else ""
        return MARKER if token.text[-1].isdigit() and _is_marker(sentence, token, before) else NUMBER
    if info.shape == _LOWER or kind in (MARKER, TALK):
        return kind
    if kind == FUNCTION:
        return NAME if info.shape == _LETTER else FUNCTION
    if info.shape == _UPPER:
        return NAME
    return CONTENT if _opens_phrase(sentence, token.start) else NAME


def _opens_phrase(text: str, start: int) -> bool:
    """Return True if a capital at ``start`` may be due to its place (after a colon, a mark, a bullet)."""
    before = text[max(0, start - 3) : start].rstrip()
    return (
        before[-1:] in (":", ".", "*", "!", "?", '"', "“", "-", "–", "•", "|", "(") if before else start < 3
    )


def _is_checkable(text: str, kinds: list[int]) -> bool:
    if len(kinds) < 3 and _LOOKED_UP.isdisjoint(kinds):
        return False
    stripped = text.rstrip("\"'”’)] *_")
    return not (stripped.endswith(("?", "？")) or _GREETING.match(text))
