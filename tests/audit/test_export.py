import json
import re
import shutil
import subprocess
import sys
from dataclasses import replace
from html.parser import HTMLParser

import pytest
from cryptography.hazmat.primitives.asymmetric import ed25519
from hypothesis import given, settings, strategies as st

from audit.samples import TIME, answer, five, grades, write_log
from groundwire.audit import AuditLog, Signer
from groundwire.audit.append import Writing, review
from groundwire.audit.canonical import canonical_bytes
from groundwire.audit.digests import leaf_hash
from groundwire.audit.erase import erase
from groundwire.audit.export import export
from groundwire.audit.proof import anchor_line, newest_note, prove, prove_growth, verify_growth, verify_proof
from groundwire.audit.selector import parse_selector
from groundwire.errors import AuditError, ChainError, ConfigError
from groundwire.grade import Outcome

FIXED = Writing(recorded_at=TIME)


def check(bundle, *options):
    """Run the bundle's own script with Python alone: no packages, nothing of ours."""
    command = [sys.executable, "-I", "-S", str(bundle / "verify.py"), *map(str, options)]
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=bundle.parent)
    assert done.stderr == ""
    return done.returncode, done.stdout


def test_a_whole_log_verifies_by_its_own_script(tmp_path):
    """Chain, root, manifests and texts, with what is proved and what is not."""
    log = five(tmp_path / "log")
    bundle = export(log, tmp_path / "b", with_content=True, writing=FIXED)
    code, out = check(tmp_path / "b")
    assert (code, bundle.answers, bundle.records) == (0, 5, 8)
    assert "NOT PROVED  who wrote it" in out
    assert out.endswith("INTACT\n")


def test_a_selection_carries_proofs(tmp_path):
    """Some records, each shown to be part of the log; both verifiers agree."""
    log = five(tmp_path / "log")
    where = parse_selector([f"trace_id={answer(3).trace_id}"])
    assert export(log, tmp_path / "b", where=where).answers == 1
    code, out = check(tmp_path / "b")
    assert (code, "part of the log of size 7" in out) == (0, True)
    assert AuditLog.open(tmp_path / "b").verify().outcome == "intact"


