"""A LlamaIndex agent whose retrieval is a tool, for whoever instruments it."""

import asyncio

from common import DOCUMENTS, MODEL_URL, QUESTION
from llama_index.core.agent.workflow import FunctionAgent
from llama_index.llms.openai import OpenAI


def retrieve(query: str) -> list:
    """Look passages up."""
    return [{"id": d["id"], "content": d["text"], "score": d["score"]} for d in DOCUMENTS]


async def ask():
    model = OpenAI(model="gpt-4o-mini", api_key="none", api_base=MODEL_URL)
    return str(await FunctionAgent(tools=[retrieve], llm=model, streaming=False).run(QUESTION))


def run():
    return asyncio.run(ask())
