"""A record that is shown is checked where it stands, without verifying the whole log."""

import orjson
import pytest

from audit.samples import answer, five
from groundwire.audit import AuditLog
from groundwire.audit.canonical import plain_bytes
from groundwire.audit.digests import record_hash
from groundwire.audit.erase import erase
from groundwire.audit.export import export

ALL = range(10)


def content_file(log, seq):
    name = AuditLog.open(log).entry(seq).record_id
    return log / "content" / name[:2] / f"{name}.json"


def change_line(log, seq, change):
    for path in sorted(log.glob("records*.jsonl")):  # a new one begins with each day
        lines = path.read_bytes().splitlines()
        if seq < len(lines):
            lines[seq] = change(lines[seq])
            path.write_bytes(b"\n".join(lines) + b"\n")
            return
        seq -= len(lines)
    raise IndexError(seq)


def test_an_untouched_log_has_no_problems(tmp_path):
    """Whole, erased in part, or a selection: nothing is said where nothing was changed."""
    log = five(tmp_path / "log")
    erase(log, traces=[answer(1).trace_id])
    export(log, tmp_path / "part", where=lambda record: record.seq in (2, 4), with_content=True)
    export(log, tmp_path / "bare")
    for path in (log, tmp_path / "part", tmp_path / "bare"):
        assert AuditLog.open(path).problems(ALL) == {}


def test_a_changed_verdict_is_a_problem_of_its_record(tmp_path):
    """And of no other that is asked for."""
    log = five(tmp_path)
    change_line(log, 3, lambda line: line.replace(b'"pass"', b'"fail"'))
    assert list(AuditLog.open(log).problems(ALL)) == [3]
    assert AuditLog.open(log).problems([1, 2]) == {}


def test_a_record_hashed_anew_no_longer_fits_its_neighbor(tmp_path):
    """Recomputing the one hash does not hide the change."""

    def forged(line):
        entry = orjson.loads(line.replace(b'"pass"', b'"fail"'))
        del entry["hash"]
        return plain_bytes({**entry, "hash": record_hash(plain_bytes(entry))})

    log = five(tmp_path)
    change_line(log, 3, forged)
    assert AuditLog.open(log).problems([3]) == {3: ["the record after it does not follow it"]}
    assert AuditLog.open(log).problems([4]) == {4: ["the record does not follow the one before it"]}


@pytest.mark.parametrize("text", [b'"answer is other"', b"5", b"[[["])
def test_changed_content_is_a_problem(tmp_path, text):
    """Whatever the text was changed into."""
    log = five(tmp_path)
    path = content_file(log, 3)
    path.write_bytes(path.read_bytes().replace('"It is 2. 🙂"'.encode(), text))
    ((seq, problems),) = AuditLog.open(log).problems(ALL).items()
    assert (seq, len(problems)) == (3, 1)


def test_only_an_erasure_that_fits_explains_missing_content(tmp_path):
    """Removed by hand, or by an erasure whose targets were changed: a problem."""
    log = five(tmp_path)
    content_file(log, 2).unlink()
    assert "no erasure explains it" in AuditLog.open(log).problems([2])[2][0]
    ids = [entry.record_id.encode() for entry in AuditLog.open(log).records()]
    erase(log, traces=[answer(0).trace_id])
    change_line(log, 7, lambda line: line.replace(ids[0], ids[1]))
    assert list(AuditLog.open(log).problems([1, 2])) == [1, 2]
