"""A Google ADK agent whose retrieval is a tool, with a model of our own in place of Gemini."""

import asyncio
import os

from common import DOCUMENTS, QUESTION, tracer_provider
from google.adk.agents import Agent
from google.adk.models import BaseLlm, LlmResponse
from google.adk.runners import InMemoryRunner
from google.genai import types

provider = tracer_provider()


class Model(BaseLlm):
    async def generate_content_async(self, request, stream=False):
        last = request.contents[-1].parts[-1]
        if last.function_response is None:
            part = types.Part(function_call=types.FunctionCall(name="retrieve", args={"query": QUESTION}))
            given, said = 20, 4
        else:
            part, given, said = types.Part(text=os.environ["STUB_ANSWER"]), 100, 20
        counts = types.GenerateContentResponseUsageMetadata(
            prompt_token_count=given, candidates_token_count=said, total_token_count=given + said
        )
        yield LlmResponse(content=types.Content(role="model", parts=[part]), usage_metadata=counts)


def retrieve(query: str) -> dict:
    """Look passages up."""
    return {"documents": [{"id": d["id"], "content": d["text"], "score": d["score"]} for d in DOCUMENTS]}


async def ask():
    runner = InMemoryRunner(
        Agent(name="agent", model=Model(model="model"), tools=[retrieve]), app_name="flow"
    )
    session = await runner.session_service.create_session(app_name="flow", user_id="user")
    message = types.Content(role="user", parts=[types.Part(text=QUESTION)])
    async for _ in runner.run_async(user_id="user", session_id=session.id, new_message=message):
        pass


asyncio.run(ask())
provider.shutdown()
