"""The README's table of dialects claims what the flows show, and names the versions that they run."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from dialects.real.cases import CASES, NO_CONTENT, NO_CONTEXTS, Flow
from dialects.real.environments import REQUIREMENTS

README = (Path(__file__).parents[3] / "README.md").read_text(encoding="utf-8")
SECTION = re.split(r"^## ", README[README.index("## Dialects") + 3 :], flags=re.MULTILINE)[0]
WHOLE, NONE = "●", "–"
COLUMNS = {"ids": 4, "scores": 5, "citations": 6, "cost": 8}
ROWS = {
    "OpenTelemetry GenAI": ("otel-genai",),
    "OpenInference": ("openinference",),
    "OpenLLMetry": ("openllmetry",),
    "Langfuse": ("langfuse",),
    "MLflow": ("mlflow",),
    "LlamaIndex": ("llamaindex",),
    "TruLens": ("trulens",),
    "LangSmith": ("langsmith",),
    "Pydantic AI": ("pydantic-ai",),
    "Haystack": ("haystack",),
    "Vercel": ("vercel-ai-sdk",),
    "OpenLIT": ("openlit",),
    "Opik": ("opik",),
    "Genkit": ("genkit", "google-adk"),
}
SUPPORT = re.compile(
    r"^(@?opentelemetry[-/](api|sdk|exporter)|openai|wrapt|httpx|fsspec|langchain|zod|@ai-sdk)"
)
COVERED = {
    "llama-index-core", "llama-index-llms-openai", "trulens-otel-semconv", "trulens-providers-openai",
    "chromadb", "opentelemetry-haystack",
}  # fmt: skip


def read_cells(row: str) -> list[str]:
    """The cells of the row whose first one begins so."""
    (line,) = (line for line in SECTION.splitlines() if line.startswith(f"| {row}"))
    return [cell.strip() for cell in line.strip("|").split("|")]


def flows_of(row: str) -> list[Flow]:
    whole = [flow for flow in CASES.values() if flow.keeps not in (NO_CONTENT, NO_CONTEXTS)]
    return [flow for flow in whole if flow.dialect in ROWS[row]]


@pytest.mark.parametrize("thing", COLUMNS)
@pytest.mark.parametrize("row", ROWS)
def test_the_table_claims_what_the_flows_keep(row: str, thing: str) -> None:
    """A whole mark is shown by a flow, and what a flow keeps is not denied."""
    cell = read_cells(row)[COLUMNS[thing]]
    kept = [thing in flow.keeps.split() for flow in flows_of(row)]
    assert kept
    if any(kept):
        assert cell != NONE and cell != "markers"
    elif cell.startswith(WHOLE):
        pytest.fail(f"{row}: {thing} is claimed whole, and no flow shows it")


def read_pins() -> dict[str, str]:
    """The packages that the groups pin, without what only carries them."""
    pins = {}
    for path in REQUIREMENTS.glob("*.txt"):
        for line in path.read_text(encoding="utf-8").split():
            name, _, version = line.partition("==")
            pins[f"{path.stem}: {name}"] = version
    for path in REQUIREMENTS.glob("*/package.json"):
        for name, version in json.loads(path.read_text(encoding="utf-8"))["dependencies"].items():
            pins[f"{path.parent.name}: {name}"] = version
    named = {key: key.partition(": ")[2] for key in pins}
    return {key: pins[key] for key, name in named.items() if not SUPPORT.match(name) and name not in COVERED}


@pytest.mark.parametrize(("package", "version"), sorted(read_pins().items()))
def test_the_versions_that_are_run_are_named(package: str, version: str) -> None:
    """Every instrumentation's pinned version stands in the README."""
    assert re.search(rf"(?<![\d.]){re.escape(version)}(?!\d)", SECTION)


def test_the_number_of_flows_is_stated() -> None:
    """So many flows in so many environments."""
    groups = {flow.group for flow in CASES.values()}
    assert f"{len(CASES)} flows in {len(groups)} environments" in " ".join(SECTION.split())
