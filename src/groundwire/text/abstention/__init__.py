"""Abstention: does an answer answer, and which parts of it do not.

In goes an answer (and the texts it was made from), out come its class and the ranges that abstain, each
with the id of the rule that found it. The phrases are data, one TOML file a language. It deliberately does
not know whether abstaining was right.
"""

from __future__ import annotations

from groundwire.text.abstention.classify import LABELS, AnswerClass, classify_answer
from groundwire.text.abstention.detect import AbstentionSpan, find_abstentions, states_something
from groundwire.text.abstention.grammar import LANGUAGES, guess_language

__all__ = [
    "LABELS",
    "LANGUAGES",
    "AbstentionSpan",
    "AnswerClass",
    "classify_answer",
    "find_abstentions",
    "guess_language",
    "states_something",
]
