"""The summary: what enters a rate, what stands beside it, and that it fits a screen."""

from __future__ import annotations

from groundwire.grade import Basis, Evidence, Grade, Outcome
from groundwire.record import RagRecord, Sampling
from groundwire.report import WIDTH, Summary, format_duration, render_answer, render_summary
from groundwire.span import Origin, Rejected


def _grade(outcome: Outcome, name: str = "groundedness", **fields: object) -> Grade:
    return Grade(name=name, outcome=outcome, basis=Basis.ESTIMATED, grader_version="1", **fields)  # type: ignore[arg-type]


def test_only_pass_and_fail_enter_a_rate_and_the_rest_is_said_beside_it() -> None:
    """An unknown is neither a pass nor a fail."""
    summary = Summary()
    for outcome in (Outcome.PASS, Outcome.PASS, Outcome.PASS, Outcome.FAIL, Outcome.UNKNOWN):
        summary.add(RagRecord(), [_grade(outcome)])
    assert "25% flagged by groundedness (1 of 4; 1 not judged)" in render_summary(summary)


def test_a_rate_without_evidence_is_no_rate() -> None:
    """Nothing judged is never printed as 0 % or 100 %."""
    summary = Summary()
    summary.add(RagRecord(), [_grade(Outcome.NOT_APPLICABLE)])
    text = render_summary(summary)
    assert "no evidence (1 not judged)" in text
    assert "%" not in text


def test_a_flagged_answer_is_listed_with_its_evidence() -> None:
    """The template is filled from the record, not stored filled."""
    record = RagRecord(trace_id="ab" * 16, answer="Six ferries sail.")
    grade = _grade(
        Outcome.FAIL,
        explanation="{answer:0} is unsupported.",
        evidence=(Evidence(answer_start=0, answer_end=3),),
    )
    summary = Summary()
    summary.add(record, [grade])
    text = render_summary(summary)
    assert "abababababab: groundedness" in text
    assert '"Six" is unsupported.' in text


def test_arrivals_are_counted_per_process() -> None:
    """A gap in the sequence numbers is an answer that never arrived."""
    summary = Summary()
    for process, sequence in (("a", 2), ("a", 5), ("b", 1)):
        summary.add(RagRecord(sampling=Sampling(process=process, sequence=sequence)), [])
    assert summary.arrived == (3, 6)
    assert "3 of at least 6 calls made" in render_summary(summary)


def test_percentiles_are_values_that_occurred() -> None:
    """The smallest latency whose share reaches q; None without latencies."""
    summary = Summary()
    assert summary.percentile_ns(0.5) is None
    for latency in (10, 20, 30, 40):
        summary.add(RagRecord(latency_ns=latency), [])
    assert (summary.percentile_ns(0.5), summary.percentile_ns(0.95)) == (20, 40)


def test_every_line_fits_eighty_columns() -> None:
    """Whatever is in a record, the screen holds."""
    summary = Summary()
    summary.reject(Rejected(Origin("a/" * 60, 7, 512), "not_json", "this line is no JSON " * 9))
    record = RagRecord(
        trace_id="f" * 32, answer="long " * 200, question="why " * 90, contexts=["text " * 300]
    )
    grade = _grade(
        Outcome.FAIL, explanation="It says {answer:0}.", evidence=(Evidence(answer_start=0, answer_end=900),)
    )
    summary.add(record, [grade, _grade(Outcome.FAIL, name="quotation")])
    for text in (render_summary(summary), render_answer(record, [grade])):
        assert max(map(len, text.splitlines())) <= WIDTH


def test_an_answer_shows_what_was_not_captured_as_such() -> None:
    """Missing contexts are not empty contexts."""
    assert "contexts\n  (not captured)" in render_answer(RagRecord(answer="Yes."), [])


def test_durations_read_as_people_write_them() -> None:
    """Three significant digits, in a unit that fits."""
    assert [format_duration(ns) for ns in (0, 999_000_000, 61_000_000_000)] == ["0 ns", "999 ms", "61 s"]


def test_citation_figures_are_means_over_the_answers_that_have_them() -> None:
    """An answer of which nothing could be told lowers no mean."""
    summary = Summary()
    for recall, precision in ((1.0, 0.5), (0.0, 0.0), (None, None)):
        evidence = tuple(
            Evidence(label=name, score=score)
            for name, score in (("recall", recall), ("precision", precision))
            if score is not None
        )
        grade = Grade(
            name="citation_coverage", outcome=Outcome.MEASURED, basis=Basis.ESTIMATED, grader_version="1",
            evidence=evidence,
        )  # fmt: skip
        summary.add(RagRecord(answer="Yes."), [grade])
    assert summary.to_dict()["citations"] == {
        "precision": {"n": 2, "mean": 0.25},
        "recall": {"n": 2, "mean": 0.5},
    }
    assert "recall 50%, precision 25% (mean of 2 answers)" in render_summary(summary)
