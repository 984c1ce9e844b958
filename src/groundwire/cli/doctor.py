"""``groundwire doctor``: check a live set-up."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from groundwire.cli.output import Output, speaks
from groundwire.report.layout import wrap

if TYPE_CHECKING:
    from groundwire.doctor import Finding


@click.command("doctor")
@click.option(
    "--otlp", metavar="URL", help="Where the service sends to (default: the environment's endpoint)."
)
@click.option(
    "--traces",
    type=click.Path(path_type=Path),
    help="Where the Collector writes: a folder or file.",
)
@click.option("--wait", type=float, default=10.0, show_default=True, help="Seconds to wait for a test span.")
@click.option("--offline", is_flag=True, help="Only look at --traces, send nothing.")
@speaks
def command(output: Output, otlp: str | None, traces: Path | None, wait: float, offline: bool) -> int:
    """Check a live set-up: is the endpoint there, what does it take, does a test span reach the files, can
    sampling be undone, what would a backend cut.

    Exits 1 when something is bad: answers are or will be lost, cut or weighted wrongly.
    """
    from groundwire.doctor import examine_traces

    if offline and traces is None:
        raise click.UsageError("--offline needs --traces.")
    found = [] if offline else _examine_live(_endpoint(otlp), traces, wait)
    if traces is not None and (offline or traces.is_file() or any(traces.glob("*"))):
        found.extend(examine_traces(traces))
    output.result(_render(found), {"findings": [_to_dict(one) for one in found]}, schema="doctor")
    return 1 if any(one.level == "bad" for one in found) else 0


def _examine_live(endpoint: str, traces: Path | None, wait: float) -> list[Finding]:
    from groundwire.doctor import examine_arrival, examine_endpoint

    os.environ.setdefault("GRPC_VERBOSITY", "NONE")  # what it would say is in the findings
    found, client = examine_endpoint(endpoint)
    if client is not None and traces is not None:
        found.extend(examine_arrival(client, traces, wait_s=wait))
    return found


def _endpoint(otlp: str | None) -> str:
    named = otlp or os.environ.get("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT")
    named = named or os.environ.get("OTEL_EXPORTER_OTLP_ENDPOINT") or "http://127.0.0.1:4318"
    return named.removesuffix("/").removesuffix("/v1/traces")


def _render(found: list[Finding]) -> str:
    width = max((len(one.check) for one in found), default=0)
    lines = []
    for one in found:
        margin = " " * (width + 8)
        lines.append(wrap(one.text, f"{one.level:<4}  {one.check:<{width}}  ", margin))
        if one.mend:
            lines.append(wrap(one.mend, f"{margin}→ ", f"{margin}  "))
    counts = {level: sum(one.level == level for one in found) for level in ("ok", "note", "bad")}
    return "\n".join([*lines, "", ", ".join(f"{count} {level}" for level, count in counts.items())])


def _to_dict(one: Finding) -> dict[str, Any]:
    return {"check": one.check, "level": one.level, "text": one.text, "mend": one.mend, "data": one.data}
