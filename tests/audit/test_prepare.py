import pickle

import orjson
import pytest
from hypothesis import given, strategies as st
from msgspec import convert

from audit.samples import answer, grades, salts
from groundwire.audit import prepare, rag_record
from groundwire.audit.digests import commitment
from groundwire.audit.schema import Graded
from groundwire.grade import Basis, Evidence, Grade, Outcome
from groundwire.record import RagRecord, RetrievedContext

TEXT = st.text(st.characters()) | st.none()
RECORDS = st.builds(
    RagRecord,
    question=TEXT,
    answer=TEXT,
    error=TEXT,
    model=TEXT,
    service=TEXT,
    trace_id=TEXT,
    span_id=TEXT,
    finish_reason=TEXT,
    conversation_id=TEXT,
    contexts=st.none()
    | st.lists(st.builds(RetrievedContext, id=TEXT, text=TEXT, score=st.floats()), max_size=3),
    started_at_ns=st.none() | st.integers(0, 2**63),
    latency_ns=st.none() | st.integers(-(2**70), 2**70),
    metadata=st.dictionaries(
        st.text(), st.floats() | st.integers() | TEXT | st.binary(max_size=3), max_size=3
    ),
)


def as_record(prepared, **more):
    members = {name: orjson.loads(value) for name, value in prepared.members.items()}
    extra = {
        "seq": 0,
        "recorded_at": "x",
        "prev": "0" * 64,
        "hash": "0" * 64,
        "record_id": prepared.record_id,
    }
    return convert({**members, **extra, **more}, Graded)


def test_the_commitment_of_the_published_vector():
    """A commitment is SHA-256 over tag, salt and the canonical [name, value]."""
    made = commitment(bytes(range(32)), b'"answer"', b'"My SSN is 078-05-1120"')
    assert made == "d0d4584cc8884a36572eda744e3db9b539b0f706d7ed09ff651560badacde2b7"


def test_content_opens_the_commitments():
    """What lies in the content file leads to the commitments in the record."""
    prepared = prepare(answer(), grades(), keep_content=True, salts=salts())
    slots = orjson.loads(prepared.members["inputs"])
    field = orjson.loads(prepared.content)["fields"]["answer"]
    value = orjson.dumps(field["value"])
    assert commitment(bytes.fromhex(field["salt"]), b'"answer"', value) == slots["answer"]["commit"]


def test_an_answer_comes_back_as_it_was():
    """Record and content together give the answer that was graded."""
    original = answer(3)
    prepared = prepare(original, grades(), keep_content=True)
    fields = orjson.loads(prepared.content)["fields"]
    assert (
        rag_record(as_record(prepared), {name: field["value"] for name, field in fields.items()}) == original
    )


@given(RECORDS)
def test_any_answer_can_be_prepared(record):
    """No text, number or name of a trace makes it fail, and the record fits the schema."""
    prepared = prepare(record, grades(), keep_content=True)
    assert as_record(prepared).record_id == prepared.record_id
    assert orjson.loads(prepared.content)["schema"] == "groundwire.audit.content/v1"


@given(RECORDS)
def test_the_id_does_not_depend_on_salts(record):
    """Preparing the same answer twice gives the same record_id and other commitments."""
    first, second = (prepare(record, grades(), keep_content=True) for _ in range(2))
    assert first.record_id == second.record_id
    assert first.members["inputs"] != second.members["inputs"]


@pytest.mark.parametrize(
    "changed",
    [
        prepare(answer(answer="Longer than before, much longer"), grades(), keep_content=False),
        prepare(answer(), grades(Outcome.FAIL), keep_content=False),
        prepare(answer(), grades(version="2"), keep_content=False),
        prepare(answer(span_id="ff" * 8), grades(), keep_content=False),
        prepare(answer(contexts=[]), grades(), keep_content=False),
        prepare(answer(), grades()[:1], keep_content=False),
    ],
)
def test_the_id_changes_with_what_is_said(changed):
    """Another input, grader, version or verdict is another statement."""
    assert changed.record_id != prepare(answer(), grades(), keep_content=False).record_id


def test_the_order_of_grades_does_not_matter():
    """Graders may run in any order."""
    ways = (grades(), grades()[::-1])
    assert len({prepare(answer(), way, keep_content=False).record_id for way in ways}) == 1


def test_nothing_is_committed_without_content():
    """Where no content is kept there is no digest at all: it could be guessed, and never be checked."""
    prepared = prepare(answer(), grades(), keep_content=False)
    assert prepared.content is None
    assert b"commit" not in prepared.members["inputs"]


def test_prepared_survives_pickling():
    """Workers may be other processes."""
    prepared = prepare(answer(), grades(), keep_content=True)
    assert pickle.loads(pickle.dumps(prepared)) == prepared


def test_foreign_objects_in_metadata_are_no_obstacle():
    """A record that was built by hand may hold anything: what has no JSON form is named by its type."""
    record = answer(
        metadata={"thing": object(), "when": {1, 2}}, contexts=[RetrievedContext(metadata={"x": object()})]
    )
    content = orjson.loads(prepare(record, grades(), keep_content=True).content)["fields"]
    assert content["details"]["value"]["metadata"]["thing"] == "<object>"
    assert content["contexts.0"]["value"]["metadata"]["x"] == "<object>"


def test_scores_are_decimal_strings_and_never_nan():
    """A score that is not finite is left out: a missing thing is not a number."""
    grade = Grade(
        name="x", outcome=Outcome.MEASURED, basis=Basis.CHECKED, grader_version="1", score=float("nan"),
        evidence=(Evidence(score=1e-7),),
    )  # fmt: skip
    result = orjson.loads(prepare(answer(), [grade], keep_content=False).members["results"])[0]
    assert "score" not in result
    assert result["evidence"] == [{"score": "0.0000001"}]
