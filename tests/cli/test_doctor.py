import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from groundwire.cli.doctor import command


def run(*arguments: object) -> Result:
    return CliRunner().invoke(command, [str(one) for one in arguments], standalone_mode=False)


def test_nothing_listening_is_bad_and_exits_1() -> None:
    """The finding names the address and what to do; the last line counts."""
    done = run("--otlp", "http://127.0.0.1:9")
    assert done.return_value == 1
    assert "http://127.0.0.1:9 takes no OTLP" in done.stdout
    assert done.stdout.strip().endswith("0 ok, 0 note, 1 bad")


def test_the_environment_names_the_endpoint(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without --otlp the service's own variable decides."""
    monkeypatch.setenv("OTEL_EXPORTER_OTLP_ENDPOINT", "http://127.0.0.1:9/")
    assert "http://127.0.0.1:9 takes" in run().stdout


def test_offline_looks_at_files_only(tmp_path: Path) -> None:
    """Traces alone are examined without sending anything."""
    (tmp_path / "answers.jsonl").write_text('{"question": "Who?", "answer": "Ada."}\n')
    done = run("--offline", "--traces", tmp_path, "--json")
    checks = {one["check"]: one["level"] for one in json.loads(done.stdout)["findings"]}
    assert checks == {"traces": "ok", "weights": "note", "losses": "note", "backends": "ok"}
    assert done.return_value == 0


def test_offline_needs_traces() -> None:
    """There would be nothing to look at."""
    assert "--traces" in str(run("--offline").exception)
