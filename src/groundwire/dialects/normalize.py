"""Trace → records: native spans directly, all others through their dialects and one assembly."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import structs

from groundwire import semconv
from groundwire.dialects.assembly import assemble_record
from groundwire.dialects.form import Reading, Role, Surroundings
from groundwire.dialects.native import is_native, read_native
from groundwire.dialects.refs import NO_REFS, RefFiles
from groundwire.dialects.registry import read_span
from groundwire.dialects.tree import SpanTree
from groundwire.dialects.units import Grouping, Unit, group_units
from groundwire.dialects.whole import make_whole
from groundwire.record import RagRecord
from groundwire.span import LogData, SpanData, Trace

_FILLED = ("usage", "model", "provider", "finish_reason", "contexts", "citations", "recorded_cost")


def normalize_trace(trace: Trace, *, ref_bases: Sequence[str] = ()) -> list[RagRecord]:
    """Return one record per answered question of the trace, ordered by start and span id.

    ``ref_bases`` are the folders under which ``*_ref`` files may be read (also ``s3://bucket/x=/folder``);
    without them no file is opened. Never raises for what is in the trace.

    >>> normalize_trace(Trace(trace_id="ab" * 16, spans=[]))
    []
    """
    refs = RefFiles(ref_bases) if ref_bases else NO_REFS
    spans = trace.spans
    if len(spans) == 1 and not trace.logs and is_native(spans[0]):
        records = [read_native(spans[0], None, refs)]
    else:
        records = _assemble(make_whole(trace), refs)
    return [_note_partial(record) for record in records] if trace.is_partial else records


def _note_partial(record: RagRecord) -> RagRecord:
    """What was not found may have stood on the spans that are known to be missing."""
    missing = {
        name: "not_exported" if reason == "not_captured" else reason
        for name, reason in record.completeness.items()
    }
    return structs.replace(record, completeness={"trace": "not_exported", **missing})


def _assemble(trace: Trace, refs: RefFiles) -> list[RagRecord]:
    tree = SpanTree(trace)
    natives = [span for span in tree.spans if is_native(span)]
    if natives and all(_is_ours(span) for span in tree.spans):
        return [read_native(span, tree.local_root(span), refs) for span in natives]
    readings = read_spans(tree, trace.logs, refs)
    grouping = group_units(tree, readings)
    records = [assemble_record(unit, tree) for unit in grouping.units if not _holds_native(unit)]
    records += [_fill_native(span, tree, readings, refs) for span in natives]
    return sorted(records, key=lambda record: (record.started_at_ns or 1 << 63, record.span_id or ""))


def _is_ours(span: SpanData) -> bool:
    return span.scope.name == semconv.SCOPE_NAME or is_native(span)


def read_spans(tree: SpanTree, logs: Sequence[LogData], refs: RefFiles) -> dict[str, Reading]:
    """Return what each span says, by span id."""
    by_span: dict[str, list[LogData]] = {}
    for log in logs:
        if log.span_id:
            by_span.setdefault(log.span_id, []).append(log)
    return {
        span.span_id: read_span(span, Surroundings(logs=by_span.get(span.span_id, ()), refs=refs))
        for span in tree.spans
    }


def group_trace(trace: Trace, refs: RefFiles) -> Grouping:
    """Return the trace's units, for those who describe rather than read it."""
    trace = make_whole(trace)
    tree = SpanTree(trace)
    return group_units(tree, read_spans(tree, trace.logs, refs))


def _holds_native(unit: Unit) -> bool:
    return any(is_native(member.span) for member in unit.members)


def _fill_native(span: SpanData, tree: SpanTree, readings: dict[str, Reading], refs: RefFiles) -> RagRecord:
    """A native span says everything itself; what it leaves open may be known to spans below it."""
    record = read_native(span, tree.local_root(span), refs)
    below = [readings[member.span_id] for member in tree.walk(span)]
    members = [reading for reading in below if reading.role is not Role.DUPLICATE]
    if len(members) < 2:
        return record
    found = assemble_record(Unit(readings[span.span_id], members), tree)
    gaps = {
        name: getattr(found, name)
        for name in _FILLED
        if getattr(record, name) is None
        and getattr(found, name) is not None
        and name not in record.completeness
    }
    if not gaps:
        return record
    sources = {name: found.provenance[name] for name in gaps if name in found.provenance}
    missing = {name: why for name, why in found.completeness.items() if name.partition(".")[0] in gaps}
    return structs.replace(
        record,
        provenance={**record.provenance, **sources},
        completeness={**record.completeness, **missing},
        **gaps,
    )
