"""Token counts and recorded costs, under the names that traces use."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from decimal import Decimal, InvalidOperation
from typing import Any

from groundwire.dialects.values import as_count, as_label, parse_structure
from groundwire.record import Cost, Usage
from groundwire.shapes import read_usage

_FIELDS = Usage.__struct_fields__


def pick_usage(attributes: Mapping[str, Any], names: Mapping[str, tuple[str, ...]]) -> Usage | None:
    """Return the usage under the given attribute names (per Usage field, first match wins); None: no count.

    >>> pick_usage({"in": "3"}, {"input_tokens": ("in",)}).input_tokens
    3
    """
    counts: dict[str, int] = {}
    for name, keys in names.items():
        for key in keys:
            count = as_count(attributes.get(key)) if key in attributes else None
            if count is not None:
                counts[name] = count
                break
    return Usage(**counts) if counts else None


def parse_inclusive_usage(value: Any) -> Usage | None:
    """Read a usage object whose ``input`` may or may not include cached tokens; its ``total`` tells.

    Providers' shapes go through :mod:`groundwire.shapes`, which adds cached tokens where a raw Anthropic
    count leaves them out. A trace's own summary includes them when ``total`` = input + output.

    >>> parse_inclusive_usage({"input_tokens": 9, "output_tokens": 1, "total_tokens": 10,
    ...                        "cache_read_input_tokens": 4}).input_tokens
    9
    """
    fields = parse_structure(value).value
    if not isinstance(fields, Mapping):
        return None
    found = read_usage({"usage": dict(fields)})
    if not found:
        return None
    usage = {name: found[name] for name in _FIELDS if as_count(found.get(name)) is not None}
    own = next((count for name in _INPUTS if (count := as_count(fields.get(name))) is not None), None)
    total = next((count for name in _TOTALS if (count := as_count(fields.get(name))) is not None), None)
    if own is not None and total is not None:
        cached = usage.get("cache_read_input_tokens", 0) + usage.get("cache_write_input_tokens", 0)
        excluded = total == own + cached + usage.get("output_tokens", 0) and cached > 0
        usage["input_tokens"] = own + cached if excluded else own
    return Usage(**usage) if usage else None


def usage_in(output: Any) -> Usage | None:
    """Return the usage that a provider's or framework's result holds, in whatever shape.

    >>> usage_in({"usage_metadata": {"input_tokens": 3, "output_tokens": 1}}).output_tokens
    1
    """
    counts = read_usage(output) if isinstance(output, Mapping) else None
    known = {name: as_count(counts.get(name)) for name in _FIELDS} if counts else {}
    return Usage(**known) if any(count is not None for count in known.values()) else None


_INPUTS = ("input_tokens", "prompt_tokens", "input", "inputTokens", "promptTokens")
_TOTALS = ("total_tokens", "total", "totalTokens")


def sum_usage(usages: Iterable[Usage]) -> Usage | None:
    """Add usages field by field; a field that no usage reports stays None.

    >>> total = sum_usage([Usage(input_tokens=1), Usage(input_tokens=2, output_tokens=3)])
    >>> total.input_tokens, total.output_tokens, total.reasoning_output_tokens
    (3, 3, None)
    """
    totals: dict[str, int] = {}
    for usage in usages:
        for name in _FIELDS:
            count = getattr(usage, name)
            if count is not None:
                totals[name] = totals.get(name, 0) + count
    return Usage(**totals) if totals else None


def read_cost(value: Any, *, currency: str = "USD", source: str | None = None) -> Cost | None:
    """Return a recorded cost; None where the amount is no finite number ≥ 0.

    >>> read_cost(4e-05).amount
    '0.00004'
    """
    if isinstance(value, bool) or not isinstance(value, (int, float, str)):
        return None
    try:
        amount = Decimal(repr(value) if isinstance(value, float) else str(value)[:64])
    except InvalidOperation:
        return None
    if not amount.is_finite() or amount < 0 or abs(amount.adjusted()) > 30:
        return None
    return Cost(amount=spell_decimal(amount), currency=currency, source=source)


def spell_decimal(amount: Decimal) -> str:
    """Write a decimal without exponent and without trailing zeros."""
    text = format(amount, "f")
    return text.rstrip("0").rstrip(".") if "." in text else text


def sum_costs(costs: Iterable[Cost]) -> Cost | None:
    """Add costs of one currency; None where there is none or the currencies differ."""
    listed = list(costs)
    if not listed or len({cost.currency for cost in listed}) > 1:
        return None
    if len(listed) == 1:
        return listed[0]
    total = sum((Decimal(cost.amount) for cost in listed), Decimal(0))
    return Cost(amount=spell_decimal(total), currency=listed[0].currency, source=listed[0].source)


def read_currency(value: Any) -> str:
    """Return a three-letter currency code, USD where there is none."""
    label = (as_label(value) or "").strip().upper()
    return label if len(label) == 3 and label.isalpha() else "USD"
