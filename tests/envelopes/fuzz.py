"""Mutation fuzzer for the readers.

Run: ``python tests/envelopes/fuzz.py [mutants] [seed]``. Mutates the real files beside the repository (if
they are there) and one small file of every format, reads each mutant all the way to records, and checks:
no exception but a groundwire error, every value well formed, no mutant slow, memory bounded; and that
untouched lines around a mutated one give exactly the spans that they give alone.
"""

from __future__ import annotations

import gzip
import json
import random
import resource
import struct
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import zstandard

sys.path.insert(0, str(Path(__file__).parents[1]))
from envelopes.otlp_lines import SHARED, otlp_attributes, otlp_line, otlp_span
from envelopes.test_frames import framed, message
from groundwire.envelopes import Limits, ReadStats, read_items, read_traces
from groundwire.reading import read_records
from groundwire.span import PlainRecord, SpanData

LIMITS = Limits(max_line_bytes=1 << 20, max_decompressed_bytes=1 << 24, max_held_bytes=1 << 12)
TOKENS = (
    b"{",
    b"}",
    b"[",
    b"]",
    b'"',
    b",",
    b":",
    b"\\",
    b"\n",
    b"\r\n",
    b"\0",
    b"NaN",
    b"-Infinity",
    b"1e999",
    b"null",
    b"true",
    b"0",
    b"-1",
    b"1" * 25,
    b"9" * 5000,
    b"\\ud800",
    b"\\u0000",
    b"\xff",
    b"\xef\xbb\xbf",
    b"[" * 200,
    b'{"resourceSpans":[',
    b'{"data":',
    b"\x0a",
    b"\x12\xff\xff\xff\xff\x0f",
    b"\x28\xb5\x2f\xfd",
    b"\x1f\x8b\x08",
    b"PAR1",
)
ODD_VALUES = (
    None,
    True,
    False,
    0,
    -1,
    2**64,
    10**30,
    1.5,
    float("nan"),
    "",
    "x",
    "\ud800",
    "0" * 32,
    "{}",
    "[1]",
    [],
    [None],
    {},
    {"key": "a"},
    {"values": 3},
    [[]],
    [{"a": [1]}],
    {"": None},
    "9" * 400,
    {"spans": "x"},
    [1, "a", {}],
)


def make_seeds() -> list[bytes]:
    """Return the files that mutants are made of."""
    lines = [
        otlp_line(otlp_span(f"{n:032x}", attributes=otlp_attributes(q="Größe 🌊", n=n, l=["a"])))
        for n in (1, 2, 3)
    ]
    record = {
        "question": "Who?",
        "answer": "Ada.",
        "contexts": [{"id": "d", "text": "Ada."}],
        "citations": [{"quote": "A"}],
    }
    messages = [message(f"{n:032x}") for n in (1, 2)]
    seeds = [
        b"\n".join(lines),
        b"[" + b",\n".join(lines) + b"]",
        json.dumps(json.loads(lines[0]), indent=1).encode(),
        json.dumps(record).encode() + b"\n" + json.dumps(record).encode(),
        gzip.compress(b"\n".join(lines)),
        zstandard.compress(b"\n".join(lines)),
        framed(*map(zstandard.compress, lines)),
        framed(*messages),
        messages[0],
        b'question,answer,contexts\r\nWho?,"Ada, they say","[\'Ada.\']"\r\nWhen?,1843,\r\n',
        *foreign_objects(),
    ]
    return seeds + [path.read_bytes()[:60_000] for path in sorted(SHARED.glob("*/*")) if path.is_file()]


def foreign_objects() -> list[bytes]:
    from envelopes import test_backends as backends, test_tools as tools

    rows = [
        backends.clickhouse_row(**backends.NESTED["flat columns"]),
        *backends.PHOENIX.values(),
        {"trace": {"id": "a" * 32, "name": "t"}, "observations": [tools.langfuse_observation(metadata="{}")]},
        *({"info": {"trace_id": "tr-1"}, "data": {"spans": [form]}} for form in tools.MLFLOW.values()),
        {"cases": [tools.CASE, tools.FAILED]},
        {"trace": tools.OPIK_TRACE, "spans": tools.OPIK_SPANS},
        {"question": {"0": "Who?", "1": "When?"}, "answer": {"0": "Ada.", "1": "1843."}},
        {"input": "Who?", "actual_output": "Ada.", "retrieval_context": [{"page_content": "Ada."}]},
        {
            "event_id": "5",
            "record": {"name": "x"},
            "record_attributes": {"a": 1},
            "resource_attributes": {},
            "trace": {"trace_id": "7", "span_id": "5"},
            "start_timestamp": "2023-11-14 22:13:20",
            "timestamp": None,
        },
        {
            "name": "a",
            "context": {"trace_id": "0x1", "span_id": "0x2", "trace_state": "[]"},
            "kind": "SpanKind.CLIENT",
            "parent_id": None,
            "start_time": "2023-11-14T22:13:20.000000Z",
            "status": {"status_code": "UNSET"},
            "attributes": {"a": [1]},
            "events": [{"name": "e", "timestamp": "x", "attributes": {}}],
            "links": [],
        },
    ]
    return [json.dumps(row).encode() for row in rows]


