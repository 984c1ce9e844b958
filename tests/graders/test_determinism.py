"""The same record gets the same grades, whatever was graded before and on how many threads."""

from __future__ import annotations

import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import pytest

from groundwire.graders import grade_record
from groundwire.record import RagRecord

PROGRAM = """
import sys
from groundwire.graders import grade_record
from groundwire.record import RagRecord
for text in sys.argv[1:]:
    grade_record(RagRecord(answer=text, contexts=[text]))
record = RagRecord(question="What does it produce?", answer="The mill produces nails.",
                   contexts=["The mill produces flour. The forge produces nails."])
print([(g.name, str(g.outcome), g.label, g.evidence) for g in grade_record(record)])
"""
NOUNS = (
    "mill forge quay pier barge lantern anchor tiller rudder mooring harbor ferry dredger lighthouse".split()
)


def _grade_after(*texts: str) -> str:
    command = [sys.executable, "-c", PROGRAM, *texts]
    return subprocess.run(command, capture_output=True, text=True, check=True, timeout=120).stdout


@pytest.mark.parametrize("text", ["Forge nails.", "Nails produce flour; a forge mills."])
def test_what_was_graded_before_changes_nothing(text: str) -> None:
    """Ties are settled by what the texts say, never by which words were seen first."""
    assert _grade_after(text) == _grade_after()


def test_threads_do_not_disturb_one_another() -> None:
    """Grading on four threads gives what grading one after the other gives."""
    records = [
        RagRecord(
            answer=f"The {noun} was {verb} in 18{n:02}. Its {noun}s are {verb} yearly.",
            contexts=[f"The old {noun} was {verb} in 18{n:02} and its owners keep {verb.upper()} it."],
        )
        for n, noun in enumerate(NOUNS)
        for verb in ("repaired", "inspected", "painted")
    ]
    serial = [grade_record(record) for record in records]
    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(grade_record, records)) == serial
