import re
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml

from collector.running import CONFIGS, GATES, Collector

Make = Callable[..., Collector]
NOT_A_CONFIGURATION = ("builder.yaml", "compose.yaml")
SHIPPED = sorted(path.name for path in CONFIGS.glob("*.yaml") if path.name not in NOT_A_CONFIGURATION)

LIES_OVER = {"tail-sampling.yaml": "production.yaml", "phoenix.yaml": "laptop.yaml"}
VARIABLE = re.compile(r"\$\{env:(GROUNDWIRE_\w+)")


def made(name: str, collector: Make) -> Collector:
    """A Collector of one shipped configuration, an overlay on what it lies over."""
    names = [LIES_OVER[name], name] if name in LIES_OVER else [name]
    return collector(*names, gates=GATES if name == "tail-sampling.yaml" else ())


def load(name: str) -> dict[str, Any]:
    loaded: dict[str, Any] = yaml.safe_load((CONFIGS / name).read_text())
    return loaded


@pytest.mark.real
@pytest.mark.parametrize("name", SHIPPED)
def test_every_shipped_configuration_is_valid(name: str, collector: Make) -> None:
    """What an operator copies passes the Collector's own validation, overlays on what they lie over."""
    one = made(name, collector)
    done = subprocess.run(one.command("validate"), env=one.environment(), capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


@pytest.mark.real
@pytest.mark.parametrize("name", SHIPPED)
def test_every_shipped_configuration_starts_without_a_warning(name: str, collector: Make) -> None:
    """No name in a shipped configuration is deprecated, and nothing in it makes the Collector complain."""
    one = made(name, collector).start()
    one.stop()
    complaints = [line for line in one.log.read_text().splitlines() if re.search(r"\t(warn|error)\t", line)]
    assert complaints == []


@pytest.mark.parametrize("name", SHIPPED)
def test_each_signal_has_a_file_of_its_own(name: str) -> None:
    """No file exporter serves two signals: their lines would interleave in one file."""
    signals: dict[str, set[str]] = {}
    for pipeline, parts in load(name)["service"]["pipelines"].items():
        for exporter in parts["exporters"]:
            if exporter.startswith("file/"):
                signals.setdefault(exporter, set()).add(pipeline.partition("/")[0])
    assert all(len(found) == 1 for found in signals.values())


@pytest.mark.parametrize("name", SHIPPED)
def test_files_survive_a_restart(name: str) -> None:
    """Every file exporter rotates: without rotation a restart empties the file."""
    files = {key: value for key, value in load(name).get("exporters", {}).items() if key.startswith("file/")}
    assert all("rotation" in value for value in files.values())


def test_the_scoring_branch_is_neither_sampled_nor_shortened() -> None:
    """Between the receiver and the files stand only the memory limiter and what redacts."""
    pipelines = load("production.yaml")["service"]["pipelines"]
    allowed = ["memory_limiter", "transform/before_redaction", "redaction", "transform/after_redaction"]
    assert pipelines["traces"]["processors"] == allowed
    assert pipelines["logs"]["processors"] == allowed


def test_the_node_local_configuration_opens_no_connection() -> None:
    """Content can not leave the host: the only exporters are files, and only this host can send."""
    config = load("node-local.yaml")
    assert {name.partition("/")[0] for name in config["exporters"]} == {"file"}
    endpoints = [part["endpoint"] for part in config["receivers"]["otlp"]["protocols"].values()]
    assert all(endpoint.startswith("127.0.0.1:") for endpoint in endpoints)


def test_the_compose_example_mounts_files_that_exist() -> None:
    """Each configuration that the docker-compose example mounts lies beside it."""
    services = load("compose.yaml")["services"].values()
    mounted = [mount.partition(":")[0] for service in services for mount in service.get("volumes", ())]
    local = [Path(mount) for mount in mounted if mount.startswith("./") and mount.endswith(".yaml")]
    assert local and all((CONFIGS / path).exists() for path in local)


@pytest.mark.real
@pytest.mark.parametrize(
    ("missing", "said"),
    [("GROUNDWIRE_REDACTION_KEY", "hmac_key must not be empty"), ("GROUNDWIRE_BACKEND", "endpoint")],
)
def test_production_does_not_start_without_what_it_needs(missing: str, said: str, collector: Make) -> None:
    """Without a key nothing would be masked, without an address nothing sent: it says so and stops."""
    one = collector("production.yaml", **{missing: ""})
    done = subprocess.run(one.command("validate"), env=one.environment(), capture_output=True, text=True)
    assert done.returncode != 0
    assert said in done.stderr


def test_the_readme_names_every_variable_and_no_other() -> None:
    """What can be set from outside stands in the README's table, whole names and short ones alike."""
    read = {name for path in CONFIGS.glob("*.yaml") for name in VARIABLE.findall(path.read_text())}
    text = (CONFIGS / "README.md").read_text().replace("`…_", "`GROUNDWIRE_")
    named = set(
        re.findall(r"GROUNDWIRE_[A-Z_]+", text[text.index("| variable |") : text.index("## Each choice")])
    )
    assert named == read


def test_the_readme_names_every_file() -> None:
    """The table of files is the folder."""
    named = set(re.findall(r"^\| `([a-z-]+\.yaml)`", (CONFIGS / "README.md").read_text(), re.MULTILINE))
    assert named == {path.name for path in CONFIGS.glob("*.yaml")}
