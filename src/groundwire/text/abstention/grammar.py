"""The phrase grammars: one TOML file a language, compiled when its language first seems to be there.

A file holds ``triggers`` (a clause without any of them is not looked at), ``stops`` (common words, by which
the language is told), ``cuts`` and ``leads`` (where a sentence falls into clauses), ``opener`` (what may
stand before the phrase that counts), macros, rules with examples, and fillers. Patterns are searched in one
lower-case clause with straight quotes; ``^{openers}`` at their start stands for the clause's start after any
number of openers.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Iterable
from functools import cache
from importlib.resources import files
from itertools import repeat
from typing import Any, NamedTuple

LANGUAGES: tuple[str, ...] = ("en", "de", "fr", "es", "ja", "it", "pt", "nl", "pl", "zh", "ru", "ko")
"""The languages with a grammar, by ISO 639-1 code; the first five are measured."""

UNSPACED_LANGUAGES = ("ja", "zh")
OTHER = "other"
MAX_OPENERS = 6
_MACRO = re.compile(r"\{([a-z_]+)\}")
_OPENERS = "^{openers}"
_NEVER = "(?!)"


class Phrase(NamedTuple):
    """A pattern, and whether it must stand at the clause's start, after openers at most."""

    pattern: re.Pattern[str]
    is_anchored: bool

    def is_in(self, clause: str, starts: Iterable[int]) -> bool:
        """Tell whether the clause holds the phrase; ``starts`` are the places where openers end."""
        if self.is_anchored:
            return any(map(self.pattern.match, repeat(clause), starts))
        return self.pattern.search(clause) is not None


class Rule(NamedTuple):
    """One way to abstain: ``kind`` is unknown, refusal, marker, clarify or advice.

    After one that ``closes``, only a turn or a denied premise counts as an answer.
    """

    rule_id: str
    kind: str
    phrase: Phrase
    closes: bool


class Grammar(NamedTuple):
    """A compiled language.

    ``cuts`` separates clauses; ``lead`` opens one that ends at its first comma, ``pivots`` one that turns
    from not answering to answering; ``asks_how`` knows a question for a way to do something. ``fillers`` are
    pairs of a kind (meta, moral or premise) and its phrases.
    """

    language: str
    triggers: tuple[str, ...]
    rules: tuple[Rule, ...]
    cuts: re.Pattern[str]
    lead: re.Pattern[str]
    pivots: re.Pattern[str]
    opener: re.Pattern[str]
    asks_how: re.Pattern[str]
    fillers: tuple[tuple[str, tuple[Phrase, ...]], ...]

    def opener_ends(self, clause: str) -> list[int]:
        """Return the places where the clause's openers end, the start first."""
        ends = [0]
        while len(ends) <= MAX_OPENERS and (found := self.opener.match(clause, ends[-1])):
            ends.append(found.end())
        return ends


@cache
def read_table(language: str) -> dict[str, Any]:
    """Return the data file of ``language``, as written."""
    return tomllib.loads((files(__package__) / f"{language}.toml").read_text(encoding="utf-8"))


@cache
def load_grammar(language: str) -> Grammar:
    """Return the compiled grammar of ``language``."""
    table = read_table(language)
    macros = table.get("macros", {})
    fillers = table.get("fillers", {})
    leads = "|".join(table.get("leads", [_NEVER]))
    return Grammar(
        language,
        read_triggers(language),
        tuple(
            Rule(row["id"], row["kind"], _build_phrase(row["pattern"], macros), row.get("closes", False))
            for row in table["rules"]
        ),
        re.compile("|".join(table.get("cuts", [_NEVER]))),
        re.compile(rf"(?:{leads})(?![^\W_])"),
        re.compile(table.get("pivots", _NEVER)),
        re.compile(_expand(table["opener"], macros)),
        re.compile(table.get("asks_how", _NEVER)),
        tuple(
            (kind, tuple(_build_phrase(pattern, macros) for pattern in fillers.get(kind, ())))
            for kind in ("premise", "meta", "moral")
        ),
    )


def _build_phrase(pattern: str, macros: dict[str, str]) -> Phrase:
    is_anchored = pattern.startswith(_OPENERS)
    return Phrase(re.compile(_expand(pattern.removeprefix(_OPENERS), macros)), is_anchored)


def _expand(pattern: str, macros: dict[str, str]) -> str:
    while (filled := _MACRO.sub(lambda match: macros[match[1]], pattern)) != pattern:
        pattern = filled
    return pattern


