"""MLflow tracing: every value is a JSON-encoded string, strings included (``"\\"RETRIEVER\\""``)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from groundwire.dialects.documents import read_contexts, read_evident_contexts
from groundwire.dialects.form import Reading, Role, Surroundings
from groundwire.dialects.genai_fields import found, put_input, put_output
from groundwire.dialects.messages import read_answer, read_question, read_turns
from groundwire.dialects.toolresult import put_tool_documents
from groundwire.dialects.usage import parse_inclusive_usage, read_cost
from groundwire.dialects.values import as_float, as_label, as_text, decode_text, parse_json, parse_structure
from groundwire.record import Expected, Feedback
from groundwire.span import SpanData

_TYPE, _INPUTS, _OUTPUTS = "mlflow.spanType", "mlflow.spanInputs", "mlflow.spanOutputs"
_ROLES = {
    "LLM": Role.LLM, "CHAT_MODEL": Role.LLM, "CHAIN": Role.CHAIN, "AGENT": Role.CHAIN, "WORKFLOW": Role.CHAIN,
    "TASK": Role.CHAIN, "TOOL": Role.TOOL, "RETRIEVER": Role.RETRIEVAL, "RERANKER": Role.RERANK,
    "EMBEDDING": Role.EMBEDDING, "PARSER": Role.CHAIN, "MEMORY": Role.OTHER, "GUARDRAIL": Role.OTHER,
    "EVALUATOR": Role.EVALUATION, "UNKNOWN": Role.CHAIN,
}  # fmt: skip
_EXPECTED_ANSWERS = frozenset({"expected_response", "expected_answer", "expected_output", "ground_truth"})
_LABELS = (
    ("model", ("mlflow.llm.model", "mlflow.chat.model")),
    ("provider", ("mlflow.llm.provider",)),
    ("conversation_id", ("session.id", "mlflow.trace.session")),
    ("subject_id", ("user.id", "mlflow.trace.user")),
)


class MLflow:
    """Spans with ``mlflow.spanType`` or other ``mlflow.span*`` attributes."""

    name = "mlflow"

    def detect(self, span: SpanData) -> str | None:
        """Return the type attribute, or the inputs."""
        kind = decode_text(as_label(span.attributes.get(_TYPE)))
        if kind is not None:
            return f"{_TYPE}={kind}"
        return next((key for key in (_INPUTS, _OUTPUTS) if key in span.attributes), None)

    def read(self, span: SpanData, why: str, around: Surroundings) -> Reading:
        """Return what the span says."""
        kind = (decode_text(as_label(span.attributes.get(_TYPE))) or "UNKNOWN").upper()
        reading = Reading(span=span, role=_ROLES.get(kind, Role.CHAIN), dialect=self.name, why=why)
        reading.rank = {"AGENT": 2, "CHAIN": 1, "WORKFLOW": 1}.get(kind, 0)
        _read_labels(reading)
        _read_assessments(reading)
        inputs, outputs = span.attributes.get(_INPUTS), span.attributes.get(_OUTPUTS)
        if reading.role in (Role.RETRIEVAL, Role.RERANK):
            _read_retrieval(reading, inputs, outputs)
        elif reading.role is Role.TOOL:
            _read_tool(reading, inputs, outputs)
        elif reading.role is Role.LLM:
            _read_model(reading, inputs, outputs)
        elif reading.role is Role.CHAIN:
            _read_function(reading, inputs, outputs)
        return reading


def _read_labels(reading: Reading) -> None:
    attributes = reading.span.attributes
    for name, keys in _LABELS:
        for key in keys:
            reading.put(name, decode_text(as_label(attributes.get(key))), key)
    if reading.role in (Role.LLM, Role.CHAIN):
        key = "mlflow.chat.tokenUsage"
        reading.put("usage", parse_inclusive_usage(attributes.get(key)), key)
        reading.usage_is_total = reading.role is Role.CHAIN
        costs = parse_structure(attributes.get("mlflow.llm.cost")).value
        if isinstance(costs, Mapping):
            cost = read_cost(costs.get("total_cost"), source="mlflow.llm.cost")
            reading.put("cost", cost, "mlflow.llm.cost")
    for key, value in attributes.items():
        if key.startswith("mlflow.traceTag."):
            text = decode_text(as_label(value))
            if text is not None and len(text) <= 200:
                reading.tags[key.removeprefix("mlflow.traceTag.")] = text


def _read_assessments(reading: Reading) -> None:
    """Expectations say what the answer should be; feedback counts where a person gave it."""
    items = parse_json(reading.span.attributes.get("mlflow.assessments")).value
    for item in items if isinstance(items, list) else ():
        if not isinstance(item, Mapping):
            continue
        name = as_label(item.get("assessment_name", item.get("name"))) or ""
        expectation, feedback = item.get("expectation"), item.get("feedback")
        if isinstance(expectation, Mapping) and name in _EXPECTED_ANSWERS:
            answer = decode_text(expectation.get("value"))
            reading.put("expected", Expected(answer=answer) if answer else None, "mlflow.assessments")
        source = item.get("source")
        kind = as_label(source.get("source_type")) if isinstance(source, Mapping) else None
        if isinstance(feedback, Mapping) and kind == "HUMAN":
            value, comment = feedback.get("value"), as_text(item.get("rationale"))
            said = Feedback(score=as_float(value), label=_spell(name, value), comment=comment)
            reading.feedback = (*reading.feedback, said)


def _spell(name: str, value: Any) -> str | None:
    label = str(value).lower() if isinstance(value, bool) else as_label(value)
    return f"{name}: {label}" if label is not None else None


def _read_retrieval(reading: Reading, inputs: Any, outputs: Any) -> None:
    if inputs is not None:
        reading.put("query", read_question(inputs), _INPUTS)
        reading.put("carried", read_evident_contexts(inputs).contexts, _INPUTS)
    if outputs is not None:
        documents = read_contexts(outputs)
        if documents.contexts is not None:
            reading.documents, reading.sources["documents"] = documents.contexts, _OUTPUTS
        if documents.damage is not None:
            reading.damage["documents"] = documents.damage


def _read_tool(reading: Reading, inputs: Any, outputs: Any) -> None:
    if inputs is not None:
        reading.put("query", read_question(inputs), _INPUTS)
    put_tool_documents(reading, outputs, _OUTPUTS, name=reading.span.name)


def _read_model(reading: Reading, inputs: Any, outputs: Any) -> None:
    given = parse_json(inputs).value
    if isinstance(given, Mapping) and "messages" not in given and not read_turns(given):
        reading.put("question", read_question(given), _INPUTS)
    elif given is not None:
        put_input(reading, found(given, _INPUTS))
    if outputs is not None:
        put_output(reading, found(parse_text_or_structure(outputs), _OUTPUTS))
        if not parse_json(outputs).complete:
            reading.damage["answer"] = "truncated"


def parse_text_or_structure(value: Any) -> Any:
    """Return the structure in a JSON string, or the text that a quoted string holds.

    >>> parse_text_or_structure('"hi"'), parse_text_or_structure("[1]")
    ('hi', [1])
    """
    text = decode_text(value)
    parsed = parse_json(value).value
    return parsed if isinstance(parsed, (Mapping, list)) else text if text is not None else parsed


def _read_function(reading: Reading, inputs: Any, outputs: Any) -> None:
    if inputs is not None:
        reading.put("question", read_question(inputs), _INPUTS)
    if outputs is None:
        return
    said = parse_text_or_structure(outputs)
    answer = read_answer(said)
    reading.put("answer", answer.text, _OUTPUTS)
    if isinstance(said, (Mapping, list)):
        reading.output, reading.sources["output"] = said, _OUTPUTS
    if not parse_json(outputs).complete and as_text(answer.text) is not None:
        reading.damage["answer"] = "truncated"
    for value, key in ((outputs, _OUTPUTS), (inputs, _INPUTS)):
        reading.put("carried", read_evident_contexts(value).contexts if value is not None else None, key)
