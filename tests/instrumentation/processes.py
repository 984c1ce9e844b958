"""Runs a script in a process of its own, as a service would run."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import textwrap
from pathlib import Path
from typing import Any


def run_script(source: str, *arguments: object, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run ``source`` and return what it did; raises if it takes longer than a minute."""
    clean = {k: v for k, v in os.environ.items() if not k.startswith(("OTEL_", "GROUNDWIRE_"))}
    return subprocess.run(
        [sys.executable, "-W", "error::DeprecationWarning:groundwire", "-c", textwrap.dedent(source)]
        + [str(argument) for argument in arguments],
        capture_output=True,
        text=True,
        timeout=60,
        env={**clean, **environment},
        check=False,
    )


def spans_of(path: Path) -> list[dict[str, Any]]:
    """Return the spans of an OTLP/JSON lines file, attributes as a plain mapping."""
    found = []
    for line in path.read_text(encoding="utf-8").splitlines():
        for resource in json.loads(line)["resourceSpans"]:
            for scope in resource["scopeSpans"]:
                found += [{**span, "attributes": _plain(span)} for span in scope["spans"]]
    return found


def _plain(span: dict[str, Any]) -> dict[str, Any]:
    return {pair["key"]: next(iter(pair["value"].values()), None) for pair in span.get("attributes", ())}
