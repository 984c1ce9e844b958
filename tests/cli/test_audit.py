import json
import re
import subprocess
import sys

import pytest

from audit.samples import answer, five, manifest, write_log
from groundwire.audit import AuditLog, AuditWriter
from groundwire.audit.canonical import canonical_bytes
from groundwire.cli.frame import run


def call(capsys, *arguments):
    code = run(["audit", *map(str, arguments)])
    captured = capsys.readouterr()
    return code, captured.out, captured.err


def first_record(log):
    return next(AuditLog.open(log).records())


def test_verify_says_what_is_proved_and_what_is_not(tmp_path, capsys):
    """The report of an intact log, exit code 0."""
    code, out, _ = call(capsys, "verify", five(tmp_path))
    assert code == 0
    assert "INTACT" in out
    assert out.index("Proved\n") < out.index("Not proved\n")
    assert out.endswith("intact: 7 records, 0 changed, 0 incomplete, 0 notes; exit code 0\n")


def test_a_changed_log_exits_with_1(tmp_path, capsys):
    """One verdict changed."""
    log = five(tmp_path)
    path = log / "records.jsonl"
    path.write_bytes(path.read_bytes().replace(b'"pass"', b'"fail"', 1))
    code, out, _ = call(capsys, "verify", log)
    assert code == 1
    assert "first bad record: 1" in out


def test_no_log_exits_with_2(tmp_path, capsys):
    """Each a sentence on stderr, and nothing on stdout."""
    for path in (tmp_path, tmp_path / "nothing"):
        code, out, err = call(capsys, "verify", path)
        assert (code, out) == (2, "")
        assert err.startswith("error: ")
        assert "groundwire score" in err


def test_an_unfinished_run_exits_with_3(tmp_path, capsys):
    """A log that a killed writer left."""
    with AuditWriter(tmp_path, manifest()):
        pass
    assert call(capsys, "verify", tmp_path)[0] == 3


def test_json_carries_a_schema(tmp_path, capsys):
    """Programs get the same findings."""
    code, out, _ = call(capsys, "verify", five(tmp_path), "--json")
    data = json.loads(out)
    assert (code, data["schema"], data["outcome"]) == (0, "groundwire.audit.verify/v1", "intact")


def test_show_prints_texts_and_grades(tmp_path, capsys):
    """A reviewer reads one record without opening JSON."""
    code, out, _ = call(capsys, "show", five(tmp_path), 3)
    assert code == 0
    assert "What is 2?" in out
    assert "citation_accuracy" in out
    assert call(capsys, "show", tmp_path, 99)[0] == 2


def test_an_anchor_line_is_taken_back(tmp_path, capsys):
    """What was kept in a ticket proves later that nothing was cut off."""
    log = five(tmp_path)
    _, line, _ = call(capsys, "anchor", log)
    code, out, _ = call(capsys, "verify", log, "--checkpoint", line.strip())
    assert code == 0
    assert "your checkpoint of size 7" in out


def test_a_proof_is_json(tmp_path, capsys):
    """`prove` prints what `verify_proof` takes."""
    from groundwire.audit.proof import verify_proof

    code, out, _ = call(capsys, "prove", five(tmp_path), 2)
    assert code == 0
    verify_proof(json.loads(out))


def test_growth_is_proved_too(tmp_path, capsys):
    """From the size of a checkpoint that somebody kept; either a record or a size."""
    code, out, _ = call(capsys, "prove", five(tmp_path), "--from-size", 5)
    assert (code, json.loads(out)["old_size"]) == (0, 5)
    assert call(capsys, "prove", tmp_path)[0] == 2
    assert call(capsys, "prove", tmp_path, 1, "--from-size", 5)[0] == 2


def test_erase_then_verify(tmp_path, capsys):
    """Erased is said, not missing; the same erasure again is nothing to do."""
    log = five(tmp_path)
    code, out, err = call(capsys, "erase", log, "--trace", answer(1).trace_id, "--reason", "gdpr_17")
    assert code == 0
    assert "content of 1 record erased, as record 7 says" in out
    assert "backups" in err
    code, out, _ = call(capsys, "verify", log)
    assert code == 0
    assert "1 erased on purpose" in out
    assert "content of 0 records erased" in call(capsys, "erase", log, "--trace", answer(1).trace_id)[1]


def test_erase_names_exported_copies(tmp_path, capsys):
    """A copy that was exported with texts is beyond reach, so it is named."""
    log = five(tmp_path / "log")
    call(capsys, "export", log, "-o", tmp_path / "bundle", "--with-content")
    _, out, _ = call(capsys, "erase", log, "--record", first_record(log).record_id)
    assert f"exported to {tmp_path / 'bundle'}" in out


