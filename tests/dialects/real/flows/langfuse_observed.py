"""Langfuse's decorator and its OpenAI client; spans go through its own OTLP exporter."""

import os

from common import DOCUMENTS, MESSAGES, MODEL_URL, QUESTION, STUB

os.environ.update(
    LANGFUSE_PUBLIC_KEY="pk", LANGFUSE_SECRET_KEY="sk", LANGFUSE_HOST=STUB, LANGFUSE_BASE_URL=STUB
)

from langfuse import get_client, observe
from langfuse.openai import OpenAI


@observe(as_type="retriever")
def retrieve(question):
    return [{"id": d["id"], "content": d["text"], "score": d["score"]} for d in DOCUMENTS]


@observe()
def ask(question):
    retrieve(question)
    client = OpenAI(api_key="none", base_url=MODEL_URL)
    return client.chat.completions.create(model="gpt-4o-mini", messages=MESSAGES).choices[0].message.content


ask(QUESTION)
get_client().flush()
get_client().shutdown()
