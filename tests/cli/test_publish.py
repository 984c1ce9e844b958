import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from groundwire.cli.publish import command
from groundwire.pipeline import score


@pytest.fixture
def audit(tmp_path: Path) -> Path:
    """A log of two answers that came without traces."""
    records = tmp_path / "answers.jsonl"
    records.write_text('{"question": "Who?", "answer": "Ada."}\n{"question": "When?", "answer": "1843."}\n')
    score(records, out=tmp_path / "audit")
    return tmp_path / "audit"


def run(*arguments: object) -> Result:
    return CliRunner().invoke(command, [str(one) for one in arguments], standalone_mode=False)


@pytest.mark.parametrize("options", [(), ("--otlp", "http://127.0.0.1:9", "--phoenix", "http://127.0.0.1:9")])
def test_there_is_exactly_one_destination(options: tuple[str, ...], audit: Path) -> None:
    """None or two are refused before anything is read."""
    assert "one destination" in str(run(audit, *options).exception)


def test_a_header_has_a_name_and_a_value(audit: Path) -> None:
    """A header without = is refused, and its value is not repeated."""
    done = run(audit, "--otlp", "http://127.0.0.1:9", "--header", "secret")
    assert "NAME=VALUE" in str(done.exception)


def test_answers_without_a_trace_are_counted_and_exit_3(audit: Path) -> None:
    """Nothing to send is not success: the exit code says that there was not enough."""
    done = run(audit, "--otlp", "http://127.0.0.1:9", "--patience", 0, "--json")
    said = json.loads(done.stdout)
    assert said["schema"] == "groundwire.publish/v1"
    assert (done.return_value, said["sent"]) == (3, 0)
    assert said["untraced"] > 0


def test_headers_come_from_the_environment_too(audit: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """OTEL_EXPORTER_OTLP_HEADERS is read as the exporters read it."""
    from groundwire.cli.publish import _headers

    monkeypatch.setenv("OTEL_EXPORTER_OTLP_HEADERS", "authorization=Bearer%20x, a=1")
    assert _headers(("a=2",)) == {"authorization": "Bearer x", "a": "2"}
