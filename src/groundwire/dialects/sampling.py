"""How a span came into the sample: OTel's ``ot=th`` threshold, strictly read, and a tail sampler's policy.

Semantics: ``th`` holds 1–14 lower-case hex digits, padded right to the 56-bit number T; the probability
is (2**56 - T) / 2**56; a span is kept when its randomness R (``rv``, exactly 14 digits, else the last 56
bits of the trace id) is at least T. No ``th`` means *unknown*, not 1. A span with R < T contradicts its
own threshold: it gets no probability and the source ``inconsistent``.
"""

from __future__ import annotations

import re
from typing import Any, NamedTuple

from groundwire import semconv
from groundwire.dialects.values import as_count, as_label
from groundwire.record import Sampling
from groundwire.span import SpanData

_WHOLE = 1 << 56
_THRESHOLD = re.compile(r"[0-9a-f]{1,14}\Z", re.ASCII)
_RANDOMNESS = re.compile(r"[0-9a-f]{14}\Z", re.ASCII)
_TAIL_POLICY = "tailsampling.policy"
_COUNT_DIGITS = 16
_NOTHING_KNOWN = Sampling()


class Threshold(NamedTuple):
    """A valid ``th`` as written, its probability, and whether the span's randomness agrees with it."""

    text: str
    probability: float
    consistent: bool


def parse_threshold(trace_state: str, trace_id: str) -> Threshold | None:
    """Return the threshold in a W3C tracestate, or None where there is no valid one.

    >>> parse_threshold("vendor=x,ot=th:c", "0" * 18 + "ff" * 7)
    Threshold(text='c', probability=0.25, consistent=True)
    >>> parse_threshold("ot=th:0x8", "f" * 32) is None
    True
    """
    members = _read_ot_members(trace_state)
    text = members.get("th")
    if text is None or not _THRESHOLD.match(text):
        return None
    threshold = int(text.ljust(14, "0"), 16)
    randomness = members.get("rv")
    if randomness is None or not _RANDOMNESS.match(randomness):
        randomness = trace_id[-14:]
    consistent = bool(_RANDOMNESS.match(randomness)) and int(randomness, 16) >= threshold
    return Threshold(text, (_WHOLE - threshold) / _WHOLE, consistent)


def _read_ot_members(trace_state: str) -> dict[str, str]:
    if "ot=" not in trace_state:
        return {}
    for entry in trace_state.split(","):
        key, _, value = entry.strip().partition("=")
        if key == "ot":
            pairs = (member.split(":", 1) for member in value.split(";") if ":" in member)
            return dict(pairs)
    return {}


def parse_call(value: Any) -> tuple[str | None, int | None]:
    """Return process and sequence of a native span's ``<schema>:<process>:<sequence>``.

    >>> parse_call("1:94d121f4ea94f083:17")
    ('94d121f4ea94f083', 17)
    """
    if not isinstance(value, str):
        return None, None
    _, _, rest = value.partition(":")
    process, _, number = rest.partition(":")
    is_plain = number.isascii() and number.isdigit() and len(number) < _COUNT_DIGITS
    return process or None, int(number) if is_plain else as_count(number)


def read_sampling(span: SpanData, local_root: SpanData | None = None) -> Sampling:
    """Return what the span, or else its local root, says of its sampling.

    ``source`` is ``tracestate_th``, ``root_th``, ``inconsistent`` or ``unknown``.
    """
    scope = span.scope.attributes
    process, sequence = parse_call(span.attributes.get(semconv.CALL))
    if not scope and not span.trace_state and local_root is None:
        return Sampling(process=process, sequence=sequence) if process is not None else _NOTHING_KNOWN
    threshold, source = _find_threshold(span, local_root)
    if threshold is None and process is None and not scope:
        return _NOTHING_KNOWN
    if threshold is not None and not threshold.consistent:
        source = "inconsistent"
    return Sampling(
        threshold=threshold.text if threshold else None,
        probability=threshold.probability if threshold and threshold.consistent else None,
        source=source,
        policy=as_label(scope.get(_TAIL_POLICY)),
        process=process,
        sequence=sequence,
    )


def _find_threshold(span: SpanData, local_root: SpanData | None) -> tuple[Threshold | None, str]:
    if span.trace_state:
        own = parse_threshold(span.trace_state, span.trace_id)
        if own is not None:
            return own, "tracestate_th"
    if local_root is not None and local_root is not span and local_root.trace_state:
        inherited = parse_threshold(local_root.trace_state, local_root.trace_id)
        if inherited is not None:
            return inherited, "root_th"
    return None, "unknown"
