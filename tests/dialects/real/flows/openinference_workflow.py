"""OpenInference's LlamaIndex instrumentation over an agent."""

from common import tracer_provider
from openinference.instrumentation.llama_index import LlamaIndexInstrumentor
from workflow import run

provider = tracer_provider()
LlamaIndexInstrumentor().instrument(tracer_provider=provider)
assert run()
provider.shutdown()