@pytest.mark.parametrize("name", ["records.jsonl", "proofs.jsonl", "checkpoint", "manifests/run-1.json"])
def test_a_changed_selection_is_found_by_both(tmp_path, name):
    """One letter in any of its files."""
    log = five(tmp_path / "log")
    export(log, tmp_path / "b", where=parse_selector(["latency=measured"]))
    path = tmp_path / "b" / name
    data = bytearray(path.read_bytes())
    data[len(data) // 2] ^= 1
    path.write_bytes(data)
    assert check(tmp_path / "b")[0] in (1, 2)
    assert AuditLog.open(tmp_path / "b").verify().exit_code == 1


@pytest.mark.parametrize("name", ["records.jsonl", "checkpoint", "manifests/run-1.json", "content"])
def test_a_changed_bundle_is_found_by_its_script(tmp_path, name):
    """The script finds what our own verification finds."""
    log = five(tmp_path / "log")
    export(log, tmp_path / "b", with_content=True, writing=FIXED)
    path = tmp_path / "b" / name
    path = sorted(path.rglob("*.json"))[1] if path.is_dir() else path
    for place in range(1, path.stat().st_size, max(1, path.stat().st_size // 12)):
        whole = path.read_bytes()
        path.write_bytes(whole[:place] + bytes([whole[place] ^ 1]) + whole[place + 1 :])
        assert check(tmp_path / "b")[0] in (1, 2), place
        path.write_bytes(whole)
    assert check(tmp_path / "b")[0] == 0


def test_a_kept_checkpoint_and_a_key_prove_more(tmp_path):
    """The script takes both; a wrong one is found."""
    signer, other = Signer("example.com/a", bytes(range(32))), Signer("example.com/b", bytes(32))
    write_log(tmp_path / "log", map(answer, range(3)), signer=signer)
    line = anchor_line(AuditLog.open(tmp_path / "log"))
    (tmp_path / "kept.txt").write_text(line + "\n")
    export(tmp_path / "log", tmp_path / "b")
    code, out = check(
        tmp_path / "b", "--checkpoint", tmp_path / "kept.txt", "--public-key", signer.public_key
    )
    assert (code, "PROVED      who wrote it" in out) == (0, True)
    assert check(tmp_path / "b", "--public-key", other.public_key)[0] == 1
    (tmp_path / "kept.txt").write_text(line.replace(" 5 ", " 4 "))
    assert check(tmp_path / "b", "--checkpoint", tmp_path / "kept.txt")[0] == 1


def test_erasures_are_understood_by_the_script(tmp_path):
    """Erased texts are no finding, missing ones are."""
    log = five(tmp_path / "log")
    erase(log, traces=[answer(2).trace_id], writing=FIXED)
    export(log, tmp_path / "b", with_content=True, writing=FIXED)
    code, out = check(tmp_path / "b")
    assert (code, "1 erased on purpose" in out) == (0, True)
    next((tmp_path / "b").glob("content/*/*.json")).unlink()
    assert check(tmp_path / "b")[0] == 1


def test_a_copy_with_texts_is_recorded_first(tmp_path):
    """So that the bundle itself shows it, and a later erasure can name it."""
    log = five(tmp_path / "log")
    assert export(log, tmp_path / "b", with_content=True, writing=FIXED).seq == 7
    assert AuditLog.open(tmp_path / "b").verify().records["exported"] == 1


def test_a_copy_without_texts_holds_none(tmp_path):
    """And leaves no record: nothing personal left the folder."""
    log = five(tmp_path / "log")
    before = (log / "records.jsonl").read_bytes()
    export(log, tmp_path / "b")
    assert (log / "records.jsonl").read_bytes() == before
    files = [path.read_bytes() for path in (tmp_path / "b").rglob("*") if path.is_file()]
    assert not any(answer(2).question.encode() in data for data in files)


def test_nothing_is_written_over(tmp_path):
    """A folder with something in it is refused."""
    log = five(tmp_path / "log")
    export(log, tmp_path / "b")
    with pytest.raises(AuditError, match="there already"):
        export(log, tmp_path / "b")


class _Tags(HTMLParser):
    def __init__(self):
        super().__init__()
        self.seen = set()

    def handle_starttag(self, tag, attrs):
        self.seen |= {tag, *(f"{tag}.{name}" for name, _ in attrs)}


def test_the_report_is_readable_without_scripts(tmp_path):
    """One page, nothing loaded from elsewhere; texts are escaped, reviewers are named as typed."""
    write_log(tmp_path / "log", [answer(answer="<script>alert(1)</script> & more")])
    record = next(AuditLog.open(tmp_path / "log").records())
    review(
        tmp_path / "log", about=record.record_id, grade="latency", outcome="fail", actor="<R>", writing=FIXED
    )
    export(tmp_path / "log", tmp_path / "b", with_content=True, writing=FIXED)
    page, tags = (tmp_path / "b/report.html").read_text(encoding="utf-8"), _Tags()
    tags.feed(page)
    assert not tags.seen & {"script", "link", "img", "iframe", "a", "a.href", "img.src"}
    assert "&lt;script&gt;alert(1)&lt;/script&gt; &amp; more" in page
    assert "&lt;R&gt; (as typed, not proved)" in page


@pytest.mark.parametrize("seq", range(7))
def test_every_record_can_be_proved_alone(tmp_path, seq):
    """A proof is enough; a changed one leads nowhere."""
    proof = prove(AuditLog.open(five(tmp_path)), seq)
    verify_proof(json.loads(json.dumps(proof)))
    with pytest.raises(ChainError):
        verify_proof({**proof, "line": proof["line"].replace("run-1", "run-2")})


def test_there_is_no_proof_of_what_is_not_there(tmp_path):
    """A number beyond the checkpoint."""
    with pytest.raises(AuditError, match="0 to 6"):
        prove(AuditLog.open(five(tmp_path)), 7)


def test_growth_is_proved_to_who_kept_a_checkpoint(tmp_path):
    """Old and new checkpoint and a few hashes are enough; another beginning is found."""
    log = five(tmp_path)
    kept = newest_note(AuditLog.open(log)).checkpoint
    write_log(log, [answer(9)], run_id="run-2")
    proof = prove_growth(AuditLog.open(log), kept.size)
    verify_growth(json.loads(json.dumps(proof)), kept)
    with pytest.raises(ChainError, match="does not begin"):
        verify_growth(proof, replace(kept, root=bytes(32)))
    with pytest.raises(AuditError, match="1 to 10"):
        prove_growth(AuditLog.open(log), 11)


def specification():
    from importlib import resources

    return resources.files("groundwire.audit").joinpath("FORMAT.md").read_text(encoding="utf-8")


def test_the_specification_checks_a_proof_by_hand(tmp_path):
    """The Python in FORMAT.md, as printed there."""
    code = re.search(r"```python\n(.*?)```", specification(), re.DOTALL)[1]
    (tmp_path / "proof.json").write_text(json.dumps(prove(AuditLog.open(five(tmp_path / "log")), 5)))
    command = [sys.executable, "-I", "-S", "-c", code]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=True)
    assert done.stdout == "True\n"


@pytest.mark.skipif(shutil.which("sha256sum") is None, reason="no sha256sum here")
def test_the_specification_hashes_a_leaf_with_standard_tools(tmp_path):
    """The command line in FORMAT.md, as printed there."""
    command = re.search(r"standard tools: `(.*?)`\.", specification(), re.DOTALL)[1].replace("\n", " ")
    log = five(tmp_path)
    done = subprocess.run(["bash", "-c", command], cwd=log, capture_output=True, text=True, check=True)
    assert done.stdout.split()[0] == leaf_hash((log / "records.jsonl").read_bytes().splitlines()[5]).hex()


def script():
    """The bundle's script as a module."""
    import importlib.util
    from importlib import resources

    path = resources.files("groundwire.audit").joinpath("bundle", "verify.py")
    spec = importlib.util.spec_from_file_location("bundle_verify", str(path))
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


SCRIPT = script()
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53) + 1, 2**53 - 1)
    | st.floats(allow_nan=False, allow_infinity=False) | st.text(st.characters(exclude_categories=["Cs"])),
    lambda inner: st.lists(inner, max_size=4)
    | st.dictionaries(st.text(st.characters(exclude_categories=["Cs"])), inner, max_size=4),
    max_leaves=12,
)  # fmt: skip


