"""Every attribute and event name that groundwire writes or reads back, in two parts.

*Standard* names are OpenTelemetry's (GenAI semantic conventions, stability *Development* unless said
otherwise) and OpenInference's. *Ours* start with ``groundwire.`` and say only what no convention has.
Names of foreign dialects live with their dialect, not here.

Levels of ours: *stable* names keep their meaning for ever once released (readers of old traces rely on
them); *experimental* ones may change with a minor version.
"""

from __future__ import annotations

from typing import Final

SCHEMA_URL: Final = "https://opentelemetry.io/schemas/1.41.0"
SCOPE_NAME: Final = "groundwire"

# --- standard: OpenTelemetry GenAI -------------------------------------------------------------------
OPERATION_NAME: Final = "gen_ai.operation.name"
OPERATION_WORKFLOW: Final = "invoke_workflow"
OPERATION_RETRIEVAL: Final = "retrieval"
WORKFLOW_NAME: Final = "gen_ai.workflow.name"
PROVIDER_NAME: Final = "gen_ai.provider.name"
REQUEST_MODEL: Final = "gen_ai.request.model"
RESPONSE_MODEL: Final = "gen_ai.response.model"
RESPONSE_ID: Final = "gen_ai.response.id"
FINISH_REASONS: Final = "gen_ai.response.finish_reasons"
INPUT_MESSAGES: Final = "gen_ai.input.messages"
OUTPUT_MESSAGES: Final = "gen_ai.output.messages"
INPUT_MESSAGES_REF: Final = "gen_ai.input.messages_ref"
OUTPUT_MESSAGES_REF: Final = "gen_ai.output.messages_ref"
RETRIEVAL_DOCUMENTS: Final = "gen_ai.retrieval.documents"
RETRIEVAL_QUERY: Final = "gen_ai.retrieval.query.text"
INPUT_TOKENS: Final = "gen_ai.usage.input_tokens"
OUTPUT_TOKENS: Final = "gen_ai.usage.output_tokens"
CACHE_READ_INPUT_TOKENS: Final = "gen_ai.usage.cache_read.input_tokens"
CACHE_WRITE_INPUT_TOKENS: Final = "gen_ai.usage.cache_write.input_tokens"
REASONING_OUTPUT_TOKENS: Final = "gen_ai.usage.reasoning.output_tokens"
CONVERSATION_ID: Final = "gen_ai.conversation.id"
PROMPT_NAME: Final = "gen_ai.prompt.name"
PROMPT_VERSION: Final = "gen_ai.prompt.version"
EVALUATION_EVENT: Final = "gen_ai.evaluation.result"

# --- standard: OpenTelemetry, stable -----------------------------------------------------------------
ERROR_TYPE: Final = "error.type"
USER_ID: Final = "user.id"
SERVICE_NAME: Final = "service.name"
SERVICE_VERSION: Final = "service.version"
DEPLOYMENT_ENVIRONMENT: Final = "deployment.environment.name"
EXCEPTION_EVENT: Final = "exception"
EXCEPTION_TYPE: Final = "exception.type"
EXCEPTION_MESSAGE: Final = "exception.message"
EXCEPTION_STACKTRACE: Final = "exception.stacktrace"

# --- standard: OpenInference (the keys without which Phoenix and Langfuse show nothing) ---------------
OPENINFERENCE_KIND: Final = "openinference.span.kind"
INPUT_VALUE: Final = "input.value"
OUTPUT_VALUE: Final = "output.value"

