"""What every command shares: ``--json``, ``-q``, ``-v``, results on stdout, talk and progress on stderr."""

from __future__ import annotations

import functools
import json
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import click

from groundwire.text.printable import escape_json, printable


@dataclass(frozen=True)
class Output:
    """How a command speaks. ``as_json``: one JSON object on stdout instead of text."""

    as_json: bool = False
    quiet: bool = False
    verbose: bool = False

    def result(self, text: str, data: dict[str, Any], *, schema: str, is_styled: bool = False) -> None:
        """Print the result: ``text`` for people, or ``data`` under a ``schema`` key for programs.

        Control characters of ``text`` are shown, not obeyed, unless ``is_styled`` says that the caller did
        that already and added colors.
        """
        if self.as_json:
            shown = {"schema": f"groundwire.{schema}/v1", **data}
            click.echo(escape_json(json.dumps(shown, ensure_ascii=False, indent=2)))
        else:
            click.echo(text if is_styled else printable(text))

    def talk(self, message: str) -> None:
        """Print a remark on stderr, unless ``-q``."""
        if not self.quiet:
            click.echo(printable(message), err=True)

    def detail(self, message: str) -> None:
        """Print a remark on stderr with ``-v`` only."""
        if self.verbose:
            click.echo(printable(message), err=True)

    @contextmanager
    def progress(self, title: str) -> Iterator[Callable[[int, int], None]]:
        """A progress line on stderr while work runs, on a terminal only.

        Yields ``update(done_bytes, total_bytes)``; a total of 0 means unknown.
        """
        if self.quiet or sys.stderr is None or not sys.stderr.isatty():
            yield lambda done, total: None
            return
        from rich.console import Console
        from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeRemainingColumn

        columns = (
            TextColumn("{task.description}"), BarColumn(), TaskProgressColumn(), TimeRemainingColumn(),
        )  # fmt: skip
        with Progress(*columns, console=Console(stderr=True), transient=True) as progress:
            task = progress.add_task(title, total=None)
            yield lambda done, total: progress.update(task, completed=done, total=total or None)


def speaks(function: Callable[..., Any]) -> Callable[..., Any]:
    """Give a command the shared options; it receives an :class:`Output` as its first argument."""

    @click.option("--json", "as_json", is_flag=True, help="One JSON object on stdout.")
    @click.option("-q", "--quiet", is_flag=True, help="No talk on stderr.")
    @click.option("-v", "--verbose", is_flag=True, help="More talk on stderr.")
    @functools.wraps(function)
    def wrapper(*args: Any, as_json: bool, quiet: bool, verbose: bool, **kwargs: Any) -> Any:
        return function(Output(as_json, quiet, verbose), *args, **kwargs)

    return wrapper
