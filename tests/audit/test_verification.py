import hashlib
import random
import shutil

import orjson
import pytest

from audit.samples import TIME, answer, five, grades, manifest, write_log
from groundwire.audit import AuditLog, AuditWriter, Signer
from groundwire.audit.canonical import plain_bytes
from groundwire.audit.digests import NO_HASH, leaf_hash, record_hash
from groundwire.audit.erase import erase
from groundwire.audit.export import export
from groundwire.audit.merkle import root_of
from groundwire.audit.note import Checkpoint, Note
from groundwire.audit.proof import anchor_line
from groundwire.audit.render import render_verification, verification_data
from groundwire.errors import AuditError, ChainError, SchemaVersionError
from groundwire.record import RagRecord


def verify(log, **options):
    return AuditLog.open(log).verify(**options)


def small(path):
    """A log of five records without content."""
    answers = [RagRecord(question="Who?", trace_id=f"{number:02x}" * 16) for number in range(3)]
    write_log(path, answers, judged=grades()[:1], content="none")
    return path


def lines_of(log):
    return (log / "records.jsonl").read_bytes().splitlines(keepends=True)


def rewrite(log, lines):
    (log / "records.jsonl").write_bytes(b"".join(lines))


def rechain(lines):
    """What an attacker with write access does: hash everything anew."""
    prev, made = NO_HASH, []
    for seq, line in enumerate(lines):
        record = orjson.loads(line)
        record.pop("hash")
        record |= {"prev": prev, "seq": seq}
        prev = record_hash(plain_bytes(record))
        made.append(plain_bytes({**record, "hash": prev}) + b"\n")
    return made


@pytest.mark.parametrize("name", ["records.jsonl", "manifests/run-1.json", "checkpoint", "checkpoints.jsonl"])
def test_every_changed_byte_is_found(tmp_path, name):
    """One byte of the log, whichever it is, set to another value: verification fails."""
    log, pick = small(tmp_path), random.Random(name)
    path = log / name
    whole = path.read_bytes()
    for place, byte in enumerate(whole):
        other = byte ^ pick.choice([1, 2, 32, 128, pick.randrange(1, 256)])
        path.write_bytes(whole[:place] + bytes([other]) + whole[place + 1 :])
        code = exit_code(log)
        assert code == 1 or (code == 3 and place == len(whole) - 1), (place, byte, other)


def exit_code(log):
    try:
        return verify(log).exit_code
    except AuditError:
        return 2


def test_every_changed_byte_of_content_is_found(tmp_path):
    """One byte of a content file or of the schema: verification fails."""
    log = tmp_path
    write_log(log, [answer()])
    for path in [*log.glob("content/*/*.json"), *log.glob("schema/*")]:
        whole = path.read_bytes()
        for place in range(0, len(whole), 41):
            path.write_bytes(whole[:place] + bytes([whole[place] ^ 1]) + whole[place + 1 :])
            assert exit_code(log) == 1, (path.name, place)
        path.write_bytes(whole)


def test_the_first_bad_record_is_named(tmp_path):
    """The report says where it begins, and how far the log is good."""
    log = small(tmp_path)
    lines = lines_of(log)
    lines[2] = lines[2].replace(b'"1.0"', b'"0.0"')
    rewrite(log, lines)
    found = verify(log)
    assert found.first_bad.seq == 2
    assert "first bad record: 2\n            records 0 to 1 fit together" in render_verification(found, "log")
    with pytest.raises(ChainError, match="hash does not fit"):
        verify(log, strict=True)


@pytest.mark.parametrize(
    "change",
    [
        lambda lines: lines[:-2],
        lambda lines: [lines[0], lines[2], lines[1], *lines[3:]],
        lambda lines: [*lines[:2], lines[1], *lines[2:]],
        lambda lines: [*lines[:2], *lines[3:]],
        lambda lines: [*lines[:-1], lines[-1].replace(b"{", b"{ ", 1)],
    ],
    ids=["cut off", "swapped", "doubled", "taken out", "rewritten in other bytes"],
)
def test_what_a_careless_hand_does_is_found(tmp_path, change):
    """Records removed, swapped, doubled or reformatted: found by the folder's own checkpoint."""
    log = small(tmp_path)
    rewrite(log, change(lines_of(log)))
    assert verify(log).exit_code == 1