# --- ours, stable ------------------------------------------------------------------------------------
CALL: Final = "groundwire.call"
"""``<schema>:<process>:<sequence>``, as in ``1:94d121f4ea94f083:17``; it marks a native answer span.

One attribute and not three, since each costs every call. *schema* is the version of this vocabulary,
*process* a random id of the process instance that made the call (hex; new after a fork), *sequence* the
number of the call within its process, from 1, counted whether sampled or not.
"""
CAPTURE: Final = "groundwire.capture"
"""``full``, ``hash`` or ``none``."""
CITATIONS: Final = "groundwire.citations"
"""JSON array of objects with the fields of :class:`groundwire.record.Citation`."""
CONTEXT_SOURCE: Final = "groundwire.contexts.source"
"""Where the contexts came from: ``result``, ``retriever``, ``argument``, ``call`` or ``extract``."""
ABSTAINED: Final = "groundwire.abstained"
STREAM_END: Final = "groundwire.stream.end"
"""``exhausted``, ``closed``, ``failed``, ``cancelled`` or ``abandoned``; only on streams."""
STREAM_CHUNKS: Final = "groundwire.stream.chunks"
TIME_TO_FIRST_CHUNK_NS: Final = "groundwire.stream.time_to_first_chunk_ns"
"""How long the call worked until its first chunk, without what its consumer let it wait."""
CONSUMER_WAIT_NS: Final = "groundwire.stream.consumer_wait_ns"
"""Time that the stream lay suspended because its consumer did not ask for more."""
TAGS: Final = "groundwire.tags"
"""JSON object of strings."""
INDEX_VERSION: Final = "groundwire.index.version"
TENANT: Final = "groundwire.tenant"
COST: Final = "groundwire.cost"
"""JSON object ``{"amount": decimal string, "currency": ISO 4217, "source": str}``."""
LATENCY_NS: Final = "groundwire.latency_ns"
"""A latency that the application itself reported; wins over the span's own duration."""
EXPECTED: Final = "groundwire.expected"
"""JSON object with the fields of :class:`groundwire.record.Expected`."""
METADATA: Final = "groundwire.metadata"
"""JSON object: further fields that ``extract`` returned."""
CHANGES: Final = "groundwire.changes"
"""JSON array of what was changed before it was written: ``{"field", "change", "count"}``."""
CONTENT_DIGESTS: Final = "groundwire.content.digests"
"""JSON object: per text that is not stored whole, its full length in code points and its digest."""
DOCUMENTS_REF: Final = "groundwire.documents_ref"
CITATIONS_REF: Final = "groundwire.citations_ref"
"""URI of a file that holds what ``groundwire.citations`` (the documents attribute) would have held."""

# --- ours, feedback spans ----------------------------------------------------------------------------
FEEDBACK_SCORE: Final = "groundwire.feedback.score"
FEEDBACK_LABEL: Final = "groundwire.feedback.label"
FEEDBACK_COMMENT: Final = "groundwire.feedback.comment"
FEEDBACK_TRACE_ID: Final = "groundwire.feedback.trace_id"
FEEDBACK_SPAN_ID: Final = "groundwire.feedback.span_id"

# --- metrics of ours ---------------------------------------------------------------------------------
METRIC_CALLS: Final = "groundwire.calls"
METRIC_DURATION: Final = "groundwire.call.duration"
METRIC_LOSS: Final = "groundwire.loss"
METRIC_GRADES: Final = "groundwire.grades"
JUDGED_SERVICE: Final = "groundwire.judged.service"

# --- evaluation results: standard names, then ours ---------------------------------------------------
EVALUATION_NAME: Final = "gen_ai.evaluation.name"
EVALUATION_SCORE: Final = "gen_ai.evaluation.score.value"
EVALUATION_LABEL: Final = "gen_ai.evaluation.score.label"
EVALUATION_EXPLANATION: Final = "gen_ai.evaluation.explanation"
GRADE_OUTCOME: Final = "groundwire.grade.outcome"
GRADE_LABEL: Final = "groundwire.grade.label"
GRADE_BASIS: Final = "groundwire.grade.basis"
GRADE_METHOD: Final = "groundwire.grade.method"
GRADE_VERSION: Final = "groundwire.grade.version"
GRADE_CONFIG: Final = "groundwire.grade.config_digest"
GRADE_EVIDENCE: Final = "groundwire.grade.evidence"
"""JSON array of evidence rows: labels, indices and offsets, never text."""
AUDIT_RECORD: Final = "groundwire.audit.record_id"
AUDIT_RUN: Final = "groundwire.audit.run_id"
