"""A Genkit flow whose retrieval is a tool, with a model of our own."""

import os

from common import DOCUMENTS, QUESTION, tracer_provider

provider = tracer_provider()

from genkit import Genkit, Part
from genkit.model import Message, ModelResponse, ModelUsage

ai = Genkit()


async def answer(request, context):
    last = request.messages[-1]
    if last.role != "tool":
        part = Part.from_tool_request(name="retrieve", input=QUESTION)
        given, said = 20, 4
    else:
        part, given, said = Part.from_text(os.environ["STUB_ANSWER"]), 100, 20
    return ModelResponse(
        message=Message(role="model", content=[part]),
        usage=ModelUsage(input_tokens=given, output_tokens=said),
        finish_reason="stop",
    )


ai.define_model("model", answer)


@ai.tool()
async def retrieve(query: str) -> list[dict]:
    """Look passages up."""
    return [{"id": d["id"], "content": d["text"], "score": d["score"]} for d in DOCUMENTS]


@ai.flow()
async def ask(question: str) -> str:
    return (await ai.generate(model="model", prompt=question, tools=["retrieve"])).text


ai.run_main(ask(QUESTION))
provider.shutdown()
