"""Consistent probability sampling that says what it did: ``ot=th`` in the trace state.

OpenTelemetry's sampler by ratio keeps a share of the traces but does not write which, so that no rate can be
undone later. The SDK's own consistent sampler is private; this is a small one after the specification
(tracestate-probability-sampling): 56 bits of randomness against a rejection threshold.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from opentelemetry.context import Context
from opentelemetry.sdk.trace.sampling import Decision, ParentBased, Sampler, SamplingResult
from opentelemetry.trace import Link, SpanKind, TraceState, get_current_span

from groundwire.errors import ConfigError

_BITS = 56
_MAX = 1 << _BITS
_HEX = frozenset("0123456789abcdef")


def threshold_of(ratio: float) -> int:
    """Return the rejection threshold of a ratio: a trace is kept if its randomness is not below it."""
    return _MAX - round(ratio * float(_MAX))


def format_threshold(threshold: int) -> str:
    """Return a threshold as ``th`` is written: up to 14 hex digits without trailing zeros.

    >>> [format_threshold(threshold_of(ratio)) for ratio in (1, 0.5, 0.25, 0.1)]
    ['0', '8', 'c', 'e6666666666666']
    """
    return f"{threshold:014x}".rstrip("0") or "0"


class ConsistentSampler(Sampler):
    """Keeps the share ``ratio`` of traces, consistently with every other sampler that follows the
    specification."""

    def __init__(self, ratio: float) -> None:
        self._ratio = ratio
        self._threshold = threshold_of(ratio)
        self._written = format_threshold(self._threshold) if self._threshold < _MAX else ""

    def should_sample(
        self,
        parent_context: Context | None,
        trace_id: int,
        name: str,
        kind: SpanKind | None = None,
        attributes: Any = None,
        links: Sequence[Link] | None = None,
        trace_state: TraceState | None = None,
    ) -> SamplingResult:
        """Decide by the trace's randomness, and write the threshold if it is kept."""
        if trace_state is None:
            trace_state = get_current_span(parent_context).get_span_context().trace_state
        members = _ot_members(trace_state)
        randomness = _randomness(members, trace_id)
        is_kept = bool(self._written) and randomness >= self._threshold
        state = _with_threshold(trace_state, members, self._written if is_kept else None)
        decision = Decision.RECORD_AND_SAMPLE if is_kept else Decision.DROP
        return SamplingResult(decision, attributes if is_kept else None, state)

    def get_description(self) -> str:
        """Return the sampler's name and ratio."""
        return f"groundwire.ConsistentSampler{{{self._ratio}}}"


def _ot_members(trace_state: TraceState | None) -> list[tuple[str, str]]:
    text = trace_state.get("ot") if trace_state else None
    pairs = (part.partition(":") for part in (text or "").split(";") if part)
    return [(key, value) for key, _, value in pairs]


def _randomness(members: list[tuple[str, str]], trace_id: int) -> int:
    for key, value in members:
        if key == "rv" and len(value) == 14 and _HEX.issuperset(value):
            return int(value, 16)
    return trace_id & (_MAX - 1)


def _with_threshold(
    trace_state: TraceState | None, members: list[tuple[str, str]], threshold: str | None
) -> TraceState | None:
    kept = [f"{key}:{value}" for key, value in members if key != "th"]
    if threshold is not None:
        kept.insert(0, f"th:{threshold}")
    others = [] if not trace_state else [(key, value) for key, value in trace_state.items() if key != "ot"]
    entries = [("ot", ";".join(kept)), *others] if kept else others
    return TraceState(entries) if entries else None


def sampler(ratio: float) -> Sampler:
    """Return a sampler that keeps the share ``ratio`` of traces (0 to 1), decided once at the trace's root.

    It is ``ParentBased`` over consistent probability sampling, so that children follow their parent and the
    root's trace state says ``ot=th:…``: rates of the kept traces can be undone. Raises ConfigError on
    anything but a number from 0 to 1.

    >>> sampler(0.1).get_description().startswith("ParentBased")
    True
    """
    if type(ratio) not in (int, float) or not 0 <= ratio <= 1:
        raise ConfigError(
            "no sampling ratio", where="sample", expected="a number from 0 to 1", got=repr(ratio)
        )
    return ParentBased(root=ConsistentSampler(float(ratio)))
