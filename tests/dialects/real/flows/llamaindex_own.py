"""LlamaIndex's own OpenTelemetry integration: each event of its instrumentation becomes span attributes."""

from common import QUESTION, STUB
from engine import build
from llama_index.observability.otel import LlamaIndexOpenTelemetry
from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter

LlamaIndexOpenTelemetry(
    span_exporter=OTLPSpanExporter(f"{STUB}/v1/traces"), span_processor="simple"
).start_registering()
assert str(build().query(QUESTION))
