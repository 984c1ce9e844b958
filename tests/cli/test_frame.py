"""The command line's frame: help, versions, exit codes, errors without tracebacks."""

from __future__ import annotations

import importlib
import json
import re
from pathlib import Path

import pytest

from groundwire import __version__
from groundwire.cli.frame import SECTIONS, run

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