@pytest.mark.parametrize("change", [lambda lines: lines[:3] + lines[4:], lambda lines: lines])
def test_a_rechained_log_is_found_by_its_own_checkpoint(tmp_path, change):
    """An attacker who recomputes the chain but not the checkpoint is found."""
    log = small(tmp_path)
    lines = change(lines_of(log))
    lines[1] = lines[1].replace(b'"pass"', b'"fail"')
    rewrite(log, rechain(lines))
    assert verify(log).exit_code == 1


def forge(log):
    """Change a verdict, then recompute chain, root, origin and checkpoint."""
    lines = lines_of(log)
    lines[1] = lines[1].replace(b'"pass"', b'"fail"')
    made = rechain(lines)
    rewrite(log, made)
    root = root_of([leaf_hash(line[:-1]) for line in made])
    origin = f"groundwire.audit/{orjson.loads(made[0])['hash'][:32]}"
    note = Note(Checkpoint(origin, len(made), root)).render()
    (log / "checkpoint").write_text(note)
    (log / "checkpoints.jsonl").write_bytes(plain_bytes({"note": note}) + b"\n")


def test_a_forged_log_is_found_by_a_kept_checkpoint_only(tmp_path):
    """Whoever can write everything can rewrite everything: without a kept checkpoint that is not proved."""
    log = small(tmp_path)
    kept, line = (log / "checkpoint").read_text(), anchor_line(AuditLog.open(log))
    forge(log)
    alone = verify(log)
    assert alone.exit_code == 0
    assert "not rewritten" in next(claim.statement for claim in alone.claims if not claim.is_proved)
    assert verify(log, checkpoint=kept).exit_code == 1
    assert verify(log, checkpoint=line).exit_code == 1


def test_a_forged_log_is_found_by_the_signature(tmp_path):
    """Without the key a rewritten log can not be signed."""
    signer = Signer("example.com/log", bytes(range(32)))
    log = tmp_path
    write_log(log, map(answer, range(3)), signer=signer)
    key = str(signer.public_key)
    found = verify(log, public_key=key)
    assert found.exit_code == 0
    assert "key example.com/log" in {claim.by for claim in found.claims if claim.is_proved}
    forge(log)
    assert verify(log, public_key=key).exit_code == 1


def test_an_old_checkpoint_proves_the_beginning(tmp_path):
    """A checkpoint kept before more was written still fits, and says how far it reaches."""
    log = five(tmp_path)
    kept = (log / "checkpoint").read_text()
    write_log(log, [answer(9)], run_id="run-2")
    found = verify(log, checkpoint=kept)
    assert found.exit_code == 0
    assert any("(records 0 to 6)" in claim.statement for claim in found.claims if claim.is_proved)


def test_a_checkpoint_of_another_log_is_no_proof(tmp_path):
    """A kept checkpoint of something else is a finding."""
    small(tmp_path / "a")
    write_log(tmp_path / "b", map(answer, range(3)), content="none")
    assert verify(tmp_path / "a", checkpoint=(tmp_path / "b" / "checkpoint").read_text()).exit_code == 1


def test_a_log_without_its_checkpoints_is_incomplete(tmp_path):
    """Every finished log ends with a checkpoint: whoever cuts the end off must remove them too."""
    log = small(tmp_path)
    (log / "checkpoint").unlink()
    (log / "checkpoints.jsonl").unlink()
    found = verify(log)
    assert (found.exit_code, found.findings[0].problem[:24]) == (3, "the records from 0 on ar")
    write_log(log, run_id="run-2")
    assert verify(log).exit_code == 0


