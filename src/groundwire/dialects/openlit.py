"""OpenLIT: GenAI attributes, with Python reprs as arguments and a bare string as output messages."""

from __future__ import annotations

from typing import Any

from groundwire import semconv
from groundwire.dialects.form import Reading, Role, Surroundings
from groundwire.dialects.genai import role_of
from groundwire.dialects.messages import read_question
from groundwire.dialects.values import as_label, as_text, parse_structure
from groundwire.span import SpanData

_ARGUMENTS = ("function.args", "function.kwargs")
_SOURCES = ("gen_ai.rag.strategy", "gen_ai.retrieval.source")


class OpenLIT:
    """Spans of the scope ``openlit…``, or of its decorator (``function.args``)."""

    name = "openlit"

    def detect(self, span: SpanData) -> str | None:
        """Return the scope, the SDK's name, or the decorator's key."""
        if span.scope.name.startswith("openlit"):
            return f"scope {span.scope.name}"
        if as_label(span.resource.get("telemetry.sdk.name")) == "openlit":
            return "telemetry.sdk.name=openlit"
        return next((key for key in _ARGUMENTS if key in span.attributes), None)

    def read(self, span: SpanData, why: str, around: Surroundings) -> Reading:
        """Return what the span says; a cost of 0 is not believed (no price table was reachable)."""
        attributes = span.attributes
        reading = Reading(span=span, role=_role_of(span), dialect=self.name, why=why)
        if reading.role is not Role.CHAIN:
            return reading
        for key in _ARGUMENTS:
            if attributes.get(key) is not None:
                reading.put("question", _first_text(attributes[key]), key)
        said = attributes.get(semconv.OUTPUT_MESSAGES, attributes.get("function.return"))
        text = as_text(said)
        if text is not None and text[:1] not in ("[", "{"):
            reading.put("answer", text, semconv.OUTPUT_MESSAGES)
        return reading


def _role_of(span: SpanData) -> Role:
    attributes = span.attributes
    if any(key in attributes for key in _ARGUMENTS):
        return Role.CHAIN
    operation = as_label(attributes.get(semconv.OPERATION_NAME)) or ""
    if operation == "vectordb" or "db.system" in attributes or "db.system.name" in attributes:
        words = f"{span.name} {as_label(attributes.get('db.operation')) or ''}".lower()
        return Role.RETRIEVAL if any(w in words for w in ("query", "search", "get", "peek")) else Role.OTHER
    if operation in ("framework", "agent"):
        return Role.CHAIN
    return role_of(span) if any(key.startswith("gen_ai.") for key in attributes) else Role.OTHER


def _first_text(value: Any) -> str | None:
    parsed = parse_structure(value).value
    if isinstance(parsed, tuple):
        parsed = list(parsed)
    if isinstance(parsed, list):
        return next((as_text(item) for item in parsed if isinstance(item, str) and item), None)
    return read_question(parsed) if not isinstance(parsed, str) else None
