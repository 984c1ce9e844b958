"""CSV tables: what is read, and what is refused with its columns named."""

from __future__ import annotations

import csv
import gzip
import io
from pathlib import Path
from typing import Any

import pytest

from groundwire.envelopes import ReadStats, read_items
from groundwire.reading import read_records
from groundwire.record import RagRecord
from groundwire.span import Rejected

ANSWER = 'Ada "the first".\nShe did.'
ASKED = {"question": "Who, then?", "answer": ANSWER, "contexts": "['It was Ada.', 'So it was.']"}


def table(*rows: dict[str, Any], delimiter: str = ",") -> str:
    text = io.StringIO()
    writer = csv.DictWriter(text, list(rows[0]), delimiter=delimiter)
    writer.writeheader()
    writer.writerows(rows)
    return text.getvalue()


def read(tmp_path: Path, data: str) -> tuple[list[RagRecord], list[Rejected]]:
    path = tmp_path / "table.csv"
    path.write_bytes(data.encode())
    rejected: list[Rejected] = []
    return list(read_records(path, on_reject=rejected.append)), rejected


@pytest.mark.parametrize("delimiter", [",", ";", "\t"])
def test_a_table_of_records(tmp_path: Path, delimiter: str) -> None:
    """Cells may hold delimiters, quotes and line ends; lists stand as JSON or as Python prints them."""
    other = {**ASKED, "contexts": '["It was Ada."]'}
    records, rejected = read(tmp_path, table(ASKED, other, delimiter=delimiter))
    assert rejected == []
    assert [record.answer for record in records] == [ANSWER] * 2
    assert [len(record.contexts or ()) for record in records] == [2, 1]


def test_an_empty_cell_is_not_known(tmp_path: Path) -> None:
    """It is neither an empty text nor zero; a number of nanoseconds is a number."""
    rows = (
        {**ASKED, "model": "", "latency_ns": "", "abstained": ""},
        {**ASKED, "model": "m", "latency_ns": "12", "abstained": "False"},
    )
    (first, second), _ = read(tmp_path, table(*rows))
    assert (first.model, first.latency_ns, first.abstained) == (None, None, None)
    assert (second.model, second.latency_ns, second.abstained) == ("m", 12, False)


def test_langfuse_observations(tmp_path: Path) -> None:
    """The blob export as CSV gives what its JSON gives: input and output stay text."""
    shared = {"trace_id": "ab" * 16, "name": "n", "level": "DEFAULT", "environment": "default"}
    answer = {"output": "Ada did it, I think.", "metadata": "{}", **shared}
    rows = [
        {"id": "o1", "type": "SPAN", "parent_observation_id": "", "input": '{"question": "Who?"}',
         "start_time": "2026-01-05 10:00:00.000000", "end_time": "2026-01-05 10:00:01.000000",
         "usage_details": "{}", **answer},
        {"id": "o2", "type": "GENERATION", "parent_observation_id": "o1",
         "input": '[{"role": "user", "content": "Who?"}]',
         "start_time": "2026-01-05 10:00:00.100000", "end_time": "2026-01-05 10:00:00.900000",
         "usage_details": '{"input": 7, "output": 2}', **answer},
    ]  # fmt: skip
    (record,), rejected = read(tmp_path, "\ufeff" + table(*rows))
    assert (rejected, record.question, record.answer) == ([], "Who?", "Ada did it, I think.")
    assert record.usage is not None and record.usage.input_tokens == 7


def test_a_compressed_table(tmp_path: Path) -> None:
    """What is in a gzip file is looked at as if it lay there itself; both formats are counted."""
    path = tmp_path / "x"
    path.write_bytes(gzip.compress(table(ASKED).encode()))
    stats = ReadStats()
    assert len(list(read_items(path, stats=stats))) == 1
    assert set(stats.formats) == {"gzip", "csv", "records"}


def test_a_row_of_another_width_costs_only_itself(tmp_path: Path) -> None:
    """It is named with its line; the rows around it are read."""
    text = table(ASKED) + "only,two\r\n" + table(ASKED).partition("\n")[2]
    records, (rejected,) = read(tmp_path, text)
    assert (len(records), rejected.reason, rejected.origin.line) == (2, "bad_row", 4)


def test_a_table_of_something_else_is_named_with_its_columns(tmp_path: Path) -> None:
    """One rejection for the whole file, not one a line."""
    _, (rejected,) = read(tmp_path, "day,visits\n1,20\n2,30\n")
    assert (rejected.reason, rejected.origin.line) == ("unknown_format", None)
    assert "day, visits" in rejected.problem


@pytest.mark.parametrize(
    "cell",
    [
        r'["It was Ada.\ud800"]',
        "['It was Ada.\\ud800']",
        "[123456789012345678901234567890, 'It was Ada.']",
        "[1e999, NaN, 'It was Ada.']",
        "[3j, 'It was Ada.']",
        "[{'It was Ada.', 'So it was.'}]",
        "[b'It was Ada.']",
        "{(1, 2): 'It was Ada.'}",
        "[" * 400 + "]" * 400,
    ],
)
def test_what_has_no_place_in_json_costs_nothing_else(tmp_path: Path, cell: str) -> None:
    """A cell may print what JSON can not hold; its row and the others are read."""
    records, rejected = read(tmp_path, table({**ASKED, "tags": cell}, {**ASKED, "contexts": cell}, ASKED))
    assert rejected == [] or {r.reason for r in rejected} <= {"bad_record"}
    assert [r.answer for r in records][-1] == ANSWER
    assert len(records) + len(rejected) == 3
