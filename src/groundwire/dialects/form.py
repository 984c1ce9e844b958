"""The form between dialects and records: what one span says, in one vocabulary for all dialects.

A dialect turns one span into one :class:`Reading` and knows nothing of the spans around it; assembly joins
the readings of a trace into records and knows nothing of attributes.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from typing import Any, Protocol, runtime_checkable

from msgspec import Struct, field

from groundwire.dialects.messages import Turn
from groundwire.dialects.refs import RefFiles
from groundwire.record import Citation, Cost, Expected, Feedback, Message, RetrievedContext, Usage
from groundwire.span import LogData, SpanData


class Role(StrEnum):
    """What a span is in the making of an answer.

    ``CHAIN``: a function, workflow or agent, which may be the whole answer. ``LLM``: a model call.
    ``RETRIEVAL`` and ``RERANK`` return documents. ``TOOL``: a tool call, whose result may be documents.
    ``EVALUATION``: a judge or grader with all below it. ``DUPLICATE``: to be ignored. ``OTHER``: no part.
    """

    CHAIN = "chain"
    LLM = "llm"
    RETRIEVAL = "retrieval"
    RERANK = "rerank"
    TOOL = "tool"
    EMBEDDING = "embedding"
    EVALUATION = "evaluation"
    DUPLICATE = "duplicate"
    OTHER = "other"


class Reading(Struct, kw_only=True):
    """What one span says. None: it does not say.

    ``turns`` is the prompt of a model call, ``variables`` the values that were filled into its template.
    ``query`` and ``documents`` belong to retrievals, rerankers and tools (for a reranker: its output);
    ``carried`` are documents that merely pass through a chain's input or output. ``output`` is a raw
    result that may hold a provider's citations. ``usage_is_total`` says that the usage sums up spans
    below. ``rank`` says how surely a chain is a whole answer (0: any function, 1: a chain or workflow, 2: an
    agent, or one that carries messages). ``sources`` maps a field of this struct to the attribute it came
    from, ``damage`` one to a completeness reason.
    """

    span: SpanData
    role: Role
    dialect: str
    why: str
    question: str | None = None
    answer: str | None = None
    history: tuple[Message, ...] = ()
    turns: tuple[Turn, ...] = ()
    variables: dict[str, str] = field(default_factory=dict)
    query: str | None = None
    documents: tuple[RetrievedContext, ...] | None = None
    carried: tuple[RetrievedContext, ...] | None = None
    output: Any = None
    citations: tuple[Citation, ...] | None = None
    usage: Usage | None = None
    usage_is_total: bool = False
    rank: int = 0
    cost: Cost | None = None
    model: str | None = None
    provider: str | None = None
    response_id: str | None = None
    finish_reason: str | None = None
    abstained: bool | None = None
    time_to_first_chunk_ns: int | None = None
    conversation_id: str | None = None
    subject_id: str | None = None
    prompt_id: str | None = None
    prompt_version: str | None = None
    environment: str | None = None
    version: str | None = None
    tags: dict[str, str] = field(default_factory=dict)
    expected: Expected | None = None
    feedback: tuple[Feedback, ...] = ()
    error: str | None = None
    metadata: dict[str, Any] = field(default_factory=dict)
    sources: dict[str, str] = field(default_factory=dict)
    damage: dict[str, str] = field(default_factory=dict)

    def put(self, name: str, value: Any, attribute: str) -> None:
        """Set a field that is still unknown, and note the attribute it came from."""
        if value is None or value == () or getattr(self, name) not in (None, ()):
            return
        setattr(self, name, value)
        self.sources[name] = attribute


_ADOPTED = (
    "question", "answer", "history", "turns", "query", "documents", "carried", "usage", "cost", "model",
    "response_id", "finish_reason", "time_to_first_chunk_ns", "conversation_id", "subject_id",
    "prompt_id", "prompt_version",
    "environment", "version", "expected",
)  # fmt: skip


def adopt(reading: Reading, other: Reading) -> None:
    """Fill what ``reading`` leaves open from another dialect's reading of the same span; its role stands.

    What the other takes for documents passing through is a source's own result.
    """
    for name in _ADOPTED:
        reading.put(name, getattr(other, name), other.sources.get(name, ""))
    if reading.role in (Role.RETRIEVAL, Role.RERANK, Role.TOOL):
        reading.put("documents", other.carried, other.sources.get("carried", ""))
    if reading.output is None and other.output is not None:
        reading.output, reading.sources["output"] = other.output, other.sources.get("output", "")
    reading.tags = {**other.tags, **reading.tags}
    reading.metadata = {**other.metadata, **reading.metadata}
    reading.error = reading.error or other.error


class Surroundings(Struct, frozen=True):
    """What a dialect may look at beside the span: its log records, and the files that refs name."""

    logs: Sequence[LogData]
    refs: RefFiles


@runtime_checkable
class Dialect(Protocol):
    """One vendor's vocabulary. Stateless; both methods take any span and should not raise.

    ``detect`` returns what gave the span away (an attribute or scope, for people to read), or None when
    it speaks another dialect. ``read`` is called only after ``detect`` returned a reason.
    """

    name: str

    def detect(self, span: SpanData) -> str | None:
        """Return why this dialect claims the span, or None."""
        ...

    def read(self, span: SpanData, why: str, around: Surroundings) -> Reading:
        """Return what the span says."""
        ...
