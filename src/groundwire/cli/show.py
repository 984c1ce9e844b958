"""``groundwire show``: one answer with its evidence marked, from traces or from an audit log."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from groundwire.cli.output import Output, speaks
from groundwire.cli.reading import reads
from groundwire.settings import Settings

if TYPE_CHECKING:
    from groundwire.lookup import GradedAnswer


@click.command("show")
@click.argument("source")
@click.argument("identity", metavar="ID")
@reads
@speaks
def command(output: Output, source: str, identity: str, settings: Settings) -> int:
    """One answer, its evidence marked.

    SOURCE is an audit log or anything that score reads; ID is (the beginning of) a trace id, span id or
    record id. From a log, the grades are the recorded ones, and exit code 1 says that a record or its
    content is not as it was written; from traces, they are made now.
    """
    from groundwire.audit.render import render_problems
    from groundwire.lookup import find_answers

    found = find_answers(source, identity, settings=settings)
    if not found:
        hint = "`groundwire inspect` lists them."
        output.talk(f"{Path(source)}: no answer whose id begins with {identity!r}. {hint}")
        return 3
    problems = {answer.seq: answer.problems for answer in found if answer.seq is not None and answer.problems}
    warning = [render_problems(problems)] if problems else []
    text = "\n\n".join([*warning, *map(_render, found)])
    output.result(text, {"answers": [answer.to_dict() for answer in found]}, schema="show")
    return 1 if problems else 0


def _render(answer: GradedAnswer) -> str:
    from groundwire.report import render_answer

    text = render_answer(answer.record, answer.grades)
    return f"TAMPERED (record {answer.seq})\n{text}" if answer.problems else text
