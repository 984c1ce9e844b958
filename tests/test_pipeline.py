"""The pipeline: equal runs, reproducible logs, and sentences for bad input."""

from __future__ import annotations

import gc
import json
import random
from pathlib import Path

import pytest
from opentelemetry.exporter.otlp.proto.common.trace_encoder import encode_spans

from groundwire import instrument
from groundwire.cli.frame import run
from groundwire.pipeline import score
from groundwire.settings import Settings
from groundwire.testing import capture_spans

OTHER_SPAN = (
    b'{"resourceSpans":[{"scopeSpans":[{"spans":[{"traceId":"0102030405060708090a0b0c0d0e0f10",'
    b'"spanId":"0102030405060708","name":"GET /"}]}]}]}\n'
)
FIXED = {"run_id": "fixed", "recorded_at": "2026-01-02T03:04:05.000Z"}


def _write_records(path: Path, count: int = 7) -> Path:
    rows = [
        {
            "question": f"What does stall {n} cost?",
            "answer": f"Stall {n} costs {n + 30} crowns.",
            "contexts": [{"id": "fees", "text": f"Stall {n} costs {n + 30 + n % 2} crowns a year."}],
            "citations": [{"quote": f"Stall {n} costs", "source_id": "fees"}],
            "trace_id": f"{n + 1:032x}",
            "started_at_ns": 1_700_000_000_000_000_000 + n,
        }
        for n in range(count)
    ]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


def _comparable(log: Path) -> list[dict[str, object]]:
    def strip(value: object) -> object:
        if isinstance(value, dict):
            left_out = ("recorded_at", "run_id", "commit", "prev", "hash")
            return {k: strip(v) for k, v in value.items() if k not in left_out}
        return [strip(item) for item in value] if isinstance(value, list) else value

    lines = (log / "records.jsonl").read_text(encoding="utf-8").splitlines()
    return [strip(json.loads(line)) for line in lines]  # type: ignore[misc]


def test_two_runs_are_equal_whatever_the_order_of_the_lines(tmp_path: Path) -> None:
    """Records are the same after removing times, run ids, commitments and hashes."""
    (tmp_path / "a").mkdir()
    first = _write_records(tmp_path / "a" / "traces.jsonl")
    lines = first.read_text(encoding="utf-8").splitlines(keepends=True)
    random.Random(3).shuffle(lines)
    (tmp_path / "b").mkdir()
    second = tmp_path / "b" / "traces.jsonl"
    second.write_text("".join(lines), encoding="utf-8")
    for name, source in (("one", first), ("two", second)):
        score(source, out=tmp_path / name, settings=Settings(), content="keep")
    assert _comparable(tmp_path / "one") == _comparable(tmp_path / "two")


def test_native_traces_are_equal_whatever_the_order_of_their_spans(tmp_path: Path) -> None:
    """Spans of decorated calls, one a line and shuffled, give the same records."""
    with capture_spans() as captured:

        @instrument(tracer_provider=captured.provider)
        def answer(question: str) -> dict[str, object]:
            return {"answer": "Six.", "contexts": ["Six."]}

        for number in range(6):
            answer(f"What does stall {number} cost?")
        lines = [encode_spans([span]).SerializeToString() for span in captured.spans]
    for name in ("forth", "back"):
        (tmp_path / f"{name}.pb").write_bytes(b"".join(len(x).to_bytes(4, "big") + x for x in lines))
        score(tmp_path / f"{name}.pb", out=tmp_path / name, settings=Settings(), content="keep")
        lines.reverse()
    assert len(_comparable(tmp_path / "forth")) == 8
    assert _comparable(tmp_path / "forth") == _comparable(tmp_path / "back")


