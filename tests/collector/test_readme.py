"""The three commands at the head of collector-config/README.md, run as they stand there."""

import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from collector.running import CONFIGS, ROOT, Collector

pytestmark = pytest.mark.real


def commands() -> list[str]:
    """The lines of the first shell block."""
    block = re.search(r"```sh\n(.*?)```", (CONFIGS / "README.md").read_text(), re.DOTALL)
    assert block is not None
    return [line.partition("  #")[0].strip() for line in block[1].splitlines() if line]


def test_three_commands_lead_to_grades(binary: Path, tmp_path: Path) -> None:
    """The first runs the Collector, the second sends answers through it, the third grades what it wrote."""
    for name in (".ci", "collector-config", "examples"):
        (tmp_path / name).symlink_to(ROOT / name)
    run_collector, send, score = commands()
    ports = Collector(binary, tmp_path / "unused", [])
    environment = {**ports.environment(), "OTEL_EXPORTER_OTLP_ENDPOINT": ports.grpc}
    environment.pop("GROUNDWIRE_TRACES")
    environment["PATH"] = f"{Path(sys.executable).parent}{os.pathsep}{environment['PATH']}"
    shell = {"shell": True, "cwd": tmp_path, "env": environment, "executable": "/bin/bash"}
    running = subprocess.Popen(f"exec {run_collector}", stderr=subprocess.DEVNULL, **shell)
    try:
        while not ports.is_healthy() and running.poll() is None:
            time.sleep(0.05)
        sent = subprocess.run(send, capture_output=True, text=True, check=True, **shell)
        scored = subprocess.run(score, capture_output=True, text=True, check=True, **shell)
    finally:
        running.send_signal(signal.SIGTERM)
        running.wait(20)
    assert sent.stdout.strip() == "10 answers sent, lost: none"
    assert re.search(r"citation_provenance +checked +9 +1", scored.stdout), scored.stdout
