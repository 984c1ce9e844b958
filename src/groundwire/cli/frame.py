"""The ``groundwire`` group: finds a command's module by name, turns exceptions into exit codes."""

from __future__ import annotations

import difflib
import importlib
import importlib.util
import os
import sys
import traceback
from collections.abc import Sequence

import click

from groundwire import __version__
from groundwire.errors import ChainError, GroundwireError
from groundwire.text.printable import printable

SECTIONS: dict[str, dict[str, str]] = {
    "daily": {
        "demo": "The whole loop on this machine in a minute: ask, trace, score, audit, verify.",
        "inspect": "What is in these traces, and what can be graded.",
        "score": "Grade traces, write the audit log, print a summary.",
        "show": "One answer, its evidence marked.",
        "check": "Tell how much of an answer is copied from a source, word by word.",
    },
    "set-up": {
        "config": "Every setting with its value and origin.",
        "doctor": "Check a live set-up.",
        "publish": "Send the grades of an audit log to a backend.",
    },
    "evidence": {
        "audit": "Verify, show, prove, export, erase: the log as evidence.",
    },
}
"""Every command with its one line of help, by the section it is listed under."""


class _LazyGroup(click.Group):
    """Imports ``groundwire.cli.<name>`` only when that command is asked for."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return [name for section in SECTIONS.values() for name in section if _has_module(name)]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in self.list_commands(ctx):
            return None
        command: click.Command = importlib.import_module(f"groundwire.cli.{cmd_name}").command
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        try:
            return super().resolve_command(ctx, args)
        except click.UsageError as error:
            near = difflib.get_close_matches(args[0], self.list_commands(ctx), n=1)
            if near:
                hint = f"No such command {args[0]!r}. Did you mean {near[0]!r}?"
                raise click.UsageError(hint, ctx=error.ctx) from error
            raise

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        known = set(self.list_commands(ctx))
        for title, commands in SECTIONS.items():
            rows = [(name, help_line) for name, help_line in commands.items() if name in known]
            if rows:
                with formatter.section(title):
                    formatter.write_dl(rows)


def _has_module(name: str) -> bool:
    return importlib.util.find_spec(f"groundwire.cli.{name}") is not None


@click.group(
    cls=_LazyGroup,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 80},
    epilog="Exit codes: 0 done, 1 a verdict asked for is negative, 2 usage or unreadable input, "
    "3 not enough to say.",
)
@click.version_option(__version__, prog_name="groundwire", message="%(prog)s %(version)s")
def group() -> None:
    """Tell whether a RAG system's answers can be trusted in production."""


def run(arguments: Sequence[str]) -> int:
    """Run the command line and return its exit code."""
    try:
        result = group.main(args=list(arguments), prog_name="groundwire", standalone_mode=False)
    except click.exceptions.NoArgsIsHelpError as error:
        click.echo(error.format_message())
        return 0
    except click.ClickException as error:
        error.show(sys.stderr)
        return 2
    except (click.Abort, KeyboardInterrupt):
        click.echo("interrupted", err=True)
        return 130
    except ChainError as error:
        click.echo(printable(f"error: {error}"), err=True)
        return 1
    except GroundwireError as error:
        click.echo(printable(f"error: {error}"), err=True)
        return 2
    except BrokenPipeError:
        sys.stdout = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115, PTH123 - lives until exit
        return 0
    except OSError as error:
        where = str(error.filename) if error.filename else "input or output"
        problem = GroundwireError("can not be used", where=where, got=error.strerror or str(error))
        click.echo(printable(f"error: {problem}"), err=True)
        return 2
    except Exception as error:  # noqa: BLE001 - else exit code 1 would say that a verdict is negative
        traceback.print_exc()
        click.echo(printable(f"error: a fault of groundwire itself, got {type(error).__name__}"), err=True)
        return 2
    return result if isinstance(result, int) else 0
