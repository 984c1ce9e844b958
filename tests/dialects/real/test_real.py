"""Real instrumentations over one small flow: what they write today is what the dialects read."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path
from typing import NamedTuple

import pytest

from dialects.real.environments import REQUIREMENTS, find_environment
from dialects.real.stub import ANSWER, USAGE, serve
from groundwire.dialects import describe_trace, normalize_trace
from groundwire.envelopes import read_traces
from groundwire.record import RagRecord
from groundwire.span import Trace

FLOWS = Path(__file__).parent / "flows"
QUESTION = "How high does the gate at Oldham lift?"
TEXTS = ["The gate at Oldham lifts eight metres in one minute.", "In 1911 the gate was painted green."]
LATEST = {"OTEL_SEMCONV_STABILITY_OPT_IN": "gen_ai_latest_experimental"}
CAPTURE = "OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT"
UPLOAD = {"OTEL_INSTRUMENTATION_GENAI_COMPLETION_HOOK": "upload", CAPTURE: "NO_CONTENT", **LATEST}

pytestmark = pytest.mark.real


class Flow(NamedTuple):
    """A flow's script, the group that runs it, its dialect, its environment, and which ids it keeps."""

    script: str
    group: str
    dialect: str
    environment: dict[str, str] = {}  # noqa: RUF012
    keeps_ids: bool = True
    keeps_content: bool = True


CASES = {
    "openinference-openai": Flow("openinference_openai", "openinference", "openinference"),
    "openinference-langchain": Flow("openinference_langchain", "openinference", "openinference"),
    "openllmetry-old-langchain": Flow("openllmetry_old_langchain", "openllmetry", "openllmetry"),
    "openllmetry-old-openai": Flow("openllmetry_old_openai", "openllmetry", "otel-genai", keeps_ids=False),
    "genai-spans": Flow("genai_openai", "genai", "otel-genai", {CAPTURE: "SPAN_ONLY", **LATEST}),
    "genai-events": Flow(
        "genai_openai", "genai", "otel-genai",
        {CAPTURE: "EVENT_ONLY", "OTEL_INSTRUMENTATION_GENAI_EMIT_EVENT": "true", **LATEST}, keeps_ids=False,
    ),
    "genai-upload": Flow("genai_openai", "genai", "otel-genai", UPLOAD, keeps_ids=False),
    "genai-no-content": Flow(
        "genai_openai", "genai", "otel-genai", {CAPTURE: "NO_CONTENT", **LATEST}, keeps_content=False
    ),
    "haystack": Flow("haystack_pipeline", "haystack", "haystack"),
    "langfuse": Flow("langfuse_observed", "langfuse", "langfuse"),
}  # fmt: skip


def run(flow: Flow, folder: Path) -> None:
    """Run the flow's script in its group's environment; the telemetry lands in ``folder``."""
    environment = find_environment(flow.group)
    if not (environment / "ready").exists():
        line = f".ci/instrumentations {flow.group}   (pip install -r {REQUIREMENTS.name}/{flow.group}.txt)"
        pytest.skip(f"the environment of {flow.group} is not made; run {line}")
    for name in ("home", "spans", "uploads"):
        (folder / name).mkdir()
    with serve(folder / "spans") as url:
        base = {
            "PATH": os.environ["PATH"],
            "HOME": str(folder / "home"),
            "STUB_URL": url,
            "DO_NOT_TRACK": "1",
        }
        base["OTEL_INSTRUMENTATION_GENAI_UPLOAD_BASE_PATH"] = f"file://{folder}/uploads"
        done = subprocess.run(
            [str(environment / "bin" / "python"), str(FLOWS / f"{flow.script}.py")],
            env={**base, **flow.environment}, capture_output=True, text=True, timeout=300, check=False,
        )  # fmt: skip
    assert done.returncode == 0, done.stderr[-3000:]


def read(folder: Path) -> tuple[Trace, RagRecord]:
    (trace,) = (trace for trace in read_traces(str(folder / "spans")) if isinstance(trace, Trace))
    (record,) = normalize_trace(trace, ref_bases=[str(folder / "uploads")])
    return trace, record


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
    if not flow.keeps_content:
        assert (record.question, record.answer, record.completeness["answer"]) == (None, None, "not_captured")
        return
    assert (record.question, record.answer) == (QUESTION, ANSWER)
    assert [context.text for context in record.contexts or ()] == TEXTS
    assert ("contexts.id" not in record.completeness) is flow.keeps_ids
    assert {citation.source_id for citation in record.citations or ()} >= {"1", "2"}
