"""LlamaIndex's own OpenTelemetry integration over an agent, whose tool's result stands in messages only."""

from common import STUB
from llama_index.observability.otel import LlamaIndexOpenTelemetry
from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
from workflow import run

LlamaIndexOpenTelemetry(
    span_exporter=OTLPSpanExporter(f"{STUB}/v1/traces"), span_processor="simple"
).start_registering()
assert run()
