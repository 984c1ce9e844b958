"""Logfire's own spans and OpenAI instrumentation, sent to an OTLP endpoint."""

import logfire
from common import DOCUMENTS, MESSAGES, QUESTION, STUB, client
from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
from opentelemetry.sdk.trace.export import SimpleSpanProcessor

logfire.configure(
    send_to_logfire=False, console=False, service_name="flow", inspect_arguments=False,
    additional_span_processors=[SimpleSpanProcessor(OTLPSpanExporter(f"{STUB}/v1/traces"))],
)  # fmt: skip
model = client()
logfire.instrument_openai(model)


@logfire.instrument("retrieve", extract_args=True, record_return=True)
def retrieve(question):
    return [{"id": d["id"], "content": d["text"], "score": d["score"]} for d in DOCUMENTS]


@logfire.instrument("ask", extract_args=True, record_return=True)
def ask(question):
    retrieve(question)
    return model.chat.completions.create(model="gpt-4o-mini", messages=MESSAGES).choices[0].message.content


ask(QUESTION)
logfire.shutdown()
