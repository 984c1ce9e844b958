"""Which spans of a trace belong to which answered question.

A *unit* is one answer: its head (the span that stands for the whole call), and every span that had a part
in it. A chain with a question or an answer of its own is a head, whatever lies below it. A chain without
either speaks through the units below it. Model calls that no chain holds together are one unit when one
fed the other, else several. Retrievals that stand beside a unit, not in it, belong to the next unit that
began after they ended.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping
from itertools import pairwise

from msgspec import Struct

from groundwire.dialects.form import Reading, Role
from groundwire.dialects.spanfacts import read_error
from groundwire.dialects.tree import SpanTree
from groundwire.span import SpanData

_ANSWERING = frozenset({Role.CHAIN, Role.LLM})
_FEEDING = frozenset({Role.RETRIEVAL, Role.RERANK, Role.TOOL})
_MIN_LINK_CHARS = 12
_LOOK_AROUND = 32
"""How many neighbors are compared, so that a trace of thousands of calls stays linear."""


class Unit(Struct):
    """One answer. ``members`` are all readings with a part in it, ordered by start, the head included."""

    head: Reading
    members: list[Reading]

    def of_role(self, *roles: Role) -> list[Reading]:
        """Return the members with one of the roles."""
        return [member for member in self.members if member.role in roles]


class Grouping(Struct):
    """The units of a trace, and the retrievals that no answer followed."""

    units: list[Unit]
    unanswered: list[Reading]


def group_units(tree: SpanTree, readings: Mapping[str, Reading]) -> Grouping:
    """Return the trace's units, ordered by the start of their heads."""
    finder = _Finder(tree, readings)
    units, loose = finder.under(tree.roots)
    units = [unit for unit in finder.settle(units) if _is_answer(unit, finder)]
    unanswered = _hand_out(loose, units, tree)
    for unit in units:
        unit.members.sort(key=_order)
    return Grouping(sorted(units, key=lambda unit: _order(unit.head)), unanswered)


def _order(reading: Reading) -> tuple[int, str]:
    start = reading.span.start_ns
    return (start if start is not None else 1 << 63, reading.span.span_id)


class _Finder:
    def __init__(self, tree: SpanTree, readings: Mapping[str, Reading]) -> None:
        self.tree, self.readings = tree, readings

    def under(self, spans: Iterable[SpanData]) -> tuple[list[Unit], list[Reading]]:
        """Return the units at or below the spans, and the retrievals beside them.

        Iterative over spans without a part of their own, so that a deep trace can not exhaust the stack.
        """
        units: list[Unit] = []
        loose: list[Reading] = []
        stack = list(reversed(list(spans)))
        while stack:
            span = stack.pop()
            reading = self.readings[span.span_id]
            if reading.role is Role.EVALUATION:
                continue
            if reading.role in _ANSWERING or self._is_tool_server(reading):
                units.append(Unit(reading, list(self.members(span))))
            elif reading.role in _FEEDING:
                loose.extend(self.members(span))
            else:
                stack.extend(reversed(self.tree.children(span)))
        return units, loose

    def _is_tool_server(self, reading: Reading) -> bool:
        """A tool call that is a local root and asks a model is somebody's answer."""
        return (
            reading.role is Role.TOOL
            and self.tree.parent(reading.span) is None
            and any(member.role is Role.LLM for member in self.members(reading.span))
        )

    def members(self, span: SpanData) -> Iterator[Reading]:
        """Yield the readings at and below a span, without evaluations and what lies below them."""
        stack, seen = [span], set()
        while stack:
            current = stack.pop()
            reading = self.readings[current.span_id]
            if current.span_id in seen or reading.role is Role.EVALUATION:
                continue
            seen.add(current.span_id)
            if reading.role is not Role.DUPLICATE:
                yield reading
            stack.extend(reversed(self.tree.children(current)))

    def settle(self, units: list[Unit]) -> list[Unit]:
        """Split heads that say nothing themselves into the answers below them; join linked model calls."""
        settled: list[Unit] = []
        calls: list[Unit] = []
        for unit in units:
            if unit.head.role is Role.LLM:
                calls.append(unit)
            else:
                settled.extend(self._split(unit))
        return _join_echoes(settled) + _join_linked(calls, settled)

    def _split(self, unit: Unit) -> list[Unit]:
        if unit.head.question is not None or unit.head.answer is not None:
            return [unit]
        below, _ = self.under(self.tree.children(unit.head.span))
        whole = [part for part in below if self._is_whole(part)]
        if len(whole) < 2 or len({part.head.question for part in whole}) < len(whole):
            return [unit]
        ordered = sorted(whole, key=lambda part: _order(part.head))
        for earlier, later in pairwise(ordered):
            if _feeds(earlier, later):
                return [unit]
        return whole

    def _is_whole(self, unit: Unit) -> bool:
        head = unit.head
        asks = any(member.role is Role.LLM for member in unit.members)
        return bool(head.role is Role.CHAIN and head.question and head.answer and asks)


