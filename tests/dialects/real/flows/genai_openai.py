"""The official GenAI instrumentation of OpenAI, and a retrieval; the environment says where content goes."""

from common import DOCUMENTS, MESSAGES, QUESTION, client, logger_provider, tracer_provider
from opentelemetry.instrumentation.genai.openai import OpenAIInstrumentor
from opentelemetry.util.genai.handler import TelemetryHandler

provider, logs = tracer_provider(), logger_provider()
OpenAIInstrumentor().instrument(tracer_provider=provider, logger_provider=logs)
handler = TelemetryHandler(tracer_provider=provider, logger_provider=logs)
with provider.get_tracer("app").start_as_current_span("ask"):
    with handler.retrieval() as retrieval:
        retrieval.query_text = QUESTION
        retrieval.documents = [{"id": d["id"], "score": d["score"]} for d in DOCUMENTS]
    client().chat.completions.create(model="gpt-4o-mini", messages=MESSAGES)
logs.shutdown()
provider.shutdown()
