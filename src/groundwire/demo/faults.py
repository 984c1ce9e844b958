"""What goes wrong in production, on purpose: each fault spoils one honest answer of the demo.

A fault returns None where it does not fit (no number to change, …), so that the demo can choose a
question it fits whatever packages are installed here.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from groundwire.demo.library import Passage

Answer = dict[str, Any]
Spoil = Callable[[Answer, list[Passage]], Answer | None]


@dataclass(frozen=True)
class Fault:
    """One kind of fault. ``found_by``: the grades of which at least one must fail.

    ``asked`` stands in every question that the fault fits.
    """

    name: str
    found_by: tuple[str, ...]
    spoil: Spoil
    asked: str = ""


def change_number(answer: Answer, passages: list[Passage]) -> Answer | None:
    """Say another number than the quoted source."""
    quote = _quote(answer)
    number = re.search(r"(?<![\w.])\d{1,3}(?![\w.]*\d)(?=x?\b)", quote or "")
    if quote is None or number is None:
        return None
    changed = f"{quote[: number.start()]}{int(number[0]) * 2 + 1}{quote[number.end() :]}"
    return {**answer, "answer": answer["answer"].replace(quote, changed)}


def cite_other_source(answer: Answer, passages: list[Passage]) -> Answer | None:
    """Quote one source and name another."""
    quote = _quote(answer)
    named = answer["citations"][0]["source_id"] if quote else None
    others = [p for p in passages if p["id"] != named and quote and quote not in p["text"]]
    if quote is None or not others:
        return None
    number = passages.index(others[0]) + 1
    citations = [{"quote": quote, "source_id": others[0]["id"]}]
    return {**answer, "answer": f"{quote} [{number}]", "citations": citations}


def invent_quote(answer: Answer, passages: list[Passage]) -> Answer | None:
    """Quote a sentence that stands nowhere."""
    quote = _quote(answer)
    if quote is None:
        return None
    invented = "It was certified by the harbor office after a trial on nine ferries."
    source = answer["citations"][0]["source_id"]
    return {
        **answer,
        "answer": f'{quote} The description adds: "{invented}"',
        "citations": [{"quote": quote, "source_id": source}, {"quote": invented, "source_id": source}],
    }


def claim_ignorance(answer: Answer, passages: list[Passage]) -> Answer | None:
    """Say "I don't know" although the passage is there."""
    if _quote(answer) is None:
        return None
    return {**answer, "answer": "I don't know; the passages do not mention it.", "citations": []}


def answer_anyway(answer: Answer, passages: list[Passage]) -> Answer | None:
    """Invent an answer where nothing was found."""
    if answer["citations"]:
        return None
    return {**answer, "answer": "It happened in the spring of 1911, after a long quarrel about tolls."}


def leak_address(answer: Answer, passages: list[Passage]) -> Answer | None:
    """Add somebody's e-mail address that no source holds."""
    if _quote(answer) is None:
        return None
    return {**answer, "answer": f"{answer['answer']} Ask ida.verel@sandhaven-ferries.net for details."}


def invert_negation(answer: Answer, passages: list[Passage]) -> Answer | None:
    """Say the opposite of the source."""
    quote = _quote(answer)
    if quote is None or re.search(r"\bnot\b|n't\b|\bno\b|\bnever\b", quote):
        return None
    denied, changes = re.subn(r"\b(is|are|can|will|does)\b", r"\1 not", quote, count=1)
    return {**answer, "answer": answer["answer"].replace(quote, denied)} if changes else None


def _quote(answer: Answer) -> str | None:
    return answer["citations"][0]["quote"] if answer["citations"] else None


SUPPORT = ("citation_support", "groundedness")
FAULTS: tuple[Fault, ...] = (
    Fault("changed number", SUPPORT, change_number),
    Fault("quote from another source", ("citation_provenance", "citation_scope"), cite_other_source),
    Fault("invented quote", ("citation_provenance", "quotation"), invent_quote),
    Fault("“I don't know” with the passage there", ("abstention",), claim_ignorance, "say about"),
    Fault("answer where it should abstain", ("groundedness", "abstention"), answer_anyway),
    Fault("leaked e-mail address", ("pii_leak",), leak_address),
    Fault("inverted negation", SUPPORT, invert_negation),
)
