"""``groundwire demo``: the whole loop on this machine in a minute."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from groundwire.cli.output import Output, speaks
from groundwire.report import render_summary, wrap

if TYPE_CHECKING:
    from groundwire.demo.loop import DemoResult


@click.command("demo")
@click.option(
    "--out",
    default="groundwire-demo",
    type=click.Path(file_okay=False, path_type=Path),
    help="Folder for traces and log.  [default: ./groundwire-demo]",
)
@speaks
def command(output: Output, out: Path) -> int:
    """The whole loop on this machine in a minute: ask, trace, score, audit, verify.

    Indexes the descriptions of the Python packages installed here, answers about thirty questions under
    @instrument, some wrong on purpose, grades the exported traces and checks the log. No key, no network.
    """
    from groundwire.demo.loop import run_demo

    result = run_demo(out, talk=output.talk)
    output.result(_render(result), _to_dict(result), schema="demo")
    return 0 if result.all_found else 1


def _render(result: DemoResult) -> str:
    honest = len(result.questions) - len(result.plan)
    lines = [render_summary(result.scored.summary), "", "what went wrong on purpose, and what found it:"]
    for question, fault in result.plan.items():
        names = ", ".join(result.found.get(fault.name, [])) or "NOT FOUND"
        lines.append(f"  {fault.name:<38}{names}")
        lines.append(f"      {question}")
    lines.append(f"honest answers accused: {len(result.accused)} of {honest}")
    lines += [f"  {question}  {', '.join(names)}" for question, names in result.accused.items()]
    lines += ["", "the log:"]
    lines.append(f"  {result.folder}/audit: {'intact' if result.is_log_intact else 'NOT INTACT'}")
    lines.append(wrap(f"a copy with one verdict changed: {result.tampered or 'NOT NOTICED'}", "  ", "    "))
    lines += ["", "look further:"]
    lines += [f"  groundwire inspect {result.folder}/traces.jsonl"]
    lines += [f"  groundwire show {result.folder}/audit {result.scored.summary.flagged[0][0]}"]
    lines += [f"  groundwire audit verify {result.folder}/audit"]
    found = sum(bool(names) for names in result.found.values())
    lines += [
        "",
        f"{len(result.questions)} asked, {result.scored.summary.records} graded; {found} of"
        f" {len(result.plan)} planned faults found, {len(result.accused)} honest answers accused",
    ]
    return "\n".join(lines)


def _to_dict(result: DemoResult) -> dict[str, object]:
    return {
        "folder": str(result.folder),
        "questions": len(result.questions),
        "planned": {fault.name: question for question, fault in result.plan.items()},
        "found": result.found,
        "accused": result.accused,
        "tampered": result.tampered,
        "summary": result.scored.summary.to_dict(),
    }
