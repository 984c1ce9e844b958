"""Tables of small cases: what fools word overlap, and what must not be accused."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from groundwire.grade import Grade, Outcome
from groundwire.graders import grade_record
from groundwire.record import RagRecord

TABLES = sorted((Path(__file__).parent / "cases").glob("*.jsonl"))
PARTS = ("citation_provenance", "citation_scope", "citation_support")
# Debatable rows of the shared cases, as decided here:
# cut-condition  a condition that the answer calls away ("without asking") makes it false, not merely short
# hedge-wrong    an alternative of which no source speaks ("or the mayor") is an addition, hedged or not
# short-true-quote  two words that stand in the source are a true quotation
# translation    across languages numbers, times and weekdays are compared; where all hold, it passes


def read_rows(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text("utf-8").splitlines() if line.strip()]


def grades_of(row: dict[str, Any]) -> dict[str, Grade]:
    record = RagRecord(
        question=row["question"], answer=row["answer"], contexts=row["contexts"], citations=row["citations"]
    )
    return {grade.name: grade for grade in grade_record(record)}


def is_citation_ok(grades: dict[str, Grade]) -> bool:
    outcomes = [grades[name].outcome for name in PARTS]
    bad = {Outcome.FAIL, Outcome.ERROR, Outcome.UNKNOWN}
    return Outcome.PASS in outcomes and not bad & set(outcomes)


def wrong_verdicts(rows: list[dict[str, Any]]) -> list[str]:
    wrong = []
    for row in rows:
        grades, expected = grades_of(row), row["expected"]
        found = {
            "citation_ok": is_citation_ok(grades),
            "grounded": grades["groundedness"].outcome == Outcome.PASS,
        }
        wrong += [
            f"{row['id']}: {name} should be {expected[name]}"
            for name, verdict in found.items()
            if expected.get(name) is not None and verdict != expected[name]
        ]
    return wrong


@pytest.mark.parametrize("path", TABLES, ids=lambda path: path.stem)
def test_every_row_of_the_table_gets_its_verdict(path: Path) -> None:
    """Both the faithful and the false variant of every case are judged right."""
    assert wrong_verdicts(read_rows(path)) == []


def test_the_shared_adversarial_cases_get_their_verdicts(shared: Path) -> None:
    """Every input that fools comparable systems is judged right."""
    assert wrong_verdicts(read_rows(shared / "cases" / "adversarial.jsonl")) == []


@pytest.mark.parametrize("path", TABLES, ids=lambda path: path.stem)
def test_the_order_of_contexts_changes_no_verdict(path: Path) -> None:
    """Reversing the contexts leaves every outcome and score as it was."""
    for row in read_rows(path):
        if any(c["source_id"].strip("[]").isdigit() for c in row["citations"]):
            continue
        turned = {**row, "contexts": row["contexts"][::-1]}
        before, after = grades_of(row), grades_of(turned)
        for name in ("groundedness", "quotation", "citation_accuracy"):
            assert (before[name].outcome, before[name].score) == (after[name].outcome, after[name].score)
