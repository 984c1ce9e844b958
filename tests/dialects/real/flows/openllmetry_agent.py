"""OpenLLMetry's LangChain instrumentation over an agent."""

from agent import run
from common import tracer_provider
from opentelemetry.instrumentation.langchain import LangchainInstrumentor

provider = tracer_provider()
LangchainInstrumentor().instrument(tracer_provider=provider)
assert run()
provider.shutdown()
