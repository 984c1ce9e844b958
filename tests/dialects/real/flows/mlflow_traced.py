"""MLflow's decorator and OpenAI autolog, exported over OTLP."""

import os

from common import DOCUMENTS, MESSAGES, QUESTION, STUB, client

os.environ["OTEL_EXPORTER_OTLP_TRACES_ENDPOINT"] = f"{STUB}/v1/traces"
os.environ["OTEL_EXPORTER_OTLP_TRACES_PROTOCOL"] = "http/protobuf"

import mlflow
from mlflow.entities import Document

mlflow.openai.autolog()


@mlflow.trace(span_type="RETRIEVER")
def retrieve(question):
    return [Document(page_content=d["text"], id=d["id"], metadata={"score": d["score"]}) for d in DOCUMENTS]


@mlflow.trace
def ask(question):
    retrieve(question)
    answer = client().chat.completions.create(model="gpt-4o-mini", messages=MESSAGES)
    return answer.choices[0].message.content


ask(QUESTION)
mlflow.flush_trace_async_logging()
