"""Completed, latency, cost and the verdict."""

from __future__ import annotations

from decimal import Decimal

import genai_prices
import pytest

from groundwire.errors import ConfigError
from groundwire.grade import Basis, Grade, Outcome, Shared
from groundwire.graders.budgets import Cost, Latency
from groundwire.graders.completed import Completed
from groundwire.graders.prices import GenaiPrices, PriceTable
from groundwire.graders.verdict import Verdict
from groundwire.record import RagRecord, Usage

PRICES = {
    "gpt-4o": {"input": "2.5", "output": "10", "cache_read": "1.25"},
    "claude": {"input": "3", "output": "15", "cache_read": "0.3", "cache_write": "3.75"},
    "euro": {"input": "1", "output": "1", "currency": "EUR"},
}
WRITTEN = {"input_tokens": 4740, "output_tokens": 255, "cache_write_input_tokens": 4735}
ODD = {"input_tokens": 10, "output_tokens": 1, "cache_read_input_tokens": 20}


@pytest.mark.parametrize(
    ("fields", "label", "outcome"),
    [
        ({"answer": "Yes."}, "whole", Outcome.PASS),
        ({"answer": "Yes.", "finish_reason": "stop", "stream_end": "exhausted"}, "whole", Outcome.PASS),
        ({"answer": "Yes.", "finish_reason": "stop", "stream_end": "closed"}, "whole", Outcome.PASS),
        ({"answer": "Ye", "stream_end": "abandoned"}, "stream", Outcome.FAIL),
        ({"answer": "Ye", "stream_end": "failed", "finish_reason": "stop"}, "stream", Outcome.FAIL),
        ({"answer": "Ye", "finish_reason": "max_tokens"}, "cut", Outcome.FAIL),
        ({"answer": "", "finish_reason": "content_filter"}, "filtered", Outcome.FAIL),
        ({"answer": " \n"}, "empty", Outcome.FAIL),
        ({"error": "TimeoutError: slow"}, "error", Outcome.FAIL),
        ({"answer": "Yes.", "status": "error"}, "error", Outcome.FAIL),
        ({}, "not_captured", Outcome.UNKNOWN),
    ],
)
def test_completed_says_whether_the_answer_arrived_whole_and_what_kept_it(fields, label, outcome):
    """Every way in which an answer fails to arrive has its label."""
    graded = Completed().grade(Shared(RagRecord(**fields)))
    assert (graded.label, graded.outcome) == (label, outcome)


def test_latency_is_measured_without_a_limit_and_judged_with_one():
    """A missing latency is unknown, never 0."""
    record = RagRecord(latency_ns=1_500_000_000)
    outcomes = [Latency(limit_ms=limit).grade(Shared(record)).outcome for limit in (None, 1500, 1499)]
    assert outcomes == [Outcome.MEASURED, Outcome.PASS, Outcome.FAIL]
    missing = Latency(limit_ms=1).grade(Shared(RagRecord()))
    assert (missing.outcome, missing.score) == (Outcome.UNKNOWN, None)


@pytest.mark.parametrize(
    ("model", "usage", "amount"),
    [
        ("gpt-4o", {"input_tokens": 1000, "output_tokens": 100}, "0.0035"),
        ("gpt-4o", {"input_tokens": 1000, "output_tokens": 100, "cache_read_input_tokens": 800}, "0.0025"),
        ("gpt-4o", {"input_tokens": 1000, "output_tokens": 100, "reasoning_output_tokens": 90}, "0.0035"),
        ("claude", {**WRITTEN}, "0.02159625"),
        ("gpt-4o", {"input_tokens": 0, "output_tokens": 0}, "0"),
    ],
)  # fmt: skip
def test_cached_tokens_are_a_part_of_the_input_and_reasoning_a_part_of_the_output(model, usage, amount):
    """Nothing is counted twice."""
    price = PriceTable(PRICES).price(RagRecord(model=model), Usage(**usage))
    assert price is not None
    assert price.amount == Decimal(amount)


@pytest.mark.parametrize(
    ("fields", "label"),
    [
        ({}, "no_usage"),
        ({"usage": {"input_tokens": 1, "output_tokens": 1}}, "no_model"),
        ({"usage": {"input_tokens": 1, "output_tokens": 1}, "model": "new-x-1"}, "unknown_model"),
        ({"usage": {"input_tokens": 1, "output_tokens": 1}, "model": "euro"}, "not_in_usd"),
        ({"recorded_cost": {"amount": "1", "currency": "EUR"}}, "not_in_usd"),
        ({"recorded_cost": {"amount": "much"}}, "odd_amount"),
        ({"recorded_cost": {"amount": "-1"}}, "odd_amount"),
        ({"usage": {"input_tokens": 1}, "model": "gpt-4o"}, "input or output tokens were not reported"),
        ({"usage": ODD, "model": "gpt-4o"}, "cached tokens exceed the input tokens"),
    ],
)  # fmt: skip
def test_a_cost_that_can_not_be_known_is_unknown_with_the_reason_and_never_zero(fields, label):
    """Missing usage, an unknown model, a foreign currency and odd usage each say so."""
    graded = Cost(prices=PRICES, limit_usd=1).grade(Shared(RagRecord(**fields)))
    assert (graded.outcome, graded.score, graded.label) == (Outcome.UNKNOWN, None, label)