def test_an_empty_log_is_incomplete(tmp_path):
    """Nothing to verify is not the same as verified."""
    log = small(tmp_path)
    rewrite(log, [])
    assert verify(log).exit_code == 1
    (log / "checkpoint").unlink()
    (log / "checkpoints.jsonl").unlink()
    assert verify(log).exit_code == 3


def test_an_unfinished_run_is_incomplete(tmp_path):
    """Nothing is changed, but it does not end as it should: neither intact nor tampered."""
    with AuditWriter(tmp_path, manifest(), recorded_at=TIME):
        pass
    found = verify(tmp_path)
    assert (found.outcome, found.exit_code) == ("incomplete", 3)


def test_missing_content_without_an_erasure_is_a_finding(tmp_path):
    """A text that is gone and that nobody erased."""
    log = five(tmp_path)
    next(log.glob("content/*/*.json")).unlink()
    found = verify(log)
    assert (found.exit_code, found.content["missing"]) == (1, 1)


def test_a_copy_without_content_is_not_tampered(tmp_path):
    """Where the whole folder is not there, it was not handed over: not checked, and said so."""
    log = five(tmp_path)
    shutil.rmtree(log / "content")
    found = verify(log)
    assert (found.exit_code, found.content) == (0, {"not_in_this_copy": 6})
    assert "content is not in this copy" in render_verification(found, "log")


def test_a_copy_without_its_schema_still_verifies(tmp_path):
    """The schema is a copy for programs; nothing rests on it."""
    log = five(tmp_path)
    shutil.rmtree(log / "schema")
    assert verify(log).exit_code == 0


def test_foreign_files_are_reported(tmp_path):
    """What is no part of the log is named, and is no reason to fail."""
    log = five(tmp_path)
    (log / "notes.txt").write_text("hello")
    found = verify(log)
    assert found.exit_code == 0
    assert "notes.txt" in found.findings[0].problem


@pytest.mark.parametrize("name", ["records.jsonl", "content", "manifests"])
def test_no_symbolic_link_is_followed(tmp_path, name):
    """A link inside the folder could lead anywhere."""
    log = five(tmp_path / "log")
    (log / name).rename(tmp_path / "elsewhere")
    (log / name).symlink_to(tmp_path / "elsewhere")
    assert exit_code(log) != 0


def test_a_linked_content_file_is_not_followed(tmp_path):
    """Not even where the bytes behind it are the right ones."""
    log = five(tmp_path / "log")
    path = next(log.glob("content/*/*.json"))
    path.rename(tmp_path / "elsewhere.json")
    path.symlink_to(tmp_path / "elsewhere.json")
    assert exit_code(log) == 1


def test_ids_that_are_paths_are_refused(tmp_path):
    """A record can not make the reader open a file outside of the folder."""
    log = small(tmp_path)
    lines = lines_of(log)
    for seq, (name, value) in enumerate([("run_id", "../../../etc/passwd"), ("record_id", "../x")]):
        record = orjson.loads(lines[seq])
        lines[seq] = plain_bytes({**record, name: value}) + b"\n"
    rewrite(log, rechain(lines))
    assert exit_code(log) == 1
    with pytest.raises(AuditError, match="64 hex digits"):
        AuditLog.open(log).content("../x")


def test_a_newer_format_is_not_called_tampered(tmp_path):
    """A log that a later release wrote needs that release."""
    log = small(tmp_path)
    rewrite(log, rechain([line.replace(b"record/v1", b"record/v2") for line in lines_of(log)]))
    (log / "checkpoint").unlink()
    (log / "checkpoints.jsonl").unlink()
    with pytest.raises(SchemaVersionError, match="Use a release that reads it"):
        verify(log)


def test_members_of_later_minor_versions_are_hashed_and_ignored(tmp_path):
    """Optional members may be added within version 1."""
    log = small(tmp_path)
    lines = lines_of(log)
    record = orjson.loads(lines[1])
    lines[1] = plain_bytes({**record, "added_later": {"x": 1}}) + b"\n"
    rewrite(log, rechain(lines))
    (log / "checkpoint").unlink()
    (log / "checkpoints.jsonl").unlink()
    assert verify(log).outcome == "incomplete"


