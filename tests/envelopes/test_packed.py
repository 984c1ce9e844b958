"""Spans that are kept as text, or as a place in their file, until their trace is whole."""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from envelopes.otlp_lines import otlp_attributes, otlp_request, otlp_span
from envelopes.test_traces import many_spans, plain, trace_id
from groundwire.envelopes import Limits, ReadStats, read_traces
from groundwire.reading import read_records
from groundwire.span import Rejected

FEW = Limits(max_held_bytes=30_000)
"""So little that spans are packed after the first few, and their places still fit."""
ODD: list[dict[str, Any]] = [
    {"traceId": "AB" * 16},
    {"parent_span_id": "eee19b7ec3c1b173"},
    {"attributes": [{"key": "a", "value": {"intValue": 1.5}}]},
    {"name": 'a "quoted" name'},
    {"name": "größe — “old” 🌊"},
    {"startTimeUnixNano": None},
    {"attributes": None},
    {"status": {"code": "STATUS_CODE_ERROR", "message": "no"}},
]


def lines_of(spans: list[dict[str, Any]], per_line: int) -> Iterator[bytes]:
    for at in range(0, len(spans), per_line):
        request = otlp_request(*spans[at : at + per_line])
        yield json.dumps(request, separators=(",", ":"), ensure_ascii=False).encode() + b"\n"


def mixed_spans() -> list[dict[str, Any]]:
    spans = many_spans(traces=40, spans=2)
    odd = [otlp_span(trace_id(900 + n), f"{900 + n:016x}") | fields for n, fields in enumerate(ODD)]
    return [*spans[:40], *odd, *spans[40:], *odd]


@pytest.mark.parametrize("pack", [bytes, gzip.compress], ids=["plain", "gzip"])
@pytest.mark.parametrize("per_line", [1, 7])
def test_packed_spans_are_the_same_spans(tmp_path: Path, per_line: int, pack: Any) -> None:
    """Whatever their form, in whatever order, from a plain file or a compressed one."""
    path = tmp_path / "a.jsonl"
    path.write_bytes(pack(b"".join(lines_of(mixed_spans(), per_line))))
    whole, packed = ReadStats(), ReadStats()
    expected = plain(list(read_traces(path, stats=whole)))
    found = plain(list(read_traces(path, limits=FEW, stats=packed)))
    assert sorted(found, key=lambda trace: trace.trace_id) == sorted(expected, key=lambda t: t.trace_id)
    packed.spilled_bytes = 0
    assert packed == whole


def test_places_in_a_file_need_no_temporary_files(tmp_path: Path) -> None:
    """What would not fit into memory is read again instead of being parked."""
    spans = many_spans(traces=60, spans=1)
    for span in spans[10:]:
        span["attributes"] = otlp_attributes(text="x" * 4_000)
    (tmp_path / "a.jsonl").write_bytes(b"".join(lines_of(spans, 1)))
    stats = ReadStats()
    traces = list(read_traces(tmp_path, limits=Limits(max_held_bytes=80_000), stats=stats))
    assert (len(traces), stats.spilled_bytes) == (60, 0)


def test_a_file_that_changed_meanwhile_is_named(tmp_path: Path) -> None:
    """A span that is no longer where it was is counted, and never taken for another one."""
    path = tmp_path / "a.jsonl"
    path.write_bytes(b"".join(lines_of(many_spans(traces=40, spans=1), 1)))
    rejected: list[Rejected] = []
    stats = ReadStats()
    traces = read_traces(path, limits=FEW, stats=stats, on_reject=rejected.append)
    kept = [next(traces)]
    path.write_bytes(b"")
    kept += traces
    assert {one.reason for one in rejected} == {"file_changed"}
    assert stats.spans == sum(len(trace.spans) for trace in kept) == 40 - len(rejected)


def test_a_file_that_was_renamed_meanwhile_is_read_on(tmp_path: Path) -> None:
    """Rotation gives a file another name while it is read: it stays the same file."""
    path = tmp_path / "a.jsonl"
    path.write_bytes(b"".join(lines_of(many_spans(traces=40, spans=1), 1)))
    traces = read_traces(path, limits=FEW)
    kept = [next(traces)]
    path.rename(tmp_path / "a-2026.jsonl")
    assert len([*kept, *traces]) == 40


def test_feedback_is_seen_however_much_is_held(tmp_path: Path) -> None:
    """It is joined to answers that come before it, so no feedback is packed unseen."""
    call = {"gen_ai.operation.name": "chat", "gen_ai.output.messages": "It was Ada."}
    spans = [otlp_span(trace_id(n), f"{n:016x}", attributes=otlp_attributes(**call)) for n in range(1, 81)]
    given = {"groundwire.feedback.trace_id": trace_id(3), "groundwire.feedback.span_id": f"{3:016x}"}
    about = otlp_attributes(**given, **{"groundwire.feedback.score": 1.0})
    spans.append(otlp_span(trace_id(500), f"{500:016x}", attributes=about))
    path = tmp_path / "a.jsonl"
    path.write_bytes(b"".join(lines_of(spans, 3)))
    scored = [record for record in read_records(path, limits=FEW) if record.feedback]
    assert [record.trace_id for record in scored] == [trace_id(3)]
