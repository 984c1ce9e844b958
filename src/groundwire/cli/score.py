"""``groundwire score``: grade traces, write the audit log, print a summary."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

import click

from groundwire.cli.output import Output, speaks
from groundwire.cli.reading import reads
from groundwire.settings import Settings


@click.command("score")
@click.argument("traces", nargs=-1, required=True)
@click.option("-o", "--out", type=click.Path(file_okay=False, path_type=Path), help="Audit log to write to.")
@click.option("--content", type=click.Choice(["keep", "none"]), help="Content beside the log, or none.")
@click.option("--fail-on", multiple=True, metavar="GRADE", help="Exit 1 when any answer fails this grade.")
@click.option("--strict", is_flag=True, help="Exit 3 when any input was left out.")
@click.option("--run-id", help="Name of this run (default: a new one).")
@click.option("--recover", is_flag=True, help="Move a torn last line of the log aside and go on.")
@click.option(
    "--sign-key", type=click.Path(dir_okay=False, path_type=Path), envvar="GROUNDWIRE_SIGNING_KEY",
    help="Sign the log's checkpoint with this key file (audit keygen).",
)  # fmt: skip
@click.option("--recorded-at", metavar="TIME", help="RFC 3339 time for every record (default: now).")
@reads
@speaks
def command(
    output: Output,
    traces: tuple[str, ...],
    out: Path | None,
    settings: Settings,
    content: Literal["keep", "none"] | None,
    fail_on: tuple[str, ...],
    strict: bool,
    run_id: str | None,
    recorded_at: str | None,
    recover: bool,
    sign_key: Path | None,
) -> int:
    """Grade traces, write the audit log, print a summary.

    TRACES are files, folders or globs of exported traces or of plain records; - is stdin.
    """
    from groundwire.audit import Signer
    from groundwire.pipeline import rare_collection, score

    with rare_collection(), output.progress("scoring") as update:
        result = score(
            list(traces),
            out=out,
            settings=settings,
            content=content,
            run_id=run_id,
            recorded_at=recorded_at,
            recover=recover,
            signer=None if sign_key is None else Signer.read(sign_key),
            fail_on=fail_on,
            on_progress=update,
            talk=output.talk,
        )
    output.result(result.render(), result.to_dict(), schema="score")
    return result.exit_code(strict=strict)
