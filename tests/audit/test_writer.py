import os
import random
import subprocess
import sys
from pathlib import Path

import pytest

from audit.samples import TIME, answer, five, grades, manifest, salts, write_log
from groundwire.audit import AuditLog, AuditWriter, prepare
from groundwire.audit.schema import Graded
from groundwire.errors import AuditError, ChainError
from groundwire.grade import Outcome

VOLATILE = {"recorded_at", "run_id", "commit", "prev", "hash"}


def without_volatile(value):
    if isinstance(value, dict):
        return {name: without_volatile(item) for name, item in value.items() if name not in VOLATILE}
    return [without_volatile(item) for item in value] if isinstance(value, list) else value


def comparable(path):
    import orjson

    return [
        without_volatile(orjson.loads(line)) for line in (path / "records.jsonl").read_bytes().splitlines()
    ]


def graded(path):
    return [entry for entry in AuditLog.open(path).entries() if isinstance(entry, Graded)]


def test_a_run_is_written_and_verifies(tmp_path):
    """What was added stands in the log, framed by the run's beginning and end."""
    written = write_log(tmp_path / "log", map(answer, range(5)))
    assert (written.added, written.known, written.size) == (5, 0, 7)
    assert AuditLog.open(tmp_path / "log").verify().outcome == "intact"


def test_two_runs_are_equal_whatever_the_order(tmp_path):
    """Order of input, time, run id and salts make no difference to what is said."""
    answers = [answer(number) for number in range(20)]
    write_log(tmp_path / "a", answers, run_id=None)
    random.Random(1).shuffle(answers)
    write_log(tmp_path / "b", answers, run_id=None, recorded_at=None, salts=salts())
    assert comparable(tmp_path / "a") == comparable(tmp_path / "b")


def test_runs_without_content_are_byte_identical(tmp_path):
    """With fixed time and run id, and no salts, nothing is left to differ."""
    answers = [answer(number) for number in range(20)]
    write_log(tmp_path / "a", answers, content="none")
    write_log(tmp_path / "b", answers[::-1], content="none")
    for name in ("records.jsonl", "checkpoint", "checkpoints.jsonl", "manifests/run-1.json"):
        assert (tmp_path / "a" / name).read_bytes() == (tmp_path / "b" / name).read_bytes()


def test_scoring_twice_adds_no_answer(tmp_path):
    """The same statements are known; only the run itself leaves its two records."""
    log = five(tmp_path)
    written = write_log(log, map(answer, range(5)), run_id="run-2")
    assert (written.added, written.known) == (0, 5)
    assert len(graded(log)) == 5


def test_a_changed_grader_supersedes(tmp_path):
    """Both records stay; the newer names the older, and reading shows the newer."""
    log = five(tmp_path)
    written = write_log(log, map(answer, range(5)), run_id="run-2", judged=grades(Outcome.FAIL, "2"))
    old, new = graded(log)[0], next(AuditLog.open(log).records())
    assert (written.added, written.superseded) == (5, 5)
    assert new.supersedes == old.record_id
    assert {grade.outcome for _, grade in AuditLog.open(log).grades() if grade.score == 1.0} == {Outcome.FAIL}


def test_late_spans_supersede(tmp_path):
    """An answer of which more was seen later is another statement about the same answer."""
    log = five(tmp_path)
    more = answer(2, contexts=["one", "two"])
    assert write_log(log, [more], run_id="run-2").superseded == 1
    assert sum(1 for _ in AuditLog.open(log).records()) == 5


def test_going_back_to_an_old_grader_is_said_again(tmp_path):
    """The newest statement is the one that counts, even if it was made before; its content is its own."""
    log = five(tmp_path)
    write_log(log, map(answer, range(5)), run_id="run-2", judged=grades(Outcome.FAIL, "2"))
    assert write_log(log, map(answer, range(5)), run_id="run-3").added == 5
    assert write_log(log, map(answer, range(5)), run_id="run-4").known == 5
    verified = AuditLog.open(log).verify()
    assert (verified.outcome, verified.content) == ("intact", {"checked": 19})


