"""Which files a user means."""

from __future__ import annotations

import io
import os
import sys
from pathlib import Path

import pytest

from envelopes.otlp_lines import TRACE, otlp_line
from groundwire.envelopes import ReadStats, expand_sources, read_items, read_traces
from groundwire.errors import EnvelopeError, MissingExtraError


def make_files(folder: Path, *names: str) -> None:
    for name in names:
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(otlp_line() + b"\n")


def test_a_folder_stands_for_all_files_below_it(tmp_path: Path) -> None:
    """Files of any name are taken, sorted; hidden ones are not."""
    make_files(tmp_path, "b.bin", "a/deep/x.jsonl", ".hidden", ".git/config")
    found = expand_sources(tmp_path)
    assert [Path(path).relative_to(tmp_path).as_posix() for path in found] == ["a/deep/x.jsonl", "b.bin"]


def test_a_file_that_is_named_twice_is_read_once(tmp_path: Path) -> None:
    """Overlapping patterns, folders and hard links do not count a file twice."""
    make_files(tmp_path, "a.jsonl")
    os.link(tmp_path / "a.jsonl", tmp_path / "b.jsonl")
    assert len(expand_sources([tmp_path, tmp_path / "*.jsonl", tmp_path / "a.jsonl"])) == 1


def test_patterns_may_span_folders(tmp_path: Path) -> None:
    """Two stars match any depth."""
    make_files(tmp_path, "x/a.jsonl", "x/y/b.jsonl", "x/c.txt")
    assert len(expand_sources(str(tmp_path / "**" / "*.jsonl"))) == 2


def test_an_audit_folder_is_no_folder_of_traces(tmp_path: Path) -> None:
    """Below a folder of traces it is left out; named itself it is passed on whole."""
    make_files(tmp_path, "traces.jsonl", "audit/records.jsonl", "audit/manifests/1.json")
    assert [Path(path).name for path in expand_sources(tmp_path)] == ["traces.jsonl"]
    assert expand_sources(tmp_path / "audit") == [str(tmp_path / "audit")]
    stats = ReadStats()
    assert list(read_traces(tmp_path / "audit", stats=stats)) == []
    assert stats.rejected == {"audit_folder": 1}


@pytest.mark.parametrize("name", ["missing/deep.jsonl", "missing.jsonl", "*.none", "empty"])
def test_what_is_not_there_says_how_to_mend_it(tmp_path: Path, name: str) -> None:
    """The error names the place, what was expected, and what to do."""
    (tmp_path / "empty").mkdir()
    with pytest.raises(EnvelopeError) as caught:
        expand_sources(tmp_path / name)
    problem = caught.value
    assert problem.where == str(tmp_path / name)
    assert problem.expected
    assert problem.mend


def test_no_source_at_all_is_an_error() -> None:
    """An empty list is not silently nothing."""
    with pytest.raises(EnvelopeError, match="no source"):
        expand_sources([])


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read every file")
def test_a_file_that_may_not_be_read_is_named(tmp_path: Path) -> None:
    """A permission problem is an error with the path, not a traceback."""
    make_files(tmp_path, "a.jsonl")
    (tmp_path / "a.jsonl").chmod(0)
    with pytest.raises(EnvelopeError, match=r"a\.jsonl: can not be opened"):
        list(read_items(tmp_path / "a.jsonl"))


class Piped:
    """A stand-in for ``sys.stdin`` with bytes behind it."""

    def __init__(self, data: bytes) -> None:
        self.buffer = io.BytesIO(data)


def test_stdin_is_read_and_left_open(monkeypatch: pytest.MonkeyPatch) -> None:
    """A dash reads what is piped in, whatever its format."""
    piped = Piped(otlp_line())
    monkeypatch.setattr(sys, "stdin", piped)
    (span,) = read_items("-")
    assert (span.trace_id, span.origin.path, piped.buffer.closed) == (TRACE, "-", False)


def test_urls_are_read_through_fsspec() -> None:
    """Any store that fsspec knows can be read, patterns too."""
    fsspec = pytest.importorskip("fsspec", reason="pip install 'groundwire[offload]'")
    with fsspec.open("memory://read-by-url/a.jsonl", "wb") as file:
        file.write(otlp_line())
    for source in ("memory://read-by-url/a.jsonl", "memory://read-by-url/*.jsonl"):
        (span,) = read_items(source)
        assert span.trace_id == TRACE


def test_a_url_without_fsspec_names_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    """The error carries the line that installs what is missing."""
    monkeypatch.setitem(sys.modules, "fsspec", None)
    with pytest.raises(MissingExtraError, match=r"groundwire\[offload\]"):
        list(read_items("s3://bucket/traces.jsonl"))


def test_a_folder_that_may_not_be_listed_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Answers below a closed folder are not left out in silence, and no file is named that nobody knows."""
    make_files(tmp_path, "a.jsonl", "closed/b.jsonl")
    scandir = os.scandir

    def refuse(path: str) -> object:
        if Path(path).name == "closed":
            raise PermissionError(13, "Permission denied", str(path))
        return scandir(path)

    monkeypatch.setattr(os, "scandir", refuse)
    with pytest.raises(EnvelopeError, match=r"closed: can not be opened, got Permission denied. Check"):
        expand_sources(tmp_path)


def test_a_closed_stdin_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    """Started without a standard input, the dash names nothing."""
    monkeypatch.setattr(sys, "stdin", None)
    with pytest.raises(EnvelopeError, match="-: can not be opened, got a closed stdin"):
        list(read_items("-"))
