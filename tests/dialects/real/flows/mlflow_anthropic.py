"""MLflow's Anthropic autolog over documents, kept in a local store and written as trace JSON."""

import os
from pathlib import Path

os.environ["MLFLOW_TRACKING_URI"] = "sqlite:///traces.db"
os.chdir(os.environ["HOME"])

import mlflow

mlflow.anthropic.autolog()
from claude import ask

with mlflow.start_span("answer"):
    ask()
mlflow.flush_trace_async_logging()
traces = mlflow.search_traces(return_type="list")
Path(os.environ["OUT"], "traces.jsonl").write_text("".join(t.to_json() + "\n" for t in traces))
