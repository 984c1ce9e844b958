"""The doctor at the real Collector's bedside."""

from collections.abc import Callable
from pathlib import Path

import pytest
import yaml

from collector.running import CONFIGS, Collector
from groundwire.doctor import Finding, examine_arrival, examine_endpoint

pytestmark = pytest.mark.real
Make = Callable[..., Collector]


def examine(endpoint: str, traces: Path, wait_s: float = 10.0) -> dict[str, Finding]:
    findings, client = examine_endpoint(endpoint)
    assert client is not None
    return {one.check: one for one in (*findings, *examine_arrival(client, traces, wait_s=wait_s))}


@pytest.mark.parametrize("protocol", ["HTTP", "gRPC"])
def test_the_laptop_configuration_is_well(protocol: str, collector: Make) -> None:
    """Over either protocol: there, large requests taken, a test span in the file, whole."""
    running = collector("laptop.yaml").start()
    found = examine(running.http if protocol == "HTTP" else running.grpc, running.traces)
    assert found["endpoint"].data["protocol"] == protocol
    assert {check: one.level for check, one in found.items() if check != "clock"} == {
        "endpoint": "ok", "limits": "ok", "arrival": "ok", "redaction": "note", "sampler": "ok",
    }  # fmt: skip


def test_masking_is_seen(collector: Make) -> None:
    """With the production configuration the planted address does not arrive."""
    running = collector("production.yaml").start()
    assert examine(running.http, running.traces)["redaction"].level == "ok"


def test_a_branch_that_cuts_texts_is_bad(collector: Make) -> None:
    """Looking at what the backend got, not at the files for scoring, it says that texts are cut."""
    backend = collector("laptop.yaml").start()
    running = collector(
        "production.yaml", GROUNDWIRE_BACKEND=backend.http, GROUNDWIRE_BACKEND_PERCENT="100"
    ).start()
    found = examine(running.http, backend.traces)
    assert found["arrival"].level == "bad" and found["arrival"].data["text_characters"] == 2000
    assert found["sampler"].level == "note"


def test_default_limits_are_bad(collector: Make, tmp_path: Path) -> None:
    """A receiver as it comes refuses more than 4 MiB over gRPC."""
    config = yaml.safe_load((CONFIGS / "laptop.yaml").read_text())
    del config["receivers"]["otlp"]["protocols"]["grpc"]["max_recv_msg_size_mib"]
    (tmp_path / "defaults.yaml").write_text(yaml.safe_dump(config))
    running = collector(tmp_path / "defaults.yaml").start()
    limits = examine(running.grpc, running.traces)["limits"]
    assert limits.level == "bad" and limits.data["taken_mib"] == 1


def test_a_span_that_never_comes_is_bad(collector: Make, tmp_path: Path) -> None:
    """Looking in the wrong folder, it says so after waiting."""
    running = collector("laptop.yaml").start()
    assert examine(running.http, tmp_path / "elsewhere", wait_s=0.3)["arrival"].level == "bad"