def test_the_fuller_of_two_records_of_one_answer_stays(tmp_path):
    """The same answer twice in one input is one record, whatever the order."""
    bare, full = answer(1, contexts=[]), answer(1)
    for name, answers in (("a", [bare, full]), ("b", [full, bare])):
        assert write_log(tmp_path / name, answers).duplicates == 1
    assert comparable(tmp_path / "a") == comparable(tmp_path / "b")
    assert AuditLog.open(tmp_path / "a").verify().content == {"checked": 2}


def test_conversations_are_numbered_not_named(tmp_path):
    """Answers of one conversation share a number; its id stands nowhere in the records."""
    log = five(tmp_path)
    assert [record.cluster for record in AuditLog.open(log).records()] == [0, 0, 1, 1, 2]
    assert b"talk" not in (log / "records.jsonl").read_bytes()


def test_each_run_names_the_head_before_it(tmp_path):
    """Running again until it looks good leaves traces."""
    log = five(tmp_path)
    write_log(log, run_id="run-2")
    former = AuditLog.open(log).manifests()["run-2"]["former_checkpoint"]
    assert former["size"] == 7


def test_a_run_id_is_used_once(tmp_path):
    """A second run of the same name is refused."""
    with pytest.raises(AuditError, match="in the log already"):
        five(five(tmp_path))


def test_an_interrupted_run_is_resumed(tmp_path):
    """Killed before sealing: the same command goes on in the same run, equal to an undisturbed one."""
    answers = [answer(number) for number in range(10)]
    with AuditWriter(tmp_path / "a", manifest(), recorded_at=TIME) as writer:
        writer.add(prepare(answers[3], grades(), keep_content=True))
    assert AuditLog.open(tmp_path / "a").verify().exit_code == 3
    write_log(tmp_path / "a", answers, run_id=None)
    write_log(tmp_path / "b", answers)
    assert comparable(tmp_path / "a") == comparable(tmp_path / "b")
    assert AuditLog.open(tmp_path / "a").verify().exit_code == 0


def test_another_run_closes_an_interrupted_one(tmp_path):
    """What was begun with other settings is not silently taken over."""
    with AuditWriter(tmp_path, manifest(), recorded_at=TIME):
        pass
    write_log(tmp_path, [answer()], run_id=None, says=manifest(config={"limits": {}}))
    assert [run.completed for run in AuditLog.open(tmp_path).runs()] == [False, True]
    assert AuditLog.open(tmp_path).verify().exit_code == 0


def test_content_of_an_abandoned_run_does_not_stay(tmp_path):
    """Texts that no record points at are removed when the next run ends."""
    with AuditWriter(tmp_path, manifest(), recorded_at=TIME) as writer:
        writer.add(prepare(answer(7), grades(), keep_content=True))
    write_log(tmp_path, [answer(1)], run_id=None, says=manifest(config={}))
    assert "orphans" not in AuditLog.open(tmp_path).verify().content


def test_a_torn_line_is_moved_aside_only_when_asked(tmp_path):
    """--recover keeps the torn bytes in a file of their own and says so in the log."""
    log = five(tmp_path)
    with (log / "records.jsonl").open("ab") as file:
        file.write(b'{"torn')
    assert AuditLog.open(log).verify().exit_code == 3
    with pytest.raises(AuditError, match="--recover"):
        write_log(log, run_id="run-2")
    write_log(log, run_id="run-2", recover=True)
    assert (log / "records.torn-7").read_bytes() == b'{"torn'
    assert AuditLog.open(log).verify().records["correction"] == 1


def test_nothing_is_appended_to_a_changed_log(tmp_path):
    """A writer finds out before it adds to it."""
    log = five(tmp_path)
    records = log / "records.jsonl"
    records.write_bytes(records.read_bytes().replace(b'"score":"1.0"', b'"score":"0.0"', 1))
    with pytest.raises(ChainError, match="record 1 was changed"):
        write_log(log, run_id="run-2")


def test_a_second_writer_fails_at_once_and_is_told_who_writes(tmp_path):
    """Two scoring runs on one log: the holder's process id is named."""
    code = f"""
import sys; sys.path[:0] = {sys.path!r}
from pathlib import Path
from audit.samples import five
from groundwire.errors import AuditError
try:
    five(Path({str(tmp_path)!r}))
except AuditError as error:
    print(error)
"""
    import os

    with AuditWriter(tmp_path, manifest()):
        out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert "another process is writing" in out
    assert f"process {os.getpid()} on " in out


