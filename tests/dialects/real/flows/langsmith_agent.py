"""LangChain's own tracing of an agent for LangSmith, written as OpenTelemetry spans only."""

import os

from common import STUB, tracer_provider

os.environ.update(
    LANGSMITH_OTEL_ENABLED="true", LANGSMITH_OTEL_ONLY="true", LANGSMITH_TRACING="true",
    LANGSMITH_ENDPOINT=STUB, LANGSMITH_API_KEY="none",
)  # fmt: skip

from agent import run
from langchain_core.tracers.langchain import wait_for_all_tracers
from langsmith.run_trees import get_cached_client

provider = tracer_provider()
assert run()
wait_for_all_tracers()
get_cached_client().flush()
provider.shutdown()
