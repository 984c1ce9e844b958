"""How well groundedness and citations tell supported from unsupported answers that people have labeled.

Run: ``python tests/benchmarks/quality.py [--profile qa] [--resamples 1000]``. Reads the labeled sets beside
the checkout. Positive means unsupported. ``none`` counts the answers without a score (they abstain): they
rank in the middle and are not flagged. Intervals are percentile bootstraps (95 %). ``baseline`` is the best
simple signal that was tried elsewhere on the sets' other halves; ``lcs`` is measured here, on these
halves: one minus the share of the answer's words in the longest common subsequence with the contexts.
"""

from __future__ import annotations

import argparse
import json
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

from rapidfuzz.distance import LCSseq

from groundwire.grade import Grade, Outcome, Shared
from groundwire.graders.citations import CitationProvenance, CitationScope, CitationSupport
from groundwire.graders.groundedness import Groundedness
from groundwire.record import RagRecord, parse_record
from groundwire.text.vocabulary import VOCABULARY

QUALITY = Path(__file__).resolve().parents[3] / "shared" / "quality"
BASELINES = {"mtrag_human": 0.953, "begin": 0.942, "q2_wow": 0.676}


def read_rows(name: str) -> list[dict[str, Any]]:
    """Return the rows of a set."""
    return [json.loads(line) for line in (QUALITY / f"{name}.jsonl").read_text("utf-8").splitlines()]


def to_record(row: dict[str, Any]) -> RagRecord:
    """Return the row as a record, without its labels."""
    fields = ("id", "text", "title")
    contexts = [{k: c[k] for k in fields if c.get(k) is not None} for c in row["contexts"]]
    return parse_record(
        {
            "question": row["question"],
            "answer": row["answer"],
            "contexts": contexts,
            "citations": row.get("citations") or [],
        }
    )


def area_under_curve(positive: list[float], negative: list[float]) -> float:
    """Return the chance that a positive ranks above a negative, ties counting half."""
    ranked = sorted([(value, True) for value in positive] + [(value, False) for value in negative])
    total, start = 0.0, 0
    while start < len(ranked):
        end = start
        while end < len(ranked) and ranked[end][0] == ranked[start][0]:
            end += 1
        total += (start + end + 1) / 2 * sum(is_positive for _, is_positive in ranked[start:end])
        start = end
    n, m = len(positive), len(negative)
    return (total - n * (n + 1) / 2) / (n * m) if n and m else float("nan")


Row = tuple[float, bool, bool]
"""Risk, whether it was flagged, whether people call it unsupported."""


def rank(rows: list[Row]) -> float:
    """Return the area under the curve of rows."""
    return area_under_curve([r for r, _, bad in rows if bad], [r for r, _, bad in rows if not bad])


def threshold_figures(rows: list[Row]) -> dict[str, float]:
    """Return balanced accuracy, precision, recall and F1 at the shipped threshold."""
    hit = sum(flagged and bad for _, flagged, bad in rows)
    missed = sum(not flagged and bad for _, flagged, bad in rows)
    false = sum(flagged and not bad for _, flagged, bad in rows)
    right = len(rows) - hit - missed - false
    recall = hit / max(1, hit + missed)
    return {
        "bacc": (recall + right / max(1, right + false)) / 2,
        "precision": hit / max(1, hit + false),
        "recall": recall,
        "F1": 2 * hit / max(1, 2 * hit + false + missed),
    }


def interval(rows: list[Row], figure: Callable[[list[Row]], float], resamples: int) -> tuple[float, float]:
    """Return the 95 % percentile bootstrap interval of a figure."""
    dice = random.Random(7)
    values = sorted(figure(dice.choices(rows, k=len(rows))) for _ in range(resamples))
    return values[int(0.025 * resamples)], values[int(0.975 * resamples) - 1]


def subsequence_risk(record: RagRecord) -> float:
    """The simple signal: how much of the answer stands in no context in the same order."""
    answer = VOCABULARY.encode(record.answer or "")
    texts = [VOCABULARY.encode(context.text or "") for context in record.contexts or ()]
    return 1 - max((LCSseq.similarity(answer, text) for text in texts), default=0) / max(1, len(answer))


def risk_of(grade: Grade) -> float:
    """Return the risk behind a grade's score; what could not be scored ranks in the middle."""
    return 0.5 if grade.score is None else 1 - grade.score


def measure_groundedness(name: str, profile: str, resamples: int) -> None:
    """Print the figures of one set."""
    grader = Groundedness(profile)
    rows: list[Row] = []
    simple: list[Row] = []
    none = 0
    for row in read_rows(name):
        if row["label"].get("grounded") is None:
            continue
        record, bad = to_record({**row, "citations": []}), not row["label"]["grounded"]
        grade = grader.grade(Shared(record))
        none += grade.score is None
        rows.append((risk_of(grade), grade.outcome == Outcome.FAIL, bad))
        simple.append((subsequence_risk(record), False, bad))
    low, high = interval(rows, rank, resamples)
    figures = threshold_figures(rows)
    low_b, high_b = interval(rows, lambda r: threshold_figures(r)["bacc"], resamples)
    print(
        f"{name:12s} {len(rows):5d} {none:5d} {sum(r[2] for r in rows) / len(rows):5.2f}  "
        f"{rank(rows):.3f} [{low:.3f}, {high:.3f}]"
        f"   {BASELINES[name]:.3f}  {rank(simple):.3f}   {figures['bacc']:.3f} [{low_b:.3f}, {high_b:.3f}]"
        f"  {figures['precision']:.3f}  {figures['recall']:.3f}  {figures['F1']:.3f}"
    )


def measure_citations(name: str) -> None:
    """Print how many true citations of people pass."""
    graders = (CitationProvenance(), CitationScope(), CitationSupport())
    passed, applied = dict.fromkeys((g.name for g in graders), 0), dict.fromkeys((g.name for g in graders), 0)
    quotes = found = 0
    for row in read_rows(name):
        if not row.get("citations"):
            continue
        shared = Shared(to_record(row))
        for grader in graders:
            grade = grader.grade(shared)
            passed[grader.name] += grade.outcome == Outcome.PASS
            applied[grader.name] += grade.outcome in (Outcome.PASS, Outcome.FAIL)
            if grader.name == "citation_scope":
                quotes += len(grade.evidence)
                found += sum(evidence.label == "named" for evidence in grade.evidence)
    rates = "  ".join(f"{g.removeprefix('citation_')} {passed[g]}/{applied[g]}" for g in passed)
    print(
        f"{name:12s} quotations found in the source they name {found}/{quotes}   answers that pass: {rates}"
    )


def main() -> None:
    """Parse the options, measure, print."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--profile", default="qa")
    parser.add_argument("--resamples", type=int, default=1000)
    options = parser.parse_args()
    if not QUALITY.is_dir():
        raise SystemExit(f"no labeled sets at {QUALITY}")
    print(f"profile {options.profile}; positive = unsupported")
    print(
        f"{'set':12s} {'n':>5s} {'none':>5s} {'base':>5s}  AUROC [95 %]            baseline  lcs    "
        "bacc [95 %]            prec   recall  F1"
    )
    for name in BASELINES:
        measure_groundedness(name, options.profile, options.resamples)
    for name in ("clapnq", "quotesum"):
        measure_citations(name)


if __name__ == "__main__":
    main()
