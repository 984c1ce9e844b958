"""Answers, grades and logs that the tests of the audit room share; nothing in them is random."""

from __future__ import annotations

import hashlib
import itertools
from collections.abc import Callable, Iterable
from pathlib import Path

from groundwire.audit import AuditWriter, GraderInfo, InputFile, RunManifest, Written, prepare
from groundwire.grade import Basis, Evidence, Grade, Outcome
from groundwire.record import Cost, Feedback, Message, RagRecord, RetrievedContext, Sampling, Usage

TIME = "2026-11-30T12:00:00.000Z"
START_NS = 1_764_504_000_000_000_000


def answer(number: int = 0, **changes: object) -> RagRecord:
    """One answer with every kind of field set."""
    fields = {
        "question": f"What is {number}?",
        "answer": f"It is {number}. 🙂",
        "contexts": [RetrievedContext(id=f"doc-{number}", text=f"This is {number}.", score=0.5)],
        "citations": [{"quote": f"is {number}", "source_id": f"doc-{number}", "answer_start": 3}],
        "history": [Message(role="user", content="Hello")],
        "usage": Usage(input_tokens=100, output_tokens=7),
        "recorded_cost": Cost(amount="0.0035"),
        "sampling": Sampling(probability=0.1, threshold="e6666666666668", source="tracestate_th"),
        "feedback": [Feedback(score=0.25, label="good")],
        "model": "gpt-4o",
        "service": "checkout",
        "trace_id": f"{number + 1:032x}",
        "span_id": f"{number + 1:016x}",
        "conversation_id": f"talk {number // 2}",
        "started_at_ns": START_NS + number * 10**9,
        "latency_ns": 1_500_000_000,
        "tags": {"team": "blue"},
        "metadata": {"ratio": 0.1, "ключ": [1, None, True]},
    }
    return RagRecord(**{**fields, **changes})


def grades(outcome: Outcome = Outcome.PASS, version: str = "1") -> list[Grade]:
    """Two grades, one with evidence."""
    row = Evidence(label="verbatim", answer_start=0, answer_end=2, context_index=0, score=0.75)
    return [
        Grade(
            name="citation_accuracy", outcome=outcome, basis=Basis.CHECKED, grader_version=version,
            score=1.0, explanation="{answer:0} stands in {context:0}.", evidence=(row,),
        ),
        Grade(name="latency", outcome=Outcome.MEASURED, basis=Basis.CHECKED, grader_version="2", score=1.5),
    ]  # fmt: skip


def salts() -> Callable[[int], bytes]:
    """A source of salts that are the same in every test."""
    drawn = itertools.count()
    return lambda size: hashlib.sha256(b"salt%d" % next(drawn)).digest()[:size]


def manifest(**changes: object) -> RunManifest:
    """What a run says of itself, independent of the machine."""
    fields = {
        "groundwire_version": "0.1.0",
        "python_version": "3.12.1",
        "os": "Linux x86_64",
        "config": {"limits": {"latency_ms": 2000}},
        "graders": (GraderInfo(name="citation_accuracy", version="1", basis="checked"),),
        "inputs": (InputFile(name="traces.jsonl", sha256="ab" * 32, size_bytes=5),),
        "command": ("groundwire", "score", "traces.jsonl"),
    }
    return RunManifest(**{**fields, **changes})


def write_log(
    path: Path,
    answers: Iterable[RagRecord] = (),
    *,
    content: str = "keep",
    run_id: str | None = "run-1",
    judged: list[Grade] | None = None,
    says: RunManifest | None = None,
    **options: object,
) -> Written:
    """Write one run with fixed time and salts."""
    drawn = salts()
    judged = grades() if judged is None else judged
    options = {"recorded_at": TIME, "salts": drawn, **options}
    with AuditWriter(path, says or manifest(), content=content, run_id=run_id, **options) as writer:
        count = 0
        for record in answers:
            writer.add(prepare(record, judged, keep_content=content == "keep", salts=drawn))
            count += 1
        return writer.finish({"read": count, "rejected": 0})


def five(path: Path, **options: object) -> Path:
    """A log with five answers; returns its path."""
    write_log(path, map(answer, range(5)), **options)
    return path
