"""The official GenAI instrumentation of Anthropic's client over documents with citations."""

from common import logger_provider, tracer_provider
from opentelemetry.instrumentation.genai.anthropic import AnthropicInstrumentor

provider, logs = tracer_provider(), logger_provider()
AnthropicInstrumentor().instrument(tracer_provider=provider, logger_provider=logs)

from claude import ask

with provider.get_tracer("app").start_as_current_span("answer"):
    assert ask().content
logs.shutdown()
provider.shutdown()
