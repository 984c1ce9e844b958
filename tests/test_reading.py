"""From files to RagRecords."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from groundwire.envelopes import ReadStats
from groundwire.errors import EnvelopeError
from groundwire.reading import read_records
from groundwire.span import Rejected


def write_rows(path: Path, *rows: object) -> Path:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


def test_a_record_file_gives_its_records(tmp_path: Path) -> None:
    """Each object of a record file is one record; unknown fields go to its metadata."""
    rows = [{"question": "Who?", "answer": "Ada.", "contexts": ["Ada wrote it."], "split": "dev"}]
    (record,) = read_records(write_rows(tmp_path / "rows", *rows))
    assert (record.question, record.answer, record.contexts[0].text) == ("Who?", "Ada.", "Ada wrote it.")
    assert record.metadata == {"split": "dev"}


def test_records_without_id_get_one_from_their_line(tmp_path: Path) -> None:
    """Equal lines get different ids, which do not depend on the order of the file."""
    rows = [{"answer": "a"}, {"answer": "b"}, {"answer": "a"}]
    forth = [record.trace_id for record in read_records(write_rows(tmp_path / "forth", *rows))]
    back = [record.trace_id for record in read_records(write_rows(tmp_path / "back", *reversed(rows)))]
    assert len(set(forth)) == 3
    assert set(forth) == set(back)
    assert all(len(each) == 32 for each in forth)


def test_a_derived_id_says_so(tmp_path: Path) -> None:
    """The provenance tells an id of the file from one made here."""
    path = write_rows(tmp_path / "rows", {"answer": "a"}, {"answer": "b", "trace_id": "f" * 32})
    first, second = read_records(path)
    assert first.provenance["trace_id"] == "derived"
    assert (second.trace_id, second.provenance) == ("f" * 32, {})


def test_a_row_that_does_not_fit_is_rejected_alone(tmp_path: Path) -> None:
    """A row with a wrong type is counted with its place; the others are read."""
    path = write_rows(tmp_path / "rows", {"answer": "a"}, {"answer": 7}, {"answer": "c"})
    rejected: list[Rejected] = []
    stats = ReadStats()
    records = list(read_records(path, on_reject=rejected.append, stats=stats))
    assert [record.answer for record in records] == ["a", "c"]
    assert [(each.reason, each.origin.line) for each in rejected] == [("bad_record", 2)]
    assert stats.rejected["bad_record"] == 1


@pytest.mark.parametrize("name", ["missing.jsonl", "nothing*.jsonl", "empty"])
def test_a_source_without_files_is_an_error(tmp_path: Path, name: str) -> None:
    """A missing path, a pattern without matches and a folder without files say what was expected."""
    (tmp_path / "empty").mkdir()
    with pytest.raises(EnvelopeError, match="expected"):
        list(read_records(tmp_path / name))
