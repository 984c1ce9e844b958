"""The careful way onto a span: mends odd values, redacts, hashes or leaves out, cuts to size, offloads.

The order matters: values are mended first (so that nothing later fails), then redacted, then restricted to
what ``capture`` allows, then cut, then moved to the store.
"""

from __future__ import annotations

from collections import Counter
from typing import Any

from groundwire.instrumentation.emission import Attributes, Fields, add_attributes, record_context
from groundwire.instrumentation.policy import Policy, keyed_digest
from groundwire.instrumentation.values import Changes, clean_value

_KEPT_OF_DOCUMENTS = ("id", "uri", "score", "access")
_DROPPED_OF_CITATIONS = ("quote", "claim")


def prepare(fields: Fields, policy: Policy, attributes: Attributes) -> Attributes:
    """Return ``attributes`` with ``fields`` added, changed as ``policy`` and their own oddities require."""
    changes: Changes = Counter()
    if "documents" in fields:
        fields = {**fields, "contexts": [record_context(document) for document in fields["documents"]]}
        del fields["documents"]
    fields = settle_types(
        {name: clean_value(value, name, changes) for name, value in fields.items()}, changes
    )
    if policy.redact_kinds or policy.redact_call:
        from groundwire.instrumentation.redaction import redact_fields

        redact_fields(fields, policy, changes)
    if not policy.full:
        restrict(fields, hashed=policy.capture == "hash")
    written: Attributes = {}
    size = add_attributes(written, with_changes(fields, changes), policy)
    if size > policy.max_span_bytes:
        from groundwire.instrumentation.budget import cut_to_size

        cut_to_size(fields, size, policy, changes)
        written = {}
        add_attributes(written, with_changes(fields, changes), policy)
    if policy.offload:
        from groundwire.instrumentation.offload import move_content

        move_content(written, policy.offload)
    return attributes | written


def with_changes(fields: Fields, changes: Changes) -> Fields:
    """Return ``fields`` with the list of changes as a field of its own."""
    if not changes:
        return fields
    rows = [{"field": f, "change": c, "count": n} for (f, c), n in sorted(changes.items())]
    return {**fields, "changes": rows}


_TEXT_FIELDS = (
    "question", "answer", "query", "model", "provider", "conversation_id", "subject_id", "prompt_id",
    "prompt_version", "index_version", "tenant", "stream_end", "context_source", "finish_reason",
)  # fmt: skip
_LIST_FIELDS = ("history", "contexts", "citations")
_DICT_FIELDS = ("usage", "tags", "expected", "recorded_cost", "metadata", "digests")
_INT_FIELDS = ("latency_ns", "time_to_first_chunk_ns", "stream_chunks", "consumer_wait_ns")
_KINDS = ((_TEXT_FIELDS, str), (_LIST_FIELDS, list), (_DICT_FIELDS, dict), (_INT_FIELDS, int),
          (("abstained",), bool))  # fmt: skip


def settle_types(fields: Fields, changes: Changes) -> Fields:
    """Leave out values whose type can not be right (an application may tell a call anything)."""
    for names, kind in _KINDS:
        for name in names:
            value = fields.get(name)
            if value is not None and type(value) is not kind:
                changes[name, "converted"] += 1
                fields[name] = str(value) if kind is str and type(value) in (int, float) else None
    for name in _LIST_FIELDS:
        if fields.get(name):
            fields[name] = [item for item in fields[name] if isinstance(item, dict)]
    if fields.get("usage"):
        fields["usage"] = {name: count for name, count in fields["usage"].items() if type(count) is int}
    return fields


def restrict(fields: Fields, *, hashed: bool) -> None:
    """Take the content out of ``fields``; with ``hashed`` leave lengths and keyed digests."""
    digests = fields.setdefault("digests", {})
    for name in ("question", "answer"):
        text = fields.pop(name, None)
        if hashed and text is not None:
            digests[name] = digest_of(text)
    for index, turn in enumerate(fields.pop("history", None) or ()):
        if hashed and isinstance(turn.get("content"), str):
            digests[f"history[{index}]"] = digest_of(turn["content"])
    fields.pop("query", None)
    fields.pop("metadata", None)
    fields.pop("expected", None)
    if fields.get("contexts"):
        fields["contexts"] = [_restricted(context, hashed) for context in fields["contexts"]]
    for citation in fields.get("citations") or ():
        for name in _DROPPED_OF_CITATIONS:
            citation.pop(name, None)


def digest_of(text: str) -> dict[str, Any]:
    """Return a text's length in code points and its keyed digest."""
    return {"length": len(text), "digest": keyed_digest(text)}


def _restricted(context: dict[str, Any], hashed: bool) -> dict[str, Any]:
    kept = {name: context[name] for name in _KEPT_OF_DOCUMENTS if context.get(name) is not None}
    text = context.get("text")
    return {**kept, **digest_of(text)} if hashed and isinstance(text, str) else kept
