import subprocess
import sys

import pytest

import groundwire.audit
from audit.samples import TIME, answer, five, write_log
from groundwire.audit import AuditLog
from groundwire.audit.append import Writing, record_copy
from groundwire.audit.erase import erase
from groundwire.errors import AuditError


def test_importing_loads_no_cryptography_and_no_command_line():
    """Signing is an extra, and the command line is somebody else's."""
    code = (
        "import sys, groundwire.audit; print({'cryptography', 'click', 'opentelemetry'} & set(sys.modules))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "set()\n"


def test_public_names_have_docstrings():
    """Whoever types help() finds what it is."""
    for name in groundwire.audit.__all__:
        assert (getattr(groundwire.audit, name).__doc__ or "groundwire.audit.schema").strip()


def test_any_copy_with_texts_can_be_recorded(tmp_path):
    """Reports and what is published too: an erasure then names them."""
    log = five(tmp_path)
    record_copy(log, kind="report", place="/reports/x.html", records=5, writing=Writing(recorded_at=TIME))
    done = erase(log, traces=[answer(1).trace_id], writing=Writing(recorded_at=TIME))
    assert [(copy.kind, AuditLog.open(log).content(copy.record_id)["place"]) for copy in done.copies] == [
        ("report", "/reports/x.html")
    ]
    with pytest.raises(AuditError, match="not a code"):
        record_copy(log, kind="a sentence", place="x", records=1)


def test_progress_is_told_in_bytes(tmp_path):
    """Long verifications can show how far they are."""
    write_log(tmp_path, map(answer, range(3)))
    seen = []
    AuditLog.open(tmp_path).verify(on_progress=lambda done, total: seen.append((done, total)))
    assert seen[0][1] == (tmp_path / "records.jsonl").stat().st_size
    assert 0 < seen[0][0] <= seen[0][1]
