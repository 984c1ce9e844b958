"""Real instrumentations over one small flow: what they write today is what the dialects read."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path
from typing import NamedTuple

import pytest

from dialects.real.environments import find_environment, find_pins
from dialects.real.stub import ANSWER, USAGE, serve
from groundwire.dialects import describe_trace, normalize_trace
from groundwire.envelopes import read_traces
from groundwire.record import RagRecord
from groundwire.span import Trace

FLOWS = Path(__file__).parent / "flows"
QUESTION = "How high does the gate at Oldham lift?"
TEXTS = ["The gate at Oldham lifts eight metres in one minute.", "In 1911 the gate was painted green."]
LATEST = {"OTEL_SEMCONV_STABILITY_OPT_IN": "gen_ai_latest_experimental"}
AGENT_VERSION = "INSTRUMENTATION_VERSION"
CAPTURE = "OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT"
UPLOAD = {"OTEL_INSTRUMENTATION_GENAI_COMPLETION_HOOK": "upload", CAPTURE: "NO_CONTENT", **LATEST}

pytestmark = pytest.mark.real


class Flow(NamedTuple):
    """A flow's script, the group that runs it, its dialect, its environment, and what it keeps.

    ``keeps`` names which of ids, scores, the provider's own citations and a cost the record holds, no more
    and no less; every flow keeps question, answer, passages and usage unless it keeps no ``content``.
    """

    script: str
    group: str
    dialect: str
    keeps: str = ""
    environment: dict[str, str] = {}  # noqa: RUF012


NO_CONTENT = "nothing"
CASES = {
    "openinference-openai": Flow("openinference_openai", "openinference", "openinference", "ids scores"),
    "openinference-langchain": Flow("openinference_langchain", "openinference", "openinference", "ids"),
    "openinference-llamaindex": Flow(
        "openinference_llamaindex", "llamaindex", "openinference", "ids scores"
    ),
    "phoenix-decorators": Flow(
        "phoenix_decorated", "openinference", "openinference", "ids scores citations"
    ),
    "openllmetry-old-langchain": Flow("openllmetry_old_langchain", "openllmetry-old", "openllmetry", "ids"),
    "openllmetry-old-openai": Flow("openllmetry_old_openai", "openllmetry-old", "otel-genai"),
    "openllmetry-langchain": Flow("openllmetry_langchain", "openllmetry", "openllmetry", "ids"),
    "traceloop-chroma": Flow("traceloop_chroma", "openllmetry", "openllmetry", "ids"),
    "genai-spans": Flow(
        "genai_openai", "genai", "otel-genai", "ids scores", {CAPTURE: "SPAN_ONLY", **LATEST}
    ),
    "genai-events": Flow(
        "genai_openai", "genai", "otel-genai", "",
        {CAPTURE: "EVENT_ONLY", "OTEL_INSTRUMENTATION_GENAI_EMIT_EVENT": "true", **LATEST},
    ),
    "genai-upload": Flow("genai_openai", "genai", "otel-genai", "", UPLOAD),
    "genai-no-content": Flow(
        "genai_openai", "genai", "otel-genai", NO_CONTENT, {CAPTURE: "NO_CONTENT", **LATEST}
    ),
    "genai-langchain": Flow(
        "genai_langchain", "genai", "otel-genai", "ids", {CAPTURE: "SPAN_ONLY", **LATEST}
    ),
    "genai-llamaindex": Flow(
        "genai_llamaindex", "llamaindex", "otel-genai", "ids scores", {CAPTURE: "SPAN_ONLY", **LATEST}
    ),
    "genai-anthropic": Flow(
        "genai_anthropic", "genai", "otel-genai", "", {CAPTURE: "SPAN_ONLY", **LATEST}
    ),
    "openinference-anthropic": Flow(
        "openinference_anthropic", "openinference", "openinference", "citations"
    ),
    "openllmetry-anthropic": Flow("openllmetry_anthropic", "openllmetry", "otel-genai"),
    "genai-legacy-logs": Flow(
        "genai_legacy_openai", "genai-legacy", "otel-genai", "", {CAPTURE: "true"}
    ),
    "haystack": Flow("haystack_pipeline", "haystack", "haystack", "ids scores"),
    "langsmith": Flow("langsmith_traced", "langsmith", "langsmith", "ids scores citations"),
    "llamaindex-own": Flow("llamaindex_own", "llamaindex", "llamaindex", "ids scores citations"),
    "logfire": Flow("logfire_spans", "pydantic-ai", "pydantic-ai", "ids scores cost"),
    "mlflow": Flow("mlflow_traced", "mlflow", "mlflow", "ids scores citations"),
    "openlit": Flow("openlit_auto", "openlit", "openlit"),
    "pydantic-ai-2": Flow(
        "pydantic_ai_agent", "pydantic-ai", "pydantic-ai", "ids scores", {AGENT_VERSION: "2"}
    ),
    "pydantic-ai-6": Flow(
        "pydantic_ai_agent", "pydantic-ai", "pydantic-ai", "ids scores", {AGENT_VERSION: "6"}
    ),
    "trulens": Flow("trulens_app", "trulens", "trulens", "cost"),
    "vercel-7": Flow("vercel_7.mjs", "vercel-7", "otel-genai"),
    "vercel-5": Flow("vercel_agent.mjs", "vercel-5", "vercel-ai-sdk"),
    "langfuse-3": Flow("langfuse_observed", "langfuse-3", "langfuse", "ids scores"),
    "langfuse-5": Flow("langfuse_observed", "langfuse", "langfuse", "ids scores"),
}  # fmt: skip


def make_environment(folder: Path, url: str, flow: Flow) -> dict[str, str]:
    """The variables of a flow's process: nothing of this machine's but the path."""
    uploads = f"file://{folder}/uploads"
    base = {"PATH": os.environ["PATH"], "HOME": str(folder / "home"), "DO_NOT_TRACK": "1"}
    stub = {"STUB_URL": url, "STUB_ANSWER": ANSWER, "OTEL_INSTRUMENTATION_GENAI_UPLOAD_BASE_PATH": uploads}
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
    assert [context.text for context in record.contexts or ()] == TEXTS
    assert find_kept(record) == set(flow.keeps.split())
    assert {citation.source_id for citation in record.citations or ()} >= {"1", "2"}
