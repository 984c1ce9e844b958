"""The value that everything offline works on: one answered question.

Frozen values; no I/O, no OpenTelemetry. Everywhere, **None means "not known"** (not reported, not
captured), which is never the same as zero, empty or false. Offsets are code points (Python ``str``
indices), start inclusive, end exclusive. Times and durations are integer nanoseconds, points in time UTC.
The garbage collector does not visit these values (``gc=False``): none can come to hold itself.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import product
from typing import Any

from groundwire.errors import MissingExtraError, RecordError

try:
    import msgspec
    from msgspec import Struct, field
    from msgspec.structs import force_setattr
except ImportError as missing:  # pragma: no cover - the base install has no [score]
    raise MissingExtraError.of("score", module="msgspec") from missing


class RetrievedContext(Struct, frozen=True, kw_only=True, omit_defaults=True, gc=False):
    """One passage that was retrieved for the answer.

    ``text`` None: not captured. ``score`` is the retriever's own (range unknown; never compared across
    systems). ``length`` is the full text's length in code points and ``digest`` a digest of it, both
    only where the text is not stored whole; ``truncated`` says that it was cut. ``access`` is the label
    that a policy gave: ``"authorized"``, ``"unauthorized"`` (for this subject), or None (unlabeled).
    """

    id: str | None = None
    text: str | None = None
    score: float | None = None
    uri: str | None = None
    title: str | None = None
    metadata: dict[str, Any] = field(default_factory=dict)
    length: int | None = None
    digest: str | None = None
    truncated: bool = False
    access: str | None = None


class Citation(Struct, frozen=True, kw_only=True, omit_defaults=True, gc=False):
    """A link from a range of the answer to a source.

    ``quote`` is the text that the source is said to hold (None: the citation names a source only),
    ``source_id`` names the source: a context's id, title, URI, or 1-based number as text. ``claim`` is the
    cited part of the answer where a provider states it. ``source_start``/``source_end`` index the
    source's text. ``resolved`` says how offsets were settled: ``code_points``, ``utf16`` or
    ``utf8_bytes`` (with ``_inclusive`` where the end was), ``quote`` (located by its text), ``marker``
    (a ``[1]`` in the answer) or ``unresolved``; None: there was nothing to settle.
    """

    quote: str | None = None
    source_id: str | None = None
    claim: str | None = None
    answer_start: int | None = None
    answer_end: int | None = None
    source_start: int | None = None
    source_end: int | None = None
    resolved: str | None = None


class Usage(Struct, frozen=True, kw_only=True, omit_defaults=True, gc=False):
    """Tokens of all model calls behind one answer. None: not reported; 0: reported as zero.

    As in the GenAI conventions, ``input_tokens`` *includes* cached ones and ``output_tokens`` *includes*
    reasoning.
    """

    input_tokens: int | None = None
    output_tokens: int | None = None
    cache_read_input_tokens: int | None = None
    cache_write_input_tokens: int | None = None
    reasoning_output_tokens: int | None = None


class Message(Struct, frozen=True, kw_only=True, gc=False):
    """An earlier turn of the conversation: ``role`` (system, user, assistant, tool) and ``content``."""

    role: str
    content: str


class Cost(Struct, frozen=True, kw_only=True, omit_defaults=True, gc=False):
    """A cost that the traced system recorded itself. ``amount`` is a decimal string, never a float."""

    amount: str
    currency: str = "USD"
    source: str | None = None


class Feedback(Struct, frozen=True, kw_only=True, omit_defaults=True, gc=False):
    """What a person said of the answer; the range of ``score`` is the application's own."""

    score: float | None = None
    label: str | None = None
    comment: str | None = None
    given_at_ns: int | None = None


class Expected(Struct, frozen=True, kw_only=True, omit_defaults=True, gc=False):
    """What a case or a data set says the answer should be. Every field may be None: not stated.

    ``answerable``: False where the system should have abstained. ``context_ids``: the relevant sources.
    ``checks``: named checks of a suite, as written there.
    """

    answer: str | None = None
    answerable: bool | None = None
    context_ids: tuple[str, ...] | None = None
    checks: dict[str, Any] = field(default_factory=dict)


class Sampling(Struct, frozen=True, kw_only=True, omit_defaults=True, gc=False):
    """How this answer came into the sample.

    ``threshold`` is OTel's ``ot=th`` as written (1–14 hex digits), ``probability`` in (0, 1] derived
    from it, ``source`` where that came from (``tracestate_th``, ``root_th``, ``attribute``,
    ``unknown``), ``policy`` a tail sampler's policy. ``process`` and ``sequence`` are the caller's own
    count: the ``sequence``-th call of that process instance, sampled or not.
    """

    threshold: str | None = None
    probability: float | None = None
    source: str = "unknown"
    policy: str | None = None
    process: str | None = None
    sequence: int | None = None


