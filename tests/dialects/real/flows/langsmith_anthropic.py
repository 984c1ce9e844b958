"""LangSmith's Anthropic wrapper over documents with citations, written as OpenTelemetry spans only."""

import os

from common import STUB, tracer_provider

os.environ.update(
    LANGSMITH_OTEL_ENABLED="true", LANGSMITH_OTEL_ONLY="true", LANGSMITH_TRACING="true",
    LANGSMITH_ENDPOINT=STUB, LANGSMITH_API_KEY="none",
)  # fmt: skip

from claude import ask, make_client
from langsmith.run_trees import get_cached_client
from langsmith.wrappers import wrap_anthropic

provider = tracer_provider()
assert ask(wrap_anthropic(make_client())).content
get_cached_client().flush()
provider.shutdown()
