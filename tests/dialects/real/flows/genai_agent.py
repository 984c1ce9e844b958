"""The official GenAI instrumentation of LangChain over an agent."""

from agent import run
from common import logger_provider, tracer_provider
from opentelemetry.instrumentation.genai.langchain import LangChainInstrumentor

provider, logs = tracer_provider(), logger_provider()
LangChainInstrumentor().instrument(tracer_provider=provider, logger_provider=logs)
assert run()
logs.shutdown()
provider.shutdown()
