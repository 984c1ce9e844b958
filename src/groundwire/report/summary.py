"""What a scoring run found, in counts: collected record by record in flat memory, rendered in one screen."""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Iterable, Sequence
from decimal import Decimal
from typing import Any

from groundwire.dialects import ArrivalCounter
from groundwire.envelopes.stats import BENIGN_REASONS
from groundwire.grade import Basis, Grade, Outcome, render_explanation
from groundwire.record import RagRecord
from groundwire.report.layout import WIDTH, format_duration, format_table, shorten, wrap
from groundwire.span import Rejected

FLAGGED_SHOWN = 10
"""How many failing answers a summary lists."""

HEADLINES = {
    "citation_accuracy": "citation accuracy",
    "groundedness": "hallucination (flagged)",
    "abstention": "abstention correctness",
}
"""The words that reports for people use for a grade's stable name."""

_COLUMNS = (
    ("pass", Outcome.PASS),
    ("fail", Outcome.FAIL),
    ("unknown", Outcome.UNKNOWN),
    ("n/a", Outcome.NOT_APPLICABLE),
    ("measured", Outcome.MEASURED),
    ("error", Outcome.ERROR),
)


class Summary:
    """Counts of one run.

    ``add`` takes each record with its grades; ``reject`` each rejected piece of input. ``outcomes`` maps a
    grade's name to its outcome counts, ``citation_figures`` the name of a citation figure (``recall``, …)
    to its sum over answers and their number. Percentiles are exact (latencies are kept as 8-byte integers).
    """

    def __init__(self) -> None:
        self.records = 0
        self.failed_calls = 0
        self.outcomes: dict[str, Counter[Outcome]] = {}
        self.labels: dict[str, Counter[str]] = {}
        self.basis: dict[str, Basis] = {}
        self.rejected: Counter[str] = Counter()
        self.first_rejected: list[Rejected] = []
        self.flagged: list[tuple[str, str, str]] = []
        self.latencies_ns = array("q")
        self.costs: dict[str, Decimal] = {}
        self.costed = 0
        self.citation_figures: dict[str, tuple[float, int]] = {}
        self._arrivals = ArrivalCounter()

    def add(self, record: RagRecord, grades: Sequence[Grade]) -> None:
        """Count one graded record."""
        self.records += 1
        self._arrivals.add(record)
        self.failed_calls += record.error is not None
        for grade in grades:
            self.outcomes.setdefault(grade.name, Counter())[grade.outcome] += 1
            if self.basis.get(grade.name) is not Basis.ESTIMATED:
                self.basis[grade.name] = grade.basis
            if grade.label is not None:
                self.labels.setdefault(grade.name, Counter())[grade.label] += 1
        self._flag(record, grades)
        self._measure(record, {grade.name: grade for grade in grades})

    def reject(self, rejected: Rejected) -> None:
        """Count one piece of input that was left out."""
        self.rejected[rejected.reason] += 1
        if len(self.first_rejected) < FLAGGED_SHOWN:
            self.first_rejected.append(rejected)

    def count(self, name: str, outcome: Outcome) -> int:
        """How many records got ``outcome`` from the grader ``name``."""
        return self.outcomes.get(name, Counter())[outcome]

    @property
    def arrived(self) -> tuple[int, int] | None:
        """(arrived, made) over the process instances seen, or None where no record carries a number.

        ``made`` is a lower bound: calls after the last one that arrived leave no trace.
        """
        counts = self._arrivals.arrivals
        return (counts.arrived, counts.made) if counts.processes else None

    def percentile_ns(self, q: float) -> int | None:
        """The smallest latency with at least a share ``q`` of latencies at or below it; None without any."""
        if not self.latencies_ns:
            return None
        ordered = sorted(self.latencies_ns)
        rank = max(1, -(-int(len(ordered) * q * 1_000_000) // 1_000_000))
        return ordered[rank - 1]

    def _flag(self, record: RagRecord, grades: Sequence[Grade]) -> None:
        failing = [g for g in grades if g.outcome is Outcome.FAIL and g.name not in _DERIVED]
        if not failing or len(self.flagged) >= FLAGGED_SHOWN:
            return
        first = failing[0]
        names = ", ".join(grade.name for grade in failing)
        self.flagged.append((record_label(record), names, render_explanation(first, record)))

    def _measure(self, record: RagRecord, by_name: dict[str, Grade]) -> None:
        if record.latency_ns is not None:
            self.latencies_ns.append(record.latency_ns)
        cost = by_name.get("cost")
        if cost is not None and cost.score is not None:
            recorded = record.recorded_cost
            currency = recorded.currency if recorded is not None else "USD"
            self.costs[currency] = self.costs.get(currency, Decimal(0)) + Decimal(repr(cost.score))
            self.costed += 1

        coverage = by_name.get("citation_coverage")
        for row in coverage.evidence if coverage is not None else ():
            if row.label is not None and row.score is not None:
                total, n = self.citation_figures.get(row.label, (0.0, 0))
                self.citation_figures[row.label] = (total + row.score, n + 1)

    def to_dict(self) -> dict[str, Any]:
        """The summary as JSON-ready values; absent measurements are null."""
        arrived = self.arrived
        return {
            "records": self.records,
            "failed_calls": self.failed_calls,
            "grades": {
                name: {
                    "basis": self.basis[name].value,
                    "outcomes": {outcome.value: counts[outcome] for outcome in Outcome},
                    "labels": dict(sorted(self.labels.get(name, Counter()).items())),
                }
                for name, counts in self.outcomes.items()
            },
            "latency_ns": {
                "n": len(self.latencies_ns),
                "p50": self.percentile_ns(0.5),
                "p95": self.percentile_ns(0.95),
            },
            "citations": {
                name: {"n": n, "mean": round(total / n, 6)}
                for name, (total, n) in sorted(self.citation_figures.items())
            },
            "cost": {"n": self.costed, "total": {k: str(v) for k, v in sorted(self.costs.items())}},
            "arrived": None if arrived is None else {"arrived": arrived[0], "made_at_least": arrived[1]},
            "rejected": dict(sorted(self.rejected.items())),
        }


_DERIVED = frozenset({"verdict", "citation_accuracy"})


def record_label(record: RagRecord) -> str:
    """The shortest id that names a record on a screen: 12 digits of its trace id, or its span id."""
    identity = record.trace_id or record.span_id
    return identity[:12] if identity else "(no id)"


def render_summary(summary: Summary) -> str:
    """One screen of at most 80 columns: a table of outcomes, what was flagged, what is missing.

    Rates are printed over pass + fail only, with the other outcomes beside them.
    """
    blocks = [_render_grades(summary), _render_headlines(summary)]
    if summary.flagged:
        blocks.append(_render_flagged(summary))
    if summary.rejected:
        blocks.append(_render_rejected(summary))
    return "\n\n".join("\n".join(block) for block in blocks if block)


def _render_grades(summary: Summary) -> list[str]:
    used = [column for column in _COLUMNS if any(c[column[1]] for c in summary.outcomes.values())]
    rows = [["grade", "basis", *(title for title, _ in used)]]
    for name, counts in summary.outcomes.items():
        cells = [str(counts[outcome]) if counts[outcome] else "·" for _, outcome in used]
        rows.append([name, summary.basis[name].value, *cells])
    return format_table(rows, right=range(2, len(rows[0]))) if len(rows) > 1 else []


def _render_headlines(summary: Summary) -> list[str]:
    lines = [
        _rate_line(summary, name, words) for name, words in HEADLINES.items() if name in summary.outcomes
    ]
    means = {name: (total / n, n) for name, (total, n) in summary.citation_figures.items()}
    if "recall" in means and "precision" in means:
        (recall, answers), (precision, _) = means["recall"], means["precision"]
        lines.append(
            f"{'cited claims':<24}recall {recall:.0%}, precision {precision:.0%}"
            f" (mean of {answers} answer{'s' * (answers != 1)})"
        )
    p50, p95 = summary.percentile_ns(0.5), summary.percentile_ns(0.95)
    if p50 is not None and p95 is not None:
        n = len(summary.latencies_ns)
        lines.append(
            f"{'latency':<24}p50 {format_duration(p50)}, p95 {format_duration(p95)}"
            f" ({n} of {summary.records} recorded)"
        )
    totals = " + ".join(
        f"{amount.normalize():f} {currency}" for currency, amount in sorted(summary.costs.items())
    )
    missing = summary.records - summary.costed
    known = f"{totals} over {summary.costed}" if totals else "unknown"
    lines.append(f"{'cost':<24}{known}" + (f"; {missing} without a known cost" if missing else ""))
    arrived = summary.arrived
    if arrived is not None:
        lines.append(f"{'arrived':<24}{arrived[0]:,} of at least {arrived[1]:,} calls made")
    return lines


def _rate_line(summary: Summary, name: str, words: str) -> str:
    counts = summary.outcomes[name]
    passed, failed = counts[Outcome.PASS], counts[Outcome.FAIL]
    beside = summary.records - passed - failed
    if passed + failed == 0:
        return f"{words:<24}no evidence ({beside} not judged)"
    if name == "groundedness":
        share = f"{failed / (passed + failed):.0%} flagged by {name}"
    else:
        share = f"{passed / (passed + failed):.0%}"
    counted = (
        f"{failed} of {passed + failed} fail" if name != "groundedness" else f"{failed} of {passed + failed}"
    )
    return f"{words:<24}{share} ({counted}; {beside} not judged)"


def _render_flagged(summary: Summary) -> list[str]:
    failing = summary.count("verdict", Outcome.FAIL) or len(summary.flagged)
    more = "" if failing <= len(summary.flagged) else f", the first {len(summary.flagged)}"
    lines = [f"flagged{more}:"]
    for label, names, explanation in summary.flagged:
        lines.append("  " + shorten(f"{label}: {names}", WIDTH - 2))
        lines.append(wrap(shorten(explanation, 2 * WIDTH - 24), "      "))
    return lines


def _render_rejected(summary: Summary) -> list[str]:
    waiting = {reason: n for reason, n in summary.rejected.items() if reason in BENIGN_REASONS}
    wrong = {reason: n for reason, n in summary.rejected.items() if reason not in BENIGN_REASONS}
    lines = []
    for title, counts in (("left out", wrong), ("not yet complete", waiting)):
        if counts:
            lines.append(f"{title} ({sum(counts.values())}): {_counts(counts.items())}")
    lines += ["  " + shorten(f"{one.origin}: {one.problem}", WIDTH - 2) for one in summary.first_rejected]
    unlisted = summary.rejected.total() - len(summary.first_rejected)
    return [*lines, f"  … and {unlisted} more"] if unlisted > 0 else lines


def _counts(items: Iterable[tuple[str, int]]) -> str:
    return ", ".join(f"{n} {reason.replace('_', ' ')}" for reason, n in sorted(items))
