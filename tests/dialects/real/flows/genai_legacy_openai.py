"""The first official OpenAI instrumentation: one log record a message."""

from common import MESSAGES, client, logger_provider, tracer_provider
from opentelemetry.instrumentation.openai_v2 import OpenAIInstrumentor

provider, logs = tracer_provider(), logger_provider()
OpenAIInstrumentor().instrument(tracer_provider=provider, logger_provider=logs)
client().chat.completions.create(model="gpt-4o-mini", messages=MESSAGES)
logs.shutdown()
provider.shutdown()
