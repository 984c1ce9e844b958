"""The checks of a suite."""

from __future__ import annotations

import pytest

from groundwire.errors import ConfigError
from groundwire.grade import Outcome, Shared
from groundwire.graders import grade_record
from groundwire.graders.checks import parse_checks
from groundwire.record import RagRecord


def outcome_of(checks: dict, **fields) -> Outcome:
    (check,) = parse_checks(checks)
    return check.grade(Shared(RagRecord(**fields))).outcome


HOLDS = [
    ({"exact": "Yes."}, " Yes.\n"),
    ({"exact": {"value": "yes.", "ignore_case": True}}, "YES."),
    ({"contains": "30 days"}, "Within 30 days."),
    ({"contains": ["30", "days"]}, "Within 30 days."),
    ({"contains": {"any": ["a month", "30 days"], "none": ["guarantee"]}}, "Within 30 days."),
    ({"contains": {"all": ["WITHIN"], "ignore_case": True}}, "Within 30 days."),
    ({"regex": r"\d+ days"}, "Within 30 days."),
    ({"regex": {"none": "guarantee[ds]?"}}, "Within 30 days."),
    ({"numeric": 30}, "Within thirty days."),
    ({"numeric": {"value": 1234.5, "tolerance": 0.5}}, "It is 1,234.9 in all."),
    ({"numeric": {"value": "45 minutes", "relative": 0.01}}, "It takes 0.75 hours."),
    ({"json_schema": {"type": "object", "required": ["days"]}}, '```json\n{"days": 30}\n```'),
    ({"json_schema": {"items": {"$ref": "#/$defs/n"}, "$defs": {"n": {"type": "integer"}}}}, "[1, 2]"),
    ({"refund": {"contains": "30 days"}}, "Within 30 days."),
]  # fmt: skip

FAILS = [
    ({"exact": "Yes"}, "Yes."),
    ({"contains": ["30", "weeks"]}, "Within 30 days."),
    ({"contains": {"any": ["a", "b"]}}, "zzz"),
    ({"contains": {"none": ["days"]}}, "Within 30 days."),
    ({"regex": "^Yes"}, "No. Yes."),
    ({"numeric": 30}, "Within 300 days."),
    ({"numeric": {"value": "45 minutes"}}, "Bake at 45 degrees."),
    ({"numeric": 3}, "None at all."),
    ({"json_schema": {"type": "array"}}, '{"a": [1]}'),
    ({"json_schema": {"type": "object"}}, "no JSON"),
    ({"json_schema": {"type": "string", "pattern": "^(a+)+$"}}, '"' + "a" * 60 + '!"'),
    ({"json_schema": True}, "[" * 100_000),
]


@pytest.mark.parametrize(("checks", "answer"), HOLDS)
def test_a_check_passes_on_an_answer_that_is_as_written(checks, answer):
    """Each kind of check passes on what it asks for."""
    assert outcome_of(checks, answer=answer) is Outcome.PASS


@pytest.mark.parametrize(("checks", "answer"), FAILS)
def test_a_check_fails_on_any_other_answer(checks, answer):
    """Each kind of check fails on what it does not ask for."""
    assert outcome_of(checks, answer=answer) is Outcome.FAIL


@pytest.mark.parametrize("checks", [checks for checks, _ in HOLDS])
def test_a_check_of_an_answer_that_was_not_captured_is_unknown(checks):
    """Without the answer nothing can be said of it."""
    assert outcome_of(checks, answer=None) is Outcome.UNKNOWN


def test_budgets_judge_what_was_recorded_and_only_that():
    """A latency and a cost budget pass, fail, and are unknown without a measurement."""
    assert outcome_of({"max_latency_ms": 2000}, latency_ns=1_999_000_000) is Outcome.PASS
    assert outcome_of({"max_latency_ms": 2000}, latency_ns=2_001_000_000) is Outcome.FAIL
    assert outcome_of({"max_latency_ms": 2000}) is Outcome.UNKNOWN
    assert outcome_of({"max_cost_usd": 0.01}, recorded_cost={"amount": "0.02"}) is Outcome.FAIL
    usage = {"input_tokens": 1, "output_tokens": 1}
    assert outcome_of({"max_cost_usd": 0.01}, model="no-such-model", usage=usage) is Outcome.UNKNOWN


@pytest.mark.parametrize(
    ("answer", "expected", "outcome"),
    [
        ("Within “thirty” days.", 'within "thirty" days', Outcome.PASS),
        ("Within a month.", "thirty days", Outcome.FAIL),
        ("Within a month.", None, Outcome.UNKNOWN),
        (None, "thirty days", Outcome.UNKNOWN),
    ],
)
def test_the_expected_answer_of_the_case_can_be_looked_for(answer, expected, outcome):
    """Typography does not count, and without an expected answer nothing is said."""
    fields = {"answer": answer, "expected": {"answer": expected}}
    assert outcome_of({"contains_expected": True}, **fields) is outcome


@pytest.mark.parametrize(
    "checks",
    [
        {"contains_expected": "x"},
        {"contians": "x"},
        {"contains": ""},
        {"contains": {"some": ["x"]}},
        {"contains": {}},
        {"regex": "(?<=a)b"},
        {"regex": "("},
        {"exact": 3},
        {"numeric": "no number"},
        {"numeric": {"value": 3, "tolerance": -1}},
        {"json_schema": {"$ref": "https://example.com/schema.json"}},
        {"json_schema": {"type": "no such type"}},
        {"json_schema": "x"},
        {"max_latency_ms": -1},
        {"max_cost_usd": True},
        {"mine": {"contains": "x", "regex": "y"}},
        {"mine": "x"},
    ],
)
def test_a_check_that_is_wrongly_written_is_a_configuration_error(checks):
    """A mistyped check raises, naming where it stands."""
    with pytest.raises(ConfigError, match=r"^suite\."):
        parse_checks(checks, where="suite")


def test_a_mistyped_kind_gets_the_nearest_one_proposed():
    """The error for an unknown kind says which was meant."""
    with pytest.raises(ConfigError, match="Did you mean 'contains'"):
        parse_checks({"mine": {"contians": "x"}})


def test_checks_that_come_with_a_record_are_graded_before_the_verdict():
    """Each check gives a grade of its own, and the verdict counts it."""
    record = RagRecord(
        answer="Within 30 days.", expected={"checks": {"contains": "30", "mine": {"exact": "No."}}}
    )
    grades = grade_record(record, ["verdict"])
    assert [(grade.name, grade.outcome) for grade in grades] == [
        ("check.contains", Outcome.PASS),
        ("check.mine", Outcome.FAIL),
        ("verdict", Outcome.FAIL),
    ]


def test_a_broken_check_that_comes_with_a_record_is_an_error_and_never_skipped():
    """A check that can not be read leaves an error grade, and the verdict unknown."""
    record = RagRecord(answer="Yes.", expected={"checks": {"contians": "x", "contains": "Yes"}})
    outcomes = {grade.name: grade.outcome for grade in grade_record(record, ["verdict"])}
    assert outcomes["check.contians"] is Outcome.ERROR
    assert outcomes["verdict"] is Outcome.UNKNOWN
