"""The official GenAI instrumentation of LlamaIndex: a retrieval, and the client's own model call."""

from common import QUESTION, logger_provider, tracer_provider
from engine import build
from opentelemetry.instrumentation.genai.llama_index import LlamaIndexInstrumentor
from opentelemetry.instrumentation.genai.openai import OpenAIInstrumentor

provider, logs = tracer_provider(), logger_provider()
LlamaIndexInstrumentor().instrument(tracer_provider=provider, logger_provider=logs)
OpenAIInstrumentor().instrument(tracer_provider=provider, logger_provider=logs)
with provider.get_tracer("app").start_as_current_span("ask"):
    assert str(build().query(QUESTION))
logs.shutdown()
provider.shutdown()