def test_the_report_fits_the_screen(tmp_path):
    """No line is longer than 80 columns, whatever was found."""
    log = five(tmp_path)
    reports = [render_verification(verify(log), str(log.name))]
    rewrite(log, lines_of(log)[::-1])
    reports.append(render_verification(verify(log), str(log.name)))
    assert max(len(line) for report in reports for line in report.splitlines()) <= 80


def test_the_report_ends_with_every_count(tmp_path):
    """The last line is a summary, for people and for scripts."""
    last = render_verification(verify(five(tmp_path)), "log").splitlines()[-1]
    assert last == "intact: 7 records, 0 changed, 0 incomplete, 0 notes; exit code 0"


def test_the_verification_is_data_too(tmp_path):
    """--json says the same as the text."""
    data = verification_data(verify(five(tmp_path)))
    assert orjson.loads(orjson.dumps(data))["outcome"] == "intact"
    assert {claim["is_proved"] for claim in data["claims"]} == {True, False}


def test_verifying_changes_nothing(tmp_path):
    """A reviewer's check leaves every file as it is."""

    def state():
        return {p: hashlib.sha256(p.read_bytes()).hexdigest() for p in log.rglob("*") if p.is_file()}

    log = five(tmp_path)
    before = state()
    verify(log)
    assert state() == before


@pytest.mark.parametrize("make", [lambda path: None, lambda path: path.mkdir(), lambda path: path.touch()])
def test_what_is_no_log_is_said_clearly(tmp_path, make):
    """No folder, an empty folder, a file: each gets a sentence with what to do."""
    make(tmp_path / "x")
    with pytest.raises(AuditError, match="groundwire score"):
        AuditLog.open(tmp_path / "x")


@pytest.mark.parametrize(
    "name",
    [
        "planted.txt",
        "manifests/planted.json",
        "manifests/run-1.json.bak",
        "schema/planted.json",
        "content/planted.json",
        "content/zz/planted.json",
        "content/ab/planted.json",
        f"content/ab/{'cd' * 32}.json",
        f"content/ab/{'ab' * 32}.json.bak",
    ],
)
def test_a_planted_file_is_noted_by_name(tmp_path, name):
    """It changes nothing that was recorded, so the log is intact; but nobody takes it for evidence."""
    (five(tmp_path) / name).parent.mkdir(parents=True, exist_ok=True)
    (tmp_path / name).write_text("{}")
    found = AuditLog.open(tmp_path).verify()
    assert (found.outcome, found.totals) == ("intact", {"notice": 1})
    (problem,) = [finding.problem for finding in found.findings]
    said, _, noted = problem.rpartition(": ")
    assert said == "a file that is no part of the log"
    assert noted in (name, "content/zz")
    assert f"  note        {said}: " in render_verification(found, "log")


def test_a_planted_text_is_noted_too(tmp_path):
    """Named like a content file, but of no record: counted and noted."""
    path = five(tmp_path) / "content" / "ab" / f"{'ab' * 32}.json"
    path.parent.mkdir(exist_ok=True)
    path.write_text("{}")
    found = AuditLog.open(tmp_path).verify()
    assert found.content["orphans"] == 1
    assert found.findings[0].problem == "content/ holds 1 file that belongs to no record"


def test_nothing_is_foreign_in_what_we_write(tmp_path):
    """Erased in part, exported whole or as a selection: no note names a file of ours."""
    log = five(tmp_path / "log")
    erase(log, traces=[answer(1).trace_id])
    export(log, tmp_path / "whole", with_content=True)
    export(log, tmp_path / "part", where=lambda record: record.seq == 2, with_content=True)
    for path in (log, tmp_path / "whole", tmp_path / "part"):
        assert AuditLog.open(path).verify().findings == []
