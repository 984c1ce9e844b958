"""Every example runs, offline, in a process of its own."""

from __future__ import annotations

import importlib.util
import os
import subprocess
import sys
from pathlib import Path

import pytest

EXAMPLES = Path(__file__).resolve().parents[1] / "examples"
NEEDS = {
    "fastapi_streaming": ("fastapi", "httpx"),
    "langchain_chain": ("langchain_core",),
    "llamaindex_chain": ("llama_index.core",),
}
SHOWS = {
    "fastapi_streaming": "invoke_workflow shop-helpdesk",
    "langchain_chain": "Refunds are paid within 14 days.",
    "llamaindex_chain": "guide#3",
    "prefork_worker": "2 workers, calls of each: [[1, 2], [1, 2]]",
    "offload_to_folder": "three equal calls, 3 files",
    "redaction_hook": "Your number is [customer].",
}
ELSEWHERE = {"send_answers"}
"""Needs a Collector; the Collector's tests run it."""


def missing(names: tuple[str, ...]) -> list[str]:
    found = []
    for name in names:
        try:
            if importlib.util.find_spec(name) is None:
                found.append(name)
        except ModuleNotFoundError:
            found.append(name)
    return found


def test_every_example_is_run() -> None:
    """No example is left out of this test."""
    assert {path.stem for path in EXAMPLES.glob("*.py")} == set(SHOWS) | ELSEWHERE


@pytest.mark.parametrize("name", sorted(SHOWS))
def test_the_example_runs(name: str) -> None:
    """It ends without an error and without a word on stderr, and shows what it is about."""
    if lacking := missing(NEEDS.get(name, ())):
        pytest.skip(f"{', '.join(lacking)} is not installed: pip install -r examples/requirements.txt")
    if name == "prefork_worker" and not hasattr(os, "fork"):
        pytest.skip("no fork on this platform")
    done = subprocess.run(
        [sys.executable, str(EXAMPLES / f"{name}.py")],
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert SHOWS[name] in done.stdout
