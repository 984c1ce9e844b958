"""What a folder of traces holds, what can be graded, and what to switch on for the rest."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from groundwire.dialects import (
    GRADER_NEEDS,
    ArrivalCounter,
    Gap,
    describe_trace,
    list_gradable,
    normalize_trace,
)
from groundwire.envelopes import ReadStats
from groundwire.record import RagRecord
from groundwire.report.layout import WIDTH, format_table, wrap
from groundwire.report.summary import record_label
from groundwire.span import Rejected, Trace

_UNKNOWN = "spans of no AI instrumentation that is known here"
_NEEDLESS = "contexts.score"
"""Without it every grader does what it does; the JSON names it all the same."""
LISTED = 8
"""How many answers and rejections are listed."""


@dataclass
class Inspection:
    """Counts over everything read.

    ``dialects`` counts spans, ``signs`` says what gave a dialect away, ``answers`` counts records by the
    dialect of their head. ``gradable`` counts records a grader
    has what it needs of; ``gaps`` counts what is missing, with its reason and what to switch on.
    """

    stats: ReadStats = field(default_factory=ReadStats)
    traces: int = 0
    records: int = 0
    dialects: Counter[str] = field(default_factory=Counter)
    signs: dict[str, str] = field(default_factory=dict)
    answers: Counter[str] = field(default_factory=Counter)
    gradable: Counter[str] = field(default_factory=Counter)
    gaps: Counter[Gap] = field(default_factory=Counter)
    feedback: int = 0
    unanswered_retrievals: int = 0
    first_rejected: list[Rejected] = field(default_factory=list)
    first_answers: list[tuple[str, str]] = field(default_factory=list)
    arrivals: ArrivalCounter = field(default_factory=ArrivalCounter)

    def take_trace(self, trace: Trace, ref_bases: Sequence[str]) -> None:
        """Count one trace and its records."""
        records = normalize_trace(trace, ref_bases=ref_bases)
        about = describe_trace(trace, records, ref_bases=ref_bases)
        self.traces += 1
        self.dialects.update(about.dialects)
        self.signs.update({name: why for name, why in about.signs.items() if name not in self.signs})
        self.feedback += about.feedback
        self.unanswered_retrievals += about.unanswered_retrievals
        for record, description in zip(records, about.records, strict=True):
            self._take(record, description.gradable)
            self.answers[description.dialects[0] if description.dialects else "unknown"] += 1
            self.gaps.update(description.gaps)

    def take_record(self, record: RagRecord) -> None:
        """Count one record of a record file."""
        self._take(record, list_gradable(record))
        self.answers["records"] += 1

    def _take(self, record: RagRecord, gradable: Iterable[str]) -> None:
        self.records += 1
        self.gradable.update(gradable)
        self.arrivals.add(record)
        if len(self.first_answers) < LISTED:
            self.first_answers.append((record_label(record), record.question or "(question not captured)"))

    def reject(self, rejected: Rejected) -> None:
        """Keep the first few rejections; all are counted in ``stats``."""
        if len(self.first_rejected) < LISTED:
            self.first_rejected.append(rejected)

    def to_dict(self) -> dict[str, Any]:
        """JSON-ready values."""
        stats = self.stats
        gaps = [{**gap._asdict(), "records": n} for gap, n in self.gaps.most_common()]
        return {
            "files": stats.files,
            "bytes": stats.bytes,
            "formats": dict(stats.formats),
            "spans": stats.spans,
            "logs": stats.logs,
            "traces": self.traces,
            "records": self.records,
            "duplicates": stats.duplicates,
            "skipped": dict(stats.skipped),
            "repaired": dict(stats.repaired),
            "rejected": dict(stats.rejected),
            "dialects": {
                name: {"spans": n, "answers": self.answers[name], "sign": self.signs.get(name)}
                for name, n in self.dialects.most_common()
            },
            "gradable": dict(self.gradable.most_common()),
            "gaps": gaps,
            "feedback": self.feedback,
            "arrived": self.arrivals.arrivals._asdict(),
            "answers": [{"id": label, "question": question} for label, question in self.first_answers],
        }

    def render(self) -> str:
        """One screen of at most 80 columns."""
        blocks = [self._what(), self._dialects(), self._gradable(), self._missing(), self._left_out()]
        if self.first_answers:
            rows = [f"  {label}  {question}" for label, question in self.first_answers]
            more = self.records - len(rows)
            rest = [f"  … and {more} more"] if more else []
            blocks.append(["answers (look at one: groundwire show TRACES ID):", *map(_fit, rows), *rest])
        blocks.append([self._last_line()])
        return "\n\n".join("\n".join(block) for block in blocks if block)

    def _what(self) -> list[str]:
        stats = self.stats
        formats = ", ".join(f"{name} ({n})" for name, n in stats.formats.most_common()) or "nothing readable"
        files = f"{stats.files} file{'s' * (stats.files != 1)}, {stats.bytes:,} bytes: {formats}"
        lines = [wrap(files, f"{'read':<10}", " " * 10)]
        lines.append(f"{'spans':<10}{stats.spans:,} in {self.traces:,} traces, {stats.logs:,} log records")
        for title, counts in (("skipped", stats.skipped), ("repaired", stats.repaired)):
            if counts:
                words = ", ".join(f"{n} {name.replace('_', ' ')}" for name, n in counts.most_common())
                lines.append(wrap(words, f"{title:<10}", " " * 10))
        made = self.arrivals.arrivals
        if made.processes:
            lines.append(
                f"{'arrived':<10}{made.arrived:,} of at least {made.made:,} calls of"
                f" {made.processes} process{'es' * (made.processes != 1)}"
            )
        return lines

    def _dialects(self) -> list[str]:
        known = [(name, n) for name, n in self.dialects.most_common() if name != "unknown"]
        rows = [[name, str(n), str(self.answers[name]), self.signs.get(name, "-")] for name, n in known]
        if self.dialects["unknown"]:
            rows.append(["(none)", str(self.dialects["unknown"]), str(self.answers["unknown"]), _UNKNOWN])
        if not rows:
            return []
        table = format_table([["dialect", "spans", "answers", "recognized by"], *rows], right=(1, 2))
        return [_fit(line) for line in table]

    def _gradable(self) -> list[str]:
        """The graders by how many answers hold what they need, those that can work on none included."""
        if not self.records:
            return []
        by_count: dict[int, list[str]] = {}
        for name in GRADER_NEEDS:
            by_count.setdefault(self.gradable[name], []).append(name)
        width = len(f"  {self.records:,} of {self.records:,}  ")
        return [
            "can be graded:",
            *(
                wrap(", ".join(names), f"{n:,} of {self.records:,}  ".rjust(width), " " * width)
                for n, names in sorted(by_count.items(), reverse=True)
            ),
        ]

    def _missing(self) -> list[str]:
        lines = []
        for gap, n in sorted(self.gaps.items(), key=self._urgency):
            graders = _graders_in_need(gap.field)
            if not graders and gap.field == _NEEDLESS:
                continue
            need = f" (needed by {graders} grader{'s' * (graders != 1)})" if graders else ""
            whose = _share(n, self.answers[gap.dialect])
            lines.append(wrap(f"{gap.dialect}: {_say(gap)} in {whose}{need}", "  ", "    "))
            if gap.advice:
                lines.append(wrap(gap.advice, "      "))
        return ["missing or damaged, and what to switch on:", *lines] if lines else []

    def _urgency(self, entry: tuple[Gap, int]) -> tuple[int, str, str]:
        """What keeps most graders from most answers stands first."""
        gap, n = entry
        return (-n * _graders_in_need(gap.field), gap.dialect, gap.field)

    def _left_out(self) -> list[str]:
        if not self.stats.rejected:
            return []
        words = ", ".join(f"{n} {name.replace('_', ' ')}" for name, n in self.stats.rejected.most_common())
        first = (wrap(f"{one.origin}: {one.problem}", "  ", "      ") for one in self.first_rejected)
        more = self.stats.rejected.total() - len(self.first_rejected)
        return [f"left out: {words}", *first, *([f"  … and {more:,} more"] if more else [])]

    def _last_line(self) -> str:
        s = self.stats
        return (
            f"{_plural(self.records, 'answer')} in {_plural(self.traces, 'trace')};"
            f" {s.rejected_total} left out, {s.duplicates} duplicate spans, {self.feedback} feedback"
        )


def _graders_in_need(name: str) -> int:
    return sum(name in needs for needs in GRADER_NEEDS.values())


def _share(n: int, total: int) -> str:
    if n != total:
        return f"{n:,} of its {total:,} answers"
    return "its only answer" if n == 1 else f"all {n:,} of its answers"


def _say(gap: Gap) -> str:
    if gap.field == "contexts.text" and gap.reason == "not_captured":
        return "passages known only from the prompt"
    return f"{gap.field} {gap.reason.replace('_', ' ')}"


def _plural(n: int, thing: str) -> str:
    return f"{n} {thing}{'s' * (n != 1)}"


def _fit(line: str) -> str:
    """Cut a line to WIDTH; its columns stay where they are."""
    return line if len(line) <= WIDTH else f"{line[: WIDTH - 1]}…"
