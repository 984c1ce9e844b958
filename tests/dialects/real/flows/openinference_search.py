"""OpenInference's OpenAI instrumentation over the provider's own search."""

from common import tracer_provider
from openinference.instrumentation.openai import OpenAIInstrumentor

provider = tracer_provider()
OpenAIInstrumentor().instrument(tracer_provider=provider)

from file_search import ask

assert ask().output_text
provider.shutdown()
