"""Parquet tables of spans and records."""

from __future__ import annotations

import sys
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from envelopes.otlp_lines import SPAN, TRACE
from groundwire.envelopes import Limits, ReadStats, read_items

MOMENT = datetime(2023, 11, 14, 22, 13, 20, tzinfo=UTC)
ROW = {"TraceId": TRACE, "SpanId": SPAN, "SpanName": "answer", "Timestamp": MOMENT, "Duration": 5}


def write_table(path: Path, rows: list[dict[str, Any]], **options: Any) -> Path:
    arrow = pytest.importorskip("pyarrow", reason="pip install 'groundwire[parquet]'")
    from pyarrow import parquet

    parquet.write_table(arrow.Table.from_pylist(rows), path, **options)
    return path


def test_clickhouse_rows_in_parquet(tmp_path: Path) -> None:
    """Points in time, text as bytes, and nested columns come as they do in JSON."""
    row = {
        **ROW,
        "SpanName": b"answer",
        "SpanAttributes": {"question": "Who?"},
        "Events.Name": ["e"],
        "Events.Timestamp": [MOMENT],
    }
    (span,) = read_items(write_table(tmp_path / "rows", [row]))
    assert (span.trace_id, span.span_id, span.name) == (TRACE, SPAN, "answer")
    assert (span.start_ns, span.end_ns) == (1_700_000_000_000_000_000, 1_700_000_000_000_000_005)
    assert span.attributes == {"question": "Who?"}
    assert [(event.name, event.time_ns) for event in span.events] == [("e", 1_700_000_000_000_000_000)]


def test_phoenix_frames_in_parquet(tmp_path: Path) -> None:
    """A data frame's nested documents get their flat keys."""
    row = {
        "context.trace_id": TRACE,
        "context.span_id": SPAN,
        "name": "search",
        "start_time": MOMENT,
        "attributes.retrieval.documents": [{"document.content": "text", "document.score": 0.5}],
    }
    (span,) = read_items(write_table(tmp_path / "rows", [row]))
    assert span.attributes == {
        "retrieval.documents.0.document.content": "text",
        "retrieval.documents.0.document.score": 0.5,
    }


def test_record_tables(tmp_path: Path) -> None:
    """A table with questions and answers is a record file; equal rows get different ids."""
    row = {"question": "Who?", "answer": "Ada.", "contexts": ["Ada wrote it."]}
    first, second = read_items(write_table(tmp_path / "rows", [row, row]))
    assert first.fields == row
    assert first.identity != second.identity


def test_a_parquet_bomb_is_refused(tmp_path: Path) -> None:
    """A table that expands beyond the limits is not opened."""
    path = write_table(
        tmp_path / "rows", [{**ROW, "StatusMessage": "x" * 1000}] * 20_000, use_dictionary=False
    )
    stats = ReadStats()
    assert list(read_items(path, limits=Limits(ratio_grace_bytes=1 << 20, max_ratio=20), stats=stats)) == []
    assert stats.rejected == {"expands_too_much": 1}


def test_a_damaged_parquet_file_is_named(tmp_path: Path) -> None:
    """A file cut in the middle is rejected, not raised."""
    path = write_table(tmp_path / "rows", [ROW])
    path.write_bytes(path.read_bytes()[:200])
    stats = ReadStats()
    assert list(read_items(path, stats=stats)) == []
    assert stats.rejected == {"bad_parquet": 1}


def test_without_its_extra_the_file_says_what_to_install(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Parquet without pyarrow is a rejection with the pip line."""
    path = tmp_path / "rows"
    path.write_bytes(b"PAR1" + b"\0" * 50 + b"PAR1")
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    rejected: list[Any] = []
    assert list(read_items(path, on_reject=rejected.append)) == []
    assert "groundwire[parquet]" in rejected[0].problem
