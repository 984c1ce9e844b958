"""Real instrumentations over one small flow: what they write today is what the dialects read."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from dialects.real.cases import CASES, NO_CONTENT, NO_CONTEXTS, Flow
from dialects.real.environments import find_environment, find_pins
from dialects.real.stub import ANSWER, QUESTION, TEXTS, USAGE, serve
from groundwire.dialects import describe_trace, normalize_trace
from groundwire.envelopes import read_traces
from groundwire.record import RagRecord
from groundwire.span import Trace

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


def run(flow: Flow, folder: Path) -> None:
    """Run the flow's script in its group's environment; the telemetry lands in ``folder``."""
    environment = find_environment(flow.group)
    if not (environment / "ready").exists():
        line = (
            f".ci/instrumentations {flow.group} (installs {find_pins(flow.group).relative_to(FLOWS.parent)})"
        )
        pytest.skip(f"the environment of {flow.group} is not made; run {line}")
    for name in ("home", "spans", "uploads"):
        (folder / name).mkdir()
    with serve(folder / "spans") as url:
        done = subprocess.run(
            make_command(environment, flow), cwd=environment,
            env=make_environment(folder, url, flow), capture_output=True, text=True, timeout=300, check=False,
        )  # fmt: skip
    assert done.returncode == 0, done.stderr[-3000:]


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
def test_a_real_instrumentation_gives_one_whole_record(name: str, tmp_path: Path) -> None:
    """Question, answer, passages, markers and usage once, as far as the instrumentation keeps them."""
    flow = CASES[name]
    run(flow, tmp_path)
    trace, record = read(tmp_path)
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
