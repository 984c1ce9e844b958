"""Names, objects and options become graders; a record gets exactly one grade a grader."""

from __future__ import annotations

import sys
from types import ModuleType

import pytest

from groundwire.errors import ConfigError
from groundwire.grade import Basis, Grade, Outcome
from groundwire.graders import BUILT_IN, default_graders, describe_graders, grade_record, resolve_graders
from groundwire.record import RagRecord


def polite(record: RagRecord) -> bool:
    """A user's grader."""
    return "please" in (record.answer or "")


class Counting:
    """A user's grader class with an option."""

    name, version, basis, config_digest = "counting", "2", Basis.CHECKED, ""

    def __init__(self, *, at_least: int = 1) -> None:
        self.at_least = at_least

    def grade(self, shared):
        outcome = Outcome.PASS if len(shared.record.answer) >= self.at_least else Outcome.FAIL
        return Grade(name=self.name, outcome=outcome, basis=self.basis, grader_version=self.version)


@pytest.fixture
def user_module(monkeypatch):
    module = ModuleType("users_graders")
    module.polite, module.Counting, module.number = polite, Counting, 3
    monkeypatch.setitem(sys.modules, "users_graders", module)


def test_the_default_graders_are_all_built_in_ones_in_a_fixed_order():
    """Abstention is graded first and the verdict last."""
    names = [grader.name for grader in default_graders()]
    assert names == list(BUILT_IN)
    assert (names[0], names[-1]) == ("abstention", "verdict")


def test_every_record_gets_exactly_one_grade_a_name():
    """Even a record of which nothing is known gets all grades, and none of them passes."""
    grades = grade_record(RagRecord())
    assert [grade.name for grade in grades] == list(BUILT_IN)
    assert not [grade.name for grade in grades if grade.outcome in (Outcome.PASS, Outcome.ERROR)]


def test_graders_run_in_the_fixed_order_whatever_order_was_asked_for():
    """The verdict comes last, a user's grader just before it."""
    graders = resolve_graders(["verdict", polite, "completed", "abstention"])
    assert [grader.name for grader in graders] == ["abstention", "completed", "polite", "verdict"]


def test_a_grader_that_raises_gives_an_error_grade_without_content_and_the_others_go_on():
    """The error grade names the exception's type and nothing of the record."""

    def broken(record):
        raise ValueError(record.answer)

    first, second = grade_record(RagRecord(answer="a secret"), [broken, "completed"])[::-1]
    assert (first.name, first.outcome) == ("broken", Outcome.ERROR)
    assert first.explanation == "The grader raised ValueError."
    assert second.outcome is Outcome.PASS


def test_a_grade_of_another_name_is_an_error():
    """A grader can not speak for another one."""

    def liar(record):
        return Grade(name="verdict", outcome=Outcome.PASS, basis=Basis.CHECKED, grader_version="1")

    (grade,) = grade_record(RagRecord(answer="Yes."), [liar])
    assert (grade.name, grade.outcome) == ("liar", Outcome.ERROR)


@pytest.mark.parametrize(
    ("names", "options", "said"),
    [
        (["latncy"], {}, "Did you mean 'latency'"),
        (["no.such.module:thing"], {}, "can not be imported"),
        (["users_graders:number"], {}, "is no grader"),
        (["latency", "latency"], {}, "two graders of one name"),
        (None, {"latency": {"limit": 3}}, "Did you mean 'limit_ms'"),
        (None, {"latncy": {"limit_ms": 3}}, "Did you mean 'latency'"),
        (["users_graders:Counting"], {"users_graders:Counting": {"wrong": 1}}, "options do not fit"),
    ],
)
@pytest.mark.usefixtures("user_module")
def test_a_wrong_name_or_option_is_a_configuration_error_that_says_what_was_meant(names, options, said):
    """Nothing that is mistyped is ignored."""
    with pytest.raises(ConfigError, match=said):
        resolve_graders(names, options)


@pytest.mark.usefixtures("user_module")
def test_a_users_function_or_class_is_found_by_its_import_path():
    """Both kinds run like built-in ones, with their options."""
    graders = resolve_graders(
        ["users_graders:polite", "users_graders:Counting"], {"users_graders:Counting": {"at_least": 99}}
    )
    grades = grade_record(RagRecord(answer="Wait, please."), graders)
    assert [(g.name, g.outcome, g.method) for g in grades] == [
        ("polite", Outcome.PASS, "user"),
        ("counting", Outcome.FAIL, "deterministic"),
    ]


@pytest.mark.parametrize(
    ("said", "outcome", "score"),
    [
        (True, Outcome.PASS, None),
        (False, Outcome.FAIL, None),
        (0.25, Outcome.MEASURED, 0.25),
        (None, Outcome.UNKNOWN, None),
        (float("nan"), Outcome.ERROR, None),
        ("yes", Outcome.ERROR, None),
    ],
)
def test_what_a_users_function_returns_becomes_an_outcome(said, outcome, score):
    """A number is a measurement, None is unknown, anything else an error."""

    def mine(record):
        return said

    (grade,) = grade_record(RagRecord(), [mine])
    assert (grade.outcome, grade.score, grade.basis) == (outcome, score, Basis.ESTIMATED)


def test_the_description_changes_with_the_options_and_only_then():
    """The configuration is digested, so that two runs can be compared."""
    plain, same, other = (
        describe_graders(resolve_graders(["latency"], {"latency": options}))
        for options in ({}, {"limit_ms": None}, {"limit_ms": 2000})
    )
    assert plain == same
    assert plain[0]["config_digest"] != other[0]["config_digest"]
