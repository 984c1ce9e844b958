"""The official GenAI instrumentation of LangChain over a retrieval chain."""

from chain import build
from common import QUESTION, logger_provider, tracer_provider
from opentelemetry.instrumentation.genai.langchain import LangChainInstrumentor

provider, logs = tracer_provider(), logger_provider()
LangChainInstrumentor().instrument(tracer_provider=provider, logger_provider=logs)
assert build().invoke(QUESTION)
logs.shutdown()
provider.shutdown()
