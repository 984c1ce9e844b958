"""The flows: which instrumentation is run how, and what it keeps."""

from __future__ import annotations

from typing import NamedTuple

LATEST = {"OTEL_SEMCONV_STABILITY_OPT_IN": "gen_ai_latest_experimental"}
AGENT_VERSION = "INSTRUMENTATION_VERSION"
CAPTURE = "OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT"
UPLOAD = {"OTEL_INSTRUMENTATION_GENAI_COMPLETION_HOOK": "upload", CAPTURE: "NO_CONTENT", **LATEST}


class Flow(NamedTuple):
    """A flow's script, the group that runs it, its dialect, its environment, and what it keeps.

    ``keeps`` names which of ids, scores, the provider's own citations and a cost the record holds, no more
    and no less; every flow keeps question, answer, passages and usage, but for two that say so.
    """

    script: str
    group: str
    dialect: str
    keeps: str = ""
    environment: dict[str, str] = {}  # noqa: RUF012


NO_CONTENT, NO_CONTEXTS = "nothing", "no passages"
CASES = {
    "openinference-openai": Flow("openinference_openai", "openinference", "openinference", "ids scores"),
    "openinference-langchain": Flow("openinference_langchain", "openinference", "openinference", "ids"),
    "openinference-llamaindex": Flow(
        "openinference_llamaindex", "llamaindex", "openinference", "ids scores"
    ),
    "openinference-agent": Flow("openinference_agent", "openinference", "openinference", "ids"),
    "openinference-workflow": Flow(
        "openinference_workflow", "llamaindex", "openinference", "ids scores"
    ),
    "openinference-search": Flow(
        "openinference_search", "openinference", "openinference", "ids scores citations"
    ),
    "phoenix-decorators": Flow(
        "phoenix_decorated", "openinference", "openinference", "ids scores citations"
    ),
    "openllmetry-old-langchain": Flow("openllmetry_old_langchain", "openllmetry-old", "openllmetry", "ids"),
    "openllmetry-old-openai": Flow("openllmetry_old_openai", "openllmetry-old", "otel-genai"),
    "openllmetry-langchain": Flow("openllmetry_langchain", "openllmetry", "openllmetry", "ids"),
    "openllmetry-agent": Flow("openllmetry_agent", "openllmetry", "openllmetry", "ids"),
    "openllmetry-llamaindex": Flow(
        "openllmetry_llamaindex", "llamaindex", "openllmetry", "ids scores"
    ),
    "traceloop-chroma": Flow("traceloop_chroma", "openllmetry", "openllmetry", "ids"),
    "genai-spans": Flow(
        "genai_openai", "genai", "otel-genai", "ids scores", {CAPTURE: "SPAN_ONLY", **LATEST}
    ),
    "genai-events": Flow(
        "genai_openai", "genai", "otel-genai", "",
        {CAPTURE: "EVENT_ONLY", "OTEL_INSTRUMENTATION_GENAI_EMIT_EVENT": "true", **LATEST},
    ),
    "genai-upload": Flow("genai_openai", "genai", "otel-genai", "", UPLOAD),
    "genai-no-content": Flow(
        "genai_openai", "genai", "otel-genai", NO_CONTENT, {CAPTURE: "NO_CONTENT", **LATEST}
    ),
    "genai-langchain": Flow(
        "genai_langchain", "genai", "otel-genai", "ids", {CAPTURE: "SPAN_ONLY", **LATEST}
    ),
    "genai-agent": Flow("genai_agent", "genai", "otel-genai", "", {CAPTURE: "SPAN_ONLY", **LATEST}),
    "genai-search": Flow(
        "genai_search", "genai", "otel-genai", NO_CONTEXTS, {CAPTURE: "SPAN_ONLY", **LATEST}
    ),
    "genai-llamaindex": Flow(
        "genai_llamaindex", "llamaindex", "otel-genai", "ids scores", {CAPTURE: "SPAN_ONLY", **LATEST}
    ),
    "genai-anthropic": Flow(
        "genai_anthropic", "genai", "otel-genai", "", {CAPTURE: "SPAN_ONLY", **LATEST}
    ),
    "openinference-anthropic": Flow(
        "openinference_anthropic", "openinference", "openinference", "citations"
    ),
    "openllmetry-anthropic": Flow("openllmetry_anthropic", "openllmetry", "otel-genai"),
    "anthropic-own": Flow(
        "anthropic_own", "genai", "otel-genai", NO_CONTEXTS,
        {"ANTHROPIC_OPEN_TELEMETRY_TRACES_CONTENT_MODE": "content"},
    ),
    "genai-legacy-logs": Flow(
        "genai_legacy_openai", "genai-legacy", "otel-genai", "", {CAPTURE: "true"}
    ),
    "adk-1": Flow(
        "adk_agent", "adk", "google-adk", "ids scores", {"ADK_TELEMETRY_SCHEMA_VERSION_OPT_IN": "1"}
    ),
    "adk-2": Flow("adk_agent", "adk", "otel-genai", "ids scores", {CAPTURE: "SPAN_ONLY", **LATEST}),
    "genkit": Flow("genkit_flow", "genkit", "genkit", "ids scores"),
    "haystack": Flow("haystack_pipeline", "haystack", "haystack", "ids scores"),
    "langsmith": Flow("langsmith_traced", "langsmith", "langsmith", "ids scores citations"),
    "llamaindex-own-workflow": Flow("llamaindex_own_workflow", "llamaindex", "llamaindex", "ids scores"),
    "llamaindex-own": Flow("llamaindex_own", "llamaindex", "llamaindex", "ids scores citations"),
    "logfire": Flow("logfire_spans", "pydantic-ai", "pydantic-ai", "ids scores cost"),
    "langsmith-agent": Flow("langsmith_agent", "langsmith", "langsmith", "ids"),
    "langsmith-search": Flow("langsmith_search", "langsmith", "langsmith", "ids scores citations"),
    "langsmith-anthropic": Flow(
        "langsmith_anthropic", "langsmith", "langsmith", "citations", {"ANTHROPIC_OPEN_TELEMETRY": "false"}
    ),
    "mlflow-store-anthropic": Flow("mlflow_anthropic", "mlflow", "mlflow", "citations cost"),
    "mlflow-agent": Flow("mlflow_agent", "mlflow", "mlflow", "ids"),
    "mlflow-search": Flow("mlflow_search", "mlflow", "mlflow", "ids scores citations"),
    "mlflow": Flow("mlflow_traced", "mlflow", "mlflow", "ids scores citations"),
    "opik": Flow("opik_tracked", "opik", "opik", "ids scores citations"),
    "openlit": Flow("openlit_auto", "openlit", "openlit"),
    "pydantic-ai-2": Flow(
        "pydantic_ai_agent", "pydantic-ai", "pydantic-ai", "ids scores", {AGENT_VERSION: "2"}
    ),
    "pydantic-ai-6": Flow(
        "pydantic_ai_agent", "pydantic-ai", "pydantic-ai", "ids scores", {AGENT_VERSION: "6"}
    ),
    "trulens-texts": Flow("trulens_app", "trulens", "trulens", "cost", {"RETURNS": "texts"}),
    "trulens-mappings": Flow(
        "trulens_app", "trulens", "trulens", "ids scores cost", {"RETURNS": "mappings"}
    ),
    "vercel-5-tool": Flow("vercel_tool.mjs", "vercel-5", "vercel-ai-sdk", "ids scores"),
    "vercel-7-tool": Flow("vercel_tool.mjs", "vercel-7", "otel-genai", "ids scores"),
    "vercel-5": Flow("vercel_agent.mjs", "vercel-5", "vercel-ai-sdk"),
    "langfuse-3": Flow("langfuse_observed", "langfuse-3", "langfuse", "ids scores"),
    "langfuse-agent": Flow("langfuse_langchain", "langfuse", "langfuse", "ids", {"RUNS": "agent"}),
    "langfuse-langchain": Flow("langfuse_langchain", "langfuse", "langfuse", "ids", {"RUNS": "chain"}),
    "langfuse-search": Flow("langfuse_search", "langfuse", "langfuse", "ids scores citations"),
    "langfuse-5": Flow("langfuse_observed", "langfuse", "langfuse", "ids scores"),
}  # fmt: skip
