"""OpenLLMetry's Anthropic instrumentation over documents with citations."""

from common import tracer_provider
from opentelemetry.instrumentation.anthropic import AnthropicInstrumentor

provider = tracer_provider()
AnthropicInstrumentor().instrument(tracer_provider=provider)

from claude import ask

with provider.get_tracer("app").start_as_current_span("answer"):
    assert ask().content
provider.shutdown()