@given(VALUES)
def test_the_script_writes_the_same_canonical_bytes(value):
    """Two implementations, one of them without any package, agree on every value."""
    assert SCRIPT.canonical(value).encode() == canonical_bytes(value)


def test_the_script_checks_signatures_as_rfc_8032_says():
    """Test 1 of the RFC: its signature is good, with one bit changed it is not."""
    key = bytes.fromhex("d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a")
    signature = bytes.fromhex(
        "e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555fb8821590a33bacc61e39701cf9b46bd25bf5f"
        "0595bbe24655141438e7a100b"
    )
    assert SCRIPT.is_signature(key, b"", signature)
    assert not SCRIPT.is_signature(key, b"x", signature)
    assert not SCRIPT.is_signature(key, b"", bytes([signature[0] ^ 1]) + signature[1:])


@settings(max_examples=10)
@given(st.binary(min_size=32, max_size=32), st.binary(max_size=50))
def test_the_script_agrees_with_the_library_on_signatures(seed, message):
    """Any key, any message."""
    key = ed25519.Ed25519PrivateKey.from_private_bytes(seed)
    public = key.public_key().public_bytes_raw()
    assert SCRIPT.is_signature(public, message, key.sign(message))
    assert not SCRIPT.is_signature(public, message + b"x", key.sign(message))


def test_the_script_imports_nothing_but_the_standard_library():
    """Whoever reads it sees all there is."""
    import ast

    tree = ast.parse(SCRIPT.__loader__.get_source("bundle_verify"))
    names = {alias.name for node in ast.walk(tree) if isinstance(node, ast.Import) for alias in node.names}
    names |= {node.module for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
    assert names <= sys.stdlib_module_names


def test_selectors(tmp_path):
    """Conditions on fields, grades, runs and times; all must hold."""
    log = five(tmp_path)
    write_log(log, [answer(3)], run_id="run-2", judged=grades(Outcome.FAIL))

    def count(*where, **bounds):
        return sum(1 for _ in AuditLog.open(log).records(where=parse_selector(where, **bounds)))

    assert count("citation_accuracy=fail") == 1
    assert count("citation_accuracy!=fail", "service=checkout") == 4
    assert count(run="run-2") == 1
    assert count(since="2025-11-30T12:00:02Z", until="2025-11-30T12:00:04Z") == 2
    for bad in ({"where": ["pass"]}, {"since": "yesterday"}, {"until": "2026-11-30T12:00+02:00"}):
        with pytest.raises(ConfigError):
            parse_selector(**bad)