class RagRecord(Struct, frozen=True, kw_only=True, omit_defaults=True, gc=False):
    """One answered question, also one that failed (then ``error`` says how).

    ``contexts`` and ``citations`` are None when not captured and empty when there were none.
    ``latency_ns`` is the whole call; ``status`` is ``unset``, ``ok`` or ``error``; ``error`` is the error's
    type, then ``": "`` and its message where that was captured. ``abstained`` is what the application
    itself said. ``stream_end`` is ``exhausted``, ``closed``, ``failed``, ``cancelled`` or ``abandoned``.
    ``provenance`` maps a field to where it came from (``"<span id>:<attribute>"``); ``completeness`` maps
    a field that is missing or damaged to the reason (``not_captured``, ``dropped``, ``truncated``,
    ``redacted``, ``sampled_away``, ``not_exported``). What no field has lies in ``metadata``.

    Contexts may be given as str, mapping or RetrievedContext, citations as mapping or Citation, and so on;
    wrong types raise :class:`~groundwire.errors.RecordError`.

    >>> record = RagRecord(question="Who?", answer="Ada.", contexts=["Ada wrote it."])
    >>> record.contexts[0].text
    'Ada wrote it.'
    """

    question: str | None = None
    answer: str | None = None
    contexts: tuple[RetrievedContext, ...] | None = None
    citations: tuple[Citation, ...] | None = None
    usage: Usage | None = None
    model: str | None = None
    provider: str | None = None
    latency_ns: int | None = None
    time_to_first_chunk_ns: int | None = None
    started_at_ns: int | None = None
    status: str | None = None
    error: str | None = None
    abstained: bool | None = None
    finish_reason: str | None = None
    stream_end: str | None = None
    history: tuple[Message, ...] = ()
    trace_id: str | None = None
    span_id: str | None = None
    conversation_id: str | None = None
    subject_id: str | None = None
    service: str | None = None
    service_version: str | None = None
    environment: str | None = None
    prompt_id: str | None = None
    prompt_version: str | None = None
    index_version: str | None = None
    tenant: str | None = None
    tags: dict[str, str] = field(default_factory=dict)
    expected: Expected | None = None
    feedback: tuple[Feedback, ...] = ()
    recorded_cost: Cost | None = None
    sampling: Sampling | None = None
    provenance: dict[str, str] = field(default_factory=dict)
    completeness: dict[str, str] = field(default_factory=dict)
    metadata: dict[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for name, item_type, only in _SEQUENCES:
            value = getattr(self, name)
            if value is None or (type(value) is tuple and (not value or only.issuperset(map(type, value)))):
                continue
            force_setattr(self, name, _convert_items(name, value, item_type))
        kinds = (type(self.usage), type(self.expected), type(self.recorded_cost), type(self.sampling))
        if kinds not in _STRUCT_KINDS:
            for name, struct_type in _STRUCTS:
                value = getattr(self, name)
                if value is not None and type(value) is not struct_type:
                    force_setattr(self, name, _convert(name, value, struct_type))


_SEQUENCES: tuple[tuple[str, type[Struct], frozenset[type]], ...] = (
    ("contexts", RetrievedContext, frozenset((RetrievedContext,))),
    ("citations", Citation, frozenset((Citation,))),
    ("history", Message, frozenset((Message,))),
    ("feedback", Feedback, frozenset((Feedback,))),
)
_STRUCTS: tuple[tuple[str, type[Struct]], ...] = (
    ("usage", Usage),
    ("expected", Expected),
    ("recorded_cost", Cost),
    ("sampling", Sampling),
)
_STRUCT_KINDS = frozenset(product(*((struct_type, type(None)) for _, struct_type in _STRUCTS)))
"""Every right combination: one look-up tells that nothing is to be converted."""
RECORD_FIELDS: tuple[str, ...] = RagRecord.__struct_fields__
"""The names of RagRecord's fields, in order."""


def parse_record(fields: Mapping[str, Any]) -> RagRecord:
    """Build a RagRecord from a mapping of its fields, as a record file or an ``extract`` hook gives it.

    Unknown fields are kept under ``metadata``. Raises RecordError naming the field that does not fit.

    >>> parse_record({"question": "Who?", "dataset": "demo"}).metadata
    {'dataset': 'demo'}
    """
    known: dict[str, Any] = {}
    extra: dict[str, Any] = {}
    for name, value in fields.items():
        (known if name in _FIELD_SET else extra)[name] = value
    contexts = known.get("contexts")
    if isinstance(contexts, (list, tuple)):
        known["contexts"] = [{"text": item} if isinstance(item, str) else item for item in contexts]
    if extra:
        own = known.get("metadata")
        known["metadata"] = {**(own if isinstance(own, Mapping) else {}), **extra}
    converted: RagRecord = _convert("record", known, RagRecord)
    return converted


_FIELD_SET = frozenset(RECORD_FIELDS)


def _convert_items(name: str, value: Any, item_type: type[Struct]) -> tuple[Any, ...]:
    if isinstance(value, (str, bytes, Mapping)) or not hasattr(value, "__iter__"):
        raise RecordError(
            "wrong type", where=name, expected=f"a list of {item_type.__name__}", got=type(value).__name__
        )
    return tuple(_convert_item(f"{name}[{i}]", item, item_type) for i, item in enumerate(value))


def _convert_item(where: str, item: Any, item_type: type[Struct]) -> Any:
    if type(item) is item_type:
        return item
    if item_type is RetrievedContext and isinstance(item, str):
        return RetrievedContext(text=item)
    return _convert(where, item, item_type)


def _convert(where: str, value: Any, target: type[Any]) -> Any:
    try:
        return msgspec.convert(value, target)
    except (msgspec.ValidationError, TypeError) as cause:
        raise RecordError(str(cause), where=where, mend="Pass the fields as documented.") from cause
