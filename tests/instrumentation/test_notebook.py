"""Nested event loops, as notebooks have them; in a process of their own, since nesting patches asyncio."""

from __future__ import annotations

import pytest

from instrumentation.processes import run_script

SCRIPT = """
import asyncio, nest_asyncio
from opentelemetry import trace
from groundwire import instrument
from groundwire.testing import capture_spans
spans = capture_spans()
trace.set_tracer_provider(spans.provider)

@instrument
async def inner(question):
    yield "a"
    await asyncio.sleep(0)
    yield "b"

async def collect():
    return "".join([chunk async for chunk in inner("x")])

@instrument
def outer(question):
    return asyncio.get_event_loop().run_until_complete(collect())

async def main():
    nest_asyncio.apply()
    async for _ in inner("around"):
        assert outer("q") == "ab"
        assert not trace.get_current_span().get_span_context().is_valid

asyncio.run(main())
names = {span.get_span_context().span_id: span.name.split()[1] for span in spans.spans}
for span in spans.spans:
    print(span.name.split()[1], "in", span.parent and names[span.parent.span_id])
"""


def test_a_loop_inside_a_loop() -> None:
    """Streams that run in a nested loop are children of the call around it, and of nothing else."""
    pytest.importorskip("nest_asyncio", reason="pip install nest_asyncio")
    done = run_script(SCRIPT)
    assert done.stderr == ""
    assert done.stdout.splitlines() == [*["inner in outer", "outer in None"] * 2, "inner in None"]
