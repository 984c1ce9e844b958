"""LangSmith's decorator and OpenAI wrapper, written as OpenTelemetry spans only."""

import os

from common import DOCUMENTS, MESSAGES, QUESTION, STUB, client, tracer_provider

os.environ.update(
    LANGSMITH_OTEL_ENABLED="true", LANGSMITH_OTEL_ONLY="true", LANGSMITH_TRACING="true",
    LANGSMITH_ENDPOINT=STUB, LANGSMITH_API_KEY="none",
)  # fmt: skip

from langsmith import traceable
from langsmith.run_trees import get_cached_client
from langsmith.wrappers import wrap_openai

provider = tracer_provider()


@traceable(run_type="retriever")
def retrieve(question):
    return [
        {"page_content": d["text"], "type": "Document", "metadata": {"id": d["id"], "score": d["score"]}}
        for d in DOCUMENTS
    ]


@traceable
def ask(question):
    retrieve(question)
    answer = wrap_openai(client()).chat.completions.create(model="gpt-4o-mini", messages=MESSAGES)
    return answer.choices[0].message.content


ask(QUESTION)
get_cached_client().flush()
provider.shutdown()
