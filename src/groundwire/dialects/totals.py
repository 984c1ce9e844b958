"""Usage and cost of all model calls behind one answer, each counted once.

Counted are the lowest spans that report usage: what a parent repeats (an agent's aggregate, an outer
``generateText``, a framework's span around a provider's) is left out. Of calls that were recorded twice
(same response id; or without ids the same model output and counts) one counts.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from msgspec import Struct

from groundwire.dialects.form import Reading, Role
from groundwire.dialects.tree import SpanTree
from groundwire.dialects.units import Unit
from groundwire.dialects.usage import sum_costs, sum_usage
from groundwire.record import Cost, Usage

_COUNTED = frozenset({Role.LLM, Role.CHAIN})


class Totals(Struct):
    """The sums (None: nobody reported any), and the spans that they were taken from."""

    usage: Usage | None
    usage_source: str
    cost: Cost | None
    cost_source: str


def sum_unit(unit: Unit, tree: SpanTree) -> Totals:
    """Return usage and cost of one unit."""
    calls = _once(_lowest(unit.members, tree, lambda reading: reading.usage is not None))
    priced = _once(_lowest(unit.members, tree, lambda reading: reading.cost is not None))
    return Totals(
        usage=sum_usage(call.usage for call in calls if call.usage is not None),
        usage_source=_name(calls, "usage"),
        cost=sum_costs(call.cost for call in priced if call.cost is not None),
        cost_source=_name(priced, "cost"),
    )


def _name(calls: Iterable[Reading], field: str) -> str:
    return " ".join(f"{call.span.span_id}:{call.sources.get(field, '')}" for call in calls)


def _lowest(members: list[Reading], tree: SpanTree, has: Callable[[Reading], bool]) -> list[Reading]:
    """Return the members that report, without those that have another one below them."""
    reporting = [member for member in members if member.role in _COUNTED and has(member)]
    models = {member.span.span_id for member in reporting if member.role is Role.LLM}
    above: set[str] = set()
    for member in reporting:
        above.update(ancestor.span_id for ancestor in tree.ancestors(member.span))
    return [
        member
        for member in reporting
        if member.span.span_id not in above and not (member.usage_is_total and models)
    ]


def _once(calls: list[Reading]) -> list[Reading]:
    kept: dict[object, Reading] = {}
    for call in calls:
        kept.setdefault(_identity(call), call)
    without_id = {_echo(call) for call in kept.values() if call.response_id is not None}
    return [call for call in kept.values() if call.response_id is not None or _echo(call) not in without_id]


def _identity(call: Reading) -> object:
    if call.response_id is not None:
        return call.response_id
    return _echo(call) if call.answer else call.span.span_id


def _echo(call: Reading) -> object:
    """Two recordings of one call show the same output and the same counts."""
    usage = call.usage
    counts = (usage.input_tokens, usage.output_tokens) if usage is not None else None
    return (
        ("echo", call.answer, counts) if call.answer and counts is not None else ("span", call.span.span_id)
    )
