"""MLflow's OpenAI autolog over the provider's own search, over OTLP."""

import os

from common import STUB

os.environ.update(
    OTEL_EXPORTER_OTLP_TRACES_ENDPOINT=f"{STUB}/v1/traces", OTEL_EXPORTER_OTLP_TRACES_PROTOCOL="http/protobuf"
)

import mlflow

mlflow.openai.autolog()

from file_search import ask

assert ask().output_text
mlflow.flush_trace_async_logging()
