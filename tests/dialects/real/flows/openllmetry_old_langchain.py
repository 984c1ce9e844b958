"""OpenLLMetry of the 0.40 line over LangChain: flattened prompts, no retriever span."""

from chain import build
from common import QUESTION, tracer_provider
from opentelemetry.instrumentation.langchain import LangchainInstrumentor
from opentelemetry.instrumentation.openai import OpenAIInstrumentor

provider = tracer_provider()
LangchainInstrumentor().instrument(tracer_provider=provider)
OpenAIInstrumentor().instrument(tracer_provider=provider)
assert build().invoke(QUESTION)
provider.shutdown()
