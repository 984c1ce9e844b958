"""Latency and cost: measured without a limit, judged with one."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal, InvalidOperation
from typing import Any

from groundwire.grade import Basis, Grade, Outcome, Shared
from groundwire.graders.grading import GradeMaker
from groundwire.graders.options import check_limit, digest_options
from groundwire.graders.prices import GenaiPrices, Price, PriceSource, PriceTable, check_usage
from groundwire.record import RagRecord


class Latency(GradeMaker):
    """How long the whole call took, in milliseconds.

    *Definition*: ``latency_ns`` of the record / 10^6: what the application reported, else the span's
    duration. *Score*: milliseconds, 0 and up, **lower is better**; None when nothing was recorded.
    *Outcomes*: measured; with ``limit_ms``: pass at or under it, else fail; unknown when nothing was
    recorded. *Basis*: checked.

    >>> from groundwire.record import RagRecord
    >>> Latency(limit_ms=2000).grade(Shared(RagRecord(latency_ns=2_500_000_000))).outcome
    <Outcome.FAIL: 'fail'>
    """

    name = "latency"
    version = "1"
    basis = Basis.CHECKED

    def __init__(self, *, limit_ms: float | None = None) -> None:
        self._limit = check_limit(limit_ms, "latency.limit_ms")
        self.config_digest = digest_options({"limit_ms": self._limit})

    def grade(self, shared: Shared) -> Grade:
        """Return the grade of ``shared.record``."""
        latency_ns = shared.record.latency_ns
        if latency_ns is None or latency_ns < 0:
            return self.make(Outcome.UNKNOWN, None, "No latency was recorded.")
        latency_ms = latency_ns / 1e6
        if self._limit is None:
            return self.make(Outcome.MEASURED, None, "Measured; no limit is set.", score=latency_ms)
        holds = latency_ms <= self._limit
        explanation = f"{'At or under' if holds else 'Over'} the limit of {self._limit:g} ms."
        return self.make(Outcome.PASS if holds else Outcome.FAIL, None, explanation, score=latency_ms)


class Cost(GradeMaker):
    """What the answer cost, in US dollars.

    *Definition*: the cost that the traced system recorded; else usage x rates, where ``prices`` (a table in
    the form of :class:`~groundwire.graders.prices.PriceTable`, or a price source) wins over the snapshot of
    genai-prices. Cached tokens are part of the input and priced at their own rate, reasoning is part of the
    output. *Score*: USD, 0 and up, **lower is better**; None when unknown, never 0 for a model without a
    price. *Label*: where it comes from (``recorded``, ``table``, ``genai-prices <version>``), or the reason
    it is unknown. *Outcomes*: measured; with ``limit_usd``: pass at or under it, else fail; unknown when
    tokens or price are missing, the usage contradicts itself, or the currency is not USD.
    *Basis*: checked (by the price list named).

    >>> from groundwire.record import RagRecord
    >>> prices = {"m": {"input": "2.5", "output": "10"}}
    >>> record = RagRecord(model="m", usage={"input_tokens": 1000, "output_tokens": 100})
    >>> Cost(prices=prices).grade(Shared(record)).score
    0.0035
    """

    name = "cost"
    version = "1"
    basis = Basis.CHECKED

    def __init__(
        self,
        *,
        limit_usd: float | None = None,
        prices: Mapping[str, Mapping[str, Any]] | PriceSource | None = None,
    ) -> None:
        self._limit = check_limit(limit_usd, "cost.limit_usd")
        own = PriceTable(prices) if isinstance(prices, Mapping) else prices
        self._sources: tuple[PriceSource, ...] = (GenaiPrices(),) if own is None else (own, GenaiPrices())
        table = dict(prices) if isinstance(prices, Mapping) else prices and type(prices).__qualname__
        self.config_digest = digest_options({"limit_usd": self._limit, "prices": table})

    def grade(self, shared: Shared) -> Grade:
        """Return the grade of ``shared.record``."""
        price, reason = self._price(shared.record)
        if price is not None and price.currency != "USD":
            price, reason = None, "not_in_usd"
        if price is None:
            return self.make(Outcome.UNKNOWN, reason, _UNKNOWN.get(reason, f"Unknown: {reason}."))
        amount, source = float(price.amount), price.source
        if self._limit is None:
            return self.make(Outcome.MEASURED, source, "Measured; no limit is set.", score=amount)
        holds = amount <= self._limit
        explanation = f"{'At or under' if holds else 'Over'} the limit of {self._limit:g} USD."
        return self.make(Outcome.PASS if holds else Outcome.FAIL, source, explanation, score=amount)

    def _price(self, record: RagRecord) -> tuple[Price | None, str]:
        if record.recorded_cost is not None:
            return _recorded(record)
        if record.usage is None:
            return None, "no_usage"
        if record.model is None:
            return None, "no_model"
        problem = check_usage(record.usage)
        if problem is not None:
            return None, problem
        for source in self._sources:
            price = source.price(record, record.usage)
            if price is not None:
                return price, ""
        return None, "unknown_model"


_UNKNOWN = {
    "no_usage": "No token usage was recorded.",
    "no_model": "Usage was recorded, but not for which model.",
    "unknown_model": "No price is known for this model; a table under [graders.cost.prices] gives one.",
    "not_in_usd": "The recorded cost is not in USD, and is not converted.",
    "odd_amount": "The recorded cost is no amount of money.",
}


def _recorded(record: RagRecord) -> tuple[Price | None, str]:
    cost = record.recorded_cost
    assert cost is not None
    try:
        amount = Decimal(cost.amount)
    except InvalidOperation:
        return None, "odd_amount"
    if not amount.is_finite() or amount < 0:
        return None, "odd_amount"
    return Price(amount, cost.currency, "recorded"), ""
