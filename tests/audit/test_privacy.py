import pytest

from audit.samples import TIME, answer, grades, manifest, write_log
from groundwire.audit import AuditLog, InputFile, RunManifest
from groundwire.audit.append import Writing, review
from groundwire.audit.erase import erase
from groundwire.audit.render import render_entry, render_verification
from groundwire.errors import GroundwireError
from groundwire.grade import Basis, Evidence, Grade, Outcome
from groundwire.record import Expected, Feedback, RetrievedContext

PERSON = "Ada Lovelace 555-0199"
MAIL = "ada.lovelace@example.org"
BOTH = f"{PERSON} {MAIL}"
FIXED = Writing(recorded_at=TIME)


def planted():
    """An answer with personal data wherever a trace can hold any."""
    return answer(
        question=BOTH,
        answer=BOTH,
        contexts=[
            RetrievedContext(id=MAIL, text=BOTH, title=PERSON, uri=f"file:///home/{MAIL}", metadata={MAIL: 1})
        ],
        citations=[{"quote": BOTH, "source_id": MAIL, "claim": PERSON}],
        history=[{"role": "user", "content": BOTH}],
        error=f"ValueError: no account for {BOTH}",
        model=MAIL,
        provider=MAIL,
        service=f"inbox of {MAIL}",
        environment=MAIL,
        prompt_id=MAIL,
        finish_reason=PERSON,
        status=PERSON,
        conversation_id=MAIL,
        subject_id=MAIL,
        tenant=PERSON,
        tags={"owner": BOTH, MAIL: "x"},
        expected=Expected(answer=BOTH),
        feedback=[Feedback(comment=BOTH, label=PERSON)],
        provenance={"answer": BOTH},
        completeness={"answer": PERSON, MAIL: "x"},
        metadata={"note": BOTH},
    )


def told():
    """Grades whose maker was careless."""
    return [
        Grade(
            name="check.mine", outcome=Outcome.FAIL, basis=Basis.CHECKED, grader_version="1",
            explanation=f"{BOTH} was named", label=PERSON, evidence=(Evidence(label=MAIL, answer_start=0),),
        ),
        *grades(),
    ]  # fmt: skip


def says():
    """A manifest of a run over files that are named after people."""
    return manifest(
        inputs=(InputFile(name=f"/home/{MAIL}/{PERSON}.jsonl", sha256="ab" * 32),),
        command=("groundwire", "score", f"/home/{MAIL}"),
        config={"allow": [MAIL, PERSON]},
        selector=f"subject={MAIL}",
    )


@pytest.fixture(params=["keep", "none"])
def log(request, tmp_path):
    write_log(tmp_path, [planted(), answer(1)], judged=told(), says=says(), content=request.param)
    return tmp_path


def outside_of_content(log):
    return [
        path for path in log.rglob("*") if path.is_file() and "content" not in path.relative_to(log).parts
    ]


def test_no_personal_data_stands_in_the_log(log):
    """Not in records, manifests, checkpoints, schemas; with or without content."""
    record = next(AuditLog.open(log).records())
    review(
        log,
        about=record.record_id,
        grade="latency",
        outcome="pass",
        actor="R. Viewer",
        comment=BOTH,
        writing=FIXED,
    )
    for path in outside_of_content(log):
        data = path.read_bytes()
        assert PERSON.encode() not in data, path
        assert MAIL.encode() not in data, path


def test_no_personal_data_is_printed_by_verify(log):
    """Nor in the report, whatever is wrong with the log."""
    texts = [render_verification(AuditLog.open(log).verify(), "log")]
    for path in log.glob("content/*/*.json"):
        path.write_bytes(path.read_bytes().replace(b"Ada", b"Eve"))
    texts.append(render_verification(AuditLog.open(log).verify(), "log"))
    texts += [render_entry(entry) for entry in AuditLog.open(log).entries()]
    assert not any(PERSON in text or MAIL in text for text in texts)


def test_errors_hold_no_content(log):
    """A message about a file names its id, not what is in it."""
    for path in log.glob("content/*/*.json"):
        path.write_bytes(path.read_bytes()[:-10])
    for record in AuditLog.open(log).records():
        try:
            AuditLog.open(log).answer(record)
        except GroundwireError as error:
            assert MAIL not in str(error)
            assert PERSON not in str(error)


def test_without_content_nothing_is_kept_anywhere(tmp_path):
    """--content none: not even a digest that a guess could be tested against."""
    write_log(tmp_path, [planted()], judged=told(), says=says(), content="none")
    assert not (tmp_path / "content").exists()
    data = b"".join(path.read_bytes() for path in tmp_path.rglob("*") if path.is_file())
    assert MAIL.encode() not in data
    assert b"sha256-salted" not in (tmp_path / "records.jsonl").read_bytes()


def test_a_record_does_not_change_with_an_equally_long_text(tmp_path):
    """Nothing in plain form depends on the words, so no guess at an erased text can be tested."""
    first, second = answer(question="Is Ada ill?"), answer(question="Is Eve ill?")
    write_log(tmp_path / "a", [first], content="none")
    write_log(tmp_path / "b", [second], content="none")
    assert (tmp_path / "a/records.jsonl").read_bytes() == (tmp_path / "b/records.jsonl").read_bytes()


def test_erasing_leaves_no_trace_of_the_person(tmp_path):
    """After erasure the person is nowhere in the folder but in the run's own names."""
    write_log(tmp_path, [planted(), answer(1)], says=RunManifest())
    erase(tmp_path, subjects=[MAIL], writing=FIXED)
    for path in tmp_path.rglob("*"):
        assert not path.is_file() or MAIL.encode() not in path.read_bytes()
