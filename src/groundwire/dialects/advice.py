"""What to switch on, in which instrumentation, so that a missing field arrives: one table."""

from __future__ import annotations

from typing import Final

_RAW: Final = "this instrumentation keeps no provider citations; let the prompt ask for [n] markers"
_SPAN_ONLY: Final = (
    "set OTEL_SEMCONV_STABILITY_OPT_IN=gen_ai_latest_experimental and "
    "OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT=SPAN_ONLY (or EVENT_ONLY, with the logs exported too)"
)
_SWITCHES: Final[dict[str, dict[str, str]]] = {
    "groundwire": {
        "question": "set capture='full' on @instrument (or GROUNDWIRE_CAPTURE=full), or name the parameter "
        "with question=",
        "answer": "set capture='full' on @instrument, or return the answer in a shape that `groundwire "
        "doctor` recognizes",
        "contexts": "decorate the retrieving function with @retriever, or return the documents with the "
        "answer",
        "citations": "return the citations with the answer, or call current_call().add_citations(...)",
        "usage": "return the provider's response, or call current_call().set_usage(...)",
    },
    "otel-genai": {
        "question": _SPAN_ONLY,
        "answer": _SPAN_ONLY,
        "contexts": "pass documents with `content` to the retrieval span (util-genai: mappings in "
        "RetrievalInvocation"
        ".documents), since the convention itself keeps ids and scores only",
        "contexts.text": "pass documents with `content` to the retrieval span; until then their "
        "text is taken from "
        "the prompt",
        "citations": _RAW,
    },
    "openinference": {
        "question": "set OPENINFERENCE_HIDE_INPUTS=false and OPENINFERENCE_HIDE_INPUT_TEXT=false",
        "answer": "set OPENINFERENCE_HIDE_OUTPUTS=false and OPENINFERENCE_HIDE_OUTPUT_TEXT=false",
        "contexts": "use the framework's retriever (its span gets retrieval.documents), or open a RETRIEVER "
        "span by hand; "
        "set OPENINFERENCE_HIDE_OUTPUTS=false",
        "usage": "ask the model client for usage (streams: stream_options={'include_usage': True})",
    },
    "openllmetry": {
        "question": "set TRACELOOP_TRACE_CONTENT=true",
        "answer": "set TRACELOOP_TRACE_CONTENT=true",
        "contexts": "set TRACELOOP_TRACE_CONTENT=true and instrument the vector database (its result events "
        "hold the documents); "
        "LangChain retrievers need opentelemetry-instrumentation-langchain 0.60 or newer",
        "contexts.id": "instrument the vector database itself: the LangChain retriever span "
        "drops document ids",
        "citations": _RAW,
    },
    "langfuse": {
        "question": "decorate the outermost function with @observe() (capture_input is on by default)",
        "answer": "decorate the outermost function with @observe() (capture_output is on by default)",
        "contexts": "decorate the retrieving function with @observe(as_type='retriever') and return its "
        "documents",
        "usage": "pass usage_details to update_current_generation, or use the langfuse.openai client",
        "citations": _RAW,
    },
    "mlflow": {
        "question": "trace the outermost function with @mlflow.trace; leave MLFLOW_ENABLE_OTEL_GENAI_SEMCONV "
        "unset, "
        "since it deletes questions and documents",
        "answer": "trace the outermost function with @mlflow.trace; leave MLFLOW_ENABLE_OTEL_GENAI_SEMCONV "
        "unset",
        "contexts": "use @mlflow.trace(span_type=SpanType.RETRIEVER) and return documents; leave "
        "MLFLOW_ENABLE_OTEL_GENAI_SEMCONV unset, since it deletes them",
        "usage": "use the provider's autolog (mlflow.openai.autolog())",
    },
    "trulens": {
        "contexts": "use @instrument(span_type=SpanType.RETRIEVAL, "
        "attributes={RETRIEVED_CONTEXTS: 'return'})",
        "contexts.id": "let the instrumented retriever return mappings with id, content and score; TruLens "
        "keeps its contexts as plain texts, and what the function returned beside them",
        "usage": "instrument the provider (TruLens counts tokens on generation spans of known clients)",
        "citations": _RAW,
    },
    "langsmith": {
        "question": "set LANGSMITH_HIDE_INPUTS=false",
        "answer": "set LANGSMITH_HIDE_OUTPUTS=false",
        "contexts": "use @traceable(run_type='retriever') and return documents; set "
        "LANGSMITH_HIDE_OUTPUTS=false",
    },
    "pydantic-ai": {
        "question": "set InstrumentationSettings(include_content=True)",
        "answer": "set InstrumentationSettings(include_content=True)",
        "contexts": "let the retrieval be a tool that returns a list of documents, with include_content=True",
        "citations": _RAW,
    },
    "haystack": {
        "question": "set HAYSTACK_CONTENT_TRACING_ENABLED=true",
        "answer": "set HAYSTACK_CONTENT_TRACING_ENABLED=true",
        "contexts": "set HAYSTACK_CONTENT_TRACING_ENABLED=true",
        "usage": "set HAYSTACK_CONTENT_TRACING_ENABLED=true (usage lies in the replies' meta)",
    },
    "vercel-ai-sdk": {
        "question": "set experimental_telemetry: { isEnabled: true, recordInputs: true }",
        "answer": "set experimental_telemetry: { isEnabled: true, recordOutputs: true }",
        "contexts": "let the retrieval be a tool that returns an array of documents, with "
        "recordOutputs: true",
        "citations": _RAW,
    },
    "openlit": {
        "question": "set openlit.init(capture_message_content=True)",
        "answer": "set openlit.init(capture_message_content=True)",
        "contexts": "OpenLIT keeps no documents of a retriever: trace the retrieving function with another "
        "instrumentation, "
        "or decorate the answering function with groundwire's @instrument",
        "citations": _RAW,
    },
}
_BY_REASON: Final = {
    "dropped": "raise OTEL_SPAN_ATTRIBUTE_COUNT_LIMIT (the SDK keeps 128 attributes and drops the "
    "oldest), or write "
    "documents as one JSON attribute",
    "truncated": "score the untruncated branch: export to files or object storage before a backend cuts "
    "values, and unset "
    "OTEL_ATTRIBUTE_VALUE_LENGTH_LIMIT",
    "redacted": "let a redaction processor hash (hash_function: hmac-sha256) instead of masking, so that "
    "equal values stay equal",
    "sampled_away": "sample whole traces (ParentBased in the SDK, tail_sampling in the "
    "Collector), not single "
    "spans",
    "not_exported": "export all services' spans to one place; for *_ref files, name their folder with "
    "--ref-base",
}
_BY_FIELD: Final = {
    "contexts.text": "let a retrieval span or a tool's result hold the passages; in a prompt, where "
    "one ends is a guess",
    "contexts.id": "return each document with an id, so that citations can name it",
    "contexts.score": "return the retriever's score with each document (no grader needs it)",
}
_ANY: Final = "decorate the answering function with groundwire's @instrument, which captures it"


def advise(dialect: str, field: str, reason: str) -> str:
    """Return what to switch on so that ``field`` arrives from ``dialect``; ``reason`` as in completeness.

    >>> advise("haystack", "contexts", "not_captured")
    'set HAYSTACK_CONTENT_TRACING_ENABLED=true'
    """
    if reason in _BY_REASON:
        return _BY_REASON[reason]
    return _SWITCHES.get(dialect, {}).get(field) or _BY_FIELD.get(field, _ANY)
