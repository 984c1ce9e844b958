"""``groundwire inspect``: what is in these traces, what can be graded, what to switch on for the rest."""

from __future__ import annotations

import click

from groundwire.cli.output import Output, speaks
from groundwire.cli.reading import reads
from groundwire.settings import Settings


@click.command("inspect")
@click.argument("traces", nargs=-1, required=True)
@reads
@speaks
def command(output: Output, traces: tuple[str, ...], settings: Settings) -> int:
    """What is in these traces, and what can be graded.

    TRACES are files, folders or globs, - is stdin. Says which formats and instrumentations were found, which
    graders have what they need, and for the rest what is missing and what to switch on where.
    """
    from groundwire.inspection import inspect_sources

    with output.progress("reading") as update:
        found = inspect_sources(traces, settings=settings, on_progress=lambda done: update(done, 0))
    output.result(found.render(), found.to_dict(), schema="inspect")
    if found.records:
        return 0
    unread = found.stats.spans + found.stats.logs + found.stats.plain_records == 0
    return 2 if unread and found.stats.rejected_total else 3
