"""``groundwire audit``: the log as evidence."""

from __future__ import annotations

from pathlib import Path

import click

from groundwire.cli.output import Output, speaks

_FOLDER = click.argument("folder", metavar="AUDIT", type=click.Path(path_type=Path))


@click.group("audit")
def command() -> None:
    """The log as evidence: verify it, show it, hand it over, erase from it."""


@command.command("verify")
@_FOLDER
@click.option("--checkpoint", type=click.Path(path_type=Path), help="A checkpoint that you kept.")
@click.option("--public-key", metavar="KEY", help="A public key, or a file that holds one.")
@speaks
def verify(output: Output, folder: Path, checkpoint: Path | None, public_key: str | None) -> int:
    """Check the whole log; say what is proved and what is not.

    Exit codes: 0 intact, 1 changed, 2 unreadable, 3 incomplete (a torn last line, a run not finished).
    """
    from groundwire.audit import AuditLog
    from groundwire.audit.render import render_verification, verification_data

    kept = None if checkpoint is None else checkpoint.read_text(encoding="utf-8")
    found = AuditLog.open(folder).verify(checkpoint=kept, public_key=_text_or_file(public_key))
    output.result(render_verification(found, str(folder)), verification_data(found), schema="audit.verify")
    return found.exit_code


def _text_or_file(value: str | None) -> str | None:
    if value is None or not Path(value).is_file():
        return value
    return Path(value).read_text(encoding="utf-8")
