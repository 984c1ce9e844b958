"""The README is true: its examples print what it shows, its help is the commands' own, its commands exist."""

from __future__ import annotations

import itertools
import re
import shlex
import subprocess
import sys
from pathlib import Path

import click
import pytest

from groundwire.cli.frame import group, run

README = (Path(__file__).parents[1] / "README.md").read_text(encoding="utf-8")
BLOCKS = [(m[1], m[2]) for m in re.finditer(r"^```(\w+)\n(.*?)^```$", README, re.M | re.S)]
EXAMPLES = [
    (code, after[1])
    for (kind, code), after in itertools.pairwise(BLOCKS)
    if kind == "python" and after[0] == "text"
]
HELP = [text for kind, text in BLOCKS if kind == "console" and "--help" in text.splitlines()[0]]
COMMANDS = sorted(
    {
        line.removeprefix("$ ").split("#")[0].strip()
        for kind, text in BLOCKS
        if kind in ("console", "sh")
        for line in text.splitlines()
        if line.startswith("$ groundwire " if kind == "console" else "groundwire ")
    }
)


@pytest.mark.parametrize(("code", "shown"), EXAMPLES, ids=[str(n) for n in range(len(EXAMPLES))])
def test_an_example_prints_what_the_readme_shows(code: str, shown: str, tmp_path: Path) -> None:
    """Each Python block that is followed by a text block is run in a folder of its own."""
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, check=False, timeout=120
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout == shown


def test_there_is_an_example_and_help_to_check() -> None:
    """A README that lost its blocks must not pass silently."""
    assert EXAMPLES and HELP and COMMANDS


@pytest.mark.parametrize("block", HELP, ids=[text.splitlines()[0][2:] for text in HELP])
def test_a_help_block_is_the_commands_own(
    block: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """What the README says of an option is what `--help` says."""
    monkeypatch.setenv("COLUMNS", "80")
    first, _, shown = block.partition("\n")
    assert run(shlex.split(first.removeprefix("$ groundwire"))) == 0
    assert capsys.readouterr().out == shown


@pytest.mark.parametrize("line", COMMANDS)
def test_a_command_in_the_readme_exists_with_its_options(line: str) -> None:
    """Every `groundwire …` line names a command and options that there are."""
    words = shlex.split(line)[1:]
    command: click.Command | None = group
    context = click.Context(group, info_name="groundwire")
    while words and isinstance(command, click.Group) and not words[0].startswith("-"):
        command = command.get_command(context, words.pop(0))
    assert command is not None, line
    known = {option for parameter in command.params for option in parameter.opts} | {"--help", "-h"}
    given = {word.split("=")[0] for word in words if re.match(r"--?[a-zA-Z]", word)}
    assert given <= known, given - known
