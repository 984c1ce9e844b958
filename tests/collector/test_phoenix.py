"""The real Phoenix: our spans show as RAG, grades go onto them as annotations, twice makes no second one."""

import json
import os
import shutil
import subprocess
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest
from opentelemetry.sdk.trace import TracerProvider

from collector.running import Collector, free_port
from collector.traffic import provider_to
from groundwire import AuditLog, instrument, retriever
from groundwire.pipeline import score
from groundwire.publish import Ledger, Sender, publish, read_evaluations

pytestmark = pytest.mark.real
INSTALL_LINE = ".ci/phoenix   # installs arize-phoenix (850 MB) into a folder of its own and runs this test"
Make = Callable[..., Collector]


@pytest.fixture(scope="module")
def phoenix(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The base address of a running Phoenix; skips where GROUNDWIRE_TEST_PHOENIX names no program."""
    program = shutil.which(os.environ.get("GROUNDWIRE_TEST_PHOENIX", "not-there"))
    if program is None:
        pytest.skip(f"Phoenix is not installed; run: {INSTALL_LINE}")
    folder, port = tmp_path_factory.mktemp("phoenix"), free_port()
    base = f"http://127.0.0.1:{port}"
    environment = {
        **os.environ,
        "PHOENIX_HOST": "127.0.0.1",
        "PHOENIX_PORT": str(port),
        "PHOENIX_GRPC_PORT": str(free_port()),
        "PHOENIX_WORKING_DIR": str(folder),
        "PHOENIX_TELEMETRY_ENABLED": "false",
    }
    with (folder / "log").open("wb") as log:
        process = subprocess.Popen([program, "serve"], env=environment, stdout=log, stderr=log)
    try:
        wait_until(lambda: get(f"{base}/v1/projects") is not None, 60)
        yield base
    finally:
        process.terminate()
        process.wait(20)


def get(url: str) -> Any:
    try:
        with urllib.request.urlopen(url, timeout=5) as answer:
            return json.load(answer)["data"]
    except (OSError, KeyError):
        return None


def wait_until(holds: Callable[[], bool], timeout_s: float) -> None:
    deadline = time.monotonic() + timeout_s
    while not holds():
        assert time.monotonic() < deadline
        time.sleep(0.2)


def spans(base: str) -> list[dict[str, Any]]:
    return get(f"{base}/v1/projects/default/spans?limit=1000") or []


def annotations(base: str, span_id: str) -> dict[str, Any]:
    found = get(f"{base}/v1/projects/default/span_annotations?span_ids={span_id}&limit=100")
    return {one["name"]: one for one in found}


def test_answers_show_and_grades_go_home(
    phoenix: str, collector: Make, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A CHAIN with question, answer and tokens, a RETRIEVER with documents, and one annotation a grade."""
    monkeypatch.setenv("GROUNDWIRE_EMIT", "genai,openinference,retrieval-content")
    running = collector("laptop.yaml", "phoenix.yaml", GROUNDWIRE_PHOENIX=phoenix).start()
    with provider_to(running) as provider:
        ask(provider)
    wait_until(lambda: len(spans(phoenix)) == 2, 20)
    [chain] = [one for one in spans(phoenix) if one["span_kind"] == "CHAIN"]
    [search] = [one for one in spans(phoenix) if one["span_kind"] == "RETRIEVER"]
    assert chain["attributes"]["input.value"] == "Who designed it?"
    assert chain["attributes"]["output.value"].startswith("The source says")
    assert chain["attributes"]["llm.token_count.prompt"] == 103
    assert "Charles Babbage" in search["attributes"]["retrieval.documents.0.document.content"]
    check_publishing(phoenix, running.traces, chain["context"]["span_id"], tmp_path / "audit")


def ask(provider: TracerProvider) -> None:
    @retriever(tracer_provider=provider)
    def search(query: str) -> list[dict[str, Any]]:
        text = "The Analytical Engine was designed by Charles Babbage in 1837."
        return [{"id": "d1", "text": text, "score": 0.9}]  # Phoenix shows no document without a score

    @instrument(tracer_provider=provider)
    def answer(question: str) -> dict[str, Any]:
        return {
            "answer": 'The source says: "It was designed by Ada" [1].',
            "contexts": search(question),
            "citations": [{"quote": "It was designed by Ada", "source_id": "d1"}],
            "usage": {"input_tokens": 103, "output_tokens": 20},
        }

    answer("Who designed it?")


def check_publishing(base: str, traces: Path, span_id: str, audit: Path) -> None:
    """Each grade is an annotation, or a span below its answer; sent again it is still one."""
    score(traces, out=audit)
    evaluations = list(read_evaluations(AuditLog.open(audit).records()))
    for time_round in ("first", "again"):
        counts = publish(evaluations, Sender(base), Ledger(audit, time_round), mode="phoenix")
        assert (counts.sent, counts.absent) == (len(evaluations), 0)
    found = annotations(base, span_id)
    assert set(found) == {one.name for one in evaluations}
    assert found["citation_provenance"]["result"]["label"] == "fail"
    for time_round in ("spans", "spans again"):
        publish(evaluations, Sender(base), Ledger(audit, time_round), mode="spans")
    wait_until(lambda: len(spans(base)) >= 2 + len(evaluations), 20)
    time.sleep(2)
    judging = [one for one in spans(base) if one["span_kind"] == "EVALUATOR"]
    assert len(judging) == len(evaluations)
    assert {one["parent_id"] for one in judging} == {span_id}
    missing = [msgspec.structs.replace(evaluations[0], span_id="00000000000000aa", key="other")]
    assert publish(missing, Sender(base), Ledger(audit, "missing"), mode="phoenix").absent == 1
