"""Runs the real Collector for tests and benchmarks: free loopback ports, own folder, ended by its id."""

from __future__ import annotations

import contextlib
import os
import random
import re
import signal
import socket
import subprocess
import time
import urllib.error
import urllib.request
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).parents[2]
CONFIGS = ROOT / "collector-config"
BUILD_LINE = ".ci/collector   # builds the Collector into a cache: a few minutes, once per machine; needs Go"
REDACTION_KEY = "a key for tests, long enough: 0123456789abcdef"
GATES = (
    "+processor.tailsamplingprocessor.usetracestate",
    "+processor.tailsamplingprocessor.recordpolicy",
)


def find_binary() -> Path | None:
    """The Collector that ``.ci/collector`` built from the present manifest, or None."""
    done = subprocess.run([ROOT / ".ci" / "collector", "--path"], capture_output=True, text=True, check=True)
    path = Path(done.stdout.strip())
    return path if path.exists() else None


_GIVEN: set[int] = set()


def free_port() -> int:
    """A loopback port that nothing listens on now, below those that the system gives to connections.

    None is given twice: who asked first may not listen yet.
    """
    while True:
        port = random.randrange(20_000, 32_000)
        if port in _GIVEN:
            continue
        _GIVEN.add(port)
        with socket.socket() as probe, contextlib.suppress(OSError):
            probe.bind(("127.0.0.1", port))
            return port


@dataclass
class Collector:
    """One Collector process; started again after :meth:`kill` or :meth:`stop` it takes the same ports."""

    binary: Path
    folder: Path
    configs: Sequence[Path]
    gates: Sequence[str] = ()
    settings: Mapping[str, str] = field(default_factory=dict)
    process: subprocess.Popen[bytes] | None = None

    def __post_init__(self) -> None:
        self.grpc_port, self.http_port, self.health_port, self.metrics_port = (free_port() for _ in range(4))
        self.traces = self.folder / "traces"
        self.log = self.folder / "collector.log"
        self.folder.mkdir(parents=True, exist_ok=True)

    @property
    def grpc(self) -> str:
        """The endpoint for the gRPC exporter."""
        return f"http://127.0.0.1:{self.grpc_port}"

    @property
    def http(self) -> str:
        """The base of the OTLP/HTTP endpoint, without ``/v1/traces``."""
        return f"http://127.0.0.1:{self.http_port}"

    def command(self, verb: str | None = None) -> list[str]:
        """The command line, with an optional sub-command such as ``validate``."""
        gates = [f"--feature-gates={','.join(self.gates)}"] if self.gates else []
        configs = [f"--config={path}" for path in self.configs]
        return [str(self.binary), *([verb] if verb else []), *configs, *gates]

    def environment(self) -> dict[str, str]:
        """The environment that the shipped configurations read."""
        return {
            **os.environ,
            "GROUNDWIRE_GRPC_PORT": str(self.grpc_port),
            "GROUNDWIRE_HTTP_PORT": str(self.http_port),
            "GROUNDWIRE_HEALTH_PORT": str(self.health_port),
            "GROUNDWIRE_METRICS_PORT": str(self.metrics_port),
            "GROUNDWIRE_TRACES": str(self.traces),
            "GROUNDWIRE_QUEUE": str(self.folder / "queue"),
            "GROUNDWIRE_BACKEND": "http://127.0.0.1:9",
            "GROUNDWIRE_REDACTION_KEY": REDACTION_KEY,
            "GOMAXPROCS": "2",
            **self.settings,
        }

    def start(self, timeout_s: float = 30.0) -> Collector:
        """Start the process and wait until it says that it is healthy."""
        with self.log.open("ab") as log:
            self.process = subprocess.Popen(
                self.command(), env=self.environment(), stdout=log, stderr=log, cwd=self.folder
            )
        deadline = time.monotonic() + timeout_s
        while not self.is_healthy():
            if self.process.poll() is not None or time.monotonic() > deadline:
                self.kill()
                raise RuntimeError(f"the Collector did not start:\n{self.log.read_text()[-3000:]}")
            time.sleep(0.05)
        return self

    def is_healthy(self) -> bool:
        """Whether the health check answers."""
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{self.health_port}/", timeout=1) as answer:
                return bool(answer.status == 200)
        except (urllib.error.URLError, ConnectionError, TimeoutError):
            return False

    def stop(self, timeout_s: float = 20.0) -> None:
        """Ask the process to end (it drains what it holds) and wait for it."""
        if self.process is not None and self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
            try:
                self.process.wait(timeout_s)
            except subprocess.TimeoutExpired:
                self.kill()

    def kill(self) -> None:
        """End the process at once, as a crash would."""
        if self.process is not None and self.process.poll() is None:
            self.process.kill()
            self.process.wait(10)

    def counters(self) -> dict[str, float]:
        """The process's own counters by name, summed over their labels."""
        with urllib.request.urlopen(f"http://127.0.0.1:{self.metrics_port}/metrics", timeout=5) as answer:
            text = answer.read().decode()
        totals: dict[str, float] = {}
        for name, value in re.findall(r"^(otelcol_\w+?)(?:\{[^\n]*\})? (\S+)$", text, re.MULTILINE):
            totals[name] = totals.get(name, 0.0) + float(value)
        return totals
