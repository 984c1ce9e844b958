"""Record files: their own names, those of evaluation data sets, and tables by column."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from groundwire.reading import read_records
from groundwire.record import RagRecord, RetrievedContext
from groundwire.span import Rejected

TEXTS = ["It was Ada.", "So it was."]
PLAIN = tuple(RetrievedContext(text=text) for text in TEXTS)


def read(tmp_path: Path, value: Any) -> list[RagRecord]:
    (tmp_path / "a.json").write_text(json.dumps(value))
    rejected: list[Rejected] = []
    records = list(read_records(tmp_path / "a.json", on_reject=rejected.append))
    assert rejected == []
    return records


NAMES: dict[str, dict[str, Any]] = {
    "our own": {"question": "Who?", "answer": "Ada.", "contexts": TEXTS, "expected": {"answer": "Ada L."}},
    "RAGAS": {"user_input": "Who?", "response": "Ada.", "retrieved_contexts": TEXTS, "reference": "Ada L."},
    "older RAGAS": {"question": "Who?", "answer": "Ada.", "contexts": TEXTS, "ground_truths": ["Ada L."]},
    "DeepEval": {
        "input": "Who?", "actual_output": "Ada.", "retrieval_context": TEXTS, "expected_output": "Ada L.",
    },
    "a reference as text": {"question": "Who?", "answer": "Ada.", "contexts": TEXTS, "expected": "Ada L."},
}  # fmt: skip


@pytest.mark.parametrize("row", NAMES.values(), ids=NAMES.keys())
def test_data_sets_call_the_same_things_by_other_names(tmp_path: Path, row: dict[str, Any]) -> None:
    """Question, answer, contexts and reference answer arrive under any of them."""
    (record,) = read(tmp_path, row)
    assert (record.question, record.answer, record.contexts) == ("Who?", "Ada.", PLAIN)
    assert record.expected is not None and record.expected.answer == "Ada L."


def test_a_chains_result_keeps_what_its_documents_know(tmp_path: Path) -> None:
    """Documents in a framework's shape are passages with their own text, id and source."""
    documents = [{"page_content": TEXTS[0], "metadata": {"source": "a.md"}, "id": "d1"}]
    (record,) = read(tmp_path, {"query": "Who?", "result": "Ada.", "source_documents": documents})
    assert record.contexts is not None
    assert (record.contexts[0].id, record.contexts[0].text, record.contexts[0].uri) == (
        "d1",
        TEXTS[0],
        "a.md",
    )


def test_contexts_with_fields_of_their_own_stay_as_they_are(tmp_path: Path) -> None:
    """One without a text, too: its digest and its label are kept."""
    given = [{"id": "a", "digest": "sha256:00", "length": 3, "access": "unauthorized"}]
    (record,) = read(tmp_path, {"question": "Who?", "answer": "Ada.", "contexts": given})
    assert record.contexts == (RetrievedContext(**given[0]),)


COLUMNS: dict[str, Any] = {
    "lists": {"question": ["Who?", "When?"], "answer": ["Ada.", "1843."], "contexts": [TEXTS, []]},
    "a data frame's default": {
        "question": {"0": "Who?", "1": "When?"},
        "answer": {"0": "Ada.", "1": "1843."},
        "contexts": {"0": TEXTS, "1": []},
    },
}


@pytest.mark.parametrize("columns", COLUMNS.values(), ids=COLUMNS.keys())
def test_a_table_by_columns_is_as_many_records_as_it_has_rows(tmp_path: Path, columns: Any) -> None:
    """Each row with the values at its place."""
    first, second = read(tmp_path, columns)
    assert (first.question, first.contexts) == ("Who?", PLAIN)
    assert (second.question, second.answer, second.contexts) == ("When?", "1843.", ())
