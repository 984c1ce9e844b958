"""``groundwire publish``: send grades back to the backend that people already look at."""

from __future__ import annotations

import os
import time
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import unquote

import click

from groundwire.cli.output import Output, speaks

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from groundwire.audit import AuditLog
    from groundwire.publish import Evaluation, Ledger, Published, Sender


@click.command("publish")
@click.argument("audit", type=click.Path(exists=True, file_okay=False, path_type=Path))
@click.option("--otlp", metavar="URL", help="OTLP over HTTP: the base address, as http://127.0.0.1:4318")
@click.option(
    "--as", "mode", type=click.Choice(["logs", "spans", "metrics"]), default="logs", show_default=True,
    help="Events of the judged spans; spans, for backends that show no events; or a gauge of counts.",
)  # fmt: skip
@click.option("--phoenix", metavar="URL", help="Phoenix's own annotations: its base address.")
@click.option("--grade", "names", multiple=True, metavar="NAME", help="Only this grade; repeatable.")
@click.option("--run", metavar="ID", help="Only what this run recorded.")
@click.option("--header", "headers", multiple=True, metavar="NAME=VALUE", help="Sent along; repeatable.")
@click.option("--with-content", is_flag=True, help="Send explanations too; they quote the answers.")
@click.option("--patience", type=float, default=60.0, show_default=True, help="Seconds to keep trying.")
@speaks
def command(
    output: Output,
    audit: Path,
    otlp: str | None,
    mode: str,
    phoenix: str | None,
    names: tuple[str, ...],
    run: str | None,
    headers: tuple[str, ...],
    with_content: bool,
    patience: float,
) -> int:
    """Send the grades of an audit log to a backend. Each is a gen_ai.evaluation.result.

    What has arrived is remembered beside the log (AUDIT.published): running this again sends only what is
    new. No question, answer or context is sent unless --with-content is given, and nothing at all from a log
    that does not verify.
    """
    from groundwire.audit import AuditLog
    from groundwire.publish import Ledger, Sender, explain_from, publish, read_evaluations

    if (otlp is None) == (phoenix is None):
        raise click.UsageError("Give one destination: --otlp URL, or --phoenix URL.")
    base = otlp or phoenix or ""
    way = mode if otlp else "phoenix"
    sender = Sender(base, headers=_headers(headers), patience_s=patience)
    log = AuditLog.open(audit)
    with output.progress("verifying") as update:
        log.verify(strict=True, on_progress=update)
    if way == "metrics":
        return _send_metrics(output, log, sender, run)
    chosen = set(names) or None
    ledger = Ledger(audit, " ".join((base.rstrip("/"), way, "content" if with_content else "")))
    if with_content:
        _note_copy(log, base, run, lambda: read_evaluations(log.records(run=run), names=chosen), ledger)
    evaluations = read_evaluations(
        log.records(run=run), names=chosen, explain=explain_from(log) if with_content else None
    )
    counts = publish(
        evaluations, sender, ledger, mode=way,  # type: ignore[arg-type]
        on_progress=lambda so_far: output.detail(f"{so_far.sent} sent"),
    )  # fmt: skip
    output.result(_sentence(counts, base, way), {"to": base, "as": way, **counts.to_dict()}, schema="publish")
    return 3 if counts.sent + counts.already == 0 else 0


def _send_metrics(output: Output, log: AuditLog, sender: Sender, run: str | None) -> int:
    from groundwire.publish import publish_metrics

    sent, rejected = publish_metrics(log.records(run=run), sender, at_ns=time.time_ns())
    text = f"{sent - rejected:,} series of groundwire.grades sent to {sender.base}, {rejected:,} rejected."
    data = {"to": sender.base, "as": "metrics", "sent": sent - rejected, "rejected": rejected}
    output.result(text, data, schema="publish")
    return 0 if sent else 3


def _note_copy(
    log: AuditLog, base: str, run: str | None, read: Callable[[], Iterator[Evaluation]], ledger: Ledger
) -> None:
    """Say in the log that content leaves, where any does that has not left before."""
    from groundwire.publish import record_copy

    if any(one.key not in ledger for one in read()):
        record_copy(log.path, base, sum(1 for _ in log.records(run=run)))


def _headers(given: tuple[str, ...]) -> dict[str, str]:
    from_environment = os.environ.get("OTEL_EXPORTER_OTLP_HEADERS", "").split(",")
    headers = {}
    for pair in (*filter(None, (part.strip() for part in from_environment)), *given):
        name, sign, value = pair.partition("=")
        if not sign or not name.strip():
            raise click.UsageError(f"A header is NAME=VALUE, not {name!r}.")
        headers[name.strip()] = unquote(value.strip())
    return headers


def _sentence(counts: Published, base: str, way: str) -> str:
    parts = [f"{counts.sent:,} evaluations sent to {base} as {way}", f"{counts.already:,} were there already"]
    if counts.rejected:
        reasons = "; ".join(
            f"{count} × {reason or 'no reason given'}" for reason, count in counts.reasons.items()
        )
        parts.append(f"{counts.rejected:,} rejected ({reasons})")
    if counts.absent:
        parts.append(
            f"{counts.absent:,} are about spans that it does not have (sampled away, or not yet there)"
        )
    if counts.untraced:
        parts.append(f"{counts.untraced:,} belong to no trace")
    return ", ".join(parts) + "."
