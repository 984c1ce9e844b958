"""The registry: which dialect and why, third parties first, and the example of the documentation."""

from __future__ import annotations

import re
from importlib import metadata
from pathlib import Path
from typing import Any

import pytest

import groundwire.dialects as package
from dialects.making import ANSWER, QUESTION, TEXTS, Maker, assert_whole
from groundwire.dialects import describe_trace, list_dialects
from groundwire.dialects.registry import ENTRY_POINTS


@pytest.fixture
def entry_points(monkeypatch: pytest.MonkeyPatch) -> Any:
    """Install entry points for the time of a test."""

    def install(**loaded: Any) -> None:
        points = [metadata.EntryPoint(name, "x:y", ENTRY_POINTS) for name in loaded]
        monkeypatch.setattr(metadata, "entry_points", lambda **_: points)
        monkeypatch.setattr(metadata.EntryPoint, "load", lambda point: loaded[point.name]())
        list_dialects.cache_clear()

    yield install
    monkeypatch.undo()
    list_dialects.cache_clear()


def acme() -> Any:
    """The documentation's example, as it stands there."""
    text = (Path(package.__file__).parent / "DIALECTS.md").read_text(encoding="utf-8")
    (example,) = re.findall(r"```python\n(.*?)```", text, re.DOTALL)
    assert len(example.splitlines()) <= 40
    names: dict[str, Any] = {}
    exec(compile(example, "DIALECTS.md", "exec"), names)
    return names["Acme"]


def make_acme_trace() -> Maker:
    make = Maker()
    root = make.span("ask", acme__step="ask", acme__question=QUESTION, acme__answer=ANSWER)
    hits = [{"key": f"d{n}", "body": text} for n, text in enumerate(TEXTS, 1)]
    make.span("search", root, at=(5, 9), acme__step="search", acme__hits=hits)
    make.span("model", root, at=(10, 50), acme__step="model", acme__tokens__in=9)
    return make


def test_the_documented_example_reads_a_trace(entry_points: Any) -> None:
    """A third party's class gives whole records through the entry point alone."""
    entry_points(acme=acme)
    make = make_acme_trace()
    assert_whole(make.record())
    assert describe_trace(make.trace()).signs == {"acme": "acme.step=ask"}


def test_a_broken_third_party_stops_nothing(entry_points: Any) -> None:
    """A dialect that can not be loaded, or that raises on every span, is passed over."""

    class Broken:
        name = "broken"

        def detect(self, span: Any) -> str:
            raise RuntimeError("no")

        def read(self, span: Any, why: str, around: Any) -> Any:
            raise RuntimeError("no")

    def unloadable() -> Any:
        raise ImportError("gone")

    entry_points(acme=acme, broken=lambda: Broken, gone=unloadable, odd=lambda: 42)
    assert_whole(make_acme_trace().record())


def test_no_dialect_claims_a_plain_span() -> None:
    """An HTTP server's span is nobody's."""
    make = Maker()
    make.span("GET /", http__request__method="GET")
    assert describe_trace(make.trace()).dialects == {"unknown": 1}
