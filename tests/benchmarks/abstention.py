"""How well abstentions are found in answers that people labeled.

Run: python tests/benchmarks/abstention.py [folder of labeled sets]

Sets: XSTest (full refusal or not), DelucionQA (does not answer or answers), MTRAG-UN (unanswerable and
underspecified questions). Printed beside the figures of a plain phrase list. An answer counts as abstaining
with the labels full_abstention and policy_refusal; `any` also counts partial and hedged ones.
"""

from __future__ import annotations

import json
import math
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from groundwire.text.abstention import classify_answer

FULL = {"full_abstention", "policy_refusal"}
ANY = FULL | {"partial", "hedged_answer"}
BASELINE = {"xstest_refusal": "phrase list .91 / .71 (held-out half)"}


def read_rows(path: Path) -> Iterator[dict[str, Any]]:
    """Yield the rows of a labeled set."""
    with path.open(encoding="utf-8") as lines:
        yield from map(json.loads, lines)


def find_label(row: dict[str, Any]) -> str | None:
    """Return the class of a row's answer."""
    contexts = [context["text"] for context in row["contexts"]]
    return classify_answer(row["answer"], contexts, question=row["question"]).label


def wilson(hits: int, of: int) -> str:
    """Return a share with its 95 % Wilson interval."""
    if not of:
        return "     –"
    z, share = 1.959964, hits / of
    middle = (share + z * z / 2 / of) / (1 + z * z / of)
    half = z * math.sqrt(share * (1 - share) / of + z * z / 4 / of / of) / (1 + z * z / of)
    return f"{share:.3f} ({middle - half:.3f}–{middle + half:.3f})"


def report(name: str, labeled: list[tuple[bool, str | None]], abstaining: set[str], title: str) -> None:
    """Print precision and recall of one set."""
    hits = sum(gold and label in abstaining for gold, label in labeled)
    said = sum(label in abstaining for _, label in labeled)
    gold = sum(gold for gold, _ in labeled)
    baseline = BASELINE.get(name, "") if title == "full" else ""
    figures = f"precision {wilson(hits, said)}  recall {wilson(hits, gold)}"
    print(f"{name:<20}{title:<6}{len(labeled):>6} rows  {figures}   {baseline}")


def main(folder: Path) -> None:
    """Print all figures."""
    for name in ("xstest_refusal", "delucionqa_abstain"):
        labeled = [
            (row["label"]["abstained"], find_label(row)) for row in read_rows(folder / f"{name}.jsonl")
        ]
        report(name, labeled, FULL, "full")
        report(name, labeled, ANY, "any")
    rows = [(row["label"]["answerability"], find_label(row)) for row in read_rows(folder / "mtrag_un.jsonl")]
    report("mtrag_un", [(kind == "UNANSWERABLE", label) for kind, label in rows], FULL, "full")
    report("mtrag_un", [(kind == "UNDERSPECIFIED", label) for kind, label in rows], {"clarification"}, "asks")


if __name__ == "__main__":
    main(
        Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).resolve().parents[3] / "shared" / "quality"
    )
