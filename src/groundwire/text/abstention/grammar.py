"""The phrase grammars: one TOML file a language, compiled when its language first seems to be there.

A file holds ``triggers`` (a text without any of them is not looked at), ``stops`` (common words, by which the
language is told), ``cuts`` and ``leads`` (where a sentence falls into clauses), macros, rules with examples,
and fillers. Patterns are searched in one lower-case clause with straight quotes.
"""

from __future__ import annotations

import re
import tomllib
from functools import cache
from importlib.resources import files
from typing import Any, NamedTuple

LANGUAGES: tuple[str, ...] = ("en", "de", "fr", "es", "ja", "it", "pt", "nl", "pl", "zh")
"""The languages with a grammar, by ISO 639-1 code; the first five are measured."""

_MACRO = re.compile(r"\{([a-z_]+)\}")


class Rule(NamedTuple):
    """One way to abstain: ``kind`` is unknown, refusal, marker, clarify or advice.

    After one that ``closes``, only a turn or a denied premise counts as an answer.
    """

    rule_id: str
    kind: str
    pattern: re.Pattern[str]
    closes: bool


class Grammar(NamedTuple):
    """A compiled language.

    ``cuts`` separates clauses; ``lead`` opens one that ends at its first comma, ``pivots`` one that turns
    from not answering to answering; ``asks_how`` knows a question for a way to do something.
    """

    language: str
    rules: tuple[Rule, ...]
    cuts: re.Pattern[str]
    lead: re.Pattern[str]
    pivots: re.Pattern[str]
    openers: re.Pattern[str]
    asks_how: re.Pattern[str]
    meta: tuple[re.Pattern[str], ...]
    moral: tuple[re.Pattern[str], ...]
    premise: tuple[re.Pattern[str], ...]


@cache
def read_table(language: str) -> dict[str, Any]:
    """Return the data file of ``language``, as written."""
    return tomllib.loads((files(__package__) / f"{language}.toml").read_text(encoding="utf-8"))


@cache
def load_grammar(language: str) -> Grammar:
    """Return the compiled grammar of ``language``."""
    table = read_table(language)
    macros = {**table.get("macros", {}), "openers": table["openers"]}

    def build(pattern: str) -> re.Pattern[str]:
        while (filled := _MACRO.sub(lambda m: macros[m[1]], pattern)) != pattern:
            pattern = filled
        return re.compile(pattern)

    return Grammar(
        language,
        tuple(
            Rule(row["id"], row["kind"], build(row["pattern"]), row.get("closes", False))
            for row in table["rules"]
        ),
        re.compile("|".join(table["cuts"])),
        build(rf"^(?:{'|'.join(table.get('leads', ['(?!)']))})(?![^\W_])"),
        build(table["pivots"]),
        build("{openers}"),
        build(table.get("asks_how", "(?!)")),
        tuple(map(build, table["fillers"]["meta"])),
        tuple(map(build, table["fillers"]["moral"])),
        tuple(map(build, table["fillers"].get("premise", ()))),
    )


@cache
def _triggers(plain: bool) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """Return (language, triggers) pairs; ``plain`` leaves out those that no ASCII text can hold."""
    pairs = (
        (code, tuple(t for t in read_table(code)["triggers"] if t.isascii() or not plain))
        for code in _shipped()
    )
    return tuple((code, triggers) for code, triggers in pairs if triggers)


@cache
def _shipped() -> tuple[str, ...]:
    return tuple(code for code in LANGUAGES if (files(__package__) / f"{code}.toml").is_file())


def find_candidates(lowered: str) -> list[str]:
    """Return the languages in which ``lowered`` (a lower-case text) could abstain."""
    return [
        code
        for code, triggers in _triggers(lowered.isascii())
        if any(trigger in lowered for trigger in triggers)
    ]


_SCRIPTS = (
    ("ja", re.compile(r"[\u3040-\u30ff]")),
    ("zh", re.compile(r"[\u4e00-\u9fff]")),
    ("other", re.compile(r"[\u0370-\u08ff\u0900-\u10ff\u1100-\u11ff\u1200-\u1fff\uac00-\ud7af]")),
)
_WORD = re.compile(r"[^\W\d_]+")


def guess_language(lowered: str) -> str | None:
    """Return the language a text seems to be in; ``other`` for one without grammar, None when too short.

    By script, else by the commonest words of each language; fewer than five words are too few to tell.

    >>> guess_language("the fee is paid in the hall"), guess_language("เปิดเวลาเก้าโมง")
    ('en', 'other')
    """
    if not lowered.isascii():
        for language, script in _SCRIPTS:
            if script.search(lowered):
                return language
    words = _WORD.findall(lowered[:2000])
    if len(words) < 5:
        return None
    counts = {code: sum(map(stops.__contains__, words)) for code, stops in _stops().items()}
    best = max(counts, key=lambda code: counts[code])
    return best if counts[best] * 12 >= len(words) else "other"


@cache
def _stops() -> dict[str, frozenset[str]]:
    return {code: frozenset(read_table(code)["stops"]) for code in _shipped()}
