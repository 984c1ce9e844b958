import subprocess
import sys
from datetime import timedelta

import pytest

from audit.samples import START_NS, TIME, answer, five, write_log
from groundwire.audit import AuditLog
from groundwire.audit.append import Writing
from groundwire.audit.export import export
from groundwire.audit.proof import prove, verify_proof
from groundwire.audit.retire import retire
from groundwire.audit.selector import parse_selector
from groundwire.errors import AuditError, ConfigError

DAY_NS = 86_400 * 10**9


def at(days):
    """A clock so many days after the first answer."""
    return Writing(clock=lambda: START_NS + days * DAY_NS)


def three_days(path):
    """A run a day, two answers each, in a segment a day; times as in the answers."""
    for day, date in enumerate(("2025-11-30", "2025-12-01", "2025-12-02")):
        answers = [answer(day * 10 + n, started_at_ns=START_NS + day * DAY_NS) for n in range(2)]
        write_log(path, answers, run_id=f"run-{day}", recorded_at=f"{date}T12:00:00Z")
    return path


def verify(log, **options):
    return AuditLog.open(log).verify(**options)


def test_texts_go_by_the_age_of_answers(tmp_path):
    """Texts of answers older than the given age go, with the names of runs that old; records stay."""
    log = five(tmp_path)
    clock = Writing(clock=lambda: START_NS + 86_402 * 10**9)
    assert retire(log, older_than=timedelta(days=1), writing=clock).erasure.records == 2
    found = verify(log)
    assert (found.content, found.size) == ({"checked": 4, "erased": 2}, 8)


def test_whole_days_can_go_and_the_rest_verifies(tmp_path):
    """Records of old days are removed; the root stays that of the whole log."""
    log = three_days(tmp_path)
    kept = (log / "checkpoint").read_text()
    done = retire(log, older_than=timedelta(days=1, hours=1), whole_segments=True, writing=at(2))
    assert (done.segments, done.records) == (1, 4)
    found = verify(log, checkpoint=kept)
    assert (found.outcome, found.size) == ("intact", 14)
    assert "records 0 to 3 were retired" in found.findings[0].problem
    assert sum(1 for _ in AuditLog.open(log).records()) == 4


def test_a_log_goes_on_after_retiring(tmp_path):
    """New runs, more retirements, proofs and bundles."""
    log = three_days(tmp_path / "log")
    for days in (2, 3):
        retire(log, older_than=timedelta(days=1, hours=1), whole_segments=True, writing=at(days))
    write_log(log, [answer(99)], run_id="run-9", recorded_at="2025-12-05T00:00:00Z")
    assert verify(log).outcome == "intact"
    verify_proof(prove(AuditLog.open(log), 10))
    with pytest.raises(AuditError, match="8 to"):
        prove(AuditLog.open(log), 3)


@pytest.mark.parametrize("where", [None, parse_selector(run="run-2")])
def test_a_bundle_of_what_is_left_verifies_elsewhere(tmp_path, where):
    """By the script too, whole and as a selection."""
    log = three_days(tmp_path / "log")
    retire(log, older_than=timedelta(days=1, hours=1), whole_segments=True, writing=at(2))
    export(log, tmp_path / "b", where=where)
    assert verify(tmp_path / "b").outcome == "intact"
    command = [sys.executable, "-I", "-S", str(tmp_path / "b" / "verify.py")]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")


def test_a_day_that_is_gone_without_a_record_is_found(tmp_path):
    """Deleting the file is not retiring it."""
    log = three_days(tmp_path)
    (log / "records-000000000004.jsonl").unlink()
    assert verify(log).exit_code == 1
    with pytest.raises(AuditError, match="no record says why"):
        write_log(log, run_id="run-9")


def test_a_false_word_on_what_is_gone_is_found(tmp_path):
    """The retired record can not claim another beginning: the root would be another."""
    log = three_days(tmp_path)
    retire(log, older_than=timedelta(days=1, hours=1), whole_segments=True, writing=at(2))
    path = log / "records.jsonl"
    data = path.read_bytes()
    at_peak = data.index(b'"peaks":["') + 12
    path.write_bytes(data[:at_peak] + bytes([data[at_peak] ^ 1]) + data[at_peak + 1 :])
    assert verify(log).exit_code == 1


def test_the_open_day_stays(tmp_path):
    """Only closed segments go, whatever their age."""
    log = three_days(tmp_path)
    assert retire(log, older_than=timedelta(0), whole_segments=True, writing=at(999)).segments == 3
    assert (log / "records.jsonl").exists()
    assert verify(log).outcome == "intact"


def test_retiring_needs_a_real_clock(tmp_path):
    """A fixed time is no measure of age."""
    with pytest.raises(ConfigError):
        retire(five(tmp_path), older_than=timedelta(days=1), writing=Writing(recorded_at=TIME))
