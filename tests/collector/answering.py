"""A small decorated application, and what the offline side says of its answers."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from opentelemetry.sdk.trace import TracerProvider

from groundwire import instrument
from groundwire.pipeline import ScoreResult, score
from groundwire.record import RagRecord

FACTS = (
    "The Analytical Engine was designed by Charles Babbage in 1837.",
    "Ada Lovelace published the first program in 1843.",
    "The engine was never completed in Babbage's lifetime.",
)
Answer = Callable[[str], dict[str, Any]]


def make_answerer(provider: TracerProvider, documents: tuple[str, ...] = FACTS) -> Answer:
    """A decorated function: every third answer quotes what no document holds."""

    @instrument(tracer_provider=provider)
    def answer(question: str) -> dict[str, Any]:
        number = int(question.rpartition(" ")[2])
        quote = "Ada Lovelace never wrote a program" if number % 3 == 0 else documents[1][:-1]
        return {
            "answer": f'The source says: "{quote}" [2].',
            "contexts": [{"id": f"d{n}", "text": text} for n, text in enumerate(documents, 1)],
            "citations": [{"quote": quote, "source_id": "d2"}],
            "usage": {"input_tokens": 100 + number, "output_tokens": 20},
        }

    return answer


def grade(traces: Path) -> tuple[dict[str, RagRecord], dict[str, dict[str, str]], ScoreResult]:
    """Records and outcomes by question, and the result of scoring."""
    records: dict[str, RagRecord] = {}
    outcomes: dict[str, dict[str, str]] = {}

    def take(record: RagRecord, grades: Any) -> None:
        records[record.question or ""] = record
        outcomes[record.question or ""] = {one.name: one.outcome.value for one in grades}

    return records, outcomes, score(traces, on_graded=take)
