"""Fixtures of the live side's tests: spans in memory through a provider of their own."""

from __future__ import annotations

import os
from collections.abc import Iterator

import pytest

from groundwire.testing import CapturedSpans, capture_spans


@pytest.fixture(autouse=True)
def clean_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    """Keep the machine's own settings out of the tests."""
    for name in [name for name in os.environ if name.startswith(("GROUNDWIRE_", "OTEL_"))]:
        monkeypatch.delenv(name)


@pytest.fixture
def spans() -> Iterator[CapturedSpans]:
    """Spans kept in memory; hand ``spans.provider`` to the decorator."""
    with capture_spans() as captured:
        yield captured
