"""OpenInference's LlamaIndex instrumentation over a query engine."""

from common import QUESTION, tracer_provider
from engine import build
from openinference.instrumentation.llama_index import LlamaIndexInstrumentor

provider = tracer_provider()
LlamaIndexInstrumentor().instrument(tracer_provider=provider)
assert str(build().query(QUESTION))
provider.shutdown()
