"""MLflow's decorator and its OpenAI autolog, over OTLP; the protocol must be said, else it is gRPC."""

import os

from common import DOCUMENTS, MESSAGES, QUESTION, STUB, client

os.environ.update(
    OTEL_EXPORTER_OTLP_TRACES_ENDPOINT=f"{STUB}/v1/traces", OTEL_EXPORTER_OTLP_TRACES_PROTOCOL="http/protobuf"
)

import mlflow
from mlflow.entities import Document, SpanType

mlflow.openai.autolog()


@mlflow.trace(span_type=SpanType.RETRIEVER)
def retrieve(question):
    return [
        Document(d["text"], {"doc_uri": d["source"], "chunk_id": d["id"], "score": d["score"]}, id=d["id"])
        for d in DOCUMENTS
    ]


@mlflow.trace
def ask(question):
    retrieve(question)
    return client().chat.completions.create(model="gpt-4o-mini", messages=MESSAGES).choices[0].message.content


ask(QUESTION)
mlflow.flush_trace_async_logging()