def test_a_full_disk_leaves_a_valid_log(tmp_path, monkeypatch):
    """Whatever could not be written whole is taken back; the error says what to do."""
    from groundwire.audit import journal

    real = journal.write_all

    def full(handle, data, path):
        real(handle, data[: len(data) // 2], path)
        raise OSError(28, "No space left on device")

    with AuditWriter(tmp_path, manifest(), recorded_at=TIME) as writer:
        for number in range(5):
            writer.add(prepare(answer(number), grades(), keep_content=True))
        monkeypatch.setattr(journal, "write_all", full)
        with pytest.raises(AuditError, match="No space left"):
            writer.finish({})
    monkeypatch.undo()
    assert AuditLog.open(tmp_path).verify().outcome == "incomplete"
    assert write_log(tmp_path, map(answer, range(5)), run_id=None).added == 5


def test_a_new_day_begins_a_new_file(tmp_path):
    """Records of earlier days lie in segments of their own; the log is one all the same."""
    log = five(tmp_path)
    write_log(log, [answer(9)], run_id="run-2", recorded_at="2026-12-01T00:00:00.000Z")
    assert sorted(path.name for path in log.glob("records*")) == [
        "records-000000000007.jsonl",
        "records.jsonl",
    ]
    assert AuditLog.open(log).verify().outcome == "intact"
    assert sum(1 for _ in AuditLog.open(log).records()) == 6


def test_a_folder_of_other_things_is_refused(tmp_path):
    """A slip in -o does not scatter a log among other files."""
    (tmp_path / "traces.jsonl").write_text("{}")
    with pytest.raises(AuditError, match=r"holds other files.*traces.jsonl"):
        write_log(tmp_path, [answer()])


@pytest.mark.parametrize("name", [".lock", ".writer", "checkpoints.jsonl", "manifests", "schema", "content"])
def test_writing_follows_no_link(tmp_path, name):
    """A folder from elsewhere can not make us write to a file of ours."""
    log, target = five(tmp_path / "log"), tmp_path / "target"
    place = log / name
    if place.is_dir():
        place.rename(target)
    else:
        place.unlink(missing_ok=True)
        target.write_text("precious")
    before = sorted(tmp_path.glob("target/**/*"))
    place.symlink_to(target)
    with pytest.raises((AuditError, OSError)):
        write_log(log, [answer(9)], run_id="run-2")
    assert sorted(tmp_path.glob("target/**/*")) == before
    assert target.is_dir() or target.read_text() == "precious"


def test_content_is_for_the_owner_only(tmp_path):
    """Content files are readable by their owner alone."""
    log = five(tmp_path)
    modes = {path.stat().st_mode & 0o777 for path in log.glob("content/*/*.json")}
    assert modes == {0o600}


def test_one_of_many_that_start_at_once_writes_the_new_log(tmp_path):
    """The folder does not exist yet: one makes it, the others are told who does."""
    code = (
        "import sys; from pathlib import Path; from audit.samples import answer, write_log\n"
        "from groundwire.errors import AuditError\n"
        "print('ready', flush=True); sys.stdin.readline()\n"
        "try: write_log(Path(sys.argv[1]), [answer()], run_id=None); print('written')\n"
        "except AuditError as error: print(error)\n"
    )
    command = [sys.executable, "-c", code, str(tmp_path / "new" / "log")]
    paths = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[1])}
    pipe = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True, "env": paths}
    writers = [subprocess.Popen(command, **pipe) for _ in range(4)]
    assert [writer.stdout.readline() for writer in writers] == ["ready\n"] * 4
    for writer in writers:
        writer.stdin.write("go\n")
        writer.stdin.flush()
    said = [writer.communicate()[0] for writer in writers]
    assert "written\n" in said
    assert all(text == "written\n" or "got process" in text for text in said)
    assert AuditLog.open(tmp_path / "new" / "log").verify().outcome == "intact"
