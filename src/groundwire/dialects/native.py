"""groundwire's own spans (``instrumentation/WIRE.md``): self-contained, so one span is one record.

The usual span is decoded straight into structs. What does not fit them (a cut or foreign value) goes
through the tolerant readers, so that nothing is lost.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from msgspec import structs

from groundwire import semconv
from groundwire.dialects.damage import text_damage
from groundwire.dialects.documents import read_contexts
from groundwire.dialects.form import Reading, Role, Surroundings
from groundwire.dialects.messages import read_answer, read_conversation
from groundwire.dialects.native_wire import (
    as_contexts,
    convert_each,
    decode_changes,
    decode_citations,
    decode_cost,
    decode_digests,
    decode_documents,
    decode_expected,
    decode_messages,
    decode_object,
    decode_texts,
    decode_wire,
)
from groundwire.dialects.refs import RefFiles
from groundwire.dialects.sampling import read_sampling
from groundwire.dialects.spanfacts import read_error, read_span_facts
from groundwire.dialects.values import as_bool, as_count, as_text, as_texts, parse_json
from groundwire.record import Citation, Message, RagRecord, Usage
from groundwire.span import SpanData

_LABELS = (
    (semconv.PROVIDER_NAME, "provider"),
    (semconv.CONVERSATION_ID, "conversation_id"),
    (semconv.USER_ID, "subject_id"),
    (semconv.PROMPT_NAME, "prompt_id"),
    (semconv.PROMPT_VERSION, "prompt_version"),
    (semconv.INDEX_VERSION, "index_version"),
    (semconv.TENANT, "tenant"),
    (semconv.STREAM_END, "stream_end"),
)
_USAGE = (
    (semconv.INPUT_TOKENS, "input_tokens"),
    (semconv.OUTPUT_TOKENS, "output_tokens"),
    (semconv.CACHE_READ_INPUT_TOKENS, "cache_read_input_tokens"),
    (semconv.CACHE_WRITE_INPUT_TOKENS, "cache_write_input_tokens"),
    (semconv.REASONING_OUTPUT_TOKENS, "reasoning_output_tokens"),
)
_COUNTABLE = 1 << 53
_MODEL = semconv.RESPONSE_MODEL
_STRUCTS = (
    (semconv.COST, "recorded_cost", decode_cost),
    (semconv.EXPECTED, "expected", decode_expected),
    (semconv.TAGS, "tags", decode_texts),
    (semconv.METADATA, "metadata", decode_object),
)
_KEPT_AS_METADATA = (semconv.STREAM_CHUNKS, semconv.CONSUMER_WAIT_NS, semconv.CONTEXT_SOURCE)
_CHANGE_REASONS = {
    "truncated": "truncated",
    "dropped": "truncated",
    "redacted": "redacted",
    "failed": "not_captured",
}
_MASKED_BY_COLLECTOR = "redaction.masked.count"
_OFFSETS = ("answer_start", "answer_end", "source_start", "source_end")
_CONTENT_FIELDS = ("question", "answer", "contexts", "citations")
_RARE = frozenset(
    {
        *(attribute for attribute, _ in _LABELS),
        *(attribute for attribute, _, _ in _STRUCTS),
        *_KEPT_AS_METADATA,
        semconv.FINISH_REASONS,
        semconv.ABSTAINED,
        semconv.LATENCY_NS,
        semconv.TIME_TO_FIRST_CHUNK_NS,
        semconv.CHANGES,
        semconv.CONTENT_DIGESTS,
        semconv.CAPTURE,
        _MASKED_BY_COLLECTOR,
    }
)
"""Attributes that the usual answer span lacks: one look at their names spares it a look at each."""


def is_native(span: SpanData) -> bool:
    """Tell whether the span is an answer that ``@instrument`` wrote."""
    return semconv.CALL in span.attributes


def read_native(span: SpanData, local_root: SpanData | None, refs: RefFiles) -> RagRecord:
    """Return the record of one native answer span.

    ``local_root`` may carry the sampling threshold that the span itself lacks; ``refs`` resolves offloaded
    content.
    """
    return _NativeReader(span, refs).read(local_root)


class _NativeReader:
    __slots__ = ("attributes", "completeness", "fields", "provenance", "refs", "span")

    def __init__(self, span: SpanData, refs: RefFiles) -> None:
        self.span, self.refs = span, refs
        self.attributes = span.attributes
        self.fields = read_span_facts(span)
        self.provenance: dict[str, str] = {}
        self.completeness: dict[str, str] = {}

    def read(self, local_root: SpanData | None) -> RagRecord:
        attributes, provenance, prefix = self.attributes, self.provenance, self.span.span_id + ":"
        for field, attribute, reference, read in _CONTENT:
            value = attributes.get(attribute)
            if value is not None:
                provenance[field] = prefix + attribute
                read(self, value)
            elif reference in attributes:
                self._read_reference(field, reference, read)
        self._read_model_and_usage(prefix)
        is_usual = _RARE.isdisjoint(attributes)
        if not is_usual:
            self._read_scalars()
            self._read_structs()
        self._read_error()
        if not is_usual or self.span.dropped_attributes:
            self._note_losses()
        self._note_masks()
        fields = self.fields
        fields["sampling"] = read_sampling(self.span, local_root)
        fields["provenance"], fields["completeness"] = provenance, self.completeness
        return RagRecord(**fields)

    def _found(self, field: str, attribute: str) -> None:
        self.provenance[field] = f"{self.span.span_id}:{attribute}"

    def _read_reference(self, field: str, reference: str, read: _Read) -> None:
        """Read the text of the file that stands for the attribute."""
        self._found(field, reference)
        content = self.refs.read(self.attributes[reference])
        if content is None:
            self.completeness[field] = "not_exported"
        else:
            read(self, content)

    def _read_input(self, value: Any) -> None:
        messages = decode_wire(decode_messages, value)
        if messages is None:
            self._read_foreign_input(value)
            return
        last = messages[-1] if messages else None
        if last is not None and last.role == "user" and last.question:
            self.fields["question"] = last.parts[0].content
            messages.pop()
        if messages:
            self._found("history", semconv.INPUT_MESSAGES)
            self.fields["history"] = tuple(Message(role=m.role, content=m.parts[0].content) for m in messages)

    def _read_foreign_input(self, value: Any) -> None:
        conversation = read_conversation(value)
        self.fields["question"], self.fields["history"] = conversation.question, conversation.history
        if not conversation.complete:
            self.completeness["question"] = "truncated"

    def _read_output(self, value: Any) -> None:
        messages = decode_wire(decode_messages, value)
        if messages and len(messages) == 1:
            self.fields["answer"] = messages[0].parts[0].content
            return
        answer = read_answer(value)
        self.fields["answer"] = answer.text
        if not answer.complete:
            self.completeness["answer"] = "truncated"

    def _read_contexts(self, value: Any) -> None:
        documents = decode_wire(decode_documents, value)
        if documents is not None:
            self.fields["contexts"] = as_contexts(documents)
            for document in documents:
                if document.truncated:
                    self.completeness["contexts"] = "truncated"
            return
        found = read_contexts(value)
        self.fields["contexts"] = found.contexts
        if not found.complete:
            self.completeness["contexts"] = "truncated"

    def _read_citations(self, value: Any) -> None:
        citations = decode_wire(decode_citations, value)
        if citations is None:
            parsed = parse_json(value)
            citations = convert_each(parsed.value, Citation)
            self.completeness["citations"] = "truncated"
        self.fields["citations"] = citations

    def _read_model_and_usage(self, prefix: str) -> None:
        attributes, fields = self.attributes, self.fields
        model = attributes.get(_MODEL)
        if model is not None:
            fields["model"] = as_text(model)
            self.provenance["model"] = prefix + _MODEL
        usage = {}
        for key, name in _USAGE:
            count = attributes.get(key)
            if count is not None:
                usage[name] = count if type(count) is int and 0 <= count < _COUNTABLE else as_count(count)
        if usage:
            fields["usage"] = Usage(**usage)
            self.provenance["usage"] = prefix + semconv.INPUT_TOKENS

    def _read_scalars(self) -> None:
        attributes, fields = self.attributes, self.fields
        for attribute, field in _LABELS:
            value = attributes.get(attribute)
            if value is not None:
                fields[field] = as_text(value)
                self._found(field, attribute)
        reasons = attributes.get(semconv.FINISH_REASONS)
        if reasons is not None:
            fields["finish_reason"] = next(iter(as_texts(reasons)), None)
        if semconv.ABSTAINED in attributes:
            fields["abstained"] = as_bool(attributes[semconv.ABSTAINED])
            self._found("abstained", semconv.ABSTAINED)
        if semconv.LATENCY_NS in attributes:
            latency = as_count(attributes[semconv.LATENCY_NS])
            if latency is not None:
                fields["latency_ns"] = latency
                self._found("latency_ns", semconv.LATENCY_NS)
        if semconv.TIME_TO_FIRST_CHUNK_NS in attributes:
            fields["time_to_first_chunk_ns"] = as_count(attributes[semconv.TIME_TO_FIRST_CHUNK_NS])

    def _read_structs(self) -> None:
        for attribute, field, decode in _STRUCTS:
            value = self.attributes.get(attribute)
            if value is None:
                continue
            self._found(field, attribute)
            decoded = decode_wire(decode, value)
            if decoded is None:
                self.completeness[field] = "truncated"
            else:
                self.fields[field] = decoded
        kept = {name: self.attributes[name] for name in _KEPT_AS_METADATA if name in self.attributes}
        if kept:
            self.fields["metadata"] = {**self.fields.get("metadata", {}), **kept}

    def _read_error(self) -> None:
        if semconv.ERROR_TYPE in self.attributes or self.span.status == "error":
            self.fields["error"] = read_error(self.span)
            self._found("error", semconv.ERROR_TYPE)

    def _note_losses(self) -> None:
        missing = [name for name in _CONTENT_FIELDS if self.fields.get(name) is None]
        self._note_changes()
        if _MASKED_BY_COLLECTOR in self.attributes:
            self._distrust_offsets()
        self._note_digests()
        if self.span.dropped_attributes:
            for name in missing:
                self.completeness.setdefault(name, "dropped")
        elif semconv.CAPTURE in self.attributes:
            for name in missing:
                self.completeness.setdefault(name, "not_captured")
            self._note_textless_contexts()

    def _note_masks(self) -> None:
        for name in ("question", "answer"):
            damage = text_damage(self.fields.get(name), is_attribute=False)
            if damage is not None:
                self.completeness.setdefault(name, damage)

    def _note_textless_contexts(self) -> None:
        if any(context.text is None for context in self.fields.get("contexts") or ()):
            self.completeness["contexts"] = "not_captured"

    def _note_changes(self) -> None:
        value = self.attributes.get(semconv.CHANGES)
        if value is None:
            return
        for change in decode_wire(decode_changes, value) or ():
            reason = _CHANGE_REASONS.get(change.change)
            if reason == "redacted":  # by keyed tokens: equal values stay equal, the text can still be judged
                self.completeness.setdefault(f"{change.field}.text", reason)
            elif reason is not None:
                self.completeness.setdefault(change.field, reason)

    def _distrust_offsets(self) -> None:
        """Drop places in texts whose lengths a Collector changed when it masked something in them."""
        citations = self.fields.get("citations") or ()
        if any(getattr(one, name) is not None for one in citations for name in _OFFSETS):
            nowhere = dict.fromkeys(_OFFSETS)
            self.fields["citations"] = tuple(
                structs.replace(one, **nowhere, resolved="unresolved") for one in citations
            )
            self.completeness.setdefault("citations.text", "redacted")

    def _note_digests(self) -> None:
        value = self.attributes.get(semconv.CONTENT_DIGESTS)
        if value is None:
            return
        kept = decode_wire(decode_object, value)
        if kept is not None:
            self.fields["metadata"] = {**self.fields.get("metadata", {}), semconv.CONTENT_DIGESTS: kept}
        for key, digest in (decode_wire(decode_digests, value) or {}).items():
            field = key.partition("[")[0]
            self.completeness.setdefault(field, "truncated" if digest.truncated else "not_captured")


_Read = Callable[[_NativeReader, Any], None]
_CONTENT: tuple[tuple[str, str, str, _Read], ...] = (
    ("question", semconv.INPUT_MESSAGES, semconv.INPUT_MESSAGES_REF, _NativeReader._read_input),
    ("answer", semconv.OUTPUT_MESSAGES, semconv.OUTPUT_MESSAGES_REF, _NativeReader._read_output),
    ("contexts", semconv.RETRIEVAL_DOCUMENTS, semconv.DOCUMENTS_REF, _NativeReader._read_contexts),
    ("citations", semconv.CITATIONS, semconv.CITATIONS_REF, _NativeReader._read_citations),
)
"""What holds most of a record: its field, its attribute, the one that names a file, and who reads it."""


class Native:
    """groundwire's own answer spans, as a dialect among the others."""

    name = "groundwire"

    def detect(self, span: SpanData) -> str | None:
        """Return the attribute that marks a native span."""
        return semconv.CALL if is_native(span) else None

    def read(self, span: SpanData, why: str, around: Surroundings) -> Reading:
        """Return the span as the head of a unit, so that what lies below it can fill its gaps."""
        record = read_native(span, None, around.refs)
        return Reading(
            span=span,
            role=Role.CHAIN,
            dialect=self.name,
            why=why,
            rank=2,
            question=record.question or "",
            answer=record.answer,
        )