def test_erase_wants_to_know_what(tmp_path, capsys):
    """Without a target it is a usage error, never everything."""
    assert call(capsys, "erase", five(tmp_path))[0] == 2
    assert call(capsys, "erase", tmp_path, "--record", "ab")[0] == 2


def test_a_sentence_is_no_reason(tmp_path, capsys):
    """Reasons are codes: a sentence could name the person whose data it is about."""
    code, _, err = call(capsys, "erase", five(tmp_path), "--trace", "x", "--reason", "Ada asked us")
    assert code == 2
    assert "not a code" in err


def test_retire_goes_by_the_age_of_answers(tmp_path, capsys):
    """Texts older than the given age go; younger ones stay."""
    log = five(tmp_path)
    assert "content of 0 records" in call(capsys, "retire", log, "--older-than", "99y")[1]
    assert "content of 5 records" in call(capsys, "retire", log, "--older-than", "1d")[1]
    assert call(capsys, "retire", log, "--older-than", "soon")[0] == 2


def test_review_and_correct_are_appended(tmp_path, capsys):
    """What people say is added, with a name that proves nothing."""
    log = five(tmp_path)
    name = first_record(log).record_id[:12]
    code, out, _ = call(
        capsys, "review", log, name, "--grade", "latency", "--outcome", "fail", "--actor", "R. Viewer"
    )
    assert code == 0
    assert "R. Viewer (as typed, not proved)" in out
    assert (
        call(capsys, "correct", log, "--reason", "wrong_label", "--about", name, "--comment", "Hm.")[0] == 0
    )
    assert call(capsys, "verify", log)[0] == 0
    assert call(capsys, "review", log, name, "--grade", "nonsense", "--outcome", "fail")[0] == 2


def test_keys_sign_what_is_appended(tmp_path, capsys):
    """keygen, sign, verify: the whole way with files."""
    log, secret = five(tmp_path / "log"), tmp_path / "secret"
    _, public, _ = call(capsys, "keygen", "example.com/log", "-o", secret)
    assert secret.stat().st_mode & 0o777 == 0o600
    call(capsys, "correct", log, "--reason", "note", "--sign-key", secret)
    code, out, _ = call(capsys, "verify", log, "--public-key", public.strip())
    assert code == 0
    assert "key example.com/log" in out
    assert call(capsys, "keygen", "example.com/log", "-o", secret)[0] == 2


def test_export_of_nothing_says_so(tmp_path, capsys):
    """A selection that chooses no answer is not a success."""
    log = five(tmp_path / "log")
    code, out, _ = call(capsys, "export", log, "-o", tmp_path / "b", "--where", "verdict=fail")
    assert code == 3
    assert "0 answers" in out


@pytest.mark.parametrize("name", ["record", "content", "manifest"])
def test_schemas_are_printed(name, capsys):
    """For programs that read the log without us."""
    code, out, _ = call(capsys, "schema", name)
    assert code == 0
    assert json.loads(out)["$id"] == f"urn:groundwire:audit-{name}.v1.schema.json"


def test_every_subcommand_has_help(capsys):
    """Each fits the screen and says what it is for."""
    listed = re.findall(r"^  (\w+) ", call(capsys, "--help")[1].partition("Commands:")[2], re.MULTILINE)
    assert set(listed) >= {"verify", "show", "prove", "export", "anchor", "erase", "retire", "keygen"}
    for name in listed:
        code, out, _ = call(capsys, name, "--help")
        assert code == 0
        assert max(map(len, out.splitlines())) <= 80


def test_a_bundle_verifies_without_groundwire(tmp_path, capsys):
    """As READ-ME-FIRST.txt says: Python alone, no packages."""
    log = five(tmp_path / "log")
    call(capsys, "export", log, "-o", tmp_path / "bundle", "--with-content")
    command = [sys.executable, "-I", "-S", str(tmp_path / "bundle" / "verify.py")]
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.endswith("INTACT\n")


def test_appending_to_a_held_log_names_the_holder(tmp_path, capsys):
    """No waiting, no half-done work."""
    import os

    write_log(tmp_path, [answer()])
    with AuditWriter(tmp_path, manifest()):
        code, _, err = call(capsys, "correct", tmp_path, "--reason", "note")
    assert code == 2
    assert f"process {os.getpid()}" in err


def tampered(log):
    """The log with one answer's text changed."""
    for path in (log / "content").glob("*/*.json"):
        path.write_bytes(path.read_bytes().replace(b"It is 2.", b"It is 9."))
    return log


