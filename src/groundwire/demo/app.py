"""The demo application: retrieve passages, answer with a sentence that is quoted and cited."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from groundwire.demo.extract import best_sentence
from groundwire.demo.library import Passage, library
from groundwire.instrumentation import instrument, retriever

ABSTENTION = "I could not find that in the package descriptions."

Compose = Callable[[str, list[Passage]], dict[str, Any]]


def compose(question: str, passages: list[Passage]) -> dict[str, Any]:
    """Answer from the passages alone: the sentence that fits best, quoted, or an abstention."""
    found = best_sentence(question, passages)
    if found is None:
        return {"answer": ABSTENTION, "contexts": passages, "citations": []}
    sentence, rank = found
    return {
        "answer": f"{sentence} [{rank + 1}]",
        "contexts": passages,
        "citations": [{"quote": sentence, "source_id": passages[rank]["id"]}],
    }


@retriever
def search(query: str) -> list[Passage]:
    """The four passages that fit the query best."""
    return library().search(query, limit=4)


@instrument(name="package-helpdesk", prompt_version="1")
def answer(question: str, compose: Compose = compose) -> dict[str, Any]:
    """Answer a question about the Python packages installed here."""
    return compose(question, search(question))
