"""OpenLLMetry over LangChain, as it is now."""

from chain import build
from common import QUESTION, tracer_provider
from opentelemetry.instrumentation.langchain import LangchainInstrumentor

provider = tracer_provider()
LangchainInstrumentor().instrument(tracer_provider=provider)
assert build().invoke(QUESTION)
provider.shutdown()