def test_without_content_and_with_fixed_time_and_run_id_logs_are_byte_identical(tmp_path: Path) -> None:
    """Nothing random enters a log that keeps no content."""
    source = _write_records(tmp_path / "traces.jsonl")
    for name in ("one", "two"):
        score(source, out=tmp_path / name, settings=Settings(), content="none", **FIXED)  # type: ignore[arg-type]
    first, second = ((tmp_path / name / "records.jsonl").read_bytes() for name in ("one", "two"))
    assert first == second


def test_scoring_the_same_file_twice_adds_nothing(tmp_path: Path) -> None:
    """The second run finds every record known."""
    source = _write_records(tmp_path / "traces.jsonl")
    once = score(source, out=tmp_path / "log", settings=Settings(), content="keep")
    again = score(source, out=tmp_path / "log", settings=Settings(), content="keep")
    assert once.written is not None and again.written is not None
    assert (once.written.added, again.written.added, again.written.known) == (7, 0, 7)


@pytest.mark.parametrize(
    ("name", "content", "code", "expected"),
    [
        ("missing.jsonl", None, 2, "missing.jsonl"),
        ("binary.bin", bytes(range(7, 256)) * 40, 2, "binary.bin"),
        ("empty.jsonl", b"", 3, "no answered question"),
        ("garbage.jsonl", b"this is no JSON\n", 2, "garbage.jsonl"),
        ("cut.jsonl", b'{"question": "Who?", "answ', 3, "no answered question"),
        ("other.jsonl", OTHER_SPAN, 3, "groundwire inspect"),
    ],
)
def test_bad_input_gets_a_sentence_and_a_code(
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    name: str,
    content: bytes | None,
    code: int,
    expected: str,
) -> None:
    """Where, what and what to do; never a traceback."""
    if content is not None:
        (tmp_path / name).write_bytes(content)
    assert run(["score", str(tmp_path / name)]) == code
    captured = capsys.readouterr()
    assert expected in captured.out + captured.err
    assert "Traceback" not in captured.err


def test_a_folder_without_traces_says_so(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """An empty folder is unreadable input."""
    assert run(["score", str(tmp_path)]) == 2
    assert str(tmp_path) in capsys.readouterr().err


def test_a_garbage_line_among_good_ones_is_counted_and_the_rest_graded(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """One bad line costs one line, and --strict makes it count."""
    source = _write_records(tmp_path / "traces.jsonl", count=2)
    source.write_bytes(source.read_bytes() + b"garbage\n")
    assert run(["score", str(source)]) == 0
    assert "traces.jsonl:3" in capsys.readouterr().out
    assert run(["score", "--strict", str(source)]) == 3


def test_fail_on_turns_a_failing_grade_into_exit_1(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Measuring is not failing, unless a verdict was asked for; a mistyped grade is a usage error."""
    source = _write_records(tmp_path / "traces.jsonl")
    assert run(["score", str(source)]) == 0
    assert run(["score", str(source), "--fail-on", "groundedness"]) == 1
    assert run(["score", str(source), "--fail-on", "groundednes"]) == 2
    assert "no such grade" in capsys.readouterr().err


def test_ci_keeps_no_content_and_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Production text does not land in CI artifacts by default."""
    monkeypatch.setenv("CI", "true")
    source = _write_records(tmp_path / "traces.jsonl")
    assert run(["score", str(source), "-o", str(tmp_path / "log")]) == 0
    assert "CI=true" in capsys.readouterr().err
    assert b"crowns" not in (tmp_path / "log" / "records.jsonl").read_bytes()


def test_a_library_call_leaves_the_garbage_collector_alone(tmp_path: Path) -> None:
    """The threshold is the process's: only the command line sets it, and puts it back."""
    traces = tmp_path / "records.jsonl"
    traces.write_text('{"question": "Who?", "answer": "Ada.", "contexts": ["Ada wrote it."]}\n')
    before, seen = gc.get_threshold(), list[tuple[int, int, int]]()
    score(traces, on_graded=lambda record, grades: seen.append(gc.get_threshold()))
    assert seen == [before] and gc.get_threshold() == before
