"""OpenInference's LangChain instrumentation over an agent."""

from agent import run
from common import tracer_provider
from openinference.instrumentation.langchain import LangChainInstrumentor

provider = tracer_provider()
LangChainInstrumentor().instrument(tracer_provider=provider)
assert run()
provider.shutdown()
