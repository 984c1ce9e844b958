"""LangSmith's OpenAI wrapper over the provider's own search, written as OpenTelemetry spans only."""

import os

from common import STUB, client, tracer_provider

os.environ.update(
    LANGSMITH_OTEL_ENABLED="true", LANGSMITH_OTEL_ONLY="true", LANGSMITH_TRACING="true",
    LANGSMITH_ENDPOINT=STUB, LANGSMITH_API_KEY="none",
)  # fmt: skip

from file_search import ask
from langsmith.run_trees import get_cached_client
from langsmith.wrappers import wrap_openai

provider = tracer_provider()
assert ask(wrap_openai(client())).output_text
get_cached_client().flush()
provider.shutdown()
