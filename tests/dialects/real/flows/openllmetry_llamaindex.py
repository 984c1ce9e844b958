"""OpenLLMetry's LlamaIndex instrumentation over a query engine."""

from common import QUESTION, tracer_provider
from engine import build
from opentelemetry.instrumentation.llamaindex import LlamaIndexInstrumentor
from opentelemetry.instrumentation.openai import OpenAIInstrumentor

provider = tracer_provider()
LlamaIndexInstrumentor().instrument(tracer_provider=provider)
OpenAIInstrumentor().instrument(tracer_provider=provider)
assert str(build().query(QUESTION))
provider.shutdown()
