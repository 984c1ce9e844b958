"""Traces: whole, once, and the same whatever the order."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings, strategies as st

from envelopes.otlp_lines import otlp_attributes, otlp_line, otlp_span
from groundwire.envelopes import Limits, ReadStats, read_traces
from groundwire.errors import EnvelopeError
from groundwire.span import PlainRecord, Trace


def trace_id(number: int) -> str:
    return f"{number:032x}"


def many_spans(traces: int, spans: int) -> list[dict[str, Any]]:
    return [
        otlp_span(
            trace_id(t + 1),
            f"{t * spans + s + 1:016x}",
            startTimeUnixNano=str(10**18 + t),
            attributes=otlp_attributes(text="x" * 200),
        )
        for t in range(traces)
        for s in range(spans)
    ]


def write_lines(path: Path, spans: list[dict[str, Any]]) -> Path:
    path.write_bytes(b"".join(otlp_line(span) + b"\n" for span in spans))
    return path


def plain(traces: list[Trace | PlainRecord]) -> list[Any]:
    """The traces without the places they were read from."""
    for trace in traces:
        for item in (*trace.spans, *trace.logs):
            item.origin = None
    return traces


@pytest.mark.parametrize("held", [1 << 20, 20_000])
def test_spans_of_a_trace_meet_across_lines_and_files(tmp_path: Path, held: int) -> None:
    """Every trace comes once, with all its spans, in memory as well as over temporary files."""
    spans = many_spans(traces=40, spans=3)
    random.Random(1).shuffle(spans)
    for number in range(3):
        write_lines(tmp_path / f"{number}.jsonl", spans[number::3])
    stats = ReadStats()
    traces = list(read_traces(tmp_path, limits=Limits(max_held_bytes=held), stats=stats))
    assert sorted(trace.trace_id for trace in traces) == [trace_id(number) for number in range(1, 41)]
    assert all(len(trace.spans) == 3 for trace in traces)
    assert (stats.spilled_bytes > 0) == (held == 20_000)


@given(st.permutations(range(12)), st.sampled_from([1 << 20, 6_000, 1]))
@settings(max_examples=40)
def test_the_order_of_lines_changes_nothing(order: list[int], held: int) -> None:
    """Traces, their order and the order within them are the same for every order of the lines."""
    spans = many_spans(traces=4, spans=3)
    with pytest.MonkeyPatch.context() as patch:
        folder = _folder(patch)
        limits = Limits(max_held_bytes=held)
        straight = list(read_traces(write_lines(folder / "a", spans), limits=limits))
        shuffled = list(read_traces(write_lines(folder / "b", [spans[i] for i in order]), limits=limits))
    assert plain(straight) == plain(shuffled)


def _folder(patch: pytest.MonkeyPatch) -> Path:
    import tempfile

    return Path(tempfile.mkdtemp(prefix="groundwire-test-"))


def test_traces_come_by_start_time(tmp_path: Path) -> None:
    """While they fit into memory, the earliest trace comes first."""
    spans = [
        otlp_span(trace_id(number), startTimeUnixNano=str(10**18 + start))
        for number, start in ((1, 30), (2, 10), (3, 20))
    ]
    found = [trace.trace_id for trace in read_traces(write_lines(tmp_path / "a", spans))]
    assert found == [trace_id(2), trace_id(3), trace_id(1)]


def test_spans_within_a_trace_come_by_start_then_id(tmp_path: Path) -> None:
    """Children before parents, and clocks that disagree, do not show in the order."""
    spans = [
        otlp_span(span_id=f"{n:016x}", startTimeUnixNano=str(10**18 + s)) for n, s in ((3, 1), (1, 1), (2, 0))
    ]
    (trace,) = read_traces(write_lines(tmp_path / "a", spans))
    assert [int(span.span_id, 16) for span in trace.spans] == [2, 1, 3]


@pytest.mark.parametrize("held", [1 << 20, 1])
def test_a_replayed_batch_is_counted_and_dropped(tmp_path: Path, held: int) -> None:
    """The same spans again change nothing but the count of duplicates."""
    spans = many_spans(traces=2, spans=2)
    write_lines(tmp_path / "a", spans)
    write_lines(tmp_path / "b", spans)
    stats = ReadStats()
    traces = list(read_traces(tmp_path, stats=stats, limits=Limits(max_held_bytes=held)))
    assert [len(trace.spans) for trace in traces] == [2, 2]
    assert stats.duplicates == 4


@pytest.mark.parametrize("swap", [False, True])
def test_of_two_versions_of_a_span_the_fuller_stays(tmp_path: Path, swap: bool) -> None:
    """A span exported while it ran and again at its end is the ended one, in either order."""
    pending = otlp_span(endTimeUnixNano="0", attributes=[])
    ended = otlp_span()
    (trace,) = read_traces(write_lines(tmp_path / "a", [ended, pending] if swap else [pending, ended]))
    (span,) = trace.spans
    assert span.end_ns is not None


def test_client_and_server_may_share_a_span_id(tmp_path: Path) -> None:
    """Two spans of one id and different kinds (as Zipkin shares them) are two spans."""
    stats = ReadStats()
    (trace,) = read_traces(write_lines(tmp_path / "a", [otlp_span(kind=2), otlp_span(kind=3)]), stats=stats)
    assert ([span.kind for span in trace.spans], stats.duplicates) == ([2, 3], 0)


def test_logs_join_their_trace(tmp_path: Path) -> None:
    """Log records come with the trace whose id they carry, whichever file they are in."""
    record = {"traceId": trace_id(1), "spanId": "1" * 16, "eventName": "e", "body": {"stringValue": "b"}}
    line = {"resourceLogs": [{"scopeLogs": [{"logRecords": [record, record, {"body": {}}]}]}]}
    (tmp_path / "logs").write_text(json.dumps(line))
    write_lines(tmp_path / "spans", [otlp_span(trace_id(1))])
    stats = ReadStats()
    (trace,) = read_traces(tmp_path, stats=stats)
    assert [(log.name, log.body) for log in trace.logs] == [("e", "b")]
    assert (stats.duplicates, stats.skipped) == (1, {"logs_without_trace": 1})


def test_one_trace_larger_than_memory_stays_whole(tmp_path: Path) -> None:
    """A trace is never torn, however small the bound is."""
    stats = ReadStats()
    path = write_lines(tmp_path / "a", many_spans(traces=1, spans=50))
    (trace,) = read_traces(path, limits=Limits(max_held_bytes=1), stats=stats)
    assert len(trace.spans) == 50


def test_temporary_files_are_private_and_removed(tmp_path: Path) -> None:
    """What is parked on disk goes away at the end, also when reading stops halfway."""
    path = write_lines(tmp_path / "a", many_spans(traces=20, spans=2))
    folder = tmp_path / "parked"
    folder.mkdir()
    reading = read_traces(path, limits=Limits(max_held_bytes=1, temp_dir=str(folder)))
    next(iter(reading))
    (parked,) = folder.iterdir()
    assert parked.stat().st_mode & 0o077 == 0
    reading.close()
    assert list(folder.iterdir()) == []


def test_reading_may_stop_before_its_end(tmp_path: Path) -> None:
    """Giving up while records still come leaves no open file and no folder behind."""
    lines = [otlp_line(span) for span in many_spans(traces=20, spans=2)] + [b'{"answer": "a"}']
    (tmp_path / "a").write_bytes(b"\n".join(lines))
    folder = tmp_path / "parked"
    folder.mkdir()
    reading = read_traces(tmp_path / "a", limits=Limits(max_held_bytes=1, temp_dir=str(folder)))
    assert isinstance(next(iter(reading)), PlainRecord)
    reading.close()
    assert list(folder.iterdir()) == []


def test_a_folder_that_can_not_be_made_is_named(tmp_path: Path) -> None:
    """No room for what does not fit into memory is an error that says what to do."""
    path = write_lines(tmp_path / "a", many_spans(traces=2, spans=1))
    limits = Limits(max_held_bytes=1, temp_dir=str(tmp_path / "missing"))
    with pytest.raises(EnvelopeError, match="TMPDIR"):
        list(read_traces(path, limits=limits))


def test_progress_is_told(tmp_path: Path) -> None:
    """The counts are handed out while reading goes on, and at its end."""
    path = write_lines(tmp_path / "a", many_spans(traces=300, spans=1))
    seen: list[int] = []
    list(read_traces(path, on_progress=lambda stats: seen.append(stats.spans)))
    assert len(seen) >= 2
    assert seen[-1] == 300
