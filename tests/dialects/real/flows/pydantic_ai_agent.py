"""A Pydantic AI agent whose retrieval is a tool, instrumented in the version that the environment names."""

import os

from common import DOCUMENTS, QUESTION, tracer_provider
from pydantic_ai import Agent
from pydantic_ai.messages import ModelResponse, TextPart, ToolCallPart
from pydantic_ai.models.function import FunctionModel
from pydantic_ai.models.instrumented import InstrumentationSettings
from pydantic_ai.usage import RequestUsage

ANSWER = os.environ["STUB_ANSWER"]
provider = tracer_provider()
settings = InstrumentationSettings(
    tracer_provider=provider, version=int(os.environ["INSTRUMENTATION_VERSION"])
)


def answer(messages, info):
    if len(messages) == 1:
        call = ToolCallPart("retrieve", {"query": QUESTION})
        return ModelResponse(parts=[call], usage=RequestUsage(input_tokens=20, output_tokens=4))
    return ModelResponse(parts=[TextPart(ANSWER)], usage=RequestUsage(input_tokens=100, output_tokens=20))


Agent.instrument_all(settings)
agent = Agent(FunctionModel(answer), name="a")


@agent.tool_plain
def retrieve(query: str) -> list[dict]:
    """Look passages up."""
    return [{"id": d["id"], "content": d["text"], "score": d["score"]} for d in DOCUMENTS]


agent.run_sync(QUESTION)
provider.shutdown()