def mutate_bytes(data: bytes, dice: random.Random, seeds: list[bytes]) -> bytes:
    """Return ``data`` with one to four wounds: flipped, lost, doubled, inserted or foreign bytes."""
    mutant = bytearray(data)
    for _ in range(dice.randint(1, 4)):
        at = dice.randrange(len(mutant) + 1)
        length = dice.choice((1, 2, 4, 16, 100))
        action = dice.randrange(6)
        if action == 0 and at < len(mutant):
            mutant[at] ^= 1 << dice.randrange(8)
        elif action == 1:
            del mutant[at : at + length]
        elif action == 2:
            mutant[at:at] = mutant[at : at + length]
        elif action == 3:
            mutant[at:at] = dice.choice(TOKENS)
        elif action == 4:
            del mutant[at:]
        else:
            other = dice.choice(seeds)
            start = dice.randrange(len(other) + 1)
            mutant[at : at + length] = other[start : start + length]
    return bytes(mutant)


def mutate_value(data: bytes, dice: random.Random) -> bytes | None:
    """Return JSON with some value replaced by one of another type, or None where ``data`` is not JSON."""
    try:
        value = json.loads(data)
    except (ValueError, RecursionError):
        return None
    for _ in range(dice.randint(1, 3)):
        value = replace_somewhere(value, dice)
    try:
        return json.dumps(value, ensure_ascii=dice.random() < 0.5).encode("utf-8", "surrogatepass")
    except ValueError:
        return None


def replace_somewhere(value: Any, dice: random.Random) -> Any:
    if dice.random() < 0.12 or not isinstance(value, (dict, list)) or not value:
        return dice.choice(ODD_VALUES)
    key = dice.choice(list(value)) if isinstance(value, dict) else dice.randrange(len(value))
    copy = dict(value) if isinstance(value, dict) else list(value)
    if dice.random() < 0.1 and isinstance(copy, dict):
        copy[dice.choice(("traceId", "trace_id", "spans", "data", "question", "context", "id"))] = copy.pop(
            key
        )
    else:
        copy[key] = replace_somewhere(copy[key], dice)
    return copy


def mutate_package(data: bytes, dice: random.Random, seeds: list[bytes]) -> bytes:
    """Return a mutant, sometimes wounded inside its compression rather than outside."""
    if data.startswith(b"\x1f\x8b") and dice.random() < 0.5:
        return gzip.compress(mutate_bytes(gzip.decompress(data), dice, seeds), 1)
    if dice.random() < 0.05:
        inner = mutate_bytes(data, dice, seeds)
        return struct.pack(">I", len(inner)) + inner
    return (mutate_value(data, dice) if dice.random() < 0.5 else None) or mutate_bytes(data, dice, seeds)


def check_reading(path: Path) -> None:
    """Read the file to the end and check every value."""
    stats = ReadStats()
    for item in read_items(path, limits=LIMITS, stats=stats):
        if isinstance(item, SpanData):
            check_span(item)
        msgspec.msgpack.encode(item.fields if isinstance(item, PlainRecord) else item)
    assert not stats.rejected["unforeseen"], "a reader met a shape that it should have foreseen"
    for record in read_records(path, limits=LIMITS):
        msgspec.json.encode(record)


def check_span(span: SpanData) -> None:
    for text, size in ((span.trace_id, 32), (span.span_id, 16), (span.parent_span_id or "1" * 16, 16)):
        assert len(text) == size and int(text, 16) > 0 and text == text.lower(), text
    assert span.kind in range(6) and span.status in ("unset", "ok", "error")
    for time_ns in (span.start_ns, span.end_ns):
        assert time_ns is None or 0 < time_ns < 1 << 63
    assert all(type(key) is str for key in span.attributes)


def check_neighbors(path: Path, dice: random.Random, seeds: list[bytes]) -> None:
    """A mutated line costs nothing of the lines around it."""
    before, after = (
        otlp_line(otlp_span(f"{n:032x}", attributes=otlp_attributes(q="Größe"))) for n in (91, 92)
    )
    middle = mutate_package(dice.choice(seeds), dice, seeds).replace(b"\0", b"")
    path.write_bytes(before + b"\n" + middle + b"\n" + after + b"\n")
    found = {}
    for item in read_traces(path, limits=LIMITS):
        if not isinstance(item, PlainRecord):
            found[item.trace_id] = item
    for number in (91, 92):
        (span,) = found[f"{number:032x}"].spans
        assert (span.name, span.attributes, span.start_ns) == (
            "answer",
            {"q": "Größe"},
            1_700_000_000_000_000_000,
        )


def run(mutants: int, seed: int, report: Callable[[str], object] = lambda line: None) -> tuple[float, float]:
    """Try ``mutants`` mutants; return the slowest one's seconds and the growth of memory in MiB."""
    dice = random.Random(seed)
    seeds = make_seeds()
    slowest, grown_from = 0.0, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "mutant")
        for number in range(mutants):
            began = time.process_time()
            try:
                if number % 4 == 3:
                    check_neighbors(path, dice, seeds)
                else:
                    path.write_bytes(mutate_package(dice.choice(seeds), dice, seeds))
                    check_reading(path)
            except Exception:
                kept = Path(tempfile.gettempdir(), f"groundwire-mutant-{seed}-{number}")
                kept.write_bytes(path.read_bytes())
                report(f"mutant {number} of seed {seed} failed; kept as {kept}")
                raise
            slowest = max(slowest, time.process_time() - began)
            if number % 10_000 == 9_999:
                report(f"{number + 1:,} mutants, slowest {slowest:.2f} s")
    return slowest, (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - grown_from) / 1024


def main(mutants: int, seed: int) -> None:
    slowest, grown = run(mutants, seed, print)
    print(f"{mutants:,} mutants (seed {seed}): no crash; slowest {slowest:.3f} s, memory +{grown:.0f} MiB")


if __name__ == "__main__":
    main(int((sys.argv[1:] or ["20000"])[0]), int((sys.argv[2:] or ["1"])[0]))
