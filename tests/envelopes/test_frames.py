"""Compressed, length-prefixed and protobuf files, whole and damaged."""

from __future__ import annotations

import gzip
import struct
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import zstandard
from opentelemetry.proto.logs.v1 import logs_pb2
from opentelemetry.proto.metrics.v1 import metrics_pb2
from opentelemetry.proto.trace.v1 import trace_pb2

from envelopes.otlp_lines import TRACE, otlp_line, otlp_span
from groundwire.envelopes import Limits, ReadStats, read_items
from groundwire.span import Rejected

ONE, TWO = "0" * 31 + "1", "0" * 31 + "2"


def message(trace_id: str, **fields: Any) -> bytes:
    request = trace_pb2.TracesData()
    group = request.resource_spans.add()
    group.resource.attributes.add(key="service.name").value.string_value = "rag"
    span = group.scope_spans.add().spans.add(
        trace_id=bytes.fromhex(trace_id), span_id=b"\x01" * 8, name="answer", start_time_unix_nano=5, **fields
    )
    span.attributes.add(key="question").value.string_value = "Who?"
    return request.SerializeToString()


def framed(*messages: bytes) -> bytes:
    return b"".join(struct.pack(">I", len(each)) + each for each in messages)


def zstd(data: bytes) -> bytes:
    return zstandard.compress(data)


def read(tmp_path: Path, data: bytes, **limits: int) -> tuple[list[Any], list[Rejected], ReadStats]:
    path = tmp_path / "traces"
    path.write_bytes(data)
    rejected: list[Rejected] = []
    stats = ReadStats()
    items = list(read_items(path, on_reject=rejected.append, stats=stats, limits=Limits(**limits)))
    return items, rejected, stats


LINES = [otlp_line(otlp_span(trace_id)) for trace_id in (ONE, TWO)]
MESSAGES = [message(ONE), message(TWO)]
PACKAGES = {
    "gzip": gzip.compress(b"\n".join(LINES)),
    "native zstd": zstd(b"\n".join(LINES)),
    "native zstd, a frame a flush": zstd(LINES[0][:100]) + zstd(LINES[0][100:] + b"\n" + LINES[1]),
    "exporter's zstd, JSON": framed(*map(zstd, LINES)),
    "exporter's zstd, protobuf": framed(*map(zstd, MESSAGES)),
    "length-prefixed protobuf": framed(*MESSAGES),
    "length-prefixed protobuf in zstd": zstd(framed(*MESSAGES)),
    "length-prefixed protobuf in gzip": gzip.compress(framed(*MESSAGES)),
    "zstd in gzip": gzip.compress(zstd(b"\n".join(LINES))),
    "an empty message between": framed(MESSAGES[0], b"", MESSAGES[1]),
}


@pytest.mark.parametrize("data", PACKAGES.values(), ids=PACKAGES.keys())
def test_every_package_gives_the_same_spans(tmp_path: Path, data: bytes) -> None:
    """However the batches are packed, both spans are read and nothing is rejected."""
    items, rejected, _ = read(tmp_path, data)
    assert [item.trace_id for item in items] == [ONE, TWO]
    assert rejected == []


BODIES: dict[str, Callable[[], bytes]] = {
    "a request": lambda: message(ONE),
    "a request in gzip": lambda: gzip.compress(message(ONE)),
    "Tempo's second form": lambda: b"\x0a" + bytes([len(message(ONE))]) + message(ONE),
}


@pytest.mark.parametrize("make", BODIES.values(), ids=BODIES.keys())
def test_a_file_may_be_one_message(tmp_path: Path, make: Callable[[], bytes]) -> None:
    """An object in a bucket, a queue's value or a request's body is read without framing."""
    (item,), rejected, _ = read(tmp_path, make())
    assert (item.trace_id, item.attributes, item.resource) == (
        ONE,
        {"question": "Who?"},
        {"service.name": "rag"},
    )
    assert rejected == []


def test_a_value_cut_inside_a_character_costs_only_that_character(tmp_path: Path) -> None:
    """A backend that cuts by bytes leaves invalid UTF-8; the batch is read all the same."""
    data = message(ONE).replace(b"Who?", b"Wh\xe2\x82")
    (item,), rejected, stats = read(tmp_path, data)
    assert item.attributes == {"question": "Wh\ufffd"}
    assert (rejected, stats.repaired) == ([], {"invalid_utf8": 1})


