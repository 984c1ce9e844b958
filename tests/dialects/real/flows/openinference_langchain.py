"""OpenInference's LangChain instrumentation over a retrieval chain."""

from chain import build
from common import QUESTION, tracer_provider
from openinference.instrumentation.langchain import LangChainInstrumentor

provider = tracer_provider()
LangChainInstrumentor().instrument(tracer_provider=provider)
assert build().invoke(QUESTION)
provider.shutdown()
