"""Decorated callables travel: by pickle and by cloudpickle, to other processes, and out of ``__main__``."""

from __future__ import annotations

import multiprocessing
import pickle
import subprocess
import sys
import textwrap
from pathlib import Path
from typing import Any

import cloudpickle
import pytest

from instrumentation import kinds

TESTS = str(Path(__file__).resolve().parents[1])


@pytest.mark.parametrize("dumps", [pickle.dumps, cloudpickle.dumps])
@pytest.mark.parametrize("name", ["plain", "coroutine", "generator", "async_generator", "search"])
def test_functions_pickle_to_themselves(dumps: Any, name: str) -> None:
    """A module-level decorated function comes back as the same decorated function."""
    function = getattr(kinds, name)
    assert pickle.loads(dumps(function)) is function


@pytest.mark.parametrize("dumps", [pickle.dumps, cloudpickle.dumps])
def test_methods_pickle(dumps: Any) -> None:
    """Bound methods, static methods and class methods come back and work."""
    bound = pickle.loads(dumps(kinds.Bot().method))
    assert bound("x") == "bot x"
    assert pickle.loads(dumps(kinds.Bot.outer_static)) is kinds.Bot.outer_static
    assert pickle.loads(dumps(kinds.Bot.outer_class))("x") == "bot x"


@pytest.mark.parametrize("dumps", [pickle.dumps, cloudpickle.dumps])
def test_objects_and_partials_pickle_with_their_decoration(dumps: Any) -> None:
    """A decorated callable object or partial is still decorated on the other side."""
    for original, answer in ((kinds.callable_object, "a"), (kinds.bound_partial, "a3")):
        copy = pickle.loads(dumps(original))
        assert copy("a") == answer
        assert type(copy).__name__ == "CallableProxy"


def test_a_spawned_pool_maps_a_decorated_function() -> None:
    """multiprocessing with the spawn method runs decorated functions in its workers."""
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        assert pool.map(kinds.plain, ["a"]) == [{"answer": "a3"}]


SCRIPT = """
import asyncio, cloudpickle, json, subprocess, sys
from groundwire import instrument
from groundwire.testing import capture_spans

@instrument(name="traveller", tags={"a": "b"})
def answer(question: str) -> str:
    return helper(question)

@instrument
async def awaited(question: str) -> str:
    return question

@instrument
def stream(question: str):
    yield question

@instrument
def recursive(question: str) -> str:
    return question if len(question) > 2 else recursive(question + "x")

class Bot:
    @instrument
    def reply(self, question: str) -> str:
        return question
    @staticmethod
    @instrument
    def static(question: str) -> str:
        return question

def helper(text):
    return text.upper()

blob = cloudpickle.dumps((answer, awaited, stream, recursive, Bot().reply, Bot.static))
other = '''
import asyncio, pickle, sys
from opentelemetry import trace
from groundwire.testing import capture_spans
spans = capture_spans()
trace.set_tracer_provider(spans.provider)
answer, awaited, stream, recursive, reply, static = pickle.load(sys.stdin.buffer)
assert answer("a") == "A"
assert asyncio.run(awaited("b")) == "b"
assert list(stream("c")) == ["c"]
assert recursive("d") == "dxx"
assert reply("e") == static("e") == "e"
print(spans.names(), spans.attributes(0)["groundwire.tags"])
'''
subprocess.run([sys.executable, "-c", other], input=blob, check=True)
"""


def test_cloudpickle_carries_the_decoration_out_of_main(tmp_path: Path) -> None:
    """Functions of __main__, which pickle by value, record in a process that never saw their source."""
    script = tmp_path / "script.py"
    script.write_text(textwrap.dedent(SCRIPT), encoding="utf-8")
    done = subprocess.run(
        [sys.executable, str(script)], capture_output=True, text=True, timeout=60, check=False
    )
    assert done.stderr == ""
    names = [
        "traveller",
        "awaited",
        "stream",
        "recursive",
        "recursive",
        "recursive",
        "Bot.reply",
        "Bot.static",
    ]
    assert done.stdout.strip() == str([f"invoke_workflow {name}" for name in names]) + ' {"a":"b"}'
