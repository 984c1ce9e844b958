"""MLflow's LangChain autolog over an agent, over OTLP."""

import os

from common import STUB

os.environ.update(
    OTEL_EXPORTER_OTLP_TRACES_ENDPOINT=f"{STUB}/v1/traces", OTEL_EXPORTER_OTLP_TRACES_PROTOCOL="http/protobuf"
)

import mlflow
from agent import run

mlflow.langchain.autolog()
assert run()
mlflow.flush_trace_async_logging()
