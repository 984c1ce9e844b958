import os
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from collector.running import BUILD_LINE, CONFIGS, Collector, find_binary


@pytest.fixture(scope="session")
def binary() -> Path:
    """The built Collector; without it the test skips on a laptop and fails with CI=true."""
    path = find_binary()
    if path is None:
        message = f"the Collector is not built; run: {BUILD_LINE}"
        if os.environ.get("CI", "").lower() in ("1", "true"):
            pytest.fail(message)
        pytest.skip(message)
    return path


@pytest.fixture
def collector(binary: Path, tmp_path: Path) -> Iterator[Callable[..., Collector]]:
    """Makes (not yet started) Collectors of shipped configurations: ``collector("laptop.yaml").start()``."""
    made: list[Collector] = []

    def make(*configs: str | Path, gates: tuple[str, ...] = (), **settings: str) -> Collector:
        paths = [CONFIGS / name if isinstance(name, str) else name for name in configs]
        one = Collector(binary, tmp_path / f"collector{len(made)}", paths, gates, settings)
        made.append(one)
        return one

    yield make
    for one in made:
        one.stop()
