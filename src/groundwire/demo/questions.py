"""About thirty questions about what is installed here, and which of them go wrong on purpose."""

from __future__ import annotations

import re

from groundwire.demo.app import compose
from groundwire.demo.faults import FAULTS, Fault
from groundwire.demo.library import library

ANSWERABLE = 26
OUT_OF_SCOPE = (
    "When did the lighthouse at Gull Point burn down?",
    "Who may cross the Sandhaven bridge without paying a toll?",
    "How many ferries does the harbor office own?",
    "Which bakery supplies the night boat?",
)
"""Questions that no package description answers: the honest answer is an abstention."""


def choose_questions() -> list[str]:
    """The demo's questions, in a fixed order for a given set of installed packages.

    Spread over all packages that have an answer, with at least one question that each fault fits.
    """
    names = sorted({passage["title"] for passage in library().passages}, key=str.lower)
    answerable = [question for name in names if (question := _ask_about(name)) is not None]
    step = max(1, len(answerable) // ANSWERABLE)
    needed = [next((q for q in answerable if _fits(fault, q)), None) for fault in FAULTS]
    chosen = list(dict.fromkeys([*filter(None, needed), *answerable[::step]]))[:ANSWERABLE]
    questions = sorted(chosen, key=answerable.index)
    for place, question in zip((4, 11, 18, 25), OUT_OF_SCOPE, strict=True):
        questions.insert(place, question)
    return questions


def plan_faults(questions: list[str]) -> dict[str, Fault]:
    """Give each fault a question it fits, spread over the run; the rest stays honest.

    A fault that fits no question here (no description holds a number, …) is left out.
    """
    plan: dict[str, Fault] = {}
    for number, fault in enumerate(FAULTS):
        target = (number + 0.5) * len(questions) / len(FAULTS)
        fitting = [i for i, q in enumerate(questions) if q not in plan and _fits(fault, q)]
        if fitting:
            plan[questions[min(fitting, key=lambda i: abs(i - target))]] = fault
    return plan


def _fits(fault: Fault, question: str) -> bool:
    passages = library().search(question, limit=4)
    return fault.asked in question and fault.spoil(compose(question, passages), passages) is not None


def _ask_about(name: str) -> str | None:
    """Ask what a package is or, for every second one, what it says of a word in its best sentence."""
    plain = f"What is {name}?"
    honest = compose(plain, library().search(plain, limit=4))
    if not honest["citations"]:
        return None
    words = re.findall(r"\b[a-z]{6,}\b", honest["citations"][0]["quote"])
    if len(name) % 2 or not words:
        return plain
    asked = f"What does {name} say about {max(words, key=len)}?"
    return asked if compose(asked, library().search(asked, limit=4))["citations"] else plain
