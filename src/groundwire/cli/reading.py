"""The options of every command that reads traces: ``--config``, ``--ref-base``, ``--max-line``."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import click

from groundwire.settings import Settings


def reads(function: Callable[..., Any]) -> Callable[..., Any]:
    """Give a command the options for reading; it receives their sum as ``settings``."""

    @click.option("--config", type=click.Path(), help="Read this settings file.")
    @click.option(
        "--ref-base",
        "bases",
        multiple=True,
        type=click.Path(exists=True, file_okay=False),
        metavar="FOLDER",
        help="Resolve *_ref attributes under this folder. May be repeated.",
    )
    @click.option(
        "--max-line",
        type=click.IntRange(min=1),
        metavar="MIB",
        help="Skip longer lines (default: 256 MiB).",
    )
    @functools.wraps(function)
    def wrapper(
        *args: Any, config: str | None, bases: tuple[str, ...], max_line: int | None, **kwargs: Any
    ) -> Any:
        return function(*args, settings=_settings(config, bases, max_line), **kwargs)

    return wrapper


def _settings(config: str | None, bases: tuple[str, ...], max_line: int | None) -> Settings:
    settings = Settings.load(config)
    changes: dict[str, Any] = {}
    if bases:
        changes["reference_bases"] = [*settings.read.reference_bases, *bases]
    if max_line is not None:
        changes["max_line_bytes"] = max_line * 1024 * 1024
    if not changes:
        return settings
    return settings.model_copy(update={"read": settings.read.model_copy(update=changes)})