@pytest.mark.parametrize("command", [["audit", "show", "LOG", "3"], ["show", "LOG", f"{3:032x}"]])
def test_what_was_changed_is_not_shown_as_judged(tmp_path, capsys, command):
    """The first line says so, the JSON has a key for it, the exit code is 1."""
    log = five(tmp_path)
    arguments = [str(log) if one == "LOG" else one for one in command]
    assert run(arguments) == 0
    assert "TAMPERED" not in capsys.readouterr().out
    tampered(log)
    assert run(arguments) == 1
    shown = capsys.readouterr().out
    assert shown.startswith("TAMPERED: record 3 is not as it was written: content ")
    assert max(map(len, shown.splitlines())) <= 80
    assert run([*arguments, "--json"]) == 1
    data = json.loads(capsys.readouterr().out)
    (problem,) = data.get("answers", [data])[0]["problems"]
    assert problem.endswith("answer is not what was graded")


def test_of_several_answers_the_changed_one_is_marked(tmp_path, capsys):
    """All five are shown; the mark stands over the one that was changed."""
    assert run(["show", str(tampered(five(tmp_path))), "0" * 31]) == 1
    marked = capsys.readouterr().out.split("TAMPERED (record 3)\n")
    assert len(marked) == 2
    assert marked[1].startswith(f"trace {3:032x}")


@pytest.mark.parametrize("value", [b"5", b'{"a":[1]}', b"[[["])
def test_showing_content_that_makes_no_sense_exits_with_1(tmp_path, capsys, value):
    """A changed text of another type is as much a change as any other."""
    log = five(tmp_path)
    for path in (log / "content").glob("*/*.json"):
        path.write_bytes(path.read_bytes().replace('"It is 2. 🙂"'.encode(), value))
    assert call(capsys, "show", log, 3)[0] == 1


def test_a_log_that_does_not_verify_is_not_passed_on(tmp_path, capsys):
    """No bundle, no anchor, nothing sent: exit code 1, and the first bad record is named."""
    log, out = tampered(five(tmp_path / "log")), tmp_path / "bundle"
    for arguments in (
        ["audit", "export", log, "-o", out],
        ["audit", "export", log, "-o", out, "--with-content", "--where", "grade=latency"],
        ["audit", "anchor", log],
        ["publish", log, "--otlp", "http://127.0.0.1:1"],
    ):
        code = run([*map(str, arguments)])
        captured = capsys.readouterr()
        assert (code, captured.out) == (1, "")
        assert "record 3" in captured.err
    assert not out.exists()
    assert len(list(AuditLog.open(log).entries())) == 7


def test_a_run_end_fits_the_screen(tmp_path, capsys):
    """Its counts are many; they wrap."""
    write_log(tmp_path, [answer()])
    with AuditWriter(tmp_path, manifest()) as writer:
        writer.finish({f"a_rather_long_name_{number}": number for number in range(9)})
    _, out, _ = call(capsys, "show", tmp_path, 4)
    assert "a run ended" in out
    assert max(map(len, out.splitlines())) <= 80


@pytest.mark.parametrize("name", ["record", "content", "manifest"])
def test_schemas_take_json_like_every_command(name, capsys):
    """The published schema under a key of its own."""
    code, out, _ = call(capsys, "schema", name, "--json")
    data = json.loads(out)
    assert (code, data["schema"], data["name"]) == (0, "groundwire.audit.schema/v1", name)
    assert data["json_schema"] == json.loads(call(capsys, "schema", name)[1])


HOSTILE = "\x1b]0;owned\x07 \x9b31m \u202egnp.exe\u2069"


def test_what_was_recorded_can_not_steer_the_screen(tmp_path, capsys):
    """Control and bidi characters of texts and ids are shown escaped, on screen and on the page."""
    hostile = answer(question=HOSTILE, answer=f"{HOSTILE} 1", conversation_id=HOSTILE, model=HOSTILE)
    write_log(tmp_path / "log", [hostile])
    _, out, _ = call(capsys, "show", tmp_path / "log", 1)
    _, as_json, _ = call(capsys, "show", tmp_path / "log", 1, "--json")
    call(capsys, "export", tmp_path / "log", "-o", tmp_path / "bundle", "--with-content")
    page = (tmp_path / "bundle" / "report.html").read_text(encoding="utf-8")
    for text in (out, as_json, page):
        assert not set(text) & set("\x1b\x07\x9b\u202e\u2069")
        assert "\\u202egnp.exe" in text
    assert json.loads(as_json)["content"]["question"] == HOSTILE


def test_the_bundles_program_can_not_be_steered_either(tmp_path, capsys):
    """A name in a planted content file is printed as codes."""
    log, out = five(tmp_path / "log"), tmp_path / "bundle"
    call(capsys, "export", log, "-o", out, "--with-content")
    record = AuditLog.open(out).entry(3).record_id
    path = out / "content" / record[:2] / f"{record}.json"
    planted = {"salt": "00" * 32, "value": ""}
    data = {**json.loads(path.read_bytes())}
    data["fields"]["\u202eknown"] = planted
    path.write_bytes(canonical_bytes(data) + b"\n")
    command = [sys.executable, "-I", "-S", str(out / "verify.py")]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert "<202e>known is not what was graded" in done.stdout