@cache
def shipped_languages() -> tuple[str, ...]:
    """Return the languages whose file is there."""
    return tuple(code for code in LANGUAGES if (files(__package__) / f"{code}.toml").is_file())


class Languages(NamedTuple):
    """``candidates``: the languages in which a text could abstain. ``guess``: the one it seems to be in,
    ``other`` for one without grammar, None when it is too short to tell."""

    candidates: tuple[str, ...]
    guess: str | None


def read_languages(lowered: str) -> Languages:
    """Return the languages of a lower-case text, by its script, its commonest words and its triggers.

    A text too short to tell its language by is looked at in every language.

    >>> read_languages("the fee is not paid in the hall")
    Languages(candidates=('en',), guess='en')
    """
    counts = _count_stops(lowered)
    words = counts.pop("", 0)
    best = max(counts.values(), default=0)
    likely = (
        code
        for code in shipped_languages()
        if best < _FEW_STOPS
        or counts.get(code, 0) * 2 >= best
        or (code in UNSPACED_LANGUAGES and not lowered.isascii())
    )
    encoded = lowered.encode(errors="replace")
    candidates = tuple(code for code in likely if trigger_search(code)(encoded) is not None)
    return Languages(candidates, _guess(lowered, counts, words))


def _guess(lowered: str, counts: dict[str, int], words: int) -> str | None:
    if not lowered.isascii():
        if _OTHER_CYRILLIC.search(lowered, 0, _LOOKED_AT):
            return OTHER
        letters = sum(map(str.isalpha, lowered[:_LOOKED_AT]))
        for language, script in _SCRIPTS:
            if len(script.findall(lowered, 0, _LOOKED_AT)) * _ONE_LETTER_IN >= max(letters, 1):
                return language
    best = max(counts, key=lambda code: counts[code], default=OTHER)
    if counts.get(best, 0) * _ONE_STOP_IN >= max(words, 1):
        return best
    return OTHER if words >= _LEAST_WORDS else None


def guess_language(lowered: str) -> str | None:
    """Return the language a lower-case text seems to be in; see :class:`Languages`.

    >>> guess_language("the fee is paid in the hall"), guess_language("เปิดเวลาเก้าโมง")
    ('en', 'other')
    """
    return read_languages(lowered).guess


@cache
def read_triggers(language: str) -> tuple[str, ...]:
    """Return the triggers of ``language``."""
    return tuple(read_table(language)["triggers"])


@cache
def trigger_search(language: str) -> Callable[[bytes], object | None]:
    """Return the search for any trigger of ``language`` in UTF-8; RE2 looks for all of them in one pass."""
    import re2

    pattern = b"|".join(re.escape(trigger.encode()) for trigger in read_triggers(language))
    search: Callable[[bytes], object | None] = re2.compile(pattern).search
    return search


_FEW_STOPS = 3

_SCRIPTS = (
    ("ja", re.compile(r"[\u3040-\u30ff]")),
    ("zh", re.compile(r"[\u4e00-\u9fff]")),
    ("ko", re.compile(r"[\uac00-\ud7af]")),
    ("ru", re.compile(r"[\u0400-\u04ff]")),
    (OTHER, re.compile(r"[\u0370-\u08ff\u0900-\u10ff\u1100-\u11ff\u1200-\u1fff\uac00-\ud7af]")),
)
_WORD = re.compile(r"[^\W\d_]+")
_LEAST_WORDS = 12
_ONE_STOP_IN = 20
_ONE_LETTER_IN = 4
_OTHER_CYRILLIC = re.compile(r"[іїєґўљњћђѓќџ]")


_LOOKED_AT = 320


def _count_stops(lowered: str) -> dict[str, int]:
    """Return how often each language's commonest words stand in the text's beginning; ``""``: all words."""
    words = _WORD.findall(lowered, 0, _LOOKED_AT)
    counts = {"": len(words)}
    for codes in filter(None, map(_languages_by_stop().get, words)):
        for code in codes:
            counts[code] = counts.get(code, 0) + 1
    return counts


@cache
def _languages_by_stop() -> dict[str, tuple[str, ...]]:
    languages: dict[str, tuple[str, ...]] = {}
    for code in shipped_languages():
        for word in read_table(code)["stops"]:
            languages[word] = (*languages.get(word, ()), code)
    return languages
