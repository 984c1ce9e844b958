"""The official GenAI instrumentation of OpenAI over the provider's own search."""

from common import logger_provider, tracer_provider
from opentelemetry.instrumentation.genai.openai import OpenAIInstrumentor

provider, logs = tracer_provider(), logger_provider()
OpenAIInstrumentor().instrument(tracer_provider=provider, logger_provider=logs)

from file_search import ask

assert ask().output_text
logs.shutdown()
provider.shutdown()
