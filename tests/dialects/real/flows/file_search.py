"""A call of OpenAI's Responses API, whose own file search brings the passages, for whoever instruments it."""

from common import QUESTION, client


def ask(model=None):
    tools = [{"type": "file_search", "vector_store_ids": ["vs_1"]}]
    return (model or client()).responses.create(
        model="gpt-4o-mini", input=QUESTION, tools=tools, include=["file_search_call.results"]
    )
