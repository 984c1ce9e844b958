import json

from groundwire.audit.schema import EvidenceRow, Graded, Inputs, Result, SamplingFact, Subject, System
from groundwire.publish.evaluations import parse_time_ns, read_evaluations

TRACE, SPAN = "0af7651916cd43dd8448eb211c80319c", "b7ad6b7169203331"


def result(name: str = "quotation", **fields: object) -> Result:
    return Result(
        **{
            "name": name,
            "outcome": "fail",
            "basis": "checked",
            "method": "deterministic",
            "grader_version": "2",
            **fields,
        }
    )


def graded(*results: Result, record_id: str = "r1", **subject: object) -> Graded:
    return Graded(
        schema="groundwire.audit.record/v1",
        seq=4,
        recorded_at="2026-11-30T19:00:00.5Z",
        prev="",
        hash="",
        run_id="run-1",
        record_id=record_id,
        subject=Subject(**{"trace_id": TRACE, "span_id": SPAN, **subject}),
        system=System(service="shop"),
        sampling=SamplingFact(source="unknown"),
        inputs=Inputs(),
        results=results,
    )


def test_names_are_the_conventions_where_there_is_one() -> None:
    """Name, score and label stand under gen_ai.evaluation.*, the rest under groundwire.*."""
    [one] = read_evaluations([graded(result(score="0.25"))])
    assert one.attributes == {
        "gen_ai.evaluation.name": "quotation",
        "gen_ai.evaluation.score.value": 0.25,
        "gen_ai.evaluation.score.label": "fail",
        "groundwire.grade.outcome": "fail",
        "groundwire.grade.basis": "checked",
        "groundwire.grade.method": "deterministic",
        "groundwire.grade.version": "2",
        "groundwire.audit.record_id": "r1",
        "groundwire.audit.run_id": "run-1",
    }


def test_a_grade_without_a_score_has_no_score() -> None:
    """A missing number is not sent as zero."""
    [one] = read_evaluations([graded(result(outcome="unknown"))])
    assert "gen_ai.evaluation.score.value" not in one.attributes


def test_evidence_is_offsets_only() -> None:
    """Evidence goes along as labels, indices and offsets."""
    row = EvidenceRow(label="not_found", answer_start=3, answer_end=9, citation_index=0)
    [one] = read_evaluations([graded(result(evidence=(row,)))])
    assert json.loads(str(one.attributes["groundwire.grade.evidence"])) == [
        {"label": "not_found", "answer_start": 3, "answer_end": 9, "citation_index": 0}
    ]


def test_an_explanation_is_sent_only_when_given() -> None:
    """Explanations hold content: they come in from outside or not at all."""
    record = graded(result())
    [without] = read_evaluations([record])
    [with_text] = read_evaluations([record], explain=lambda record: {"quotation": '"x" stands nowhere.'})
    assert "gen_ai.evaluation.explanation" not in without.attributes
    assert with_text.attributes["gen_ai.evaluation.explanation"] == '"x" stands nowhere.'


def test_the_key_depends_on_the_judgment_alone() -> None:
    """The same judgment has the same key in every run; another grade or record has another."""
    keys = [
        one.key
        for record in (
            graded(result(), result("latency")),
            graded(result()),
            graded(result(), record_id="r2"),
        )
        for one in read_evaluations([record])
    ]
    assert keys[0] == keys[2] and len(set(keys)) == 3


def test_grades_can_be_chosen_by_name() -> None:
    """``names`` limits what is sent."""
    chosen = read_evaluations([graded(result(), result("latency"))], names={"latency"})
    assert [one.name for one in chosen] == ["latency"]


def test_the_judged_time_is_the_end_of_the_judged_span() -> None:
    """Start plus latency, in nanoseconds, None where no start is known."""
    [known] = read_evaluations([graded(result(), started_at="2026-11-30T19:00:00.000000001Z", latency_ns=5)])
    [unknown] = read_evaluations([graded(result())])
    assert known.judged_at_ns == parse_time_ns("2026-11-30T19:00:00Z") + 6
    assert unknown.judged_at_ns is None
