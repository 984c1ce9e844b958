"""Real classes only: a test whose package is absent skips with the line that installs it."""

from __future__ import annotations

import importlib
import os
from pathlib import Path
from types import ModuleType

import pytest

REQUIREMENTS = Path(__file__).with_name("requirements.txt")


@pytest.fixture
def real():
    """Import a module of a provider's package; skip without it, fail where it was promised."""

    def load(name: str) -> ModuleType:
        try:
            return importlib.import_module(name)
        except ImportError as missing:
            reason = (
                f"{name} is not installed ({missing}). Run: pip install -r tests/shapes/real/requirements.txt"
            )
            if os.environ.get("CI") == "true" and os.environ.get("GROUNDWIRE_PROVIDERS") == "1":
                pytest.fail(reason)
            pytest.skip(reason)

    return load
