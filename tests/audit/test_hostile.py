"""Logs whose bytes make no sense: every reader answers with an error of ours or a finding."""

import random
import shutil

import orjson
import pytest

from audit.golden import write_full
from audit.samples import answer, write_log
from groundwire.audit import AuditLog
from groundwire.audit.append import Writing
from groundwire.audit.canonical import plain_bytes
from groundwire.audit.digests import NO_HASH, record_hash
from groundwire.audit.erase import erase
from groundwire.audit.export import export
from groundwire.audit.proof import prove
from groundwire.audit.render import render_entry, render_verification
from groundwire.errors import GroundwireError

WEIRD = [None, 1, -1, 2**52, "", "x", [], {}, [1], {"a": 1}, "../x", True, "ÿ", [[["a"]]], 1.5]


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    path = tmp_path_factory.mktemp("whole") / "log"
    write_full(path)
    return path


def mutated(value, pick):
    """The value with one part of it replaced or removed."""
    if isinstance(value, dict) and value:
        name = pick.choice(sorted(value))
        if pick.random() < 0.2:
            return {key: item for key, item in value.items() if key != name}
        return {**value, name: pick.choice(WEIRD) if pick.random() < 0.4 else mutated(value[name], pick)}
    if isinstance(value, list) and value:
        place = pick.randrange(len(value))
        return [*value[:place], mutated(value[place], pick), *value[place + 1 :]]
    return pick.choice(WEIRD)


def rechained(lines):
    prev = NO_HASH
    for line in lines:
        entry = {**orjson.loads(line), "prev": prev}
        entry.pop("hash", None)
        prev = record_hash(plain_bytes(entry))
        yield plain_bytes({**entry, "hash": prev})


def damage(log, pick):
    """Change one line of one file; half of the time hide it by hashing all records anew."""
    files = sorted(path for path in log.rglob("*") if path.is_file() and path.stat().st_size)
    path = pick.choice([*files, *[log / "records.jsonl"] * 20])
    lines = path.read_bytes().splitlines()
    place = pick.randrange(len(lines))
    try:
        lines[place] = orjson.dumps(mutated(orjson.loads(lines[place]), pick), option=orjson.OPT_SORT_KEYS)
        if path.name == "records.jsonl" and pick.random() < 0.5:
            lines = list(rechained(lines))
    except (ValueError, TypeError):
        lines[place] = pick.randbytes(20)
    path.write_bytes(b"\n".join(lines) + b"\n")


OPERATIONS = {
    "verify": lambda log: render_verification(AuditLog.open(log).verify(), "log"),
    "read": lambda log: [AuditLog.open(log).answer(record) for record in AuditLog.open(log).records()],
    "show": lambda log: [render_entry(entry) for entry in AuditLog.open(log).entries()],
    "runs": lambda log: (AuditLog.open(log).runs(), AuditLog.open(log).manifests()),
    "prove": lambda log: prove(AuditLog.open(log), 3),
    "export": lambda log: export(log, log.parent / "bundle", with_content=True, writing=Writing()),
    "erase": lambda log: erase(log, subjects=["x"], traces=[answer(1).trace_id]),
    "write": lambda log: write_log(log, [answer(9)], run_id=None, recover=True),
}


@pytest.mark.parametrize("operation", OPERATIONS)
def test_nonsense_is_never_a_traceback(whole, tmp_path, operation):
    """Twenty damaged logs for every way of reading one."""
    for seed in range(20):
        log = tmp_path / str(seed) / "log"
        shutil.copytree(whole, log)
        damage(log, random.Random(seed))
        try:
            OPERATIONS[operation](log)
        except GroundwireError as error:
            assert str(error)
