"""Where prices come from: a table of one's own, else the bundled snapshot of genai-prices.

Amounts are Decimal. A cost that can not be known is a reason in words, never 0. Nothing is fetched from
the network.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from decimal import Decimal, InvalidOperation
from functools import lru_cache
from typing import Any, NamedTuple, Protocol

from groundwire.errors import ConfigError, MissingExtraError
from groundwire.record import RagRecord, Usage

_DAY_NS = 86_400 * 1_000_000_000
_MILLION = Decimal(1_000_000)
_RATES = ("input", "output", "cache_read", "cache_write")


class Price(NamedTuple):
    """What an answer cost: ``amount`` of ``currency`` (ISO 4217), and the ``source`` of the rates."""

    amount: Decimal
    currency: str
    source: str


class PriceSource(Protocol):
    """Turns usage into a price; returns None for a model it does not know, raises ValueError on odd usage."""

    def price(self, record: RagRecord, usage: Usage) -> Price | None:
        """Return the price of ``usage`` by the model, provider and start time of ``record``."""
        ...


def check_usage(usage: Usage) -> str | None:
    """Return what is inconsistent in ``usage``, None where it is fit for pricing.

    Cached tokens are part of the input and reasoning tokens of the output (GenAI conventions), so the parts
    may not exceed the whole. They are never clamped.

    >>> check_usage(Usage(input_tokens=10, output_tokens=1, cache_read_input_tokens=20))
    'cached tokens exceed the input tokens'
    """
    if usage.input_tokens is None or usage.output_tokens is None:
        return "input or output tokens were not reported"
    if (usage.cache_read_input_tokens or 0) + (usage.cache_write_input_tokens or 0) > usage.input_tokens:
        return "cached tokens exceed the input tokens"
    if (usage.reasoning_output_tokens or 0) > usage.output_tokens:
        return "reasoning tokens exceed the output tokens"
    return "a token count is negative" if min(usage.input_tokens, usage.output_tokens) < 0 else None


class PriceTable:
    """Rates of one's own, in a currency per million tokens, by model name.

    ``{"gpt-4o": {"input": "2.50", "output": "10", "cache_read": "1.25"}}``; ``currency`` may stand in a
    model's table (default USD). A missing cache rate is the input rate. Raises ConfigError on anything else.

    >>> from groundwire.record import RagRecord
    >>> table = PriceTable({"m": {"input": "2.5", "output": "10", "cache_read": "1.25"}})
    >>> usage = Usage(input_tokens=1000, output_tokens=100, cache_read_input_tokens=800)
    >>> table.price(RagRecord(model="m"), usage).amount
    Decimal('0.0025')
    """

    def __init__(self, rates: Mapping[str, Mapping[str, Any]]) -> None:
        self._rates = {model: _parse_rates(model, row) for model, row in rates.items()}

    def price(self, record: RagRecord, usage: Usage) -> Price | None:
        """Return the price by the table; the exact model name counts, nothing like it."""
        row = self._rates.get(record.model or "")
        if row is None:
            return None
        return Price(price_tokens(row[0], usage), row[1], "table")


def price_tokens(rates: Mapping[str, Decimal], usage: Usage) -> Decimal:
    """Return usage x ``rates`` (input, output, cache_read, cache_write, each per million tokens)."""
    read, written = usage.cache_read_input_tokens or 0, usage.cache_write_input_tokens or 0
    fresh = (usage.input_tokens or 0) - read - written
    amount = rates["input"] * fresh + rates["output"] * (usage.output_tokens or 0)
    if read or written:
        amount += rates["cache_read"] * read + rates["cache_write"] * written
    return (amount / _MILLION).normalize()


def _parse_rates(model: str, row: Any) -> tuple[dict[str, Decimal], str]:
    where = f"prices.{model}"
    if not isinstance(row, dict) or not {"input", "output"} <= set(row) <= {*_RATES, "currency"}:
        expected = "a table with input, output and perhaps cache_read, cache_write, currency"
        raise ConfigError("is no price", where=where, expected=expected, got=repr(row))
    try:
        rates = {name: Decimal(str(row[name])) for name in _RATES if name in row}
    except InvalidOperation as cause:
        raise ConfigError(
            "is no price", where=where, expected="decimal numbers", got=repr(dict(row))
        ) from cause
    if any(not rate.is_finite() or rate < 0 for rate in rates.values()):
        raise ConfigError("is no price", where=where, expected="numbers of 0 or more", got=repr(dict(row)))
    rates.setdefault("cache_read", rates["input"])
    rates.setdefault("cache_write", rates["input"])
    return rates, str(row.get("currency", "USD"))


class GenaiPrices:
    """List prices (USD) from the snapshot that the genai-prices package brings, by the time of the answer."""

    def price(self, record: RagRecord, usage: Usage) -> Price | None:
        """Return the list price, None for a model or provider that the snapshot does not hold."""
        day = None if record.started_at_ns is None else record.started_at_ns // _DAY_NS
        found = _find_model(record.model or "", _PROVIDERS.get(record.provider or "", record.provider), day)
        if found is None:
            return None
        model_price, rates, source = found
        return Price(
            _price_by_model(model_price, usage) if rates is None else price_tokens(rates, usage),
            "USD",
            source,
        )


@lru_cache(maxsize=4096)
def _find_model(
    model: str, provider: str | None, day: int | None
) -> tuple[Any, dict[str, Decimal] | None, str] | None:
    """Return a model's price on a day, its plain rates (None: they depend on the amount), and the source."""
    try:
        import genai_prices
    except ImportError as missing:  # pragma: no cover - [score] brings it
        raise MissingExtraError.of("score", module="genai-prices") from missing
    started = None if day is None else datetime.fromtimestamp(day * 86_400, UTC)
    for provider_id in dict.fromkeys((provider, None)):
        try:
            found = genai_prices.calc_price(
                genai_prices.Usage(input_tokens=0, output_tokens=0),
                model,
                provider_id=provider_id,
                genai_request_timestamp=started,
            )
        except LookupError:
            continue
        return found.model_price, _plain_rates(found.model_price), f"genai-prices {genai_prices.__version__}"
    return None


def _plain_rates(model_price: Any) -> dict[str, Decimal] | None:
    given = {name: getattr(model_price, f"{name}_mtok", None) for name in _RATES}
    rates = {name: rate for name, rate in given.items() if isinstance(rate, Decimal)}
    is_plain = all(rate is None or isinstance(rate, Decimal) for rate in given.values())
    if not is_plain or not {"input", "output"} <= set(rates):
        return None
    return {"cache_read": rates["input"], "cache_write": rates["input"], **rates}


def _price_by_model(model_price: Any, usage: Usage) -> Decimal:
    from genai_prices import Usage as PricedUsage

    counted = PricedUsage(
        input_tokens=usage.input_tokens,
        output_tokens=usage.output_tokens,
        cache_read_tokens=usage.cache_read_input_tokens,
        cache_write_tokens=usage.cache_write_input_tokens,
    )
    total: Decimal = model_price.calc_price(counted)["total_price"]
    return total


_PROVIDERS = {
    "aws.bedrock": "aws",
    "gcp.gemini": "google",
    "gcp.vertex_ai": "google",
    "gcp.gen_ai": "google",
    "azure.ai.openai": "azure",
    "azure.ai.inference": "azure",
    "mistral_ai": "mistral",
    "x_ai": "x-ai",
}