def test_logs_and_metrics_are_told_apart_from_spans(tmp_path: Path) -> None:
    """No field names the signal: logs are read as logs, metrics counted as skipped."""
    logs, metrics = logs_pb2.LogsData(), metrics_pb2.MetricsData()
    logs.resource_logs.add().scope_logs.add().log_records.add(
        time_unix_nano=5, trace_id=bytes.fromhex(TRACE), event_name="gen_ai.evaluation.result"
    )
    metrics.resource_metrics.add().scope_metrics.add().metrics.add(name="calls").sum.data_points.add(as_int=1)
    frames = framed(logs.SerializeToString(), metrics.SerializeToString(), message(ONE))
    items, rejected, stats = read(tmp_path, frames)
    assert [(type(item).__name__, item.name) for item in items] == [
        ("LogData", "gen_ai.evaluation.result"),
        ("SpanData", "answer"),
    ]
    assert (stats.skipped, rejected) == ({"metrics": 1}, [])


DAMAGES = {
    "a message that is no protobuf": (framed(MESSAGES[0], b"\xff" * 20, MESSAGES[1]), "not_protobuf", 2),
    "a broken zstd message": (
        framed(zstd(LINES[0]), zstd(LINES[1])[:-9], zstd(LINES[1])),
        "bad_compression",
        2,
    ),
    "a cut last message": (framed(*MESSAGES)[:-3], "cut_last_frame", 1),
    "a cut length": (framed(MESSAGES[0]) + b"\0\0", "cut_last_frame", 1),
    "a cut gzip stream": (gzip.compress(b"\n".join(LINES))[:-12], "cut_stream", None),
    "a damaged gzip stream": (
        gzip.compress(LINES[0] + b"\n") + b"\x1f\x8b\x08" + b"\0" * 7 + b"\xff" * 400,
        "bad_compression",
        1,
    ),
    "a damaged zstd stream": (
        zstd(LINES[0] + b"\n") + b"\x28\xb5\x2f\xfd" + b"\xff" * 40,
        "bad_compression",
        1,
    ),
}


@pytest.mark.parametrize(("data", "reason", "count"), DAMAGES.values(), ids=DAMAGES.keys())
def test_damage_is_named_and_the_rest_is_read(
    tmp_path: Path, data: bytes, reason: str, count: int | None
) -> None:
    """A damaged package is rejected with its reason; what lies around it is read."""
    items, rejected, _ = read(tmp_path, data)
    assert reason in [each.reason for each in rejected]
    assert count is None or len(items) == count


@pytest.mark.parametrize("pack", [gzip.compress, zstd])
def test_a_bomb_is_stopped(tmp_path: Path, pack: Callable[[bytes], bytes]) -> None:
    """A small file that expands without end is stopped, and the limits are named."""
    data = pack(LINES[0] + b"\n" + b" " * 30_000_000)
    items, rejected, _ = read(tmp_path, data, ratio_grace_bytes=1 << 20, max_ratio=100)
    assert [item.trace_id for item in items] == [ONE]
    assert [each.reason for each in rejected] == ["expands_too_much"]


def test_a_message_over_the_limit_costs_only_itself(tmp_path: Path) -> None:
    """A giant message is skipped, whether it is giant as it stands or once expanded."""
    giant = message(ONE, trace_state="x" * 50_000)
    for data in (framed(giant, MESSAGES[1]), framed(zstd(giant), zstd(MESSAGES[1]))):
        items, rejected, _ = read(tmp_path, data, max_line_bytes=10_000)
        assert [item.trace_id for item in items] == [TWO]
        assert [each.reason for each in rejected] == ["too_long"]


def test_json_that_begins_with_an_empty_line_is_not_protobuf(tmp_path: Path) -> None:
    """A rotated file that starts with a newline begins like protobuf, and is told apart."""
    items, rejected, _ = read(tmp_path, b"\n" + b"\n".join(LINES))
    assert ([item.trace_id for item in items], rejected) == ([ONE, TWO], [])


def test_a_cut_zstd_stream_says_so_and_keeps_what_is_whole(tmp_path: Path) -> None:
    """Two frames, the second cut anywhere: the first is read, the cut is reported."""
    compressor = zstandard.ZstdCompressor()
    first, second = compressor.compress(otlp_line()), compressor.compress(otlp_line())
    for cut in (1, len(second) // 2, len(second) - 1):
        path = tmp_path / f"cut{cut}.zst"
        path.write_bytes(first + second[:cut])
        rejected: list[Rejected] = []
        assert len(list(read_items(path, on_reject=rejected.append))) >= 1
        assert [one.reason for one in rejected] == ["cut_stream"]
