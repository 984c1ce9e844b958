"""The vocabulary starts over when it is full, and never under somebody who holds codes."""

from __future__ import annotations

from typing import Any

import pytest

from groundwire import RagRecord, grade_record
from groundwire.text import vocabulary
from groundwire.text.vocabulary import VOCABULARY

RECORD: dict[str, Any] = {
    "question": "When does the annex open?",
    "answer": "The annex opens at nine in the morning. It holds 40 maps.",
    "contexts": [{"id": "d1", "text": "The annex opens at 9 in the morning and holds 30 maps."}],
    "citations": [{"quote": "The annex opens at 9 in the morning", "source_id": "d1"}],
}


def test_grades_are_the_same_after_the_vocabulary_started_over(monkeypatch: pytest.MonkeyPatch) -> None:
    """A run of more words than there are codes judges its last record as its first."""
    before = grade_record(RagRecord(**RECORD))
    epoch = VOCABULARY.epoch
    monkeypatch.setattr(vocabulary, "MAX_CODES", 0)
    for _ in range(3):
        assert grade_record(RagRecord(**RECORD)) == before
    assert VOCABULARY.epoch == epoch + 3


def test_a_vocabulary_that_is_in_use_does_not_start_over(monkeypatch: pytest.MonkeyPatch) -> None:
    """Codes mean the same as long as anybody may hold them."""
    monkeypatch.setattr(vocabulary, "MAX_CODES", 0)
    with VOCABULARY.held():
        epoch, code = VOCABULARY.epoch, VOCABULARY.encode("annex")
        with VOCABULARY.held():
            assert (VOCABULARY.epoch, VOCABULARY.encode("annex")) == (epoch, code)
