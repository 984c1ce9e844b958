"""OpenLLMetry's OpenAI instrumentation of the 0.40 line, alone."""

from common import MESSAGES, client, tracer_provider
from opentelemetry.instrumentation.openai import OpenAIInstrumentor

provider = tracer_provider()
OpenAIInstrumentor().instrument(tracer_provider=provider)
client().chat.completions.create(model="gpt-4o-mini", messages=MESSAGES)
provider.shutdown()
