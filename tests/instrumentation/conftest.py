"""Fixtures of the live side's tests: spans in memory, and a watch over what must not change."""

from __future__ import annotations

import gc
import logging
import os
from collections.abc import Callable, Iterator

import pytest
from opentelemetry import context as otel_context

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


@pytest.fixture
def harmless(spans: CapturedSpans, caplog: pytest.LogCaptureFixture) -> Iterator[Callable[[int], None]]:
    """Call it with the number of answer spans that must have ended, each once.

    Afterwards the context must be the one before, and no one may have logged anything.
    """
    caplog.set_level(logging.DEBUG)
    before = otel_context.get_current()

    def check(count: int) -> None:
        gc.collect()
        ids = [span.context.span_id for span in spans.spans if span.name.startswith("invoke_workflow")]
        assert len(ids) == len(set(ids)) == count
        assert all(span.end_time is not None for span in spans.spans)

    yield check
    assert otel_context.get_current() is before
    assert [record.getMessage() for record in caplog.records if record.name != "asyncio"] == []
