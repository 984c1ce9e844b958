"""The command line's frame: help, versions, exit codes, errors without tracebacks."""

from __future__ import annotations

import importlib
import json
import re
from pathlib import Path

import pytest

from groundwire import __version__
from groundwire.cli.frame import SECTIONS, run
from groundwire.reading import read_records

COMMANDS = [name for section in SECTIONS.values() for name in section]


def test_version_is_the_packages(capsys: pytest.CaptureFixture[str]) -> None:
    """`groundwire --version` prints one line."""
    assert run(["--version"]) == 0
    assert capsys.readouterr().out == f"groundwire {__version__}\n"


def test_the_bare_command_prints_help_and_succeeds(capsys: pytest.CaptureFixture[str]) -> None:
    """Somebody who types the name alone is helped, not scolded."""
    assert run([]) == 0
    assert "daily:" in capsys.readouterr().out


@pytest.mark.parametrize("name", COMMANDS)
def test_the_listed_help_line_is_the_commands_own(name: str) -> None:
    """The list of commands and the commands themselves say the same."""
    command = importlib.import_module(f"groundwire.cli.{name}").command
    listed = next(section[name] for section in SECTIONS.values() if name in section)
    own = " ".join((command.help or "").split())
    assert re.split(r"[.:] ", own)[0].rstrip(".") == re.split(r"[.:] ", listed)[0].rstrip(".")


def test_a_mistyped_command_gets_a_suggestion(capsys: pytest.CaptureFixture[str]) -> None:
    """Usage errors exit with 2 and say what was probably meant."""
    assert run(["scor"]) == 2
    assert "Did you mean 'score'?" in capsys.readouterr().err


@pytest.mark.parametrize(
    "arguments", [["score"], ["score", "--nope"], ["config", "--config", "missing.toml"]]
)
def test_bad_usage_exits_with_2_and_no_traceback(
    arguments: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    """Every usage error is a sentence on stderr."""
    assert run(arguments) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert "error" in captured.err.lower()
    assert "Traceback" not in captured.err


def test_control_characters_of_an_answer_are_shown_not_obeyed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A hostile trace can neither color, clear nor retitle the terminal that it is read on."""
    evil = "q\u001b[2J\r\b\u009b31m\u202e"
    row = {
        "trace_id": "ab\u001b]0;x\u0007",
        "question": evil,
        "answer": f"{evil} 40 [1].",
        "contexts": [evil],
    }
    source = tmp_path / "records.jsonl"
    source.write_text(json.dumps(row), encoding="utf-8")
    for command in (["show", str(source), "ab"], ["score", str(source)], ["inspect", str(source)]):
        run(command)
        captured = capsys.readouterr()
        shown = captured.out + captured.err
        assert all(line.isprintable() for line in shown.splitlines())
        assert "\\x1b" in shown


def test_a_fault_of_ours_is_no_negative_verdict(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A crash exits with 2, since 1 says that a verdict is negative."""

    def crash(**_: object) -> None:
        raise KeyError("x")

    monkeypatch.setattr("groundwire.cli.frame.group.main", crash)
    assert run(["config"]) == 2
    assert "error: a fault of groundwire itself, got KeyError" in capsys.readouterr().err


def test_no_id_and_no_folder_are_usage_errors(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """An empty id names no answer, and a mistyped folder of references is not passed over."""
    source = tmp_path / "records.jsonl"
    source.write_text('{"question": "q", "answer": "a", "contexts": ["a"]}\n', encoding="utf-8")
    assert run(["show", str(source), ""]) == 2
    assert "the id: is empty, expected the beginning" in capsys.readouterr().err
    assert run(["score", str(source), "--ref-base", str(tmp_path / "missing")]) == 2
    assert "does not exist" in capsys.readouterr().err


def test_show_minds_the_longest_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A line over --max-line is skipped by `show` as by `score`."""
    source = tmp_path / "records.jsonl"
    source.write_text('{"question": "q", "answer": "' + "a" * 1_100_000 + '", "id": "r"}\n', encoding="utf-8")
    assert run(["score", str(source), "--max-line", "1"]) == 2
    (identity,) = (r.trace_id or r.span_id for r in read_records(source))
    assert identity is not None
    assert run(["show", str(source), identity, "--max-line", "1"]) == 3


def test_closed_standard_streams_do_not_matter(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Without a standard error there is no progress line, and the run succeeds."""
    source = tmp_path / "records.jsonl"
    source.write_text('{"question": "q", "answer": "a", "contexts": ["a"]}\n', encoding="utf-8")
    monkeypatch.setattr("sys.stderr", None)
    assert run(["score", str(source)]) == 0
