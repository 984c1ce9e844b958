"""Offload: content goes to a store once per distinct content; a bad store costs the call nothing."""

from __future__ import annotations

import hashlib
import json
import signal
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from groundwire.instrumentation import diagnostics, flush, instrument, offload
from groundwire.testing import CapturedSpans
from instrumentation.processes import run_script

Check = Callable[[int], None]
RESULT = {"answer": "Ada.", "contexts": ["Ada wrote it."], "citations": [{"quote": "Ada", "source_id": "1"}]}


def ask(spans: CapturedSpans, base: str, times: int = 1) -> None:
    @instrument(offload=base, tracer_provider=spans.provider)
    def answer(question: str) -> Any:
        return RESULT

    for _ in range(times):
        answer("Who?")


def test_the_span_refers_to_files_that_hold_the_content(spans: CapturedSpans, tmp_path: Path) -> None:
    """Each reference names a file by its digest, and the file holds what the attribute would have."""
    ask(spans, str(tmp_path))
    assert flush(5)
    found = spans.attributes()
    for name in ("gen_ai.input.messages_ref", "gen_ai.output.messages_ref", "groundwire.citations_ref"):
        content = Path(found[name]).read_bytes()
        assert Path(found[name]).stem == hashlib.sha256(content).hexdigest()
    assert json.loads(Path(found["groundwire.documents_ref"]).read_bytes()) == [{"content": "Ada wrote it."}]
    assert not {"gen_ai.output.messages", "input.value", "output.value"} & found.keys()


def test_equal_content_is_written_once(spans: CapturedSpans, tmp_path: Path) -> None:
    """Ten equal calls leave four files."""
    ask(spans, str(tmp_path), times=10)
    assert flush(5)
    assert len(list(tmp_path.iterdir())) == 4


def test_any_fsspec_url(spans: CapturedSpans) -> None:
    """A store may be any URL that fsspec knows."""
    fsspec = pytest.importorskip("fsspec", reason="pip install 'groundwire[offload]'")
    ask(spans, "memory://traces")
    assert flush(5)
    assert len(fsspec.filesystem("memory").ls("/traces")) == 4


def test_a_store_that_is_down_costs_the_call_nothing(
    spans: CapturedSpans, harmless: Check, tmp_path: Path
) -> None:
    """If nothing can be written, the call and its span are as ever, and the loss is counted."""
    blocked = tmp_path / "file"
    blocked.write_text("no folder")
    before = diagnostics()["lost"].get("offload_failed", 0)
    ask(spans, str(blocked))
    flush(5)
    assert diagnostics()["lost"]["offload_failed"] == before + 4
    assert "gen_ai.output.messages_ref" in spans.attributes()


def test_a_slow_store_is_not_waited_for(
    spans: CapturedSpans, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Calls go on while the store hangs; when its queue is full, content is lost and counted."""
    from threading import Event

    release = Event()
    monkeypatch.setattr(offload, "write_content", lambda *args: release.wait(10))
    monkeypatch.setattr(offload, "MAX_QUEUED_BYTES", 100)
    before = diagnostics()["lost"].get("offload_full", 0)
    ask(spans, str(tmp_path / "slow"), times=3)
    assert len(spans.spans) == 3
    assert not flush(0.01)
    assert diagnostics()["lost"]["offload_full"] > before
    release.set()
    assert flush(5)


def test_a_full_disk_keeps_no_half_of_a_file(spans: CapturedSpans, tmp_path: Path) -> None:
    """What could not be written whole is not there at all, and what fits later is written."""
    import resource

    before = diagnostics()["lost"].get("offload_failed", 0)
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    ignored = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    try:
        resource.setrlimit(resource.RLIMIT_FSIZE, (8, hard))
        ask(spans, str(tmp_path))
        flush(5)
        assert diagnostics()["lost"]["offload_failed"] > before
        assert [path for path in tmp_path.iterdir() if path.suffix == ".part"] == []
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
        signal.signal(signal.SIGXFSZ, ignored)
    ask(spans, str(tmp_path))
    assert flush(5)
    assert len(list(tmp_path.glob("*.json"))) == 4


def test_a_store_that_panics_does_not_stop_the_writing(
    spans: CapturedSpans, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Stores written in Rust raise what is no Exception."""
    write, panics = offload.write_content, ["once"]

    def panic(*args: Any) -> None:
        if panics.pop() if panics else None:
            raise GeneratorExit
        write(*args)

    monkeypatch.setattr(offload, "write_content", panic)
    ask(spans, str(tmp_path))
    assert flush(5)
    assert len(list(tmp_path.glob("*.json"))) == 3


def test_what_a_slow_store_has_not_taken_at_the_exit_is_counted(tmp_path: Path) -> None:
    """The exit waits for a bounded time, and says what it left."""
    done = run_script(
        """
import atexit, sys, time
from groundwire import diagnostics, instrument
from groundwire.testing import capture_spans
atexit.register(lambda: print(diagnostics()["lost"]))
from groundwire.instrumentation import offload
offload.EXIT_SECONDS = 0.05
offload.write_content = lambda *args: time.sleep(30)
spans = capture_spans()
@instrument(offload=sys.argv[1], tracer_provider=spans.provider)
def answer(question):
    return "Ada"
answer("Who?")
""",
        tmp_path / "slow",
    )
    assert (done.stderr, done.stdout.strip()) == ("", "{'offload_failed': 2}")
