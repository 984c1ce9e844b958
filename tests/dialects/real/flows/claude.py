"""A call of Anthropic's client with the passages as documents, citations on, for whoever instruments it."""

from anthropic import Anthropic
from common import DOCUMENTS, QUESTION, STUB


def make_client():
    return Anthropic(api_key="none", base_url=STUB)


def ask(client=None):
    blocks = [
        {
            "type": "document", "title": d["source"], "citations": {"enabled": True},
            "source": {"type": "text", "media_type": "text/plain", "data": d["text"]},
        }
        for d in DOCUMENTS
    ]  # fmt: skip
    messages = [{"role": "user", "content": [*blocks, {"type": "text", "text": QUESTION}]}]
    return (client or make_client()).messages.create(
        model="claude-sonnet-4-5", max_tokens=200, messages=messages
    )
