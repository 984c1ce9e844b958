"""Real instrumentations over one small flow: what they write today is what the dialects read."""

from __future__ import annotations

import os
import subprocess
import time
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import NamedTuple

import pytest

from dialects.real.cases import CASES, NO_CONTENT, NO_CONTEXTS, Flow
from dialects.real.environments import find_environment, find_pins
from dialects.real.stub import ANSWER, QUESTION, TEXTS, USAGE, serve
from groundwire.dialects import describe_trace, normalize_trace
from groundwire.envelopes import read_traces
from groundwire.record import RagRecord
from groundwire.span import Trace

TEST = "test_a_real_instrumentation_gives_one_whole_record"
FLOWS = Path(__file__).parent / "flows"

pytestmark = pytest.mark.real


def make_environment(folder: Path, url: str, flow: Flow) -> dict[str, str]:
    """The variables of a flow's process: nothing of this machine's but the path."""
    base = {"PATH": os.environ["PATH"], "HOME": str(folder / "home"), "DO_NOT_TRACK": "1"}
    stub = {
        "STUB_URL": url, "STUB_ANSWER": ANSWER, "OUT": str(folder / "spans"),
        "OTEL_INSTRUMENTATION_GENAI_UPLOAD_BASE_PATH": f"file://{folder}/uploads",
    }  # fmt: skip
    return {**base, **stub, **flow.environment}


def make_command(environment: Path, flow: Flow) -> list[str]:
    """Python runs a flow, or node where that is what the group needs."""
    if flow.script.endswith(".mjs"):
        return ["node", str(FLOWS / flow.script)]
    return [str(environment / "bin" / "python"), str(FLOWS / f"{flow.script}.py")]


def find_place(environment: Path, folder: Path, flow: Flow) -> Path:
    """Where a flow runs: alone, as TruLens keeps a database there, or where node finds its packages."""
    return environment if flow.script.endswith(".mjs") else folder


class Ran(NamedTuple):
    """What a flow left: its folder, its process (None: its environment is not made), its seconds."""

    folder: Path
    done: subprocess.CompletedProcess[str] | None
    seconds: float = 0.0


def run(flow: Flow, folder: Path) -> Ran:
    """Run the flow's script in its group's environment; the telemetry lands in ``folder``."""
    environment = find_environment(flow.group)
    if not (environment / "ready").exists():
        return Ran(folder, None)
    for name in ("home", "spans", "uploads"):
        (folder / name).mkdir()
    start = time.monotonic()
    with serve(folder / "spans") as url:
        done = subprocess.run(
            make_command(environment, flow), cwd=find_place(environment, folder, flow),
            env=make_environment(folder, url, flow), capture_output=True, text=True, timeout=300, check=False,
        )  # fmt: skip
    return Ran(folder, done, time.monotonic() - start)


@pytest.fixture(scope="session")
def runs(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[dict[str, Future[Ran]]]:
    """The chosen flows, begun at once and run two at a time; at the end each group's seconds are told."""
    chosen = [item.callspec.params["name"] for item in request.session.items if TEST in item.name]  # type: ignore[attr-defined]
    with ThreadPoolExecutor(2) as pool:
        begun = {name: pool.submit(run, CASES[name], tmp_path_factory.mktemp(name)) for name in chosen}
        yield begun
    seconds: dict[str, float] = {}
    for name, ran in begun.items():
        group = CASES[name].group
        seconds[group] = seconds.get(group, 0.0) + ran.result().seconds
    lines = [f"ran {group} in {total:.0f} s" for group, total in seconds.items() if total]
    if lines:
        with request.config.pluginmanager.get_plugin("capturemanager").global_and_fixture_disabled():
            print("", *lines, sep="\n")


def read(folder: Path) -> tuple[Trace, RagRecord]:
    """The one record of all traces, and its trace; what filled a store before the question is a trace too."""
    traces = [trace for trace in read_traces(str(folder / "spans")) if isinstance(trace, Trace)]
    bases = [str(folder / "uploads")]
    ((trace, record),) = [
        (trace, record) for trace in traces for record in normalize_trace(trace, ref_bases=bases)
    ]
    return trace, record


def find_kept(record: RagRecord) -> set[str]:
    """Which of the things that instrumentations often lose the record holds."""
    contexts = record.contexts or ()
    kept = {
        "ids": bool(contexts) and all(context.id for context in contexts),
        "scores": bool(contexts) and all(context.score is not None for context in contexts),
        "citations": any(citation.resolved != "marker" for citation in record.citations or ()),
        "cost": record.recorded_cost is not None,
    }
    return {name for name, is_kept in kept.items() if is_kept}


@pytest.mark.parametrize("name", CASES)
def test_a_real_instrumentation_gives_one_whole_record(name: str, runs: dict[str, Future[Ran]]) -> None:
    """Question, answer, passages, markers and usage once, as far as the instrumentation keeps them."""
    flow, ran = CASES[name], runs[name].result()
    if ran.done is None:
        pins = find_pins(flow.group).relative_to(FLOWS.parent)
        pytest.skip(f"its environment is not made; run .ci/instrumentations {flow.group} (installs {pins})")
    assert ran.done.returncode == 0, ran.done.stderr[-3000:]
    trace, record = read(ran.folder)
    assert flow.dialect in describe_trace(trace).dialects
    assert record.usage is not None
    counts = (record.usage.input_tokens, record.usage.output_tokens)
    assert counts == (USAGE["prompt_tokens"], USAGE["completion_tokens"])
    if flow.keeps == NO_CONTENT:
        assert (record.question, record.answer, record.completeness["answer"]) == (None, None, "not_captured")
        return
    assert (record.question, record.answer) == (QUESTION, ANSWER)
    if flow.keeps == NO_CONTEXTS:
        assert (record.contexts, record.completeness["contexts"]) == (None, "not_captured")
        return
    assert [context.text for context in record.contexts or ()] == TEXTS
    assert find_kept(record) == set(flow.keeps.split())
    assert {citation.source_id for citation in record.citations or ()} >= {"1", "2"}
