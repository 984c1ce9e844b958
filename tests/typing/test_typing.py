"""Type checkers see the decorated function's own types: right usages pass, wrong ones are refused."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

USAGES = Path(__file__).with_name("usages.py")
ROOT = Path(__file__).resolve().parents[2]


def wrong_lines() -> set[int]:
    lines = USAGES.read_text(encoding="utf-8").splitlines()
    return {number for number, line in enumerate(lines, 1) if line.endswith("# wrong")}


def refused_lines(command: list[str], pattern: str) -> tuple[set[int], str]:
    done = subprocess.run(command, capture_output=True, text=True, cwd=ROOT, timeout=300, check=False)
    return {int(number) for number in re.findall(pattern, done.stdout)}, done.stdout + done.stderr


def test_mypy_agrees(tmp_path: Path) -> None:
    """mypy --strict refuses exactly the lines marked wrong."""
    pytest.importorskip("mypy", reason="pip install mypy")
    command = [sys.executable, "-m", "mypy", "--cache-dir", str(tmp_path), "--strict", str(USAGES)]
    lines, output = refused_lines(command, r"usages\.py:(\d+): error")
    assert lines == wrong_lines(), output


def test_pyright_agrees() -> None:
    """pyright refuses exactly the lines marked wrong."""
    pyright = shutil.which("pyright", path=str(Path(sys.executable).parent)) or shutil.which("pyright")
    if pyright is None:
        pytest.skip("pyright is not installed: pip install 'pyright[nodejs]'")
    command = [pyright, "--pythonpath", sys.executable, str(USAGES)]
    lines, output = refused_lines(command, r"usages\.py:(\d+):\d+ - error")
    assert lines == wrong_lines(), output
