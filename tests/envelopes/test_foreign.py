"""Files that hold no traces are named once, with what to do."""

from __future__ import annotations

import bz2
import io
import lzma
import pickle
import tarfile
import zipfile
from pathlib import Path

import pytest

from groundwire.envelopes import read_items
from groundwire.span import Rejected


def zipped() -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr("a.jsonl", "{}")
    return file.getvalue()


def tarred() -> bytes:
    file = io.BytesIO()
    with tarfile.open(fileobj=file, mode="w") as archive:
        archive.addfile(tarfile.TarInfo("a.jsonl"))
    return file.getvalue()


FOREIGN = {
    "HTML": (b"<!DOCTYPE html>\n<html><body>Sign in</body></html>\n", "HTML"),
    "XML": (b'<?xml version="1.0"?>\n<testsuite/>\n', "XML"),
    "YAML": (b"receivers:\n  otlp:\n    protocols: {grpc: {}}\n", "YAML"),
    "CSV": (b"a,b\n1,2\n", "columns a, b"),
    "prose": (b"# Title\n\nIt says so [1].\n", "plain text"),
    "PDF": (b"%PDF-1.7\n1 0 obj\n", "PDF"),
    "zip": (zipped(), "zip"),
    "tar": (tarred(), "tar"),
    "bzip2": (bz2.compress(b"{}"), "bzip2"),
    "xz": (lzma.compress(b"{}"), "xz"),
    "pickle": (pickle.dumps({"question": "Who?"}), "pickle"),
    "old pickle": (pickle.dumps(["a"], protocol=2), "pickle"),
    "SQLite": (b"SQLite format 3\0" + bytes(80), "SQLite"),
    "UTF-16": ('{"question": "Who?"}'.encode("utf-16"), "UTF-16"),
    "picture": (b"\x89PNG\r\n\x1a\n" + bytes(40), "picture"),
}


@pytest.mark.parametrize(("data", "named"), FOREIGN.values(), ids=FOREIGN.keys())
def test_a_foreign_file_is_named_once(tmp_path: Path, data: bytes, named: str) -> None:
    """One rejection that says what the file seems to be."""
    (tmp_path / "x").write_bytes(data)
    rejected: list[Rejected] = []
    assert list(read_items(tmp_path / "x", on_reject=rejected.append)) == []
    assert [one.reason for one in rejected] == ["unknown_format"]
    assert named in rejected[0].problem


@pytest.mark.parametrize(
    ("text", "named"), [("{'name': 'ask', 'kind': 1}", "Python"), ("{\n  traceId: 'ab',\n}", "JavaScript")]
)
def test_a_printed_object_says_who_printed_it(tmp_path: Path, text: str, named: str) -> None:
    """What a language prints for an object looks like JSON, and is none."""
    (tmp_path / "x").write_text(text)
    rejected: list[Rejected] = []
    assert list(read_items(tmp_path / "x", on_reject=rejected.append)) == []
    assert rejected[0].reason == "not_json"
    assert named in rejected[0].problem


def test_json_after_other_text_is_read(tmp_path: Path) -> None:
    """A log that holds records among its lines is no foreign file."""
    (tmp_path / "x").write_text('ready, at last\n{"question": "Who?"}\n')
    assert len(list(read_items(tmp_path / "x"))) == 1