def _join_echoes(settled: list[Unit]) -> list[Unit]:
    """Join functions side by side that returned the same answer: one of them asked the model for it."""
    kept: dict[str, Unit] = {}
    for unit in sorted(settled, key=lambda unit: _order(unit.head)):
        answer = (unit.head.answer or "").strip()
        earlier = kept.get(answer) if len(answer) >= _MIN_LINK_CHARS else None
        if earlier is not None and not (_asks(earlier) and _asks(unit)):
            earlier.members.extend(unit.members)
        else:
            kept[answer if answer not in kept else unit.head.span.span_id] = unit
    return list(kept.values())


def _asks(unit: Unit) -> bool:
    return any(member.role is Role.LLM for member in unit.members)


def _join_linked(calls: list[Unit], settled: list[Unit]) -> list[Unit]:
    """Join model calls of which one fed the next; calls that fed a chain's answer join that."""
    joined: list[Unit] = []
    for call in sorted(calls, key=lambda unit: _order(unit.head)):
        earlier = next((unit for unit in reversed(joined[-_LOOK_AROUND:]) if _feeds(unit, call)), None)
        if earlier is None:
            joined.append(call)
        else:
            earlier.members.extend(call.members)
            earlier.head = call.head if call.head.answer or not earlier.head.answer else earlier.head
    alone = []
    for unit in joined:
        near = settled[:_LOOK_AROUND]
        later = next((other for other in near if _feeds(unit, other) or _feeds(other, unit)), None)
        if later is None:
            alone.append(unit)
        else:
            later.members.extend(unit.members)
    return alone


def _feeds(earlier: Unit, later: Unit) -> bool:
    """Tell whether the earlier unit was a step towards the later: same question, or its words went in."""
    first, second = earlier.head, later.head
    if first.response_id is not None and first.response_id == second.response_id:
        return True  # one call, recorded by two instrumentations side by side
    if first.question is None and first.answer is None:
        same_parent = first.span.parent_span_id == second.span.parent_span_id
        return second.question is not None or (same_parent and first.span.parent_span_id is not None)
    if _is_earlier_turn(first, second):
        return False
    if first.question == second.question:
        return True
    given = [second.question or "", *(turn.content for turn in second.turns)]
    before = [first.question or "", *(turn.content for turn in first.turns)]
    return _occurs(first.answer, given) or _occurs(first.question, given) or _occurs(second.question, before)


def _is_earlier_turn(first: Reading, second: Reading) -> bool:
    """A conversation: the first answer stands in the second prompt as what the assistant said before."""
    spoken = {message.content for message in second.history if message.role == "assistant"}
    return bool(first.answer) and first.answer in spoken and first.question != second.question


def _occurs(text: str | None, given: list[str]) -> bool:
    words = (text or "").strip()
    return len(words) >= _MIN_LINK_CHARS and any(words in other for other in given)


def _is_answer(unit: Unit, finder: _Finder) -> bool:
    """A function that asked no model and looked nothing up is no answer, unless it says that it is one."""
    head = unit.head
    has_failed = head.error is not None or read_error(head.span) is not None
    if any(member.role is Role.LLM for member in unit.members):
        return True
    if any(_looked_up(member) for member in unit.members):
        return head.answer is not None or has_failed
    if head.answer is None and not has_failed:
        return False
    if head.rank == 1 and has_failed and head.question is not None:
        return True
    return head.rank >= 2 or (head.rank == 1 and not finder.tree.children(head.span))


def _looked_up(member: Reading) -> bool:
    return member.role in (Role.RETRIEVAL, Role.RERANK) or (
        member.role is Role.TOOL and bool(member.documents)
    )


def _hand_out(loose: list[Reading], units: list[Unit], tree: SpanTree) -> list[Reading]:
    """Give each loose retrieval to a unit that began after it ended; return the rest.

    The unit under the nearest common ancestor is taken, of several the first to begin.
    """
    left = []
    ordered = sorted(units, key=lambda unit: (_begun(unit), unit.head.span.span_id))
    starts = [_begun(unit) for unit in ordered]
    above = {unit.head.span.span_id: {a.span_id for a in tree.ancestors(unit.head.span)} for unit in units}
    for reading in loose:
        first = bisect_left(starts, reading.span.end_ns or 0)
        takers = ordered[first : first + _LOOK_AROUND]
        if not takers:
            left.append(reading)
            continue
        line = [ancestor.span_id for ancestor in tree.ancestors(reading.span)]
        min(takers, key=lambda unit: _distance(line, above[unit.head.span.span_id])).members.append(reading)
    return left


def _begun(unit: Unit) -> int:
    """Return when the unit's answer was begun: its last model call; unknown times come last."""
    calls = [m.span.start_ns for m in unit.members if m.role is Role.LLM and m.span.start_ns]
    return max(calls, default=unit.head.span.end_ns or 1 << 63)


def _distance(line: list[str], above: set[str]) -> int:
    return next((index for index, span_id in enumerate(line) if span_id in above), len(line))
