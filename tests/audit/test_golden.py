"""Logs that earlier versions wrote: every later version reads and verifies them."""

from pathlib import Path

import jsonschema
import orjson
import pytest

from audit.golden import LOGS, PUBLIC_KEY, write_all
from groundwire.audit import AuditLog
from groundwire.audit.published import schema_bytes

GOLDEN = Path(__file__).resolve().parents[1] / "golden" / "v1"


def files(path):
    return {
        str(p.relative_to(path)): p.read_bytes() for p in path.rglob("*") if p.is_file() and p.name != ".lock"
    }


@pytest.mark.parametrize("name", LOGS)
def test_released_logs_verify(name):
    """Whatever this version is: a log of version 1 is intact."""
    found = AuditLog.open(GOLDEN / name).verify(public_key=PUBLIC_KEY if name == "full" else None)
    assert (found.outcome, found.totals) == ("intact", {})


def test_released_logs_read():
    """Records, grades, runs and texts come out as they were put in."""
    log = AuditLog.open(GOLDEN / "full")
    assert [run.counts["added"] for run in log.runs()] == [5, 6]
    assert sum(1 for _ in log.records()) == 6
    assert [log.answer(record).question for record in log.records()][3] == "What is 3?"
    assert next(log.reviews()).actor.id == "R. Viewer"


def test_this_version_writes_the_same_bytes(tmp_path):
    """A changed byte would be a changed format: that takes a new version number."""
    write_all(tmp_path)
    assert files(tmp_path) == files(GOLDEN)


def test_released_schemas_never_change():
    """They are published: what validated once validates for ever."""
    for name, data in schema_bytes().items():
        assert (GOLDEN / "schema" / name).read_bytes() == data


@pytest.mark.parametrize("name", LOGS)
def test_everything_in_a_log_fits_its_schema(name):
    """Records, manifests and content files validate against the published JSON Schemas."""
    schemas = {
        kind: orjson.loads(schema_bytes()[f"audit-{kind}.v1.schema.json"])
        for kind in ("record", "content", "manifest")
    }
    checks = {kind: jsonschema.Draft202012Validator(schema) for kind, schema in schemas.items()}
    for path in (GOLDEN / name).rglob("*.json*"):
        kind = {"manifests": "manifest", "schema": None}.get(path.parent.name, "content")
        kind = (
            "record"
            if path.name.startswith("records")
            else None
            if path.name == "checkpoints.jsonl"
            else kind
        )
        for line in path.read_bytes().splitlines() if kind else ():
            checks[kind].validate(orjson.loads(line))
