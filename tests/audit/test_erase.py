import pytest

from audit.samples import TIME, answer, five, grades, manifest, salts, write_log
from groundwire.audit import AuditLog, AuditWriter, prepare
from groundwire.audit.append import Writing, correct, review
from groundwire.audit.erase import erase
from groundwire.audit.export import export
from groundwire.errors import AuditError
from groundwire.grade import Outcome

SECRET = "Zanzibar 4711"
FIXED = Writing(recorded_at=TIME, salts=salts())


def folder_holds(log, text):
    return [path for path in log.rglob("*") if path.is_file() and text.encode() in path.read_bytes()]


def planted(path):
    """Five answers, the third to a person and with the secret in every text."""
    texts = {
        "question": SECRET,
        "answer": SECRET,
        "contexts": [SECRET],
        "history": [{"role": "user", "content": SECRET}],
        "subject_id": "user-7",
        "metadata": {"note": SECRET},
        "error": f"ValueError: {SECRET}",
    }
    write_log(path, [answer(2, **texts), *map(answer, (0, 1, 3, 4))])
    return path


@pytest.mark.parametrize("who", [{"traces": [answer(2).trace_id]}, {"subjects": ["user-7"]}])
def test_after_erasing_nothing_is_left_and_the_log_verifies(tmp_path, who):
    """The texts are nowhere in the folder, the log is intact and says what was erased."""
    log = planted(tmp_path)
    assert folder_holds(log, SECRET)
    assert erase(log, writing=FIXED, **who).records == 1
    assert folder_holds(log, SECRET) == []
    found = AuditLog.open(log).verify()
    assert (found.outcome, found.content["erased"]) == ("intact", 1)
    assert found.erasures == [(7, 1, "erasure_request")]


def test_a_second_erasure_adds_nothing(tmp_path):
    """What is gone can not go again."""
    log = planted(tmp_path)
    erase(log, subjects=["user-7"], writing=FIXED)
    before = (log / "records.jsonl").read_bytes()
    again = erase(log, traces=[answer(2).trace_id], writing=FIXED)
    assert (again.records, again.seqs) == (0, ())
    assert (log / "records.jsonl").read_bytes() == before


def test_single_fields_can_go(tmp_path):
    """Only the question: the rest stays and still opens its commitments."""
    log = five(tmp_path)
    erase(log, traces=[answer(2).trace_id], fields=["question"], writing=FIXED)
    record = list(AuditLog.open(log).records())[2]
    back = AuditLog.open(log).answer(record)
    assert (back.question, back.answer) == (None, answer(2).answer)
    assert AuditLog.open(log).verify().content["partly_erased"] == 1


def test_all_versions_and_comments_of_an_answer_go(tmp_path):
    """Superseded records and what people wrote about them are the person's data too."""
    log = planted(tmp_path)
    write_log(
        log, [answer(2, question=SECRET, subject_id="user-7")], run_id="run-2", judged=grades(Outcome.FAIL)
    )
    newest = [r.record_id for r in AuditLog.open(log).records() if r.subject.trace_id == answer(2).trace_id]
    review(log, about=newest[0], grade="latency", outcome="pass", actor="R", comment=SECRET, writing=FIXED)
    correct(log, reason="note", about=newest[0], actor="R", comment=SECRET, writing=FIXED)
    assert erase(log, subjects=["user-7"], writing=FIXED).records == 4
    assert folder_holds(log, SECRET) == []
    assert AuditLog.open(log).verify().outcome == "intact"


def test_naming_one_record_means_the_answer(tmp_path):
    """The other versions of the same answer hold the same texts."""
    log = planted(tmp_path)
    again = answer(2, question=SECRET, subject_id="user-7")
    write_log(log, [again], run_id="run-2", judged=grades(Outcome.FAIL))
    old = [r.record_id for r in AuditLog.open(log).records(superseded=True)][2]
    assert erase(log, records=[old[:12]], writing=FIXED).records == 2
    assert folder_holds(log, SECRET) == []


def test_what_was_erased_stays_erased(tmp_path):
    """Scoring the same traces again, with the same or another grader, does not bring the texts back."""
    log = planted(tmp_path)
    person = answer(2, question=SECRET, answer=SECRET, subject_id="user-7")
    erase(log, subjects=["user-7"], writing=FIXED)
    for number, judged in enumerate([grades(), grades(Outcome.FAIL), grades(Outcome.FAIL)]):
        write_log(log, [person, answer(3)], run_id=f"later-{number}", judged=judged)
    assert folder_holds(log, SECRET) == []
    assert AuditLog.open(log).runs()[-1].counts["known"] == 2
    assert AuditLog.open(log).verify().outcome == "intact"


def test_texts_that_a_killed_run_left_go_too(tmp_path):
    """Content without a record is found by the person it belongs to."""
    log = five(tmp_path)
    with AuditWriter(log, manifest(), recorded_at=TIME, run_id="run-2") as writer:
        writer.add(prepare(answer(8, question=SECRET, subject_id="user-7"), grades(), keep_content=True))
    assert folder_holds(log, SECRET)
    assert erase(log, subjects=["user-7"], writing=FIXED).orphans == 1
    assert folder_holds(log, SECRET) == []


def test_exported_copies_are_named(tmp_path):
    """A copy with texts is out of reach: the erasure says where it went."""
    log = planted(tmp_path / "log")
    export(log, tmp_path / "bundle", with_content=True, writing=FIXED)
    done = erase(log, subjects=["user-7"], writing=FIXED)
    assert [AuditLog.open(log).content(copy.record_id)["place"] for copy in done.copies] == [
        str(tmp_path / "bundle")
    ]


def test_an_erasure_that_was_cut_short_is_said(tmp_path):
    """Recorded, but the file is still there: incomplete, and erasing again completes it."""
    log = planted(tmp_path)
    path = next(path for path in folder_holds(log, SECRET))
    kept = path.read_bytes()
    erase(log, subjects=["user-7"], writing=FIXED)
    path.write_bytes(kept)
    assert AuditLog.open(log).verify().exit_code == 3
    erase(log, subjects=["user-7"], writing=FIXED)
    assert AuditLog.open(log).verify().exit_code == 0


def test_an_unknown_field_or_record_is_refused(tmp_path):
    """Nothing is erased by a slip of the pen."""
    log = five(tmp_path)
    with pytest.raises(AuditError, match="no such field"):
        erase(log, traces=["x"], fields=["qestion"], writing=FIXED)
    with pytest.raises(AuditError, match="does not name one record"):
        erase(log, records=["0000"], writing=FIXED)
