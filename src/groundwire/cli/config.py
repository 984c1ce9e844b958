"""``groundwire config``: every setting with its value and where it came from."""

from __future__ import annotations

import os

import click

from groundwire.cli.output import Output, speaks
from groundwire.report.layout import format_table
from groundwire.settings import LIVE_VARIABLES, Settings


@click.command("config")
@click.option("--config", "path", type=click.Path(), help="Read this settings file.")
@speaks
def command(output: Output, path: str | None) -> None:
    """Every setting with its value and origin.

    The offline side reads groundwire.toml or [tool.groundwire] in pyproject.toml, the nearest upwards;
    the live side reads the environment alone.
    """
    settings = Settings.load(path)
    live = [(name, os.environ.get(name), meaning) for name, meaning in LIVE_VARIABLES.items()]
    lines = [f"settings file: {settings.origin or 'none found, all defaults'}", ""]
    lines += format_table([(name, _show(value), origin) for name, value, origin in settings.rows()])
    lines += ["", "live side (environment):"]
    for name, value, meaning in live:
        lines.append(f"  {name}={value}" if value is not None else f"  {name} (not set)")
        lines.append(f"      {meaning}")
    data = {
        "file": None if settings.origin is None else str(settings.origin),
        "settings": [{"name": n, "value": v, "origin": o} for n, v, o in settings.rows()],
        "environment": [{"name": n, "value": v, "meaning": m} for n, v, m in live],
    }
    output.result("\n".join(lines), data, schema="config")


def _show(value: object) -> str:
    return "-" if value is None else str(value)
