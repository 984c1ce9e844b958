"""The whole loop: ask under the instrument, export, score, audit, verify, and try to tamper."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from groundwire.audit import AuditLog
from groundwire.demo.app import answer, compose
from groundwire.demo.faults import Fault
from groundwire.demo.library import Passage
from groundwire.demo.questions import choose_questions, plan_faults
from groundwire.errors import ConfigError
from groundwire.grade import Grade, Outcome
from groundwire.instrumentation import configure, diagnostics, flush
from groundwire.pipeline import ScoreResult, score
from groundwire.record import RagRecord
from groundwire.settings import Settings

MARKER = ".groundwire-demo"


@dataclass
class DemoResult:
    """What the demo did. ``found``: per planned fault, the grades that failed where they should.

    ``accused`` lists the honest questions that a grade failed; ``tampered`` is what verifying found in a
    copy of the log in which one verdict was changed, None if it found nothing.
    """

    folder: Path
    questions: list[str]
    plan: dict[str, Fault]
    scored: ScoreResult
    found: dict[str, list[str]] = field(default_factory=dict)
    accused: dict[str, list[str]] = field(default_factory=dict)
    is_log_intact: bool = False
    tampered: str | None = None

    @property
    def all_found(self) -> bool:
        """Whether every planned fault was found, no honest answer accused and the log does its work."""
        is_every_fault_found = all(self.found.get(fault.name) for fault in self.plan.values())
        return is_every_fault_found and not self.accused and self.is_log_intact and self.tampered is not None


def run_demo(folder: Path, *, talk: Callable[[str], None] = lambda message: None) -> DemoResult:
    """Run the loop in ``folder`` (made when missing; an earlier demo there is replaced).

    Raises ConfigError when the folder holds anything but an earlier demo, or when this process already
    has a tracer provider.
    """
    _prepare_folder(folder)
    traces = folder / "traces.jsonl"
    questions = choose_questions()
    plan = plan_faults(questions)
    talk(f"asking {len(questions)} questions about the Python packages installed here")
    if diagnostics()["sdk_disabled"]:
        raise ConfigError("OTEL_SDK_DISABLED switches tracing off", where="demo", mend="Unset it.")
    if not configure(file=str(traces)):
        raise ConfigError(
            "this process already has a tracer provider", where="demo", mend="Run it in a process of its own."
        )
    _ask(questions, plan)
    flush()
    talk(f"scoring {traces}")
    seen: list[tuple[RagRecord, list[Grade]]] = []
    scored = score(
        traces, out=folder / "audit", settings=Settings(), on_graded=lambda r, g: seen.append((r, g))
    )
    result = DemoResult(folder, questions, plan, scored)
    for record, grades in seen:
        _judge(result, record, grades)
    result.is_log_intact = AuditLog.open(folder / "audit").verify().exit_code == 0
    result.tampered = _tamper(folder / "audit", folder / "audit-tampered")
    return result


def _prepare_folder(folder: Path) -> None:
    if folder.exists() and any(folder.iterdir()) and not (folder / MARKER).exists():
        raise ConfigError(
            "the folder holds something else than a demo", where=str(folder), mend="Name another with --out."
        )
    folder.mkdir(parents=True, exist_ok=True)
    for name in ("audit", "audit-tampered"):
        shutil.rmtree(folder / name, ignore_errors=True)
    (folder / "traces.jsonl").unlink(missing_ok=True)
    (folder / MARKER).touch()


def _ask(questions: list[str], plan: dict[str, Fault]) -> None:
    for question in questions:
        fault = plan.get(question)
        if fault is None:
            answer(question)
        else:
            answer(question, compose=_spoiled(fault))


def _spoiled(fault: Fault) -> Callable[[str, list[Passage]], dict[str, object]]:
    def spoiled(question: str, passages: list[Passage]) -> dict[str, object]:
        honest = compose(question, passages)
        return fault.spoil(honest, passages) or honest

    return spoiled


def _judge(result: DemoResult, record: RagRecord, grades: list[Grade]) -> None:
    failing = [g.name for g in grades if g.outcome in (Outcome.FAIL, Outcome.ERROR) and g.name != "verdict"]
    fault = result.plan.get(record.question or "")
    if fault is not None:
        result.found[fault.name] = [name for name in failing if name in fault.found_by]
    elif failing:
        result.accused[record.question or "(no question)"] = failing


def _tamper(audit: Path, copy: Path) -> str | None:
    """Turn one failing verdict of a copy into a passing one; return what verifying says of it."""
    shutil.copytree(audit, copy)
    records = copy / "records.jsonl"
    data = bytearray(records.read_bytes())
    at = data.rindex(b'"outcome":"fail"') + len(b'"outcome":"')
    data[at : at + 4] = b"pass"
    records.write_bytes(bytes(data))
    finding = AuditLog.open(copy).verify().first_bad
    return None if finding is None else f"record {finding.seq}: {finding.problem}"
