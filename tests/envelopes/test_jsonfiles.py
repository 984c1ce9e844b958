"""Files of JSON documents, whole and damaged."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest

from envelopes.otlp_lines import otlp_line, otlp_span
from groundwire.envelopes import Limits, ReadStats, read_items
from groundwire.span import Rejected, SpanData

ONE, TWO = "0" * 31 + "1", "0" * 31 + "2"


def read(tmp_path: Path, data: bytes, **options: object) -> tuple[list[SpanData], list[Rejected], ReadStats]:
    path = tmp_path / "traces"
    path.write_bytes(data)
    rejected: list[Rejected] = []
    stats = ReadStats()
    items = list(read_items(path, on_reject=rejected.append, stats=stats, **options))
    return items, rejected, stats


def lines(*trace_ids: str) -> list[bytes]:
    return [otlp_line(otlp_span(trace_id)) for trace_id in trace_ids]


def pretty(*trace_ids: str) -> list[bytes]:
    return [json.dumps(json.loads(line), indent=2).encode() for line in lines(*trace_ids)]


LAYOUTS = {
    "lines": b"\n".join(lines(ONE, TWO)) + b"\n",
    "no newline at the end": b"\n".join(lines(ONE, TWO)),
    "CRLF": b"\r\n".join(lines(ONE, TWO)) + b"\r\n",
    "BOM": b"\xef\xbb\xbf" + b"\n".join(lines(ONE, TWO)),
    "empty lines": b"\n\n" + b"\n\n \n".join(lines(ONE, TWO)) + b"\n\n",
    "concatenated": b"".join(lines(ONE, TWO)),
    "indented, one after the other": b"\n".join(pretty(ONE, TWO)),
    "indented, touching": b"".join(pretty(ONE, TWO)),
    "array on one line": b"[" + b",".join(lines(ONE, TWO)) + b"]",
    "array, an item a line": b"[\n" + b",\n".join(lines(ONE, TWO)) + b"\n]\n",
    "array, comma first": b"[\n" + b"\n,".join(lines(ONE, TWO)) + b"\n]\n",
    "array, indented": b"[\n" + b",\n".join(pretty(ONE, TWO)) + b"\n]\n",
    "gzip": gzip.compress(b"\n".join(lines(ONE, TWO))),
    "gzip, two members": b"".join(gzip.compress(line + b"\n") for line in lines(ONE, TWO)),
}


@pytest.mark.parametrize("data", LAYOUTS.values(), ids=LAYOUTS.keys())
def test_every_layout_gives_the_same_spans(tmp_path: Path, data: bytes) -> None:
    """However the documents are laid out, both spans are read and nothing is rejected."""
    items, rejected, _ = read(tmp_path, data)
    assert [item.trace_id for item in items] == [ONE, TWO]
    assert rejected == []


DAMAGES = {
    "a line of garbage": (b"hello\n", "not_json"),
    "a line cut inside a string": (lines(ONE)[0][:50] + b"\n", "not_json"),
    "a line cut between values": (b'{"resourceSpans":[\n', "cut_line"),
    "a bracket too many": (b"}\n", "not_json"),
    "a trailing comma": (b'{"a":1,}\n', "not_json"),
    "a number": (b"7\n", "unknown_object"),
    "an object of something else": (b'{"level":"info"}\n', "unknown_object"),
    "nested too deeply": (b"[" * 1100 + b"]" * 1100 + b"\n", "unknown_object"),
}


@pytest.mark.parametrize(("damage", "reason"), DAMAGES.values(), ids=DAMAGES.keys())
def test_damage_costs_only_its_own_line(tmp_path: Path, damage: bytes, reason: str) -> None:
    """A bad line is rejected with its place; the lines before and after it are read."""
    before, after = (line + b"\n" for line in lines(ONE, TWO))
    items, rejected, _ = read(tmp_path, before + damage + after)
    assert [item.trace_id for item in items] == [ONE, TWO]
    assert [(each.reason, each.origin.line, each.origin.byte) for each in rejected] == [
        (reason, 2, len(before))
    ]


@pytest.mark.parametrize("cut", [1, 20, 60, -2])
def test_a_cut_last_line_is_not_yet_complete(tmp_path: Path, cut: int) -> None:
    """A last line that stops midway is reported as unfinished, not as wrong."""
    whole, last = lines(ONE, TWO)
    items, rejected, stats = read(tmp_path, whole + b"\n" + last[:cut])
    assert [item.trace_id for item in items] == [ONE]
    assert [each.reason for each in rejected] == ["cut_last_line"]
    assert stats.rejected_total == 0


def test_a_line_over_the_limit_is_skipped(tmp_path: Path) -> None:
    """A line longer than the limit never enters memory and costs only itself."""
    giant = b'{"a":"' + b"x" * 100_000 + b'"}'
    items, rejected, stats = read(
        tmp_path, b"\n".join([*lines(ONE), giant, *lines(TWO)]), limits=Limits(max_line_bytes=10_000)
    )
    assert [item.trace_id for item in items] == [ONE, TWO]
    assert [each.reason for each in rejected] == ["too_long"]
    assert stats.lines == 3


def test_an_empty_file_is_named(tmp_path: Path) -> None:
    """An empty file gives nothing, and says so."""
    items, rejected, _ = read(tmp_path, b"")
    assert (items, [each.reason for each in rejected]) == ([], ["empty_file"])


def test_a_binary_file_is_named(tmp_path: Path) -> None:
    """Bytes in no known format are rejected whole."""
    items, rejected, _ = read(tmp_path, bytes(range(256)) * 10)
    assert (items, [each.reason for each in rejected]) == ([], ["unknown_format"])


@pytest.mark.parametrize("cut", [1, 12, 30, 100])
def test_what_follows_a_half_written_line_on_the_same_line_is_read(tmp_path: Path, cut: int) -> None:
    """A writer that met a full disk goes on behind what it had begun: only the half is lost."""
    whole, other = lines(ONE, TWO)
    items, rejected, _ = read(tmp_path, other[:cut] + whole + b"\n" + other + b"\n")
    assert [item.trace_id for item in items] == [ONE, TWO]
    assert len(rejected) == 1
