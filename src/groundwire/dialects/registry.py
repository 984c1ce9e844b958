"""Which dialect a span speaks, and why: the built-in ones in order, third parties' before them.

A third party adds a dialect through the entry point group ``groundwire.dialects`` (see ``DIALECTS.md``).
One that fails is passed over, for that span, in favor of the next that claims it.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator, Sequence
from functools import cache
from importlib import metadata

from groundwire import semconv
from groundwire.dialects.feedback import FeedbackSpans
from groundwire.dialects.form import Dialect, Reading, Role, Surroundings, adopt
from groundwire.dialects.genai import GenAI, read_genai
from groundwire.dialects.haystack import Haystack
from groundwire.dialects.langfuse import Langfuse
from groundwire.dialects.langsmith import LangSmith
from groundwire.dialects.llamaindex import LlamaIndex
from groundwire.dialects.mlflow import MLflow
from groundwire.dialects.native import Native
from groundwire.dialects.openinference import OpenInference
from groundwire.dialects.openlit import OpenLIT
from groundwire.dialects.openllmetry import OpenLLMetry
from groundwire.dialects.pairs import InputOutput
from groundwire.dialects.pydantic_ai import PydanticAI
from groundwire.dialects.toolresult import put_tool_documents
from groundwire.dialects.trulens import TruLens
from groundwire.dialects.values import as_label
from groundwire.dialects.vercel import Vercel
from groundwire.span import SpanData

ENTRY_POINTS = "groundwire.dialects"
BUILT_IN: tuple[Dialect, ...] = (
    Native(),
    FeedbackSpans(),
    OpenInference(),
    Langfuse(),
    MLflow(),
    TruLens(),
    LangSmith(),
    Haystack(),
    Vercel(),
    LlamaIndex(),
    OpenLLMetry(),
    PydanticAI(),
    OpenLIT(),
    InputOutput(is_plain=False),
    GenAI(),
    InputOutput(),
)
_log = logging.getLogger("groundwire")


@cache
def list_dialects() -> tuple[Dialect, ...]:
    """Return all dialects in the order in which they are asked.

    >>> [dialect.name for dialect in list_dialects()][:3]
    ['groundwire', 'groundwire-feedback', 'openinference']
    """
    return (*_third_parties(), *BUILT_IN)


def _third_parties() -> Iterator[Dialect]:
    for point in sorted(metadata.entry_points(group=ENTRY_POINTS), key=lambda point: point.name):
        try:
            loaded = point.load()
            dialect = loaded() if isinstance(loaded, type) else loaded
        except Exception as cause:  # noqa: BLE001 - a broken plug-in must not stop reading
            _log.warning("dialect %r can not be loaded and is left out: %s", point.name, cause)
            continue
        if isinstance(dialect, Dialect):
            yield dialect
        else:
            _log.warning("dialect %r has no name, detect and read and is left out", point.name)


def read_span(span: SpanData, around: Surroundings, dialects: Sequence[Dialect] | None = None) -> Reading:
    """Return what a span says, in the first dialect that claims it; role OTHER where none does.

    Whatever a dialect leaves open is filled from ``gen_ai.*`` attributes, since many spans carry both.
    """
    for dialect in list_dialects() if dialects is None else dialects:
        try:
            why = dialect.detect(span)
            if why is None:
                continue
            reading = dialect.read(span, why, around)
            if not isinstance(reading, Reading):
                raise TypeError(f"expected a Reading, got {type(reading).__name__}")
            _complete(reading, dialect, around)
        except Exception as cause:  # noqa: BLE001 - nothing in a trace may stop reading
            _log.debug("dialect %s failed on span %s: %r", dialect.name, span.span_id, cause)
            continue
        return reading
    return Reading(span=span, role=Role.OTHER, dialect="unknown", why="no known attribute")


def _complete(reading: Reading, dialect: Dialect, around: Surroundings) -> None:
    """Fill what the dialect left open from what Langfuse or GenAI attributes on the same span say."""
    span = reading.span
    if dialect.name != Langfuse.name and _OBSERVED.intersection(span.attributes):
        adopt(reading, Langfuse().read(span, reading.why, around))
        if reading.role is Role.TOOL:
            name = as_label(span.attributes.get("gen_ai.tool.name", span.attributes.get("tool.name")))
            output = "langfuse.observation.output"
            put_tool_documents(reading, span.attributes.get(output), output, name=name or span.name)
    if dialect.name != GenAI.name and _has_genai(span):
        read_genai(reading, around)


_OBSERVED = frozenset({"langfuse.observation.input", "langfuse.observation.output", "langfuse.trace.output"})


def _has_genai(span: SpanData) -> bool:
    attributes = span.attributes
    return semconv.CALL not in attributes and any(key.startswith("gen_ai.") for key in attributes)
