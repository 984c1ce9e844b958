"""What the flows share: the question, the passages, the prompt, and an SDK that exports to the stub."""

from __future__ import annotations

import os

QUESTION = "How high does the gate at Oldham lift?"
DOCUMENTS = [
    {
        "id": "gate-1",
        "text": "The gate at Oldham lifts eight metres in one minute.",
        "source": "gate.md",
        "score": 0.9,
    },
    {"id": "gate-2", "text": "In 1911 the gate was painted green.", "source": "paint.md", "score": 0.5},
]
STUB = os.environ.get("STUB_URL", "http://127.0.0.1:9")
MODEL_URL = f"{STUB}/v1"
SYSTEM = "Answer from the passages; cite as [n].\n" + "\n".join(
    f"[{number}] {document['text']}" for number, document in enumerate(DOCUMENTS, 1)
)
MESSAGES = [{"role": "system", "content": SYSTEM}, {"role": "user", "content": QUESTION}]


def tracer_provider():
    from opentelemetry import trace
    from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
    from opentelemetry.sdk.resources import Resource
    from opentelemetry.sdk.trace import TracerProvider
    from opentelemetry.sdk.trace.export import SimpleSpanProcessor

    provider = TracerProvider(resource=Resource.create({"service.name": "flow"}))
    provider.add_span_processor(SimpleSpanProcessor(OTLPSpanExporter(f"{STUB}/v1/traces")))
    trace.set_tracer_provider(provider)
    return provider


def logger_provider():
    from opentelemetry._logs import set_logger_provider
    from opentelemetry.exporter.otlp.proto.http._log_exporter import OTLPLogExporter
    from opentelemetry.sdk._logs import LoggerProvider
    from opentelemetry.sdk._logs.export import SimpleLogRecordProcessor

    provider = LoggerProvider()
    provider.add_log_record_processor(SimpleLogRecordProcessor(OTLPLogExporter(f"{STUB}/v1/logs")))
    set_logger_provider(provider)
    return provider


def client():
    from openai import OpenAI

    return OpenAI(api_key="none", base_url=MODEL_URL)