def test_a_recorded_cost_wins_and_a_limit_judges_it():
    """What the traced system recorded is believed before any table."""
    usage = {"input_tokens": 1000, "output_tokens": 100}
    record = RagRecord(model="gpt-4o", usage=usage, recorded_cost={"amount": "0.02"})
    graded = Cost(prices=PRICES, limit_usd=0.01).grade(Shared(record))
    assert (graded.score, graded.label, graded.outcome) == (0.02, "recorded", Outcome.FAIL)


@pytest.mark.parametrize("model", ["gpt-4o", "claude-sonnet-4-20250514", "gemini-2.5-pro", "gpt-4o-mini"])
@pytest.mark.parametrize("tokens", [(1000, 100, 0), (300_000, 10, 200_000)])
def test_list_prices_equal_those_of_the_price_package(model, tokens):
    """Our arithmetic on its rates gives its own result, also where rates depend on the amount."""
    given, taken, read = tokens
    usage = Usage(input_tokens=given, output_tokens=taken, cache_read_input_tokens=read)
    price = GenaiPrices().price(RagRecord(model=model), usage)
    counted = genai_prices.Usage(input_tokens=given, output_tokens=taken, cache_read_tokens=read)
    assert price is not None
    assert price.amount == genai_prices.calc_price(counted, model).total_price


@pytest.mark.parametrize(
    "make",
    [
        lambda: Latency(limit_ms=0),
        lambda: Latency(limit_ms="2s"),
        lambda: Cost(limit_usd=-1),
        lambda: Cost(prices={"m": {"input": 1}}),
        lambda: Cost(prices={"m": {"input": "x", "output": 1}}),
        lambda: Cost(prices={"m": {"input": 1, "output": 1, "per": 2}}),
        lambda: Cost(prices={"m": {"input": -1, "output": 1}}),
    ],
)
def test_wrong_limits_and_prices_are_configuration_errors(make):
    """A limit is a number above 0, a price a decimal of 0 or more."""
    with pytest.raises(ConfigError):
        make()


def made(name: str, outcome: Outcome, basis: Basis = Basis.CHECKED) -> Grade:
    return Grade(name=name, outcome=outcome, basis=basis, grader_version="1")


@pytest.mark.parametrize(
    ("outcomes", "verdict"),
    [
        ({"groundedness": Outcome.PASS, "pii_leak": Outcome.PASS}, Outcome.PASS),
        (
            {"groundedness": Outcome.PASS, "pii_leak": Outcome.FAIL, "quotation": Outcome.UNKNOWN},
            Outcome.FAIL,
        ),
        ({"groundedness": Outcome.PASS, "quotation": Outcome.UNKNOWN}, Outcome.UNKNOWN),
        ({"groundedness": Outcome.PASS, "quotation": Outcome.ERROR}, Outcome.UNKNOWN),
        ({"groundedness": Outcome.PASS, "quotation": Outcome.NOT_APPLICABLE}, Outcome.PASS),
        ({"groundedness": Outcome.PASS, "latency": Outcome.FAIL}, Outcome.PASS),
        ({"check.mine": Outcome.FAIL}, Outcome.FAIL),
        ({"completed": Outcome.FAIL}, Outcome.FAIL),
        ({"completed": Outcome.PASS}, Outcome.NOT_APPLICABLE),
        ({"completed": Outcome.PASS, "abstention": Outcome.NOT_APPLICABLE}, Outcome.NOT_APPLICABLE),
        ({}, Outcome.NOT_APPLICABLE),
    ],
)
def test_the_verdict_fails_on_one_fail_and_passes_on_evidence_only(outcomes, verdict):
    """Nothing passes on no evidence, and what is unknown is not passed over."""
    shared = Shared(RagRecord())
    shared.grades = {name: made(name, outcome) for name, outcome in outcomes.items()}
    assert Verdict().grade(shared).outcome is verdict


def test_the_verdict_names_what_made_it_and_takes_its_basis():
    """A reader sees which grade failed, and whether it was a fact or an estimate."""
    shared = Shared(RagRecord())
    shared.grades = {"groundedness": made("groundedness", Outcome.FAIL, Basis.ESTIMATED)}
    graded = Verdict().grade(shared)
    assert (graded.label, graded.basis) == ("groundedness", Basis.ESTIMATED)


def test_which_grades_decide_can_be_set():
    """A configured set replaces the default one."""
    shared = Shared(RagRecord())
    shared.grades = {
        "latency": made("latency", Outcome.FAIL),
        "groundedness": made("groundedness", Outcome.PASS),
    }
    assert Verdict(deciding=["latency"]).grade(shared).outcome is Outcome.FAIL
