"""What traces that are there say about how they came: sampling, losses, and what a backend would cut."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable
from typing import Any

from msgspec import Struct

from groundwire.doctor.endpoint import TEST_SCOPE
from groundwire.doctor.findings import Finding
from groundwire.envelopes import ReadStats, read_items
from groundwire.envelopes.sources import Source, expand_sources
from groundwire.reading import read_records
from groundwire.record import Sampling
from groundwire.span import SpanData

_KNOWN = frozenset({"tracestate_th", "root_th"})


class Backend(Struct, frozen=True):
    """A backend's published limit on one value: ``limit`` in ``unit`` (bytes or characters)."""

    name: str
    limit: int
    unit: str


BACKENDS: tuple[Backend, ...] = (
    Backend("Elastic APM", 1_024, "characters"),
    Backend("Grafana Tempo", 2_048, "bytes"),
    Backend("Dash0", 2_048, "characters"),
    Backend("New Relic", 4_095, "characters"),
    Backend("Azure Monitor", 8_192, "characters"),
    Backend("Datadog", 25_000, "characters"),
    Backend("Google Cloud Trace", 65_536, "bytes"),
)
XRAY_SPAN_BYTES = 200_000


def examine_traces(sources: Source | Iterable[Source]) -> list[Finding]:
    """Check what ``sources`` hold: can sampling be undone, what never arrived, what would backends cut.

    Raises EnvelopeError where a source does not exist.
    """
    stats = ReadStats()
    samplings = [record.sampling or Sampling() for record in read_records(sources, stats=stats)]
    if not samplings:
        return [Finding("traces", "note", "There is no answer yet.", "See: groundwire inspect TRACES")]
    found = [_read(len(samplings), stats), *_weights(samplings), _losses(samplings)]
    return [*found, *_cuts(sources)]


def _read(answers: int, stats: ReadStats) -> Finding:
    data = {"answers": answers, "rejected": dict(stats.rejected)}
    if stats.rejected_total:
        reasons = ", ".join(f"{count} {reason.replace('_', ' ')}" for reason, count in stats.rejected.items())
        text = f"{answers:,} answers; some input could not be read: {reasons}."
        return Finding("traces", "bad", text, "See: groundwire inspect TRACES", data)
    return Finding("traces", "ok", f"{answers:,} answers, all input could be read.", data=data)


def _weights(samplings: list[Sampling]) -> list[Finding]:
    sources = Counter(one.source for one in samplings)
    known = sum(sources[name] for name in _KNOWN)
    data: dict[str, Any] = {"sources": dict(sources), "probabilities": _probabilities(samplings)}
    found = []
    if sources["inconsistent"]:
        text = f"{sources['inconsistent']:,} of {len(samplings):,} answers contradict their own threshold."
        found.append(Finding("weights", "bad", text, _MARK, data))
    if known == len(samplings):
        found.append(
            Finding("weights", "ok", "Exact: every answer says how likely it was to be kept.", data=data)
        )
    elif known:
        text = f"Known for {known:,} of {len(samplings):,} answers only."
        found.append(Finding("weights", "bad", text, "Let one sampler decide for all of them.", data))
    elif not sources["inconsistent"]:
        found.append(_without_threshold(samplings, data))
    return found


_MARK = (
    "A tail sampler that hashes by itself: put probabilistic_sampler/certain before it (tail-sampling.yaml)."
)


def _without_threshold(samplings: list[Sampling], data: dict[str, Any]) -> Finding:
    if any(one.policy for one in samplings):
        return Finding(
            "weights", "bad", "A tail sampler chose these answers and did not say how likely each was.",
            "Switch on its gate usetracestate (tail-sampling.yaml); till then this is only a sample.", data,
        )  # fmt: skip
    if _counted(samplings) and not _missing(samplings):
        return Finding("weights", "ok", "None needed: no call is missing, nothing was sampled.", data=data)
    return Finding(
        "weights", "note", "Unknown: no answer says how likely it was to be kept (no `th`).",
        "Sample with groundwire.sampler(share), or in the Collector with probabilistic_sampler.", data,
    )  # fmt: skip


def _losses(samplings: list[Sampling]) -> Finding:
    counted = _counted(samplings)
    if not counted:
        return Finding(
            "losses", "note", "Unknown: the answers carry no sequence numbers (not @instrument's)."
        )
    missing = _missing(samplings)
    made = len(counted) + missing
    processes = len({one.process for one in counted})
    data = {"calls": made, "missing": missing, "processes": processes}
    text = f"{len(counted):,} of at least {made:,} calls of {processes} process(es) are here."
    return Finding("losses", "note" if missing else "ok", text, None, data)


def _counted(samplings: list[Sampling]) -> list[Sampling]:
    return [one for one in samplings if one.process and one.sequence]


def _missing(samplings: list[Sampling]) -> int:
    numbers: defaultdict[str, set[int]] = defaultdict(set)
    for one in _counted(samplings):
        numbers[one.process or ""].add(one.sequence or 0)
    return sum(max(seen) - len(seen) for seen in numbers.values())


def _probabilities(samplings: list[Sampling]) -> dict[str, int]:
    return dict(Counter(str(one.probability) for one in samplings if one.probability is not None))


def _cuts(sources: Source | Iterable[Source]) -> list[Finding]:
    """One finding for all backends: how many spans each would cut."""
    spans, longest = 0, 0
    cut: Counter[str] = Counter()
    for path in expand_sources(sources):
        for item in read_items(path):
            if isinstance(item, SpanData) and item.scope.name != TEST_SCOPE:
                spans += 1
                size, length, total = _sizes(item)
                longest = max(longest, length)
                cut.update(_cut_by(size, length, total))
    if not cut:
        return [
            Finding("backends", "ok", f"No backend in the table would cut a value (longest: {longest:,}).")
        ]
    told = ", ".join(f"{name} {count:,}" for name, count in cut.items())
    text = f"Of {spans:,} spans would cut or refuse: {told}. The longest value has {longest:,} characters."
    return [
        Finding(
            "backends", "note", text, "Score from files, not from these.", {"spans": spans, "cut": dict(cut)}
        )
    ]


def _sizes(span: SpanData) -> tuple[int, int, int]:
    """The longest value in bytes and in characters, and all values together in bytes."""
    texts = [value for value in span.attributes.values() if isinstance(value, str)]
    sizes = [len(text.encode("utf-8", "replace")) for text in texts]
    return max(sizes, default=0), max(map(len, texts), default=0), sum(sizes)


def _cut_by(size: int, length: int, total: int) -> list[str]:
    names = [one.name for one in BACKENDS if (size if one.unit == "bytes" else length) > one.limit]
    return [*names, "AWS X-Ray"] if total > XRAY_SPAN_BYTES else names
