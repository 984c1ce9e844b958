"""``groundwire show``: one answer with its evidence marked, from traces or from an audit log."""

from __future__ import annotations

from pathlib import Path

import click

from groundwire.cli.output import Output, speaks


@click.command("show")
@click.argument("source")
@click.argument("identity", metavar="ID")
@click.option("--config", "config", type=click.Path(), help="Read this settings file.")
@speaks
def command(output: Output, source: str, identity: str, config: str | None) -> int:
    """One answer, its evidence marked.

    SOURCE is an audit log or anything that score reads; ID is (the beginning of) a trace id, span id or
    record id. From a log, the grades are the recorded ones; from traces, they are made now.
    """
    from groundwire.lookup import find_answers
    from groundwire.report import render_answer
    from groundwire.settings import Settings

    found = find_answers(source, identity, settings=Settings.load(config))
    if not found:
        hint = "`groundwire inspect` lists them."
        output.talk(f"{Path(source)}: no answer whose id begins with {identity!r}. {hint}")
        return 3
    text = "\n\n".join(render_answer(answer.record, answer.grades) for answer in found)
    output.result(text, {"answers": [answer.to_dict() for answer in found]}, schema="show")
    return 0
