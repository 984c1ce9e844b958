"""From files to RagRecords."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest

import groundwire
from groundwire import semconv
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
    named = {"answer": "b", "trace_id": "f" * 32, "span_id": "e" * 16}
    first, second = read_records(write_rows(tmp_path / "rows", {"answer": "a"}, named))
    assert first.provenance["trace_id"] == "derived"
    assert (second.trace_id, second.span_id, second.provenance) == ("f" * 32, "e" * 16, {})


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


def native_span(span_id: str, **attributes: str) -> dict[str, object]:
    pairs = [
        {"key": key.replace("_", "."), "value": {"stringValue": value}} for key, value in attributes.items()
    ]
    return {
        "traceId": span_id * 2,
        "spanId": span_id,
        "name": "span",
        "startTimeUnixNano": "1700000000000000000",
        "attributes": pairs,
    }


def write_spans(path: Path, *spans: dict[str, object]) -> Path:
    return write_rows(path, {"resourceSpans": [{"scopeSpans": [{"spans": list(spans)}]}]})


def answer_span(span_id: str) -> dict[str, object]:
    span = native_span(span_id, groundwire_call="1:94d121f4ea94f083:1")
    message = '[{"role":"assistant","parts":[{"type":"text","content":"Ada."}]}]'
    span["attributes"].append({"key": semconv.OUTPUT_MESSAGES, "value": {"stringValue": message}})
    return span


def feedback_span(span_id: str, about: str) -> dict[str, object]:
    span = native_span(span_id)
    values = {
        semconv.FEEDBACK_TRACE_ID: about * 2,
        semconv.FEEDBACK_SPAN_ID: about,
        semconv.FEEDBACK_LABEL: "good",
    }
    span["attributes"] = [{"key": key, "value": {"stringValue": value}} for key, value in values.items()]
    return span


def test_feedback_finds_its_answer_in_another_trace(tmp_path: Path) -> None:
    """What a person said is joined once, also when its span came twice; without its answer it is counted."""
    answer, other = "a" * 16, "b" * 16
    said = feedback_span("c" * 16, answer)
    path = write_spans(tmp_path / "spans", said, answer_span(answer), said, feedback_span("d" * 16, other))
    stats = ReadStats()
    (record,) = read_records(path, stats=stats)
    assert [feedback.label for feedback in record.feedback] == ["good"]
    assert stats.skipped == {"feedback_without_answer": 1}


def test_an_audit_folder_gives_its_answers_again(tmp_path: Path) -> None:
    """The answers of a log can be scored again, from the log alone."""
    rows = write_rows(tmp_path / "rows", {"question": "Who?", "answer": "Ada.", "contexts": ["Ada."]})
    groundwire.score(rows, out=tmp_path / "audit", settings=groundwire.Settings(), content="keep")
    (record,) = read_records(tmp_path / "audit")
    assert (record.question, record.answer, record.contexts[0].text) == ("Who?", "Ada.", "Ada.")


def test_progress_counts_the_bytes_of_the_files(tmp_path: Path) -> None:
    """At the end the bytes read are the bytes that lie on disk, whatever they expand to."""
    path = tmp_path / "rows.gz"
    path.write_bytes(gzip.compress(b'{"answer": "a"}\n' * 5_000))
    seen: list[int] = []
    list(read_records(path, on_progress=lambda stats: seen.append(stats.source_bytes)))
    assert seen[-1] == path.stat().st_size
    assert seen == sorted(seen)


def test_markers_are_citations_where_none_were_captured(tmp_path: Path) -> None:
    """A record file's `[1]` counts; a known empty list of citations stays empty."""
    source = tmp_path / "records.jsonl"
    rows = [{"answer": "Six [1].", "contexts": ["Six."]}, {"answer": "Six [1].", "citations": []}]
    source.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    found = [record.citations for record in read_records(source)]
    assert sorted(len(citations or ()) for citations in found) == [0, 1]


def test_rows_that_share_a_trace_id_stay_several_answers(tmp_path: Path) -> None:
    """Two rows of one trace id differ in their span ids; equal rows have the same."""
    source = tmp_path / "records.jsonl"
    rows = [{"trace_id": "t1", "answer": answer} for answer in ("Six.", "Seven.", "Six.")]
    source.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    found = {record.answer: record.span_id for record in read_records(source)}
    assert len(set(found.values())) == 2
    assert {record.span_id for record in read_records(source)} == set(found.values())


def test_the_names_of_evaluation_data_sets_are_understood(tmp_path: Path) -> None:
    """`user_input`, `response`, `retrieved_contexts` and `reference` are read as what they are."""
    row = {"user_input": "Who?", "response": "Ada.", "retrieved_contexts": ["Ada."], "reference": "Ada"}
    (record,) = read_records(write_rows(tmp_path / "rows", row))
    assert (record.question, record.answer) == ("Who?", "Ada.")
    assert record.contexts is not None and record.contexts[0].text == "Ada."
    assert record.expected is not None and record.expected.answer == "Ada"
