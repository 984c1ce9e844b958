"""A LangChain agent whose retrieval is a tool with an artifact, as its guides build it, for any tracer."""

from common import DOCUMENTS, MODEL_URL, QUESTION
from langchain.agents import create_agent
from langchain_core.documents import Document
from langchain_core.tools import tool
from langchain_openai import ChatOpenAI


@tool(response_format="content_and_artifact")
def retrieve(query: str):
    """Look passages up."""
    found = [
        Document(id=d["id"], page_content=d["text"], metadata={"source": d["source"]}) for d in DOCUMENTS
    ]
    written = "\n\n".join(f"Source: {d.metadata}\nContent: {d.page_content}" for d in found)
    return written, found


def run(**config):
    model = ChatOpenAI(model="gpt-4o-mini", api_key="none", base_url=MODEL_URL)
    agent = create_agent(model, [retrieve], system_prompt="Answer from what you find; cite as [n].")
    return agent.invoke({"messages": [{"role": "user", "content": QUESTION}]}, config=config or None)
