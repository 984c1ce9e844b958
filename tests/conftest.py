"""What every test may use: the folder of shared material, and Hypothesis profiles."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

settings.register_profile(
    "default", max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow]
)
settings.register_profile("thorough", max_examples=2_000, deadline=None)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "default"))

SHARED = Path(__file__).resolve().parents[2] / "shared"


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder of real traces, cases and labeled answers beside the checkout; skips where it is absent."""
    if not SHARED.is_dir():
        pytest.skip("no folder `shared` beside the checkout: real traces and labeled answers are not here")
    return SHARED
