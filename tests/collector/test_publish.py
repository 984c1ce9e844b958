"""Grades sent through the real Collector: they arrive as events and spans of what they judge."""

from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner

from collector.answering import grade, make_answerer
from collector.running import Collector
from collector.traffic import provider_to
from groundwire.audit import AuditLog
from groundwire.audit.schema import Exported
from groundwire.cli.publish import command
from groundwire.envelopes import read_items
from groundwire.pipeline import score
from groundwire.span import LogData, SpanData

pytestmark = pytest.mark.real
Make = Callable[..., Collector]


@pytest.fixture
def running(collector: Make) -> Collector:
    """A Collector that has written six answers, two of them with a false quotation."""
    one = collector("laptop.yaml").start()
    with provider_to(one) as provider:
        answer = make_answerer(provider)
        for number in range(6):
            answer(f"Case {number}")
    return one


def publish(audit: Path, *options: str) -> str:
    done = CliRunner().invoke(command, [str(audit), *options], catch_exceptions=False, standalone_mode=False)
    return done.stdout


@pytest.mark.parametrize("way", ["logs", "spans"])
def test_grades_arrive_on_the_spans_they_judge(way: str, running: Collector, tmp_path: Path) -> None:
    """One result a grade, with the judged span's ids, its outcome, and no content."""
    audit = tmp_path / "audit"
    score(running.traces, out=audit, content="keep")
    said = publish(audit, "--otlp", running.http, "--as", way, "--grade", "citation_provenance")
    assert said.startswith("6 evaluations sent")
    items = list(read_items(running.traces))
    judged = {(one.trace_id, one.span_id) for one in items if "input.value" in one.attributes}
    results = [one for one in items if "gen_ai.evaluation.name" in one.attributes]
    assert len(results) == 6
    assert {
        (one.trace_id, one.span_id if isinstance(one, LogData) else one.parent_span_id) for one in results
    } == judged
    assert (
        sorted(str(one.attributes["gen_ai.evaluation.score.label"]) for one in results)
        == ["fail"] * 2 + ["pass"] * 4
    )
    assert not any("gen_ai.evaluation.explanation" in one.attributes for one in results)


@pytest.mark.parametrize("way", ["logs", "spans"])
def test_results_among_the_traces_are_no_answers(way: str, running: Collector, tmp_path: Path) -> None:
    """Sent through the Collector that writes the traces, they change nothing when those are scored again."""
    before = grade(running.traces)[1]
    score(running.traces, out=tmp_path / "audit")
    publish(tmp_path / "audit", "--otlp", running.http, "--as", way)
    again = grade(running.traces)[1]
    assert again == before
    assert len([one for one in read_items(running.traces) if isinstance(one, (SpanData, LogData))]) > 60


def test_counts_reach_a_metrics_pipeline(running: Collector, tmp_path: Path) -> None:
    """The gauge is accepted by the real receiver, every series of it."""
    score(running.traces, out=tmp_path / "audit")
    said = publish(tmp_path / "audit", "--otlp", running.http, "--as", "metrics")
    assert said.endswith("0 rejected.\n")
    assert running.counters()["otelcol_receiver_accepted_metric_points"] >= 10


def test_explanations_go_only_when_asked(running: Collector, tmp_path: Path) -> None:
    """With --with-content each result says why, quoting the answer, and the log says that it left."""
    audit = tmp_path / "audit"
    score(running.traces, out=audit, content="keep")
    publish(audit, "--otlp", running.http, "--with-content", "--grade", "citation_provenance")
    told = [
        str(one.attributes.get("gen_ai.evaluation.explanation"))
        for one in read_items(running.traces)
        if isinstance(one, LogData)
    ]
    publish(audit, "--otlp", running.http, "--with-content", "--grade", "citation_provenance")
    copies = [entry for entry in AuditLog.open(audit).entries() if isinstance(entry, Exported)]
    assert [(copy.kind, copy.with_content, copy.records) for copy in copies] == [("published", True, 6)]
    assert AuditLog.open(audit).verify().first_bad is None
    assert len(told) == 6 and any("Ada Lovelace never wrote a program" in text for text in told)
